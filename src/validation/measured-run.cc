/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/measured-run.h"

#include "base/errors.h"
#include "sweep/baselines.h"
#include "sweep/run-pool.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

/** What the gains of measured runs are over, each once. */
class Baselines
{
  public:
    explicit Baselines(const ValidationRequest& request)
        : m_request(request)
    {
    }

    /** Runs what @p scenario, which must outlive @p runs, is compared with, behind what is there. */
    void Add(const Scenario& scenario, double work, std::vector<PooledRun>& runs)
    {
        m_users.emplace_back(BaselineKeysOf(scenario, m_inputs));
        for (std::size_t i = 0; i < BASELINE_KINDS.size(); ++i)
        {
            const auto& key = m_users.back()[i];
            if (!key.empty() && m_found.emplace(key, std::nullopt).second)
            {
                m_keys.push_back(key);
                runs.push_back({RunOfKind(scenario, BASELINE_KINDS[i]), work});
            }
        }
    }

    /** @param index of the run behind those of the scenarios themselves */
    void Take(std::size_t index, const RunRecord& record)
    {
        m_found[m_keys[index]] = DoneResult(record);
    }

    /** The gains of what was added as the @p user -th. */
    void AddGainsTo(RunResults& results, std::size_t user) const
    {
        BaselineResults baselines;
        for (std::size_t i = 0; i < baselines.size(); ++i)
        {
            const auto& key = m_users[user][i];
            baselines[i] = key.empty() ? std::nullopt : m_found.at(key);
        }
        AddGains(baselines, results);
    }

  private:
    /** One that is refused leaves gains empty. */
    std::function<RunRecord(const RunProgress&)> RunOfKind(const Scenario& scenario,
                                                           RunKind kind) const
    {
        return [this, &scenario, kind](const RunProgress& onProgress) {
            try
            {
                return m_request.runBaseline(scenario, kind, onProgress);
            }
            catch (const InputError&)
            {
                return RunRecord{};
            }
        };
    }

    const ValidationRequest& m_request;
    ResultInputs m_inputs;
    std::vector<BaselineKeys> m_users;
    std::vector<std::string> m_keys; ///< in the order of runs
    std::map<std::string, std::optional<PointResult>> m_found;
};

} // namespace

std::vector<MeasuredRun>
MeasureAll(const std::string& validation,
           const std::vector<PlannedRun>& planned,
           const ValidationRequest& request)
{
    std::vector<MeasuredRun> measured;
    for (const auto& run : planned)
    {
        measured.push_back({WithSettings(run.scenario, validation, request.settings), {}});
    }
    std::vector<PooledRun> runs;
    for (std::size_t i = 0; i < planned.size(); ++i)
    {
        const auto& scenario = measured[i].scenario;
        runs.push_back({[&scenario, &request](const RunProgress& onProgress) {
                            return request.run(scenario, onProgress);
                        },
                        planned[i].work});
    }
    Baselines baselines(request);
    std::vector<std::size_t> users; // of measured, in the order in which baselines know them
    for (std::size_t i = 0; request.runBaseline && i < planned.size(); ++i)
    {
        if (planned[i].gains)
        {
            baselines.Add(measured[i].scenario, planned[i].work, runs);
            users.push_back(i);
        }
    }
    const auto keep = [&measured, &baselines](std::size_t index, RunRecord record) {
        if (index < measured.size())
        {
            measured[index].results = std::move(record.results);
        }
        else
        {
            baselines.Take(index - measured.size(), record);
        }
    };
    RunAll(runs, request.jobs, keep, request.onProgress);
    for (std::size_t i = 0; i < users.size(); ++i)
    {
        baselines.AddGainsTo(measured[users[i]].results, i);
    }
    return measured;
}

} // namespace inca
