/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/baselines.h"

#include "base/errors.h"
#include "base/units.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "record/csv-text.h"
#include "scenario/keys.h"
#include "sweep/decision.h"
#include "sweep/paced-works.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr const char* g_limit = "simulation.max_baseline_cpu_time";
constexpr double g_psPerSecond = 1e12;

double
LimitSeconds(const Scenario& scenario)
{
    return static_cast<double>(scenario.simulation.maxBaselineCpuPs.value_or(0)) / g_psPerSecond;
}

/** What a candidate may take: as long as @p scenario says, but the shortest may always be tried. (s) */
double
MostSeconds(const Scenario& scenario, const std::vector<double>& cpuSeconds)
{
    const auto least = std::min_element(cpuSeconds.begin(), cpuSeconds.end());
    return std::max(LimitSeconds(scenario), least == cpuSeconds.end() ? 0 : *least);
}

std::optional<RunEstimate>
EstimateIfPossible(const Scenario& scenario)
{
    try
    {
        return EstimateOf(scenario);
    }
    catch (const InputError&)
    {
        return std::nullopt;
    }
}

/** Candidates of a baseline, judged and run. */
class Search
{
  public:
    Search(const Scenario& scenario,
           RunKind kind,
           const std::function<void(double share)>& onProgress)
        : m_scenario(scenario),
          m_scenarios(BaselineCandidates(scenario, kind)),
          m_onProgress(onProgress)
    {
        for (const auto& candidate : m_scenarios)
        {
            Judge(candidate);
        }
        RefuseLong();
        m_works.emplace(SecondsOfAllowed(), m_onProgress);
        ExpectBelow(LikelyBestPs());
    }

