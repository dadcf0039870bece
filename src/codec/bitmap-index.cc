/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bitmap-index.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/portable-math.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "codec/little-endian.h"
#include "codec/sketch.h"

#include <algorithm>
#include <array>
#include <cmath>
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

constexpr unsigned g_mostHashes = 16;
constexpr std::uint32_t g_firstSeed = g_sketchHashes;
/** After so many rows Ctrl-C is looked at again. */
constexpr std::uint32_t g_rowsBetweenLooks = 1024;

void
CheckBloom(const BloomSettings& settings)
{
    if (!(settings.bitsPerValue > 0 && settings.bitsPerValue <= 1))
    {
        throw InputError("bloom index: bits per value must be above 0 and at most 1, got " +
                         std::to_string(settings.bitsPerValue));
    }
    if (settings.hashes < 1 || settings.hashes > g_mostHashes)
    {
        throw InputError("bloom index: hashes must be 1 to 16, got " +
                         std::to_string(settings.hashes));
    }
}

/** (1 - e^(-k n / m))^k for @p marked values of a row, taken as 0 if negative. */
double
FalsePositivesOfRow(const BloomSettings& settings, double marked)
{
    const auto bitsPerRow = BloomRowBytes(settings) * 8.0;
    const auto isSet = 1 - PortableExp(-(settings.hashes * std::max(0.0, marked) / bitsPerRow));
    return PortablePow(isSet, settings.hashes);
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

std::uint32_t
BloomRowBytes(const BloomSettings& settings)
{
    CheckBloom(settings);
    return static_cast<std::uint32_t>(std::ceil(g_sketchLanes * settings.bitsPerValue / 8));
}

BloomIndex::BloomIndex(const BloomSettings& settings)
    : m_rowBytes(BloomRowBytes(settings)),
      m_probes(settings.hashes)
{
    const std::uint64_t rowBits = m_rowBytes * 8;
    auto seed = g_firstSeed;
    for (auto& probes : m_probes)
    {
        for (std::uint32_t lane = 0; lane < g_sketchLanes; ++lane)
        {
            probes[lane] = static_cast<std::uint16_t>(MurmurHash3(lane, seed) * rowBits >> 32U);
        }
        ++seed;
    }
}

void
BloomIndex::Mark(const float* values, std::uint32_t rows, std::uint8_t* filters) const
{
    for (; rows > 0; --rows, values += g_sketchLanes, filters += m_rowBytes)
    {
        for (std::size_t lane = 0; lane < g_sketchLanes; ++lane)
        {
            if (values[lane] == 0)
            {
                continue;
            }
            for (const auto& probes : m_probes)
            {
                auto& byte = filters[probes[lane] / 8];
                byte = static_cast<std::uint8_t>(byte | 1U << probes[lane] % 8);
            }
        }
    }
}

/** Without a branch per value: half of the first bits looked up are set, which no processor guesses. */
void
BloomIndex::FindRow(const std::uint8_t* filter, std::uint8_t* bits) const
{
    std::array<std::uint8_t, g_sketchLanes> isSet; // by bit of the filter, of at most 1024
    for (std::size_t bit = 0; bit < m_rowBytes * 8; ++bit)
    {
        isSet[bit] = filter[bit / 8] >> bit % 8 & 1U;
    }
    std::array<std::uint8_t, g_sketchLanes> found;
    found.fill(1);
    for (const auto& probes : m_probes)
    {
        for (std::size_t lane = 0; lane < g_sketchLanes; ++lane)
        {
            found[lane] = static_cast<std::uint8_t>(found[lane] & isSet[probes[lane]]);
        }
    }
    for (std::size_t lane = 0; lane < g_sketchLanes; ++lane)
    {
        const auto mark = static_cast<unsigned>(found[lane]) << lane % 8;
        bits[lane / 8] = static_cast<std::uint8_t>(lane % 8 == 0 ? mark : bits[lane / 8] | mark);
    }
}

void
BloomIndex::Find(const std::uint8_t* filters, std::uint32_t rows, std::uint8_t* bits) const
{
    for (std::uint32_t row = 0; row < rows; ++row)
    {
        if (row % g_rowsBetweenLooks == 0)
        {
            ThrowIfInterrupted();
        }
        FindRow(filters + row * m_rowBytes, bits + row * (g_sketchLanes / 8));
    }
}

double
BloomFalsePositives(const BloomSettings& settings, double density)
{
    // Three points that have the mean, the variance and the kurtosis of a normal distribution.
    constexpr double middleWeight = 2.0 / 3;
    constexpr double outerWeight = 1.0 / 6;
    const auto mean = g_sketchLanes * density;
    const auto reach = std::sqrt(3 * mean * (1 - density));
    return middleWeight * FalsePositivesOfRow(settings, mean) +
           outerWeight * (FalsePositivesOfRow(settings, mean - reach) +
                          FalsePositivesOfRow(settings, mean + reach));
}

} // namespace inca
