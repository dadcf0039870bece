/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/miniature.h"

#include "exchange/exchange-catalog.h"
#include "plan/job-exchanges.h"

#include <cstdint>
#include <map>

namespace inca
{

namespace
{

constexpr Rank FEWEST{8};
constexpr Rank TIMES_MORE{4};

/** By the estimate, which is mostly half of what is measured: what takes less is simulated whole. */
constexpr double WORTH_SECONDS{0.5};

} // namespace

std::vector<Rank>
MiniaturesOf(const FoldChoice& whole, const RunEstimate& estimate)
{
    std::vector<Rank> all;
    if (!whole.isUnevenRing || estimate.cpuSeconds < WORTH_SECONDS)
    {
        return all;
    }
    for (std::uint64_t standIns = FEWEST; TIMES_MORE * standIns <= whole.ranks;
         standIns *= TIMES_MORE)
    {
        all.push_back(static_cast<Rank>(standIns));
    }
    return all;
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
    auto small = std::make_shared<TrainingJob>(job);
    auto spec = SpecOf(scenario, job);
    spec.ringStandIns = standIns;
    std::map<std::uint64_t, std::shared_ptr<const StepPlan>> plans; // equal ones are shared
    for (auto& chunk : small->chunks)
    {
        auto& steps = chunk.rounds.front().plan;
        auto& plan = plans[steps->Elements()];
        plan = plan ? plan : MakeStepPlan(spec, steps->Elements());
        steps = plan;
    }
    return small;
}

} // namespace inca