    /** @throws InputError if none can run */
    RunRecord Best()
    {
        std::vector<std::size_t> all(m_judged.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto best = FindBest(all, 0, m_judged, [this](Judged& one) { Run(one); });
        if (!best)
        {
            throw InputError(Reasons());
        }
        auto record = std::move(*m_judged[*best].record);
        record.results.gain = Gain{1, m_judged[*best].candidate.exchange};
        record.warnings = Untried(record.results.iterationTimePs);
        record.layers.clear(); // nobody asks where it was
        record.links.clear();
        record.switches.clear();
        return record;
    }

  private:
    /** Whose bound takes too long has none, and is tried only if it is the one that takes least. */
    void Judge(const Scenario& candidate)
    {
        Judged judged;
        judged.candidate.exchange = candidate.exchange.algorithm;
        double cpuSeconds = std::numeric_limits<double>::infinity();
        try
        {
            const auto plan = MakePlan(candidate, LimitSeconds(m_scenario));
            judged.boundPs = plan.lowerBound.iterationPs;
            cpuSeconds = plan.estimate.cpuSeconds;
        }
        catch (const InputError& error)
        {
            judged.refusal = FirstLine(error.what());
        }
        m_cpuSeconds.push_back(cpuSeconds);
        m_judged.push_back(std::move(judged));
    }

    void RefuseLong()
    {
        const auto most = MostSeconds(m_scenario, m_cpuSeconds);
        for (std::size_t i = 0; i < m_judged.size(); ++i)
        {
            if (m_judged[i].refusal.empty() && m_cpuSeconds[i] > most)
            {
                m_judged[i].refusal = fmt::format("estimated to take more CPU time than {} ({})",
                                                  g_limit,
                                                  FindKey(g_limit)->text(m_scenario));
            }
        }
    }

    void Run(Judged& one)
    {
        const auto index = static_cast<std::size_t>(&one - m_judged.data());
        try
        {
            one.record = RunExperiment(m_scenarios[index], m_works->Begin(index));
            ExpectBelow(one.IterationPs());
        }
        catch (const InputError& error)
        {
            one.refusal = FirstLine(error.what());
        }
        catch (const RunError& error)
        {
            one.refusal = FirstLine(error.what());
        }
        m_works->End(index);
    }

    std::vector<double> SecondsOfAllowed() const
    {
        std::vector<double> seconds;
        for (std::size_t i = 0; i < m_judged.size(); ++i)
        {
            seconds.push_back(m_judged[i].refusal.empty() ? m_cpuSeconds[i] : 0);
        }
        return seconds;
    }

    /** What the first one will take, before it is run. */
    std::int64_t LikelyBestPs() const
    {
        constexpr std::int64_t parts = 50; // mostly a few percent above its bound
        auto leastPs = MOST_SIMULATED_PS;
        for (const auto& one : m_judged)
        {
            leastPs = one.refusal.empty() ? std::min(leastPs, one.boundPs) : leastPs;
        }
        return leastPs + leastPs / parts;
    }

    /** Of those that were not run, the ones that may be faster than @p bestPs, if any is that. */
    void ExpectBelow(std::int64_t bestPs)
    {
        for (std::size_t i = 0; i < m_judged.size(); ++i)
        {
            const auto& one = m_judged[i];
            m_works->Expect(i, one.refusal.empty() && !one.WasRun() && one.boundPs < bestPs);
        }
    }

    Texts Reasons() const
    {
        Texts reasons;
        for (const auto& one : m_judged)
        {
            reasons.push_back(fmt::format("{}: {}", one.candidate.exchange, one.refusal));
        }
        return reasons.empty() ? Texts{"no exchange can run"} : reasons;
    }

    /** Of those that might be faster than @p bestPs. */
    Texts Untried(std::int64_t bestPs) const
    {
        Texts texts;
        for (const auto& one : m_judged)
        {
            if (!one.refusal.empty() && one.boundPs < bestPs)
            {
                texts.push_back(fmt::format(
                    "gain: not compared with {}: {}", one.candidate.exchange, one.refusal));
            }
        }
        return texts;
    }

    const Scenario& m_scenario; ///< that compresses
    std::vector<Scenario> m_scenarios;
    const std::function<void(double share)>& m_onProgress;
    std::vector<Judged> m_judged;      ///< in the order of m_scenarios
    std::vector<double> m_cpuSeconds;  ///< as estimated, likewise
    std::optional<PacedWorks> m_works; ///< likewise
};

std::optional<Gain>
GainOver(const PointResult& baseline, std::int64_t ps)
{
    const auto exchange = CellText(baseline.results, "gain_baseline");
    if (exchange.empty() || ps == 0)
    {
        return std::nullopt;
    }
    const auto baselinePs = PicosecondsIn(CellText(baseline.results, "iteration_time_s"));
    return Gain{static_cast<double>(baselinePs) / static_cast<double>(ps), exchange};
}

void
AddOnce(const Texts& texts, Texts& all)
{
    for (const auto& text : texts)
    {
        if (std::find(all.begin(), all.end(), text) == all.end())
        {
            all.push_back(text);
        }
    }
}

/** Says which candidates were not tried, and of the first baseline that is not there why. */
void
AddWarnings(const BaselineResults& baselines, Texts& warnings)
{
    bool isMissing = false;
    for (const auto& baseline : baselines)
    {
        const bool isDone = baseline && baseline->status == PointStatus::DONE;
        if (isDone)
        {
            AddOnce(baseline->warnings, warnings);
        }
        else if (baseline && !isMissing)
        {
            isMissing = true;
            warnings.push_back(
                fmt::format("gain: nothing uncompressed is there to compare with: {}",
                            fmt::join(baseline->warnings, "; ")));
        }
    }
}

PointResult
TryRun(const Scenario& scenario, RunKind kind, const std::function<void(double share)>& onProgress)
{
    try
    {
        return DoneResult(RunOf(scenario, kind, onProgress));
    }
    catch (const InputError& error)
    {
        return ResultWithout(
            PointStatus::REFUSED, fmt::format("{}", fmt::join(error.Complaints(), "; ")), scenario);
    }
}

} // namespace

RunRecord
RunOf(const Scenario& scenario, RunKind kind, const std::function<void(double share)>& onProgress)
{
    return kind == RunKind::ITSELF ? RunExperiment(scenario, onProgress)
                                   : Search(scenario, kind, onProgress).Best();
}

