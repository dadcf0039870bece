/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-pool.h"

#include "record/result-bytes.h"
#include "sweep/worker-pool.h"

#include <string>

namespace inca
{

std::vector<RunResults>
RunAll(const std::vector<PooledRun>& runs, std::uint32_t jobs, const RunProgress& onProgress)
{
    double whole = 0;
    for (const auto& run : runs)
    {
        whole += run.work;
    }
    double done = 0;
    const auto tell = [&](double more) {
        if (onProgress)
        {
            onProgress((done + more) / whole);
        }
    };
    std::vector<RunResults> results(runs.size());
    const auto keep = [&](std::size_t index, RunResults of) {
        results[index] = std::move(of);
        done += runs[index].work;
        tell(0);
    };
    for (std::size_t i = 0; jobs <= 1 && i < runs.size(); ++i)
    {
        const auto within = [&](double share) { tell(share * runs[i].work); };
        keep(i, runs[i].run(within).results);
    }
    WorkerPool pool([&runs](const std::string& index) {
        return BytesOf(runs[std::stoul(index)].run([](double) {}).results);
    });
    for (std::size_t next = 0; jobs > 1 && (next < runs.size() || pool.Running() > 0);)
    {
        for (; next < runs.size() && pool.Running() < jobs; ++next)
        {
            pool.Start(next, std::to_string(next));
        }
        for (const auto& [index, told] : pool.Wait())
        {
            keep(index, ResultsOf(TextTold(told)));
        }
    }
    return results;
}

} // namespace inca
