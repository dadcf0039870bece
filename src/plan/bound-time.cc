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
                                                    "trunk",
                                                    "compression engine",
                                                    "decompression engine",
                                                    "both engines",
                                                    "NVLink",
                                                    "host",
                                                    "compute",
                                                    "switch",
                                                    "window",
                                                    "slots",
                                                    "latency"};
    return names[static_cast<std::size_t>(limit)];
}

BoundTime::BoundTime(Limit limit, std::int64_t ps)
{
    m_parts[static_cast<std::size_t>(limit)] = static_cast<double>(ps);
}

BoundTime::BoundTime(Limit limit, double amount, std::uint64_t perSecond)
{
    m_parts[static_cast<std::size_t>(limit)] =
        perSecond == 0
            ? 0
            : amount * static_cast<double>(PS_PER_SECOND) / static_cast<double>(perSecond);
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
BoundTime::operator*=(double factor)
{
    for (auto& part : m_parts)
    {
        part *= factor;
    }
    return *this;
}

BoundTime&
BoundTime::Await(const BoundTime& other)
{
    return Ps() < other.Ps() ? *this = other : *this;
}

} // namespace inca
