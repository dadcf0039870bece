/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What values cost: CPU time and peak memory of runs with and without them, beside packet level, each in a process of its
// own; and exchanges of libinca-values beside the codec's and the adder's own work. usage: inca-bench-values [NAME...];
// all cases by default
#include "base/word-sum.h"
#include "codec/codec-catalog.h"
#include "experiment/run-experiment.h"
#include "scenario/specs.h"
#include "support/settings.h"
#include "values/value-exchange.h"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct Case
{
    std::string name;
    std::string settings;
};

const std::vector<Case> g_cases{
    {"alexnet-4-inceptionn", "training.trace=alexnet codec.name=inceptionn"},
    {"64", "cluster.workers=64"},
    {"64-inceptionn", "cluster.workers=64 codec.name=inceptionn"},
    {"homomorphic",
     "exchange.algorithm=switch-slots training.density=0.05 training.union_exponent=0 "
     "codec.name=homomorphic codec.placement=gpu codec.ratio=5"},
    {"truncate", "codec.name=truncate"},
    {"cast", "codec.name=cast"},
    {"server-inceptionn", "exchange.algorithm=parameter-server codec.name=inceptionn"},
    {"server-inceptionn-cpu",
     "exchange.algorithm=parameter-server codec.name=inceptionn codec.placement=cpu "
     "codec.encode_rate=100GBps codec.decode_rate=100GBps"},
    {"aggregator-inceptionn", "exchange.algorithm=worker-aggregator codec.name=inceptionn"},
    {"top-k-inceptionn", "sparsify.method=top-k codec.name=inceptionn"},
    {"fp16", "training.gradient_type=fp16"},
    {"fp16-slots", "training.gradient_type=fp16 exchange.algorithm=switch-slots"},
    {"slots-int32", "exchange.algorithm=switch-slots"},
    {"slots-fp32", "exchange.algorithm=switch-slots switch.adder=fp32"},
    {"sharding-slots", "exchange.algorithm=switch-slots training.sharding=full"},
    {"sharding", "training.sharding=full"},
    {"sharded-servers", "exchange.algorithm=sharded-parameter-server"},
    {"tree", "exchange.algorithm=tree"},
    {"halving-doubling", "exchange.algorithm=halving-doubling"},
    {"hierarchical-ring", "exchange.algorithm=hierarchical-ring"},
    {"gpus", "cluster.gpus=4"},
    {"top-k", "sparsify.method=top-k"},
};

/** What a run took. */
struct Measured
{
    double seconds{0}; ///< of CPU time
    double peakMiB{0};
};

/** Runs it in a process of its own, whose memory is the run's. */
Measured
Measure(const std::string& settings)
{
    const auto child = fork();
    if (child == 0)
    {
        RunExperiment(With({}, settings), {});
        _exit(0);
    }
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    if (status != 0)
    {
        throw std::runtime_error("the run failed: " + settings);
    }
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
            static_cast<double>(usage.ru_maxrss) / 1024};
}

void
Report(const Case& row)
{
    const auto settings =
        "training.trace=tensor:100MB cluster.workers=8 training.send=end " + row.settings;
    const auto sizes = Measure(settings);
    const auto values = Measure(settings + " training.values=true");
    const auto inFrames = Measure(settings + " training.values=true simulation.mode=packet");
    fmt::print("| {} | {:.2f} | {:.2f} | {:.0f} | {:.2f} | {:.0f} |\n",
               row.name,
               sizes.seconds,
               values.seconds,
               values.peakMiB,
               inFrames.seconds,
               inFrames.peakMiB);
    std::fflush(stdout); // else the next child has it, too
}

/** Milliseconds of CPU time of each of many repetitions. */
double
MillisecondsOf(const std::function<void()>& work)
{
    constexpr int times = 200;
    work(); // memory is there, from here on
    const auto before = std::clock();
    for (int i = 0; i < times; ++i)
    {
        work();
    }
    return 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / times;
}

/**
 * An exchange of HDC's gradients among 4 workers in a ring, and what of it is the codec's, which encodes and decodes
 * 2 (W - 1) blocks for each worker, and the adder's, which adds W - 1.
 */
void
ReportExchange(const std::string& codec)
{
    constexpr std::size_t workers = 4;
    constexpr std::size_t elements = 648'010;
    auto scenario = With(
        {},
        "cluster.workers=4 training.send=end training.trace=tensor:2592040B codec.name=" + codec);
    ValueExchange exchange(scenario);
    std::vector<std::vector<float>> own(workers, std::vector<float>(elements));
    std::vector<const float*> from;
    std::vector<float*> into;
    std::uint32_t random = 1;
    for (auto& row : own)
    {
        for (auto& value : row) // of uniform exponents from 2^-16 to 2^-5
        {
            random = random * 1'664'525U + 1'013'904'223U;
            value = FloatOf((111U + (random >> 8U) % 12U) << 23U | random >> 9U);
        }
    }
    auto results = own;
    for (std::size_t worker = 0; worker < workers; ++worker)
    {
        from.push_back(own[worker].data());
        into.push_back(results[worker].data());
    }
    const auto whole = MillisecondsOf([&] { exchange.Run(from, into); });
    const auto coder = MakeCodec(MakeCodecSpec(scenario));
    std::vector<std::uint8_t> stream;
    const auto adding = MillisecondsOf([&] {
        for (std::size_t i = 1; i < workers; ++i)
        {
            std::vector<Word> sum(elements);
            WordSum::FP32.add(
                reinterpret_cast<const Word*>(from[i]), sum.data(), sum.data(), elements);
        }
    });
    const auto coding = MillisecondsOf([&] {
        for (std::size_t i = 0; coder && i < 2 * (workers - 1); ++i)
        {
            stream.clear();
            coder->Encode(from[i % workers], elements, stream);
            coder->Decode(stream.data(), stream.size(), into[i % workers], elements);
        }
    });
    fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
               codec,
               whole,
               coding,
               adding,
               whole / (coding + adding));
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    const std::vector<std::string> named(argv + 1, argv + argc);
    fmt::print(
        "| run of 100 MB | sizes only, CPU s | values, CPU s | peak, MiB | values in frames, "
        "CPU s | peak, MiB |\n|---|---|---|---|---|---|\n");
    std::fflush(stdout);
    for (const auto& row : inca::g_cases)
    {
        if (named.empty() || std::find(named.begin(), named.end(), row.name) != named.end())
        {
            inca::Report(row);
        }
    }
    if (named.empty() || std::find(named.begin(), named.end(), "exchange") != named.end())
    {
        fmt::print("\n| an exchange of HDC, 4 workers, ring | library, CPU ms | encoding and "
                   "decoding, CPU ms | "
                   "additions, CPU ms | ratio |\n|---|---|---|---|---|\n");
        for (const auto* codec : {"none", "inceptionn", "truncate", "cast"})
        {
            inca::ReportExchange(codec);
        }
    }
    return 0;
}
