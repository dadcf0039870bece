/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_BASELINES_H
#define INCA_SWEEP_BASELINES_H

#include "plan/cost.h"
#include "record/run-record.h"
#include "scenario/scenario.h"
#include "sweep/baseline-candidates.h"
#include "sweep/point-result.h"
#include "sweep/point-runner.h"
#include "sweep/result-key.h"
#include "sweep/run-kind.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Runs @p scenario, or what it is compared with. Of its candidates the one with the least lower bound is run first,
 * and none any more whose bound is not below the best time: what is found is what running all of them would.
 * One that is estimated to take longer than simulation.max_baseline_cpu_time is not tried, unless it takes least.
 * The record of a baseline has a gain of 1 over its own exchange; its warnings say which candidates were not
 * tried, though they might be faster.
 * @param onProgress called now and then with the share that is done, 0..1; may be empty
 * @throws as RunExperiment; InputError if no candidate can run, with the reasons
 */
RunRecord RunOf(const Scenario& scenario,
                RunKind kind,
                const std::function<void(double share)>& onProgress);

/**
 * What a run of that kind takes, of a baseline that of the longest candidate that may be tried; nothing if it cannot
 * be estimated, which its run says then.
 */
Cost CostOfRun(const Scenario& scenario, RunKind kind);

/** What has come of the baselines of a scenario, in the order of BASELINE_KINDS; empty: there is none. */
using BaselineResults = std::array<std::optional<PointResult>, BASELINE_KINDS.size()>;

/** Puts the gains into a result that is done, and warnings of what is not there. */
void AddGains(const BaselineResults& baselines, PointResult& result);

/** The same, without warnings. */
void AddGains(const BaselineResults& baselines, RunResults& results);

/** Runs baselines in this process, each once. */
class BaselineRuns
{
  public:
    /** @param onProgress told how far what one record needs is, 0..1; may be empty */
    explicit BaselineRuns(std::function<void(double share)> onProgress = {});

    /** Puts the gains into @p record of @p scenario's run, as AddGains. @throws Interrupted; InvariantError */
    void AddGainsTo(RunRecord& record, const Scenario& scenario);

  private:
    void FindMissing(const BaselineKeys& keys, const Scenario& scenario);

    std::function<void(double share)> m_onProgress;
    ResultInputs m_inputs;
    std::map<std::string, PointResult> m_found; ///< by key
};

/** The same as @p run, and the gains of what it has run. */
PointRunner WithGains(PointRunner run);

} // namespace inca

#endif // INCA_SWEEP_BASELINES_H
