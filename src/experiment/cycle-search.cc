/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/cycle-search.h"

#include "base/errors.h"
#include "experiment/simulation.h"
#include "job/fusion-cycles.h"
#include "plan/cost.h"
#include "plan/plan-maker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** What all workers have seen of the first iteration. (ps) */
struct Seen
{
    std::int64_t passPs{0};            ///< the last one begins its backward pass
    std::vector<std::int64_t> readyPs; ///< by layer: all have its gradients
    std::vector<std::int64_t> endPs;   ///< by layer: all have ended the chunks that begin in it
};

Seen
SeenOf(const TrainingJob& job, const Recorder& recorder)
{
    const auto last = static_cast<std::uint32_t>(job.layers.size() - 1);
    const auto batch = job.accumulation - 1; // the one that is exchanged
    Seen seen{0, std::vector<std::int64_t>(last + 1, 0), std::vector<std::int64_t>(last + 1, 0)};
    const auto raise = [](std::int64_t& ps, std::int64_t to) { ps = std::max(ps, to); };
    for (Rank worker = 0; worker < recorder.layers.size(); ++worker)
    {
        const auto& layers = recorder.layers[worker];
        const auto firstPs = job.computePs({worker, 0, batch, last, ComputePhase::BACKWARD});
        raise(seen.passPs, layers[last].readyPs - firstPs);
        for (std::size_t layer = 0; layer <= last; ++layer)
        {
            raise(seen.readyPs[layer], layers[layer].readyPs);
        }
        for (std::size_t chunk = 0; chunk < job.chunks.size(); ++chunk)
        {
            raise(seen.endPs[job.chunks[chunk].firstLayer], recorder.chunks[worker][chunk].endPs);
        }
    }
    return seen;
}

/** @return the layers with which cycles begin: right up to the first one that was not planned so, and from there on about */
std::vector<std::size_t>
BeginsOfCycles(const Outcome& outcome)
{
    const auto& job = *outcome.plan.Job().job;
    const auto seen = SeenOf(job, *outcome.Job().seen);
    FusionCycles cycles(1, job.cyclePs, job.cycleRoundPs);
    cycles.BeginPass(seen.passPs);
    std::vector<std::size_t> begins;
    std::int64_t endPs = 0;
    for (auto layer = job.layers.size(); layer-- > 0;)
    {
        if (begins.empty() || seen.readyPs[layer] > cycles.BeginPs())
        {
            cycles.End(endPs); // at the first one, of nothing
            begins.push_back(layer);
            cycles.AwaitStart(static_cast<std::uint32_t>(begins.size()),
                              seen.readyPs[layer],
                              [](std::int64_t /*startPs*/) {});
        }
        endPs = std::max(endPs, seen.endPs[layer]);
    }
    return begins;
}

/** @return @p plan, whose cost has what was searched before it @throws InputError if all that is too much */
Plan
After(double searchSeconds, Plan plan)
{
    plan.cost.searchSeconds = searchSeconds;
    plan.cost.cpuSeconds += searchSeconds;
    RequireFeasible(plan);
    return plan;
}

} // namespace

Plan
MakePlanOfRun(const Scenario& scenario, const ProgressSink& onProgress)
{
    auto plan = MakePlan(scenario);
    if (plan.Job().job->cyclePs == 0)
    {
        return plan;
    }
    auto first = scenario;
    first.training.iterations = 1;
    first.cluster.calibrated.reset();
    first.simulation.warmup = 0;
    first.simulation.explains = false;
    std::vector<std::size_t> known;
    double searchSeconds = 0;
    double shown = 0;
    for (std::size_t runs = 0; runs <= plan.Job().job->layers.size(); ++runs)
    {
        const auto trial = After(searchSeconds, MakePlan(first, known));
        const auto ownSeconds = trial.cost.cpuSeconds - searchSeconds;
        const auto tell = [&](double share) {
            shown = std::max(shown,
                             (searchSeconds + share * ownSeconds) /
                                 (trial.cost.cpuSeconds + plan.cost.cpuSeconds));
            onProgress(shown);
        };
        const auto begins = BeginsOfCycles(Simulate(trial, tell));
        tell(1);
        searchSeconds = trial.cost.cpuSeconds;
        if (std::exchange(known, begins) == begins)
        {
            return After(searchSeconds, MakePlan(scenario, known));
        }
    }
    throw InvariantError("what cycles take does not follow from what those before have taken");
}

} // namespace inca
