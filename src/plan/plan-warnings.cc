/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-warnings.h"

#include "plan/network-warnings.h"
#include "plan/sketch-warnings.h"
#include "scenario/specs.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

/** Whether a model's gradients are all in one exchange is known only when its trace was read. */
void
WarnOfIdleKeys(const Scenario& scenario, const TrainingJob& job, Warnings& warnings)
{
    const bool known = scenario.training.send == "end" || !HasCompute(scenario);
    if (job.chunks.size() > 1 || known)
    {
        return;
    }
    const auto idle = [&warnings](const char* key) {
        warnings.push_back({WarningTopic::IDLE_KEYS,
                            fmt::format("{}: has no effect: all gradients fit one bucket", key)});
    };
    if (!scenario.training.overlap)
    {
        idle("training.overlap");
    }
    if (job.priority)
    {
        idle("exchange.order");
    }
    if (job.concurrent > 1)
    {
        idle("exchange.concurrent");
    }
}

void
WarnOfSizes(const Scenario& scenario, const PreparedJob& prepared, Warnings& warnings)
{
    // A codec that makes the same of every value needs no statistics.
    const auto& codec = prepared.codec;
    const bool coded = codec != nullptr && !codec->MeanBits({});
    const bool values = prepared.job->HasValues();
    if (coded && !values)
    {
        warnings.push_back({WarningTopic::SIZES,
                            "sizes only: every hop is as large as a single worker's gradient; "
                            "sums are wider (training.values = true counts every hop)"});
    }
    if ((coded || values) && !HasCompute(scenario))
    {
        warnings.push_back({WarningTopic::SIZES,
                            "a lone tensor's values are assumed to be normal with a standard "
                            "deviation of 2^-6"});
    }
}

} // namespace

Warnings
PlanWarnings(const Plan& plan)
{
    const auto& scenario = plan.scenario;
    const auto& prepared = plan.Job().prepared;
    Warnings warnings;
    WarnOfIdleKeys(scenario, *prepared.job, warnings);
    ReducesInNetwork(scenario) ? WarnOfSums(plan, warnings) : WarnOfWindow(plan, warnings);
    WarnOfSketches(scenario, prepared.sketches, warnings);
    WarnOfSizes(scenario, prepared, warnings);
    return warnings;
}

} // namespace inca
