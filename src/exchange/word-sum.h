/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_WORD_SUM_H
#define INCA_EXCHANGE_WORD_SUM_H

#include <cstdint>

namespace inca
{

/**
 * How two words of 4 bytes become one. An exchange moves words; they are fp32 values unless a
 * codec made something else of them, such as the bits of an index. Words stand in arrays of float
 * whatever they mean: they are copied bit by bit, and only a sum looks into them.
 */
enum class WordSum : std::uint8_t
{
    FP32,  ///< IEEE addition
    INT32, ///< modulo 2^32
    OR,    ///< bit by bit
};

/** held = term + held, word by word (of fp32, in that order of operands). */
void AddWords(WordSum sum, const float* term, float* held, std::uint64_t count);

} // namespace inca

#endif // INCA_EXCHANGE_WORD_SUM_H
