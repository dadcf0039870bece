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

/** How two words become one. */
enum class WordSum : std::uint8_t
{
    FP32,             ///< IEEE addition, rounded each time
    INT32,            ///< modulo 2^32: exact while sums fit
    INT32_SATURATING, ///< stays at the least or the largest int32 where a sum is beyond
    OR,               ///< bit by bit
};

/** held = term + held, word by word (of fp32, in that order of operands). */
void AddWords(WordSum sum, const Word* term, Word* held, std::size_t count);

/** The same, written elsewhere, or where either stands. */
void AddWords(WordSum sum, const Word* term, const Word* held, Word* out, std::size_t count);

/** The same of @p count words as they stand in a stream of bytes, at any address. */
void AddWordBytes(WordSum sum, const std::uint8_t* term, std::uint8_t* held, std::size_t count);

/**
 * @return whether the order of additions cannot change a sum. Of saturating ones that holds only
 *         because nothing saturates: integers are scaled such that no partial sum, in whatever
 *         order, is beyond int32 (IntegerScale).
 */
bool IsExact(WordSum sum);

/** "fp32", "int32", "int32-saturating" or "or" */
const char* NameOf(WordSum sum);

/** What a switch's adder may be, by name; beside it, every switch can or. */
std::vector<std::string> AdderNames();

/** @throws InputError if the name is none of them */
WordSum AdderNamed(const std::string& name);

} // namespace inca

#endif // INCA_BASE_WORD_SUM_H
