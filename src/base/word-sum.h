/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_WORD_SUM_H
#define INCA_BASE_WORD_SUM_H

#include "base/word.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** How two words become one. INCA's own are its members; a program may have others. */
struct WordSum
{
    const char* name; ///< for people

    /** out = term + held, word by word, in that order of operands; @p out may be either of them */
    void (*add)(const Word* term, const Word* held, Word* out, std::size_t count);

    /**
     * Whether the order of additions cannot change a sum. Of saturating ones that holds only because nothing saturates:
     * integers are scaled such that no partial sum, in whatever order, is beyond int32 (IntegerScale).
     */
    bool isExact;

    static const WordSum FP32;  ///< IEEE addition, rounded each time
    static const WordSum INT32; ///< modulo 2^32: exact while sums fit
    static const WordSum
        INT32_SATURATING;    ///< stays at the least or the largest int32 where a sum is beyond
    static const WordSum OR; ///< bit by bit

    friend bool operator==(const WordSum& a, const WordSum& b)
    {
        return a.add == b.add;
    }

    friend bool operator!=(const WordSum& a, const WordSum& b)
    {
        return !(a == b);
    }
};

/** held = term + held of @p count words as they stand in a stream of bytes, at any address. */
void AddWordBytes(const WordSum& sum,
                  const std::uint8_t* term,
                  std::uint8_t* held,
                  std::size_t count);

/** What a switch's adder may be, by name; beside it, every switch can or. */
std::vector<std::string> AdderNames();

/** @throws InputError if the name is none of them */
const WordSum& AdderNamed(const std::string& name);

} // namespace inca

#endif // INCA_BASE_WORD_SUM_H
