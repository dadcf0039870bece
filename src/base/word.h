/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_WORD_H
#define INCA_BASE_WORD_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inca
{

/**
 * 32 bits that an exchange moves and adds as they are: the bits of an fp32 value, an integer, or
 * bits of an index. Only a sum looks into it (base/word-sum.h).
 */
using Word = std::uint32_t;

/** Every machine that ns-3 runs on keeps words in this order, so bytes are copied as they are. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words travel as little-endian bytes");

/** A float's bits, and back, one or many; a NaN keeps its payload. @{ */
inline Word
BitsOf(float value)
{
    Word bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float
FloatOf(Word bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline void
CopyBits(const float* values, std::size_t count, Word* bits)
{
    if (count > 0) // memcpy takes no null pointers, not even for nothing
    {
        std::memcpy(bits, values, count * sizeof(Word));
    }
}

inline void
CopyFloats(const Word* bits, std::size_t count, float* values)
{
    if (count > 0)
    {
        std::memcpy(values, bits, count * sizeof(Word));
    }
}

/** @} */

/** @return bytes as the words that they are; they stand at a word's address, as where memory begins */
inline const Word*
WordsAt(const std::uint8_t* bytes)
{
    return reinterpret_cast<const Word*>(bytes);
}

/** So many values are turned from words, or into them, at once. */
constexpr std::size_t WORD_BLOCK{4096};

/**
 * Words of what @p fill(first, count, out) writes of floats, where they are to stand: a block at a time, for whoever
 * needs room beside them. As floats and words are of different types, a compiler might think that they do not
 * touch each other: the fences tell it that they may.
 */
template <typename Fill>
void
FillWithFloats(std::size_t count, Word* words, const Fill& fill)
{
    for (std::size_t first = 0; first < count; first += WORD_BLOCK)
    {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        fill(first, std::min(WORD_BLOCK, count - first), reinterpret_cast<float*>(words + first));
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
}

/** What @p change(values, count) makes, in place, of the floats that words are: all at once, as a codec may need it. */
template <typename Change>
void
ChangeFloats(std::size_t count, Word* words, const Change& change)
{
    std::atomic_signal_fence(std::memory_order_seq_cst);
    change(reinterpret_cast<float*>(words), count);
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

} // namespace inca

#endif // INCA_BASE_WORD_H
