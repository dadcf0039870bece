/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_WORD_SUM_H
#define INCA_BASE_WORD_SUM_H

#include "inca/base/word.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace inca
{

/** What a word is in a packet and in a switch's memory, which may have fewer bytes for it. */
struct WordType
{
    std::uint32_t bytes; ///< of a word
    /** Of integers, which values become by a scale (IntegerScale): the largest; 0: floats, or words as they are. */
    std::int32_t largestInteger{0};

    /** Of floats of fewer bits: to nearest, ties to even, as words stay fp32; null: as they are. */
    void (*round)(float* values, std::size_t count){nullptr};
    float largest{std::numeric_limits<float>::max()};
    double unitRoundoff{0x1p-24}; ///< half the distance from 1 to the next value
    double halfStep{0};           ///< what rounding may add or take where values are subnormal
    bool saturates{false};        ///< what is beyond the largest becomes that; else an infinity

    static const WordType INT32;
    static const WordType INT16;
    static const WordType INT8;
    static const WordType FP32;
    static const WordType FP16;
    static const WordType BF16;
    static const WordType E4M3; ///< OCP's (base/minifloat.h)
};

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

    const WordType* term{&WordType::FP32}; ///< what workers send
    const WordType* sum{&WordType::FP32};  ///< what switches hold and send; no fewer bytes

    static const WordSum FP32;             ///< IEEE addition, rounded each time
    static const WordSum FP16;             ///< the same of 16 bits
    static const WordSum BF16;             ///< the same
    static const WordSum FP8_FP16;         ///< terms of 8 bits are added in fp16 (NVLS)
    static const WordSum INT32;            ///< modulo 2^32: exact while sums fit
    static const WordSum INT32_SATURATING; ///< stays at the least or the largest that there is
    static const WordSum INT16;            ///< modulo 2^16
    static const WordSum INT8;             ///< modulo 2^8
    static const WordSum OR;               ///< bit by bit

    /** Whether words travel, and are added, as they are. */
    bool IsWide() const
    {
        return term->bytes == sizeof(Word);
    }

    friend bool operator==(const WordSum& a, const WordSum& b)
    {
        return a.add == b.add && a.term == b.term;
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
