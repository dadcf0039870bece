/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs with values cost, beside the least that they must: every value that travels is coded and
// decoded once and added twice, on one core, and frames are simulated, as they are without values. CPU time
// and peak memory of a process of its own each.
// usage: inca-bench-values [NAME...]; all cases by default
#include "base/word-sum.h"
#include "experiment/run-experiment.h"
#include "job/chunk-coding.h"
#include "plan/plan-maker.h"
#include "scenario/resolve.h"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr double MIB{1024.0 * 1024.0};
constexpr std::uint64_t PIECE{1U << 16U}; ///< values that are coded, then added, at once
constexpr std::uint64_t MOST_VALUES{
    25'000'000}; ///< of one worker, coded and added to tell the speed
constexpr int REPETITIONS{3};

double
SecondsOf(const std::function<void()>& work)
{
    const auto begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

struct Case
{
    const char* name;
    Scenario scenario;
};

Scenario
Ring(const std::string& trace, std::uint32_t workers)
{
    Scenario scenario;
    scenario.training.trace = trace;
    scenario.training.send = "end";
    scenario.training.values = true;
    scenario.cluster.workers = workers;
    scenario.exchange.algorithm = "ring";
    return scenario;
}

Scenario
Coded(Scenario scenario)
{
    scenario.codec.name = "inceptionn";
    scenario.codec.placement = "nic";
    return scenario;
}

Scenario
AtPacketLevel(Scenario scenario)
{
    scenario.simulation.framesPerTrain = 1;
    return scenario;
}

Scenario
Homomorphic(std::uint32_t workers)
{
    auto scenario = Ring("tensor:100MB", workers);
    scenario.cluster.bitsPerSecond = 100'000'000'000;
    scenario.exchange.algorithm = "switch-slots";
    scenario.aggregation["switch.slots"] = "512";
    scenario.training.density = 0.05;
    scenario.training.unionExponent = 0;
    scenario.codec.name = "homomorphic";
    scenario.codec.placement = "gpu";
    scenario.codec.ratio = 5;
    return scenario;
}

std::vector<Case>
Cases()
{
    return {
        {"alexnet-4-inceptionn", Coded(Ring("alexnet", 4))},
        {"alexnet-4-inceptionn-packet-level", AtPacketLevel(Coded(Ring("alexnet", 4)))},
        {"100MB-64", Ring("tensor:100MB", 64)},
        {"100MB-64-packet-level", AtPacketLevel(Ring("tensor:100MB", 64))},
        {"100MB-64-inceptionn", Coded(Ring("tensor:100MB", 64))},
        {"100MB-64-inceptionn-packet-level", AtPacketLevel(Coded(Ring("tensor:100MB", 64)))},
        {"100MB-8-homomorphic", Homomorphic(8)},
        {"100MB-8-homomorphic-packet-level", AtPacketLevel(Homomorphic(8))},
    };
}

/** What a run took, and moved. */
struct Measured
{
    double seconds{0};
    double memoryBytes{0};
    double values{0}; ///< that travelled
    double packetLevelShare{0};
};

/** Runs it in a process of its own, whose memory is the run's. */
Measured
Measure(const Scenario& scenario)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        throw std::runtime_error("no pipe");
    }
    const auto child = fork();
    if (child == 0)
    {
        const auto results = RunExperiment(scenario, {}).results;
        const double told[2]{static_cast<double>(results.plainBytes) / sizeof(Word),
                             results.packetLevelShare};
        _exit(write(ends[1], told, sizeof told) == sizeof told ? 0 : 1);
    }
    close(ends[1]);
    double told[2]{};
    const auto count = read(ends[0], told, sizeof told);
    close(ends[0]);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    if (status != 0 || count != sizeof told)
    {
        throw std::runtime_error("the run failed");
    }
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
            static_cast<double>(usage.ru_maxrss) * 1024,
            told[0],
            told[1]};
}

/** What codec and additions alone take, per value. (s) */
struct Floor
{
    double coding{0};
    double adding{0};
};

