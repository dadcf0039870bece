/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LIMITED_TIME_H
#define INCA_PLAN_LIMITED_TIME_H

#include "plan/limit.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace inca
{

/**
 * A time as it is, and as it would be with each of the limits raised by RAISE: what is added, and of
 * which the longest is taken, as it is, is so with every limit raised, too. So the end of any
 * such computation says how much each limit matters. (ps, not rounded)
 */
class LimitedTime
{
  public:
    LimitedTime() = default; ///< none

    /** @p ps that @p limit alone decides. */
    LimitedTime(Limit limit, double ps)
    {
        m_ps.fill(ps);
        Raise(limit) = ps / RAISE;
        if (limit == Limit::COMPRESSION || limit == Limit::DECOMPRESSION)
        {
            Raise(Limit::ENGINES) = ps / RAISE;
        }
    }

    /** @p ps that nothing changes. */
    static LimitedTime Fixed(double ps)
    {
        LimitedTime time;
        time.m_ps.fill(ps);
        return time;
    }

    /** @p asItIs, but @p raised where @p limit is raised: both may depend on other limits. */
    static LimitedTime With(Limit limit, LimitedTime asItIs, const LimitedTime& raised)
    {
        asItIs.Raise(limit) = raised.m_ps[Index(limit)];
        return asItIs;
    }

    double Ps() const
    {
        return m_ps[0];
    }

    /** What raising @p limit saves. (ps) */
    double Gain(Limit limit) const
    {
        return m_ps[0] - m_ps[Index(limit)];
    }

    /**
     * What of it @p limit decides: the share that shrinks as RAISE says, 0 to all. Where one of several
     * parts takes over from another as that gets shorter, all parts together are less than the whole. (ps)
     */
    double Part(Limit limit) const
    {
        constexpr double shareSaved = 1 - 1 / RAISE;
        const double part = Gain(limit) / shareSaved;
        return part < 0 ? 0 : part < Ps() ? part : Ps();
    }

    LimitedTime& operator+=(const LimitedTime& other)
    {
        for (std::size_t i = 0; i < m_ps.size(); ++i)
        {
            m_ps[i] += other.m_ps[i];
        }
        return *this;
    }

    /** Until the later of both. */
    LimitedTime& Await(const LimitedTime& other)
    {
        for (std::size_t i = 0; i < m_ps.size(); ++i)
        {
            m_ps[i] = m_ps[i] < other.m_ps[i] ? other.m_ps[i] : m_ps[i];
        }
        return *this;
    }

    friend LimitedTime operator+(LimitedTime a, const LimitedTime& b)
    {
        return a += b;
    }

    friend LimitedTime operator-(LimitedTime a, const LimitedTime& b)
    {
        return a += b * -1;
    }

    friend LimitedTime operator*(LimitedTime time, double factor)
    {
        for (auto& ps : time.m_ps)
        {
            ps *= factor;
        }
        return time;
    }

    friend LimitedTime Longer(LimitedTime a, const LimitedTime& b)
    {
        return a.Await(b);
    }

    friend LimitedTime Shorter(LimitedTime a, const LimitedTime& b)
    {
        for (std::size_t i = 0; i < a.m_ps.size(); ++i)
        {
            a.m_ps[i] = b.m_ps[i] < a.m_ps[i] ? b.m_ps[i] : a.m_ps[i];
        }
        return a;
    }

  private:
    static std::size_t Index(Limit limit)
    {
        return 1 + static_cast<std::size_t>(limit);
    }

    double& Raise(Limit limit)
    {
        return m_ps[Index(limit)];
    }

    std::array<double, 1 + LIMITS> m_ps{}; ///< as it is, then by raised limit
};

} // namespace inca

#endif // INCA_PLAN_LIMITED_TIME_H
