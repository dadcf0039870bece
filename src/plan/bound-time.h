/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_BOUND_TIME_H
#define INCA_PLAN_BOUND_TIME_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace inca
{

/** What may hold up a run. */
enum class Limit : std::uint8_t
{
    LINK,          ///< the rate of hosts' links
    TRUNK,         ///< the rate of links between switches
    COMPRESSION,   ///< the clock of compression engines
    DECOMPRESSION, ///< the clock of decompression engines
    ENGINES,       ///< both clocks: where both limit, either alone changes nothing
    NVLINK,        ///< cluster.gpu_bandwidth
    HOST,          ///< all that hosts do with bytes: copy, move, encode, decode and add
    COMPUTE,       ///< forward, backward, updates
    ADDER,         ///< of switches
    WINDOW,        ///< transport.window
    SLOTS,         ///< of a switch's pool
    LATENCY,       ///< of links and switches
};

constexpr std::size_t LIMITS{12};

/** A limit that is raised by less than this factor leaves one of equal size to limit the run. */
constexpr double RAISE{1.25};

constexpr std::uint64_t PS_PER_SECOND{1'000'000'000'000};

/** For people: "link", "compression engine", "decompression engine", "host", "compute", "switch"... */
const char* LimitName(Limit limit);

/** A time, and what it is made of: parts that follow each other, one for each Limit. (ps, not rounded) */
class BoundTime
{
  public:
    BoundTime() = default; ///< none
    BoundTime(Limit limit, std::int64_t ps);

    /** Of @p amount at a rate; none at a rate of 0, which is as fast as need be. */
    BoundTime(Limit limit, double amount, std::uint64_t perSecond);

    double Ps() const;
    Limit LargestPart() const;

    BoundTime& operator+=(const BoundTime& other);
    BoundTime& operator*=(double factor);

    /** Becomes the longer one of both. */
    BoundTime& Await(const BoundTime& other);

  private:
    std::array<double, LIMITS> m_parts{};
};

inline BoundTime
operator+(BoundTime a, const BoundTime& b)
{
    return a += b;
}

inline BoundTime
operator*(BoundTime time, double factor)
{
    return time *= factor;
}

} // namespace inca

#endif // INCA_PLAN_BOUND_TIME_H
