/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bitmap-index.h"

#include "base/errors.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "codec/little-endian.h"

#include <array>
#include <string>

namespace inca
{

namespace
{

constexpr unsigned g_wordBits = 32;
constexpr std::size_t g_wordBytes = 4;
constexpr std::uint32_t g_nibble = 15;

/** The marks of a word's values, so spread that one of them is a shift away from the next. */
template <unsigned Spread>
constexpr std::array<std::uint32_t, g_wordBits / Spread>
Marks()
{
    std::array<std::uint32_t, g_wordBits / Spread> marks{};
    for (unsigned i = 0; i < marks.size(); ++i)
    {
        marks[i] = 1U << (i * Spread);
    }
    return marks;
}

/**
 * Marks values, Spread bits each; masks and a table because vectors of SSE2 cannot shift by lanes, and because what is
 * not zero cannot be foreseen, so that no jump goes by it.
 */
template <unsigned Spread>
inline void
MarkWords(const float* values, std::size_t count, std::uint8_t* index)
{
    constexpr auto marks = Marks<Spread>();
    for (std::size_t at = 0; at < count; at += marks.size(), index += g_wordBytes)
    {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < marks.size(); ++i)
        {
            const auto mask = (BitsOf(values[at + i]) << 1U) != 0 ? ~0U : 0U;
            word |= mask & marks[i];
        }
        StoreLittle(word, index);
    }
}

} // namespace

INCA_VECTOR_CLONES void
MarkBits(const float* values, std::size_t count, std::uint8_t* bits)
{
    MarkWords<1>(values, count, bits);
}

INCA_VECTOR_CLONES void
MarkNibbles(const float* values, std::size_t count, std::uint8_t* nibbles)
{
    MarkWords<4>(values, count, nibbles);
}

void
OrBits(const std::uint8_t* bits, std::size_t bytes, std::uint8_t* sum)
{
    for (std::size_t i = 0; i < bytes; ++i)
    {
        sum[i] = static_cast<std::uint8_t>(sum[i] | bits[i]);
    }
}

void
AddNibbles(const std::uint8_t* nibbles, std::size_t bytes, std::uint8_t* sum)
{
    std::uint32_t carries = 0;
    for (std::size_t i = 0; i < bytes; ++i)
    {
        const std::uint32_t low = (sum[i] & g_nibble) + (nibbles[i] & g_nibble);
        const auto high = (std::uint32_t{sum[i]} >> 4U) + (std::uint32_t{nibbles[i]} >> 4U);
        carries |= low | high;
        sum[i] = static_cast<std::uint8_t>((low & g_nibble) | (high << 4U));
    }
    if (carries > g_nibble)
    {
        throw InputError("homomorphic: an index of 4 bits adds up at most " +
                         std::to_string(g_mostNibbleWorkers) +
                         " workers; with more, an aggregator must be able to or (1 bit)");
    }
}

std::uint64_t
CountBits(const std::uint8_t* bits, std::size_t count)
{
    constexpr std::size_t wordBits = 64;
    std::uint64_t set = 0;
    for (std::size_t at = 0; at < count; at += wordBits, bits += wordBits / 8)
    {
        set += static_cast<unsigned>(__builtin_popcountll(LoadLittle<std::uint64_t>(bits)));
    }
    return set;
}

void
BitsOfNibbles(const std::uint8_t* nibbles, std::size_t count, std::uint8_t* bits)
{
    for (std::size_t at = 0; at < count; at += 8, nibbles += g_wordBytes, ++bits)
    {
        auto word = LoadLittle<std::uint32_t>(nibbles);
        word = (word | word >> 1U | word >> 2U | word >> 3U) & 0x11111111U;
        // Bit 4i moves to bit i: pairs first, then nibbles of two, then bytes of four.
        word = (word | word >> 3U) & 0x03030303U;
        word = (word | word >> 6U) & 0x000F000FU;
        *bits = static_cast<std::uint8_t>(word | word >> 12U);
    }
}

} // namespace inca
