/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_RANDOM_H
#define INCA_BASE_RANDOM_H

#include <array>
#include <cstdint>
#include <optional>

namespace inca
{

/** The step of the SplitMix64 sequence: an odd number near 2^64 divided by the golden ratio. */
constexpr std::uint64_t g_randomStep = 0x9e3779b97f4a7c15U;

/** SplitMix64's finalizer: a bijection whose every output bit depends on every input bit. */
constexpr std::uint64_t
MixBits(std::uint64_t x)
{
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/** @return 64 bits, number @p index of the sequence that @p key names: SplitMix64, entered anywhere */
constexpr std::uint64_t
BitsAt(std::uint64_t key, std::uint64_t index)
{
    return MixBits(key + (index + 1) * g_randomStep);
}

/** @return 64 random bits: a pure function of its key, the same on any machine, in any order of calls */
std::uint64_t RandomBits(std::uint64_t seed, std::uint64_t a, std::uint64_t b, std::uint64_t c);

/** @return the upper 53 bits as a number in [0, 1), a multiple of 2^-53 */
double UniformOf(std::uint64_t bits);

/**
 * A sequence of random numbers (xoshiro256**) that depends on seed and stream number alone. Give
 * everything that draws a stream of its own: then nothing that another part draws can shift it.
 * All numbers are the same to the bit on any machine.
 */
class RandomStream
{
  public:
    RandomStream(std::uint64_t seed, std::uint64_t stream);

    std::uint64_t Bits();

    /** @return uniform in [0, 1), a multiple of 2^-53 */
    double Uniform();

    /** @return normal with mean 0 and standard deviation 1, by the polar method */
    double Normal();

    /**
     * @param relativeSd standard deviation over mean, 0 or more
     * @return a positive factor with mean 1, log-normal
     */
    double LogNormalFactor(double relativeSd);

  private:
    std::array<std::uint64_t, 4> m_state;
    std::optional<double> m_spareNormal; ///< the polar method makes two at a time
};

} // namespace inca

#endif // INCA_BASE_RANDOM_H