RunEstimate
EstimateRunOf(const Scenario& scenario, RunKind kind)
{
    if (kind == RunKind::ITSELF)
    {
        return EstimateIfPossible(scenario).value_or(RunEstimate{});
    }
    std::vector<RunEstimate> estimates;
    std::vector<double> cpuSeconds;
    for (const auto& candidate : BaselineCandidates(scenario, kind))
    {
        if (const auto estimate = EstimateIfPossible(candidate))
        {
            estimates.push_back(*estimate);
            cpuSeconds.push_back(estimate->cpuSeconds);
        }
    }
    const auto mostSeconds = MostSeconds(scenario, cpuSeconds);
    RunEstimate most;
    for (const auto& estimate : estimates)
    {
        if (estimate.cpuSeconds <= mostSeconds)
        {
            most.cpuSeconds = std::max(most.cpuSeconds, estimate.cpuSeconds);
            most.memoryBytes = std::max(most.memoryBytes, estimate.memoryBytes);
        }
    }
    return most;
}

void
AddGains(const BaselineResults& baselines, RunResults& results)
{
    const auto over = [&](const std::optional<PointResult>& baseline) {
        return baseline ? GainOver(*baseline, results.iterationTimePs) : std::nullopt;
    };
    results.gain = over(baselines[0]);
    results.gain16Bit = over(baselines[1]);
}

void
AddGains(const BaselineResults& baselines, PointResult& result)
{
    if (result.status != PointStatus::DONE)
    {
        return;
    }
    RunResults figures;
    figures.iterationTimePs = PicosecondsIn(CellText(result.results, "iteration_time_s"));
    AddGains(baselines, figures);
    for (auto& cell : GainCells(figures.gain, figures.gain16Bit))
    {
        const auto own =
            std::find_if(result.results.begin(), result.results.end(), [&cell](const auto& each) {
                return each.column == cell.column;
            });
        *own = std::move(cell);
    }
    AddWarnings(baselines, result.warnings);
}

BaselineRuns::BaselineRuns(std::function<void(double share)> onProgress)
    : m_onProgress(std::move(onProgress))
{
}

void
BaselineRuns::AddGainsTo(RunRecord& record, const Scenario& scenario)
{
    const auto keys = BaselineKeysOf(scenario, m_inputs);
    PacedWorks works(SecondsOf(keys, scenario), m_onProgress);
    BaselineResults baselines;
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        if (!keys[i].empty())
        {
            baselines[i] = Found(keys[i], scenario, BASELINE_KINDS[i], works.Begin(i));
            works.End(i);
        }
    }
    AddGains(baselines, record.results);
    AddWarnings(baselines, record.warnings);
}

/** What those are estimated to take that are not known; nothing where nobody asks. */
std::vector<double>
BaselineRuns::SecondsOf(const BaselineKeys& keys, const Scenario& scenario) const
{
    std::vector<double> seconds;
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        const bool isToRun = m_onProgress && !keys[i].empty() && m_found.count(keys[i]) == 0;
        seconds.push_back(isToRun ? EstimateRunOf(scenario, BASELINE_KINDS[i]).cpuSeconds : 0);
    }
    return seconds;
}

const PointResult&
BaselineRuns::Found(const std::string& key,
                    const Scenario& scenario,
                    RunKind kind,
                    const std::function<void(double share)>& onProgress)
{
    const auto known = m_found.find(key);
    return known != m_found.end()
               ? known->second
               : m_found.emplace(key, TryRun(scenario, kind, onProgress)).first->second;
}

PointRunner
WithGains(PointRunner run)
{
    return [run = std::move(run),
            baselines = std::make_shared<BaselineRuns>()](const std::vector<Scenario>& scenarios) {
        auto outcomes = run(scenarios);
        for (std::size_t i = 0; i < outcomes.size(); ++i)
        {
            if (outcomes[i].record)
            {
                baselines->AddGainsTo(*outcomes[i].record, scenarios[i]);
            }
        }
        return outcomes;
    };
}

} // namespace inca
