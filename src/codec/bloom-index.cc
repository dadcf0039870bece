/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/bloom-index.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/portable-math.h"
#include "codec/little-endian.h"
#include "codec/murmur-hash.h"
#include "codec/sketch-layout.h"

#include <cmath>
#include <string>

namespace inca
{

namespace
{

constexpr unsigned g_mostHashes = 16;
constexpr std::uint32_t g_firstSeed = g_sketchHashes;
constexpr std::uint32_t g_secondSeed = g_firstSeed + 1;

/** So many values are looked up before Ctrl-C is looked at again; a multiple of 8. */
constexpr std::uint64_t g_part = 1U << 20U;

void
Check(const BloomSettings& settings)
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

/** The bits of one value, one after the other. */
class Probes
{
  public:
    Probes(std::uint32_t value, std::uint64_t bits)
        : m_value(value),
          m_bits(bits),
          m_hash(MurmurHash3(value, g_firstSeed))
    {
    }

    std::uint64_t Bit() const
    {
        return m_hash * m_bits >> 32U;
    }

    /** The second hash is taken only here: most values that are looked up end at their first bit. */
    void Advance()
    {
        m_step = m_step == 0 ? MurmurHash3(m_value, g_secondSeed) | 1U : m_step;
        m_hash += m_step;
    }

  private:
    std::uint32_t m_value;
    std::uint64_t m_bits;
    std::uint32_t m_hash;
    std::uint32_t m_step{0};
};

} // namespace

BloomIndex::BloomIndex(const BloomSettings& settings, std::uint64_t values)
    : m_hashes(settings.hashes),
      m_values(values)
{
    Check(settings);
    const auto bytes = std::ceil(static_cast<double>(values) * settings.bitsPerValue / 8);
    m_bits = static_cast<std::uint64_t>(bytes) * 8;
}

void
BloomIndex::Mark(const float* values, std::uint8_t* filter) const
{
    for (std::uint64_t i = 0; i < m_values; ++i)
    {
        if (values[i] == 0)
        {
            continue;
        }
        Probes probes(static_cast<std::uint32_t>(i), m_bits);
        for (unsigned j = 0; j < m_hashes; ++j, probes.Advance())
        {
            auto& byte = filter[probes.Bit() / 8];
            byte = static_cast<std::uint8_t>(byte | 1U << probes.Bit() % 8);
        }
    }
}

bool
BloomIndex::Has(const std::uint8_t* filter, std::uint32_t value) const
{
    Probes probes(value, m_bits);
    for (unsigned j = 0; j < m_hashes; ++j, probes.Advance())
    {
        if ((filter[probes.Bit() / 8] >> probes.Bit() % 8 & 1U) == 0)
        {
            return false;
        }
    }
    return true;
}

void
BloomIndex::Find(const std::uint8_t* filter, std::uint8_t* bits) const
{
    for (std::uint64_t at = 0; at < m_values; at += 8, ++bits)
    {
        if (at % g_part == 0)
        {
            ThrowIfInterrupted();
        }
        unsigned byte = 0;
        for (unsigned i = 0; i < 8 && at + i < m_values; ++i)
        {
            byte |= Has(filter, static_cast<std::uint32_t>(at + i)) ? 1U << i : 0U;
        }
        *bits = static_cast<std::uint8_t>(byte);
    }
}

double
BloomFalsePositives(const BloomSettings& settings, double density)
{
    Check(settings);
    const auto bitIsSet = 1 - PortableExp(-(settings.hashes * density / settings.bitsPerValue));
    return PortablePow(bitIsSet, settings.hashes);
}

} // namespace inca
