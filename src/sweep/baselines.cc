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
using Progress = std::function<void(double share)>;

constexpr const char* g_limit = "simulation.max_baseline_cpu_time";
constexpr double g_psPerSecond = 1e12;

double
LimitSeconds(const Scenario& scenario)
{
    return static_cast<double>(scenario.simulation.maxBaselineCpuPs.value_or(0)) / g_psPerSecond;
}

std::optional<Cost>
CostIfPossible(const Scenario& scenario)
{
    try
    {
        return CostOf(scenario);
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
    Search(const Scenario& scenario, RunKind kind)
        : m_scenario(scenario),
          m_scenarios(BaselineCandidates(scenario, kind))
    {
        for (const auto& candidate : m_scenarios)
        {
            Judge(candidate);
        }
        RefuseLong();
    }

    /** The time of those that are likely to be run, and the memory of the one that takes most, if it may be tried. */
    Cost CostOfLikely() const
    {
        const auto bestPs = LikelyBestPs();
        Cost all;
        for (std::size_t i = 0; i < m_judged.size(); ++i)
        {
            const bool isAllowed = m_judged[i].refusal.empty();
            const bool isLikely = IsNeededBelow(bestPs, m_judged[i]);
            all.cpuSeconds += isLikely ? m_costs[i].cpuSeconds : 0;
            all.memoryBytes = std::max(all.memoryBytes, isAllowed ? m_costs[i].memoryBytes : 0);
        }
        return all;
    }

    /** @param onProgress may be empty @throws InputError if none can run */
    RunRecord Best(const Progress& onProgress)
    {
        std::vector<std::size_t> all(m_judged.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        const auto best = FindBest(all, 0, m_judged, [&](Judged& one) { Run(one, onProgress); });
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
    void Judge(const Scenario& candidate)
    {
        Judged judged;
        judged.candidate.exchange = candidate.exchange.algorithm;
        Cost cost;
        cost.cpuSeconds = std::numeric_limits<double>::infinity();
        try
        {
            const auto plan = MakePlan(candidate);
            judged.boundPs = plan.lowerBound.iterationPs;
            cost = plan.cost;
        }
        catch (const InputError& error)
        {
            judged.refusal = FirstLine(error.what());
        }
        m_costs.push_back(cost);
        m_judged.push_back(std::move(judged));
    }

    /** What a candidate may take: as long as the scenario says, but the shortest may always be tried. */
    double MostSeconds() const
    {
        auto least = std::numeric_limits<double>::infinity();
        for (const auto& cost : m_costs)
        {
            least = std::min(least, cost.cpuSeconds);
        }
        return std::max(LimitSeconds(m_scenario), least);
    }

    void RefuseLong()
    {
        const auto most = MostSeconds();
        for (std::size_t i = 0; i < m_judged.size(); ++i)
        {
            if (m_judged[i].refusal.empty() && m_costs[i].cpuSeconds > most)
            {
                m_judged[i].refusal = fmt::format("estimated to take more CPU time than {} ({})",
                                                  g_limit,
                                                  FindKey(g_limit)->text(m_scenario));
            }
        }
    }

    void Run(Judged& one, const Progress& onProgress)
    {
        const auto index = static_cast<std::size_t>(&one - m_judged.data());
        try
        {
            one.record = RunExperiment(m_scenarios[index], [&](double share) {
                if (onProgress)
                {
                    onProgress((m_tried + share) / static_cast<double>(m_judged.size()));
                }
            });
        }
        catch (const InputError& error)
        {
            one.refusal = FirstLine(error.what());
        }
        catch (const RunError& error)
        {
            one.refusal = FirstLine(error.what());
        }
        ++m_tried;
    }

    /** Of those that were run, and those that may be, which mostly take a few percent more than their bounds. */
    std::int64_t LikelyBestPs() const
    {
        constexpr std::int64_t parts = 50;
        auto leastPs = MOST_SIMULATED_PS;
        for (const auto& one : m_judged)
        {
            if (one.refusal.empty())
            {
                const auto likelyPs = one.boundPs + one.boundPs / parts + 1;
                leastPs = std::min(leastPs, one.WasRun() ? one.IterationPs() : likelyPs);
            }
        }
        return leastPs;
    }

    static bool IsNeededBelow(std::int64_t bestPs, const Judged& one)
    {
        return one.refusal.empty() && !one.WasRun() && one.boundPs < bestPs;
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
    std::vector<Judged> m_judged; ///< in the order of m_scenarios
    std::vector<Cost> m_costs;    ///< likewise
    double m_tried{0};
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
TryFind(const Scenario& scenario, RunKind kind, const Progress& onProgress)
{
    try
    {
        return DoneResult(Search(scenario, kind).Best(onProgress));
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
    if (kind == RunKind::ITSELF)
    {
        return RunExperiment(scenario, onProgress);
    }
    return Search(scenario, kind).Best(onProgress);
}

Cost
CostOfRun(const Scenario& scenario, RunKind kind)
{
    if (kind == RunKind::ITSELF)
    {
        return CostIfPossible(scenario).value_or(Cost{});
    }
    return Search(scenario, kind).CostOfLikely();
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
    FindMissing(keys, scenario);
    BaselineResults baselines;
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        if (!keys[i].empty())
        {
            baselines[i] = m_found.at(keys[i]);
        }
    }
    AddGains(baselines, record.results);
    AddWarnings(baselines, record.warnings);
}

void
BaselineRuns::FindMissing(const BaselineKeys& keys, const Scenario& scenario)
{
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        if (!keys[i].empty() && m_found.count(keys[i]) == 0)
        {
            m_found.emplace(keys[i], TryFind(scenario, BASELINE_KINDS[i], m_onProgress));
        }
    }
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
