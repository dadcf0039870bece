/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/runs-left.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace inca
{

namespace
{

constexpr double LEAST_SHARE{0.02};  ///< of a run, before it can be told how long it takes
constexpr double TRUSTED_SHARE{0.2}; ///< of a run, that tells more than all others
constexpr double PER_DOUBLING{1.0 /
                              4}; ///< of the weight that runs twice as long, or half as long, have
constexpr double OF_OTHER_KIND{1.0 / 16};

/** How much what it has told tells, 0..1. */
double
TrustIn(const RunUnderWay& run)
{
    const auto known = run.share >= LEAST_SHARE ? std::min(1.0, run.share / TRUSTED_SHARE) : 0;
    return known * known;
}

/** @param pace seconds that a second of its work takes */
double
SecondsLeftOf(const RunUnderWay& run, double pace)
{
    const auto expected = run.run.work * pace;
    const auto trust = TrustIn(run);
    const auto took =
        trust > 0 ? trust * run.ToldSeconds() / run.share + (1 - trust) * expected : expected;
    return std::max(0.0, took - run.seconds);
}

} // namespace

RunsLeft::Group
RunsLeft::GroupOf(const RunAhead& run)
{
    constexpr double leastWork = 1e-3; // less is not simulated
    return {run.kind, static_cast<int>(std::floor(std::log2(std::max(run.work, leastWork))))};
}

void
RunsLeft::Waits(const RunAhead& run)
{
    auto& waiting = m_waiting[GroupOf(run)];
    ++waiting.runs;
    waiting.work += run.work;
    waiting.longest = std::max(waiting.longest, run.work);
}

void
RunsLeft::WaitsNoMore(const RunAhead& run)
{
    const auto place = m_waiting.find(GroupOf(run));
    place->second.work -= run.work;
    if (--place->second.runs == 0)
    {
        m_waiting.erase(place);
    }
}

void
RunsLeft::Ended(const RunAhead& run, double seconds)
{
    auto& known = m_ended[GroupOf(run)];
    known.runs += 1;
    known.work += run.work;
    known.seconds += seconds;
}

RunsLeft::KnownGroups
RunsLeft::KnownWith(const std::vector<RunUnderWay>& running) const
{
    auto known = m_ended;
    for (const auto& run : running)
    {
        if (run.share >= LEAST_SHARE && run.run.work > 0 && run.ToldSeconds() > 0)
        {
            auto& group = known[GroupOf(run.run)];
            group.runs += TrustIn(run) * run.share;
            group.work += run.share * run.run.work;
            group.seconds += run.ToldSeconds();
        }
    }
    return known;
}

/**
 * The mean of what is known, in proportion. Until a run of its kind has ended, that it takes what was estimated
 * counts like one of another kind whose length is as near as any.
 */
double
RunsLeft::PaceOf(const Group& group, const KnownGroups& known)
{
    double weights = 0;
    double sum = 0;
    double nearest = 0;
    double ofItsKind = 0;
    for (const auto& [other, runs] : known)
    {
        const auto nearness = std::pow(PER_DOUBLING, std::abs(other.doublings - group.doublings));
        const bool isOfItsKind = other.kind == group.kind;
        const auto weight = runs.runs * nearness * (isOfItsKind ? 1 : OF_OTHER_KIND);
        weights += weight;
        sum += weight * std::log(runs.seconds / runs.work);
        nearest = std::max(nearest, nearness);
        ofItsKind += isOfItsKind ? runs.runs : 0;
    }
    const auto asEstimated = OF_OTHER_KIND * nearest * std::max(0.0, 1 - ofItsKind);
    return std::exp(sum / (weights + asEstimated));
}

std::optional<double>
RunsLeft::Seconds(const std::vector<RunUnderWay>& running, std::uint32_t jobs) const
{
    const auto known = KnownWith(running);
    if (known.empty())
    {
        return std::nullopt;
    }
    double all = 0;
    double longest = 0;
    for (const auto& [group, waiting] : m_waiting)
    {
        const auto pace = PaceOf(group, known);
        all += waiting.work * pace;
        longest = std::max(longest, waiting.longest * pace);
    }
    for (const auto& run : running)
    {
        const auto left = SecondsLeftOf(run, PaceOf(GroupOf(run.run), known));
        all += left;
        longest = std::max(longest, left);
    }
    return std::max(all / std::max(jobs, 1U), longest);
}

} // namespace inca