/** Messages of one worker: each piece is coded, decoded, and added to two gradients. */
Floor
FloorOfMessages(const PreparedJob& prepared, const std::vector<float>& values)
{
    std::vector<Word> own(values.size());
    CopyBits(values.data(), values.size(), own.data());
    auto other = own;
    std::vector<float> decoded(PIECE);
    std::vector<std::uint8_t> stream;
    Floor floor;
    for (std::uint64_t begin = 0; begin < values.size(); begin += PIECE)
    {
        const auto count = std::min<std::uint64_t>(PIECE, values.size() - begin);
        const auto* term = reinterpret_cast<const Word*>(values.data() + begin);
        if (prepared.codec)
        {
            floor.coding += SecondsOf([&] {
                stream.clear();
                prepared.codec->Encode(values.data() + begin, count, stream);
                prepared.codec->Decode(stream.data(), stream.size(), decoded.data(), count);
            });
            term = reinterpret_cast<const Word*>(decoded.data());
        }
        floor.adding += SecondsOf([&] {
            AddWords(WordSum::FP32, term, own.data() + begin, count);
            AddWords(WordSum::FP32, term, other.data() + begin, count);
        });
    }
    return floor;
}

/** A worker codes what it has, and decodes the sum. */
double
CodingOfChunk(const ChunkCoding& coding, std::size_t rounds, const std::vector<float>& values)
{
    std::vector<RoundResult> results;
    return SecondsOf([&] {
        const auto exponent = coding.Exponent(values);
        for (std::size_t round = 0; round < rounds; ++round)
        {
            results.push_back({coding.Encode(round, values, results), exponent});
        }
        auto sum = values;
        coding.Decode(results, sum);
    });
}

Floor
FloorOf(const Scenario& scenario)
{
    const auto prepared = PrepareJob(Resolved(scenario));
    const auto& job = *prepared.job;
    const auto elements = std::min(prepared.trace->Elements(), MOST_VALUES);
    std::vector<float> values(elements);
    job.ownGradient(0, {0, elements}, values.data());
    Floor least{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (int i = 0; i < REPETITIONS; ++i)
    {
        auto floor = FloorOfMessages(prepared, values);
        if (job.chunks.front().coding) // of a lone tensor: one chunk
        {
            floor.coding =
                CodingOfChunk(*job.chunks.front().coding, job.chunks.front().rounds.size(), values);
        }
        least = {std::min(least.coding, floor.coding), std::min(least.adding, floor.adding)};
    }
    const auto perValue = 1 / static_cast<double>(elements);
    return {least.coding * perValue, least.adding * perValue};
}

void
Report(const Case& row)
{
    const auto prepared = PrepareJob(Resolved(row.scenario));
    const auto elements = static_cast<double>(prepared.trace->Elements());
    const auto gradients = elements * row.scenario.cluster.workers;
    const auto floor = FloorOf(row.scenario);
    auto sizesOnly = row.scenario;
    sizesOnly.training.values = false;
    const auto run = Measure(row.scenario);
    const auto simulation = Measure(sizesOnly);
    const bool isCodedOnce = prepared.job->chunks.front().coding != nullptr;
    const auto values = isCodedOnce ? gradients : run.values;
    const auto coding = floor.coding * values;
    const auto adding = floor.adding * values;
    fmt::print(
        "| {} | {:.0f} % | {:.0f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {:.0f} "
        "| {:.2f} |\n",
        row.name,
        run.packetLevelShare * 100,
        values / 1e6,
        coding,
        adding,
        simulation.seconds,
        run.seconds,
        run.seconds / (coding + adding),
        (run.seconds - simulation.seconds) / (coding + adding),
        run.memoryBytes / MIB,
        run.memoryBytes / (gradients * sizeof(float)));
    std::fflush(stdout);
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    const std::vector<std::string> named(argv + 1, argv + argc);
    fmt::print(
        "| run | frames one by one | million values | codec, s | two additions, s | without "
        "values, CPU s "
        "| run, CPU s | times codec and additions | the same, without the simulation | peak, MiB "
        "| times gradients |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n");
    std::fflush(stdout);
    for (const auto& row : inca::Cases())
    {
        if (named.empty() || std::find(named.begin(), named.end(), row.name) != named.end())
        {
            inca::Report(row);
        }
    }
    return 0;
}
