/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/measured-run.h"

#include "sweep/worker-pool.h"

#include <utility>

namespace inca
{

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
    auto results = RunAll(runs, request.jobs, request.onProgress);
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        measured[i].results = std::move(results[i]);
    }
    return measured;
}

} // namespace inca
