/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/miniature.h"

#include "base/wire-format.h"
#include "plan/job-exchanges.h"
#include "plan/step-plans.h"
#include "plan/uneven-blocks.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace inca
{

namespace
{

constexpr Rank TIMES_MORE{4};
constexpr Rank SHARE_OF_LONE{16};

/** By the estimate: what takes less is simulated whole. */
constexpr double WORTH_SECONDS{1};

/** An acknowledgement is at most a tenth of a message, in the mean: else what it comes between decides how long all takes. */
bool
AreMessagesLong(const Scenario& scenario, const TrainingJob& job)
{
    constexpr double acknowledgements = 10;
    const auto& ring = scenario.ring;
    const auto uneven = UnevennessOf(job, job.workers, MaxPayloadBytes(scenario.cluster.mtu));
    const auto messages =
        static_cast<double>(job.workers) * static_cast<double>(job.chunks.size()) * ring.channels;
    const auto mean = uneven.wireBytes / messages;
    const auto bytes =
        ring.chunkBytes > 0 ? std::min(mean, static_cast<double>(ring.chunkBytes)) : mean;
    return bytes >= acknowledgements * static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES));
}

/** @param elementsOf what goes round the ring instead of so many elements */
template <typename Elements>
std::shared_ptr<const TrainingJob>
WithElements(const Scenario& scenario,
             const TrainingJob& job,
             Rank standIns,
             const Elements& elementsOf)
{
    auto small = std::make_shared<TrainingJob>(job);
    auto spec = SpecOf(scenario, job);
    spec.ringStandIns = standIns;
    StepPlans plans(std::move(spec));
    for (auto& chunk : small->chunks)
    {
        auto& steps = chunk.rounds.front().plan;
        steps = plans.Of(elementsOf(steps->Elements()));
    }
    return small;
}

} // namespace

std::vector<Rank>
MiniaturesOf(const Scenario& scenario,
             const TrainingJob& job,
             const FoldChoice& whole,
             const Cost& cost)
{
    std::vector<Rank> all;
    const bool isLone = IsLoneRing(scenario, job);
    const bool isWorthIt = isLone || cost.cpuSeconds >= WORTH_SECONDS;
    if (!whole.isUnevenRing || !isWorthIt || !MayBeInMiniature(scenario) ||
        !AreMessagesLong(scenario, job))
    {
        return all;
    }
    if (isLone)
    {
        return {std::max(FEWEST_STAND_INS, whole.ranks / SHARE_OF_LONE)};
    }
    for (std::uint64_t standIns = FEWEST_STAND_INS; TIMES_MORE * standIns <= whole.ranks;
         standIns *= TIMES_MORE)
    {
        all.push_back(static_cast<Rank>(standIns));
    }
    return all;
}

WaitShare
WaitsOf(const Scenario& scenario, const TrainingJob& job, const FoldChoice& fold)
{
    const bool isLoneMiniature = fold.isUnevenRing && fold.IsFolded() && IsLoneRing(scenario, job);
    return isLoneMiniature ? WaitShare{fold.simulated, fold.ranks} : WaitShare{};
}

FoldChoice
FoldInMiniature(const TopologyPlan& topology, Rank ranks, Rank standIns)
{
    FoldChoice choice;
    choice.fold = FoldOneSwitch(topology, standIns);
    choice.symmetry = {1, ranks, true};
    choice.ranks = ranks;
    choice.simulated = standIns;
    choice.exact = false;
    choice.even = false;
    choice.isUnevenRing = true;
    return choice;
}

std::shared_ptr<const TrainingJob>
JobInMiniature(const Scenario& scenario, const TrainingJob& job, Rank standIns)
{
    return WithElements(scenario, job, standIns, [](std::uint64_t elements) { return elements; });
}

std::shared_ptr<const TrainingJob>
JobOfSmallest(const Scenario& scenario, const TrainingJob& job)
{
    const auto parts = SymmetryOf(scenario).parts;
    return WithElements(scenario, job, 1, [parts](std::uint64_t elements) {
        return elements < parts ? elements
                                : elements / parts * parts; // a frame even if it is empty
    });
}

} // namespace inca
