/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What runs with values cost, beside the least that they must: every value that travels is coded and
// decoded once (by its codec, as integers of switches, or in 16 bits) and added twice, on one core, and frames are
// simulated, as they are without values. CPU time and peak memory of a process of its own each.
// usage: inca-bench-values [NAME...]; all cases by default
#include "base/integer-scale.h"
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
#include <cstring>
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
    std::string name;
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
    scenario.simulation.mode = "packet";
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

/** 100 MB on 8 workers. */
Scenario
Tensor(const std::string& algorithm)
{
    auto scenario = Ring("tensor:100MB", 8);
    scenario.exchange.algorithm = algorithm;
    return scenario;
}

Scenario
Typed(Scenario scenario, const char* gradientType)
{
    scenario.training.gradientType = gradientType;
    return scenario;
}

Scenario
Coded(Scenario scenario, const char* codec, const char* placement)
{
    scenario.codec.name = codec;
    scenario.codec.placement = placement;
    if (scenario.codec.placement != "nic")
    {
        scenario.codec.encodeBytesPerSecond = 100'000'000'000;
        scenario.codec.decodeBytesPerSecond = 100'000'000'000;
    }
    return scenario;
}

Scenario
Sharded(Scenario scenario)
{
    scenario.training.sharding = "full";
    return scenario;
}

Scenario
OverSwitches(const char* adder)
{
    auto scenario = Tensor("switch-slots");
    scenario.cluster.bitsPerSecond = 100'000'000'000;
    scenario.aggregation["switch.slots"] = "512";
    scenario.aggregation["switch.adder"] = adder;
    return scenario;
}

Scenario
Sparse(const char* method)
{
    auto scenario = Tensor("ring");
    scenario.sparsify.method = method;
    return scenario;
}

std::vector<Case>
Cases()
{
    std::vector<Case> cases{
        {"alexnet-4-inceptionn", Coded(Ring("alexnet", 4))},
        {"100MB-64", Ring("tensor:100MB", 64)},
        {"100MB-64-inceptionn", Coded(Ring("tensor:100MB", 64))},
        {"100MB-8-homomorphic", Homomorphic(8)},
    };
    const auto count = cases.size();
    for (std::size_t i = 0; i < count; ++i)
    {
        cases.push_back({cases[i].name + "-packet-level", AtPacketLevel(cases[i].scenario)});
    }
    auto gpus = Tensor("ring");
    gpus.cluster.gpus = 4;
    const std::vector<Case> others{
        {"truncate", Coded(Tensor("ring"), "truncate", "nic")},
        {"cast", Coded(Tensor("ring"), "cast", "nic")},
        {"inceptionn-gpu", Coded(Tensor("ring"), "inceptionn", "gpu")},
        {"server-inceptionn", Coded(Tensor("parameter-server"), "inceptionn", "nic")},
        {"server-inceptionn-cpu", Coded(Tensor("parameter-server"), "inceptionn", "cpu")},
        {"aggregator-inceptionn", Coded(Tensor("worker-aggregator"), "inceptionn", "nic")},
        {"top-k-inceptionn", Coded(Sparse("top-k"), "inceptionn", "nic")},
        {"fp16", Typed(Tensor("ring"), "fp16")},
        {"bf16", Typed(Tensor("ring"), "bf16")},
        {"fp16-slots", Typed(OverSwitches("int32"), "fp16")},
        {"slots-int32", OverSwitches("int32")},
        {"slots-fp32", OverSwitches("fp32")},
        {"sharding-slots", Sharded(OverSwitches("int32"))},
        {"sharding", Sharded(Tensor("ring"))},
        {"sharded-servers", Tensor("sharded-parameter-server")},
        {"tree", Tensor("tree")},
        {"halving-doubling", Tensor("halving-doubling")},
        {"hierarchical-ring", Tensor("hierarchical-ring")},
        {"gpus", gpus},
        {"top-k", Sparse("top-k")},
        {"threshold", Sparse("threshold")},
    };
    for (const auto& other : others)
    {
        cases.push_back({"100MB-8-" + other.name + "-packet-level", AtPacketLevel(other.scenario)});
        cases.push_back({"100MB-8-" + other.name, other.scenario});
    }
    return cases;
}

