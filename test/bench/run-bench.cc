/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Whole runs at packet level: wall time, peak memory, and frames over links per second.
#include "experiment/run-experiment.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <string>

namespace
{

inca::Scenario
Ring(const std::string& trace, bool values)
{
    inca::Scenario scenario;
    scenario.training.trace = trace;
    scenario.training.send = "end";
    scenario.training.values = values;
    scenario.cluster.workers = 4;
    scenario.exchange.algorithm = "ring";
    return scenario;
}

void
RunRing(benchmark::State& state, const std::string& trace, bool values)
{
    std::uint64_t frames = 0;
    for (auto _ : state)
    {
        const auto record = inca::RunExperiment(Ring(trace, values), {});
        for (const auto& link : record.links)
        {
            frames += link.frames;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["frame_hops_per_s"] =
        benchmark::Counter(static_cast<double>(frames), benchmark::Counter::kIsRate);
    state.counters["peak_memory_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

} // namespace

// In order of memory: the peak is the process's.
BENCHMARK_CAPTURE(RunRing, vgg16_sizes_only, "vgg-16", false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(RunRing, resnet50_values, "resnet-50", true)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
