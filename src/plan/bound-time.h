/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_BOUND_TIME_H
#define INCA_PLAN_BOUND_TIME_H

#include "plan/limit.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace inca
{

/** A time that nothing undercuts, and what it is made of: parts that follow each other, by Limit. (ps, not rounded) */
class BoundTime
{
  public:
    BoundTime() = default; ///< none

    BoundTime(Limit limit, double ps)
    {
        m_parts[static_cast<std::size_t>(limit)] = ps;
    }

    double Ps() const
    {
        double sum = 0;
        for (const auto part : m_parts)
        {
            sum += part;
        }
        return sum;
    }

    /** The limit of the largest part. */
    Limit LargestPart() const
    {
        return static_cast<Limit>(std::max_element(m_parts.begin(), m_parts.end()) -
                                  m_parts.begin());
    }

    BoundTime& operator+=(const BoundTime& other)
    {
        for (std::size_t i = 0; i < LIMITS; ++i)
        {
            m_parts[i] += other.m_parts[i];
        }
        return *this;
    }

    /** Until the later of both. */
    BoundTime& Await(const BoundTime& other)
    {
        if (Ps() < other.Ps())
        {
            *this = other;
        }
        return *this;
    }

    friend BoundTime operator+(BoundTime a, const BoundTime& b)
    {
        return a += b;
    }

    friend BoundTime operator*(BoundTime time, double factor)
    {
        for (auto& part : time.m_parts)
        {
            part *= factor;
        }
        return time;
    }

    friend BoundTime Longer(BoundTime a, const BoundTime& b)
    {
        return a.Await(b);
    }

    friend BoundTime Shorter(const BoundTime& a, const BoundTime& b)
    {
        return b.Ps() < a.Ps() ? b : a;
    }

  private:
    std::array<double, LIMITS> m_parts{};
};

} // namespace inca

#endif // INCA_PLAN_BOUND_TIME_H