/** What a run took, and moved. */
struct Measured
{
    double seconds{0};
    double memoryBytes{0};
    double plainBytes{0}; ///< that travelled, in the gradients' type
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
        const double told[2]{static_cast<double>(results.plainBytes), results.packetLevelShare};
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

/** What coding and additions alone take, per value. (s) */
struct Floor
{
    double coding{0};
    double adding{0};
};

/** Makes of values what travels, and values of that, in place. */
using Coding = std::function<void(float* values, std::uint64_t count)>;

Coding
CodingBy(const Codec& codec)
{
    return
        [&codec, stream = std::vector<std::uint8_t>()](float* values, std::uint64_t count) mutable {
            stream.clear();
            codec.Encode(values, count, stream);
            codec.Decode(stream.data(), stream.size(), values, count);
        };
}

/** As integers, at one scale for all. */
Coding
CodingAsIntegers(std::uint32_t workers)
{
    return [workers, words = std::vector<Word>(), integers = std::vector<std::int32_t>()](
               float* values, std::uint64_t count) mutable {
        words.resize(count);
        integers.resize(count);
        const IntegerScale scale(workers, LargestExponent(values, count));
        scale.Round(values, count, words.data());
        std::memcpy(integers.data(), words.data(), count * sizeof(Word));
        scale.Restore(integers.data(), count, values);
    };
}

/** By its codec, as the integers of switches, or in a type of 16 bits; null: as they are. */
Coding
CodingOf(const Scenario& scenario, const PreparedJob& prepared)
{
    const auto adder = scenario.aggregation.find("switch.adder");
    const bool hasIntegers = adder != scenario.aggregation.end() && adder->second != "fp32";
    const auto& narrow = prepared.job->gradientType.narrow;
    if (prepared.codec)
    {
        return CodingBy(*prepared.codec);
    }
    if (hasIntegers)
    {
        return CodingAsIntegers(scenario.cluster.workers);
    }
    return narrow ? CodingBy(*narrow) : Coding();
}

/** Messages of one worker: each piece is coded, decoded, and added to two gradients. */
Floor
FloorOfMessages(const Coding& coding, const std::vector<float>& values)
{
    std::vector<Word> own(values.size());
    CopyBits(values.data(), values.size(), own.data());
    auto other = own;
    std::vector<float> piece(PIECE);
    Floor floor;
    for (std::uint64_t begin = 0; begin < values.size(); begin += PIECE)
    {
        const auto count = std::min<std::uint64_t>(PIECE, values.size() - begin);
        std::copy_n(values.data() + begin, count, piece.begin());
        floor.coding += coding ? SecondsOf([&] { coding(piece.data(), count); }) : 0;
        const auto* const term = reinterpret_cast<const Word*>(piece.data());
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
    const auto coding = CodingOf(scenario, prepared);
    std::vector<float> values(elements);
    job.ownGradient(0, {0, elements}, values.data());
    Floor least{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (int i = 0; i < REPETITIONS; ++i)
    {
        auto floor = FloorOfMessages(coding, values);
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
    const auto values =
        isCodedOnce ? gradients
                    : run.plainBytes / static_cast<double>(prepared.job->gradientType.bytes);
    const bool isCodedOneWay = prepared.job->weightsReturn; // which no codec touches
    const auto coding = floor.coding * values / (isCodedOneWay ? 2 : 1);
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
        "| run | frames one by one | million values | coding, s | two additions, s | without "
        "values, CPU s "
        "| run, CPU s | times coding and additions | the same, without the simulation | peak, MiB "
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
