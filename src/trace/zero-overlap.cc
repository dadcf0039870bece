/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/zero-overlap.h"

#include "base/portable-math.h"
#include "base/vector-clones.h"

#include <cmath>

namespace inca
{

namespace
{

constexpr double g_leastUnionExponent = 0x1p-7; // what is below counts as 0: the same positions

/** The bits of @p index in reverse, as a number in (0, 1): van der Corput's sequence. */
double
Reversed(std::uint32_t index, unsigned bits)
{
    double value = 0;
    double weight = 0.5;
    for (unsigned bit = 0; bit < bits; ++bit)
    {
        value += (index >> bit & 1U) != 0 ? weight : 0.0;
        weight /= 2;
    }
    return value + weight;
}

/** ln V of Kanter's formula, from two uniform numbers in (0, 1). */
double
LogOfStable(double a, double uniform, double other)
{
    constexpr double pi = 0x1.921fb54442d18p+1;
    const double angle = pi * uniform;
    const double exponential = -PortableLog(other);
    return PortableLog(PortableSin(a * angle)) - PortableLog(PortableSin(angle)) / a +
           (1 - a) / a * (PortableLog(PortableSin((1 - a) * angle)) - PortableLog(exponential));
}

/** q of two uniform numbers; in logarithms, because for a small `a` its factors leave a double's range. */
double
Chance(double density, double a, double uniform, double other)
{
    const double logScale = PortableLog(-PortableLog1p(-density)) / a;
    return PortableExp(-PortableExp(LogOfStable(a, uniform, other) + logScale));
}

INCA_VECTOR_CLONES void
KeepBelow(std::uint64_t end,
          const std::array<std::uint64_t, ZeroOverlap::BLOCK>& bits,
          float* values)
{
    for (std::size_t i = 0; i < ZeroOverlap::BLOCK; ++i)
    {
        values[i] = bits[i] < end ? values[i] : 0.0F;
    }
}

} // namespace

ZeroOverlap::ZeroOverlap(double density, double unionExponent)
    : m_samePositionsEnd(static_cast<std::uint64_t>(std::ldexp(density, 64)))
{
    if (unionExponent < g_leastUnionExponent)
    {
        return;
    }
    constexpr std::uint32_t count = 1U << g_indexBits;
    constexpr double most = 0x1p32 - 1;
    m_chances.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        const double uniform = (i + 0.5) / count;
        const double chance = Chance(density, unionExponent, uniform, Reversed(i, g_indexBits));
        m_chances.push_back(static_cast<std::uint32_t>(chance * most));
    }
}

void
ZeroOverlap::PutZeros(const std::array<std::uint64_t, BLOCK>& positionBits,
                      const std::array<std::uint64_t, BLOCK>& workerBits,
                      float* values) const
{
    if (!AsksWorkers())
    {
        KeepBelow(m_samePositionsEnd, positionBits, values);
        return;
    }
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        values[i] = IsZero(positionBits[i], workerBits[i]) ? 0.0F : values[i];
    }
}

} // namespace inca
