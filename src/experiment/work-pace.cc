/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/work-pace.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr double REMEMBERED{0.25}; ///< of a part: what was done longer ago counts little
constexpr double MOST_SLOWER{
    4}; ///< than expected, from one time to the next; what is beyond that was other work
constexpr double DOUBTED{0.05}; ///< of a part: what less than that took counts little

} // namespace

WorkPace::WorkPace(const std::vector<double>& seconds)
{
    for (const auto estimate : seconds)
    {
        m_parts.push_back({std::max(0.0, estimate)});
    }
}

void
WorkPace::Expect(std::size_t part, bool isToBeDone)
{
    m_parts[part].isToBeDone = isToBeDone;
}

void
WorkPace::Tell(const std::vector<double>& done, double seconds)
{
    std::vector<double> did(m_parts.size());
    const auto expected = DoneSince(done, did);
    m_seconds = seconds;
    const auto took = seconds - m_learnt.value_or(seconds);
    if (m_learnt && expected <= 0)
    {
        return; // what is done next has taken this time, too
    }
    const auto believed = std::min(took, MOST_SLOWER * expected);
    const auto slower = believed / expected;
    double all = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        auto& part = m_parts[i];
        if (m_learnt && did[i] > 0 && part.done > 0) // else other work may have come before it
        {
            Learn(did[i], slower * did[i] * PaceOf(part), part);
        }
        part.done += did[i];
        all += did[i];
    }
    m_done += m_learnt ? all : 0;
    m_took += believed;
    m_learnt = seconds;
}

/** @param did set to what was done of each part @return what all that was expected to take (s) */
double
WorkPace::DoneSince(const std::vector<double>& done, std::vector<double>& did) const
{
    double expected = 0;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
    {
        const auto& part = m_parts[i];
        const auto now = std::clamp(done[i], 0.0, 1.0) * part.seconds;
        did[i] = std::max(0.0, now - part.done);
        expected += did[i] * PaceOf(part);
    }
    return expected;
}

void
WorkPace::Learn(double did, double took, Part& part)
{
    const auto kept = std::exp(-did / (REMEMBERED * part.seconds));
    part.recent = part.recent * kept + did;
    part.recentTook = part.recentTook * kept + took;
}

/** Seconds that a second of it takes, as estimated. */
double
WorkPace::PaceOf(const Part& part) const
{
    const auto before = m_done > 0 ? std::sqrt(m_took / m_done) : 1;
    const auto doubted = DOUBTED * part.seconds;
    return doubted > 0 ? (part.recentTook + doubted * before) / (part.recent + doubted) : before;
}

double
WorkPace::Share() const
{
    double left = 0;
    double done = 0;
    for (const auto& part : m_parts)
    {
        left += part.isToBeDone ? (part.seconds - part.done) * PaceOf(part) : 0;
        done += part.done;
    }
    return done > 0 ? m_seconds / (m_seconds + left) : 0;
}

} // namespace inca
