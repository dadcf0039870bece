/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/miniature.h"

#include "plan/job-exchanges.h"
#include "plan/step-plans.h"

#include <cstdint>
#include <utility>

namespace inca
{

namespace
{

constexpr Rank FEWEST{8};
constexpr Rank TIMES_MORE{4};

/** By the estimate, which is mostly half of what is measured: what takes less is simulated whole. */
constexpr double WORTH_SECONDS{0.5};

/**
 * What comes between a worker's frames depends on how far it is behind others, which few are less than many. It is
 * little if exchanges follow each other, and acknowledgements are few and nobody waits for them.
 */
bool
DependsLittleOnOthers(const Scenario& scenario)
{
    constexpr std::uint32_t few = 8;
    const auto& transport = scenario.transport;
    return scenario.exchange.concurrent == 1 && transport.ackEvery >= few &&
           transport.window >= 2 * transport.ackEvery;
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
MiniaturesOf(const Scenario& scenario, const FoldChoice& whole, const RunEstimate& estimate)
{
    std::vector<Rank> all;
    if (!whole.isUnevenRing || estimate.cpuSeconds < WORTH_SECONDS ||
        !DependsLittleOnOthers(scenario))
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
