/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/random.h"

#include "base/portable-math.h"

#include <cmath>

namespace inca
{

namespace
{

std::uint64_t
RotateLeft(std::uint64_t x, unsigned bits)
{
    return (x << bits) | (x >> (64U - bits));
}

} // namespace

std::uint64_t
RandomBits(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c)
{
    // Mixing between the parts keeps their order: (1, 2) and (2, 1) are different keys.
    std::uint64_t bits = MixBits(seed + g_randomStep);
    bits = MixBits((bits ^ a) + g_randomStep);
    bits = MixBits((bits ^ b) + g_randomStep);
    return MixBits((bits ^ c) + g_randomStep);
}

double
UniformOf(std::uint64_t bits)
{
    return static_cast<double>(bits >> 11U) * 0x1p-53;
}

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream)
    : m_state{}
{
    for (std::uint64_t i = 0; i < m_state.size(); ++i)
    {
        m_state[i] = RandomBits(seed, stream, i, 0);
    }
}

std::uint64_t
RandomStream::Bits()
{
    auto& s = m_state;
    const std::uint64_t result = RotateLeft(s[1] * 5, 7) * 9;
    const std::uint64_t shifted = s[1] << 17U;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = RotateLeft(s[3], 45);
    return result;
}

double
RandomStream::Uniform()
{
    return UniformOf(Bits());
}

double
RandomStream::Normal()
{
    if (m_spareNormal)
    {
        const double spare = *m_spareNormal;
        m_spareNormal.reset();
        return spare;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do
    {
        x = 2 * Uniform() - 1;
        y = 2 * Uniform() - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * PortableLog(square) / square);
    m_spareNormal = y * factor;
    return x * factor;
}

double
RandomStream::LogNormalFactor(double relativeSd)
{
    const double variance = PortableLog1p(relativeSd * relativeSd);
    return PortableExp(std::sqrt(variance) * Normal() - variance / 2);
}

} // namespace inca
