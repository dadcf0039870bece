/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/bound-time.h"

#include <algorithm>
#include <numeric>

namespace inca
{

const char*
LimitName(Limit limit)
{
    constexpr std::array<const char*, LIMITS> names{"link",
                                                    "compression engine",
                                                    "decompression engine",
                                                    "both engines",
                                                    "host",
                                                    "compute",
                                                    "switch",
                                                    "window",
                                                    "slots",
                                                    "latency"};
    return names[static_cast<std::size_t>(limit)];
}

BoundTime::BoundTime(Limit limit, double ps)
{
    m_parts[static_cast<std::size_t>(limit)] = ps;
}

double
BoundTime::Ps() const
{
    return std::accumulate(m_parts.begin(), m_parts.end(), 0.0);
}

Limit
BoundTime::LargestPart() const
{
    return static_cast<Limit>(std::max_element(m_parts.begin(), m_parts.end()) - m_parts.begin());
}

BoundTime&
BoundTime::operator+=(const BoundTime& other)
{
    for (std::size_t i = 0; i < LIMITS; ++i)
    {
        m_parts[i] += other.m_parts[i];
    }
    return *this;
}

BoundTime&
BoundTime::Await(const BoundTime& other)
{
    return Ps() < other.Ps() ? *this = other : *this;
}

BoundTime
operator+(BoundTime a, const BoundTime& b)
{
    return a += b;
}

BoundTime
operator*(BoundTime time, double factor)
{
    for (auto& part : time.m_parts)
    {
        part *= factor;
    }
    return time;
}

BoundTime
Longer(BoundTime a, const BoundTime& b)
{
    return a.Await(b);
}

} // namespace inca
