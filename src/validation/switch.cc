/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"
#include "record/sample.h"
#include "scenario/keys.h"
#include "trace/trace-catalog.h"
#include "validation/validation.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr double g_million = 1e6;
constexpr std::uint32_t g_iterations = 10; ///< of replays

// -- numbers of others

/**
 * What an independent packet-level simulator of SwitchML (OMNeT++, public) gives: the time from the start until every
 * worker has ended its tenth update. Each is one random run, whose compute times are drawn from a normal distribution with a
 * relative deviation of 2 %. (simulated)
 */
struct ReferenceTime
{
    const char* trace;
    std::uint64_t gigabitsPerSecond;
    double seconds;
};

/** Five models at 10 and 100 Gb/s. */
constexpr std::array<ReferenceTime, 10> g_referenceTimes{{{"alexnet-a100", 10, 2.783059617631},
                                                          {"alexnet-a100", 100, 1.384723404524},
                                                          {"resnet50-a100", 10, 1.517912289484},
                                                          {"resnet50-a100", 100, 1.503244190793},
                                                          {"resnet101-a100", 10, 1.925654892063},
                                                          {"resnet101-a100", 100, 1.396771002384},
                                                          {"vgg11-a100", 10, 4.66972228259},
                                                          {"vgg11-a100", 100, 0.950461158257},
                                                          {"vgg16-a100", 10, 5.165279283306},
                                                          {"vgg16-a100", 100, 2.050455090994}}};

/** Values that a 100 Gb/s worker adds per second (SwitchML, NSDI 2021). */
struct MeasuredRates
{
    std::uint32_t workers{0};
    double switchMlMillions{0}; ///< 256 values per packet (measured, off a plot, +-20)
    double ncclMillions{0};     ///< over RDMA on the same hosts (the same plot)
};

constexpr std::array<MeasuredRates, 3> g_switchMlRates{
    {{4, 2830, 1380}, {8, 2820, 1250}, {16, 2810, 970}}};

// -- scenarios

using Settings = std::vector<std::pair<const char*, std::string>>;

/** @p workers under one switch, links of 1 us, and SwitchML's pool: 128 slots at 10 Gb/s, 512 at 100. */
Scenario
Slots(std::uint32_t workers, std::uint64_t gigabits, const Settings& settings)
{
    Scenario scenario;
    SetKey(scenario, "cluster.workers", std::to_string(workers));
    SetKey(scenario, "cluster.bandwidth", fmt::format("{}Gbps", gigabits));
    SetKey(scenario, "cluster.latency", "1us");
    SetKey(scenario, "exchange.algorithm", "switch-slots");
    SetKey(scenario, "switch.slots", gigabits <= 10 ? "128" : "512");
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

/**
 * Ten iterations of @p trace as the reference simulator replays them: 2 workers, 9000 bytes of 2229 values (ours are 8998 on
 * the wire), no exponents. A layer of the trace is a bucket, which starts when both workers have it, one at a time, in that
 * order. Compute times are the trace's own.
 */
Scenario
ReplayScenario(const std::string& trace, std::uint64_t gigabits)
{
    auto scenario = Slots(2,
                          gigabits,
                          {{"training.trace", trace},
                           {"cluster.mtu", "9000"},
                           {"switch.values_per_packet", "2229"},
                           {"switch.scaling", "fixed"}});
    scenario.training.iterations = g_iterations;
    scenario.training.send = SendUnit::LAYER;
    scenario.training.update =
        UpdateMode::HOST; // beside passes, and a layer's next one waits for its own
    scenario.exchange.startTogether = true;
    scenario.host.copyBytesPerSecond = 0;
    return scenario;
}

/** One exchange of @p values at 100 Gb/s as SwitchML does it: its pool, its packets, exponents ahead. */
Scenario
SwitchMlScenario(std::uint64_t values, std::uint32_t workers)
{
    return Slots(workers,
                 100,
                 {{"training.trace", fmt::format("tensor:{}B", 4 * values)},
                  {"switch.values_per_packet", "256"}});
}

/** The same over a ring of hosts that cost nothing but the wire. */
Scenario
RingScenario(std::uint64_t values, std::uint32_t workers)
{
    Scenario scenario;
    const auto switchMl = SwitchMlScenario(values, workers);
    scenario.cluster = switchMl.cluster;
    scenario.training.trace = switchMl.training.trace;
    scenario.exchange.algorithm = "ring";
    scenario.host.sumBytesPerSecond = 0;
    return scenario;
}

constexpr const char* g_switchMl = "switchml"; ///< a part beside the models

// -- how far a prediction may be off
constexpr double g_switchMlLimit = 0.03;
constexpr double g_meanTimesLimit = 0.015;
constexpr double g_meanOfSeedsLimit = 0.01;

/**
 * 40,000 packets of 256 values: a round trip is at most 76 frame times and the first exponents take 512 frames of 84 bytes,
 * so the ends are below 0.2 %.
 */
constexpr std::uint64_t g_rateValues = 10'240'000;

/** How long a run takes, against others: packets of all workers. */
double
Work(const Scenario& scenario, std::uint64_t values)
{
    const auto perPacket = ReadSlotFormat(scenario.rowSettings).valuesPerPacket;
    return static_cast<double>(values) / static_cast<double>(perPacket) * scenario.cluster.workers *
           scenario.training.iterations;
}

using Figures = std::vector<Comparison>;

/**
 * What SwitchML has measured with 4, 8 and 16 workers at 100 Gb/s; and NCCL on the same hosts beside our
 * ring, which is not judged: our hosts have neither its protocol nor its GPUs.
 */
ValidationPart
SwitchMlPart(const std::string& name)
{
    ValidationPart part;
    Figures figures;
    for (const bool isRing : {false, true})
    {
        for (const auto& rates : g_switchMlRates)
        {
            figures.push_back({name,
                               fmt::format("{} workers", rates.workers),
                               isRing ? "ring, and NCCL" : "slots, and SwitchML",
                               FigureUnit::MILLION_VALUES_PER_SECOND,
                               0,
                               Single(isRing ? rates.ncclMillions : rates.switchMlMillions,
                                      PublishedClass::PUBLISHED,
                                      "SwitchML's plot"),
                               isRing ? std::nullopt : std::optional(g_switchMlLimit)});
            const auto scenario = isRing ? RingScenario(g_rateValues, rates.workers)
                                         : SwitchMlScenario(g_rateValues, rates.workers);
            part.runs.push_back({scenario, Work(scenario, g_rateValues)});
        }
    }
    part.compare = [figures](const std::vector<MeasuredRun>& runs) {
        auto all = figures;
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            all[i].predicted = g_rateValues * g_psPerSecond /
                               static_cast<double>(runs.at(i).ExchangePs()) / g_million;
        }
        return all;
    };
    return part;
}

/** @param runs with the trace's own times, then with each seed */
Figures
ReplayFigures(const ReferenceTime& reference, const MeasuredRun* runs, std::uint32_t seeds)
{
    std::vector<double> seconds;
    for (const auto* run = runs; run <= runs + seeds; ++run)
    {
        seconds.push_back(static_cast<double>(run->results.iterationEndsPs.back()) / g_psPerSecond);
    }
    const auto make = [&](const std::string& what, double predicted, double limit) {
        return Comparison{reference.trace,
                          fmt::format("{} Gb/s", reference.gigabitsPerSecond),
                          fmt::format("{} iterations, {}", g_iterations, what),
                          FigureUnit::SECONDS,
                          predicted,
                          Single(reference.seconds, PublishedClass::SIMULATED, "reference"),
                          limit};
    };
    const auto mean = SampleOf({seconds.begin() + 1, seconds.end()}).mean;
    return {make("mean times", seconds.front(), g_meanTimesLimit),
            make(fmt::format("mean of {} seeds", seeds), mean, g_meanOfSeedsLimit)};
}

/**
 * Ten iterations of @p trace over slots at 10 and 100 Gb/s beside the reference: with the trace's own times, and the mean of
 * @p seeds runs with random times.
 * @param seeds at least 2; they are 1, 2, ...
 */
ValidationPart
ReplayPart(const std::string& trace, std::uint32_t seeds)
{
    const auto values = FindTrace(trace).Elements();
    ValidationPart part;
    std::vector<ReferenceTime> references;
    for (const auto& reference : g_referenceTimes)
    {
        if (trace != reference.trace)
        {
            continue;
        }
        references.push_back(reference);
        auto scenario = ReplayScenario(trace, reference.gigabitsPerSecond);
        const auto work = Work(scenario, values);
        part.runs.push_back({scenario, work});
        scenario.training.jitter = Jitter::NORMAL; // as the reference's
        scenario.training.jitterSd = 0.02;
        for (scenario.simulation.seed = 1; scenario.simulation.seed <= seeds;
             ++scenario.simulation.seed)
        {
            part.runs.push_back({scenario, work});
        }
    }
    part.compare = [references, seeds](const std::vector<MeasuredRun>& runs) {
        Figures meanTimes;
        Figures meanOfSeeds;
        for (std::size_t i = 0; i < references.size(); ++i)
        {
            const auto own = ReplayFigures(references[i], &runs.at(i * (seeds + 1)), seeds);
            meanTimes.push_back(own.front());
            meanOfSeeds.push_back(own.back());
        }
        meanTimes.insert(meanTimes.end(), meanOfSeeds.begin(), meanOfSeeds.end());
        return meanTimes;
    };
    return part;
}

ValidationPart
SwitchPartOf(const std::string& name, const ValidationRequest& request)
{
    return name == g_switchMl ? SwitchMlPart(name) : ReplayPart(name, request.seeds);
}

} // namespace

Validation
SwitchValidation()
{
    Validation validation;
    validation.name = "switch";
    validation.meaning =
        "slots in a switch: iteration times of a reference simulator, SwitchML's rates";
    validation.title = "Switches that aggregate: slots of one switch beside a reference simulator "
                       "(2 workers, 1 us links),\n"
                       "and SwitchML (NSDI 2021); Mv/s: million values per second";
    validation.fixedKeys = {"training.trace",
                            "training.iterations",
                            "training.jitter",
                            "training.jitter_sd",
                            "cluster.workers",
                            "cluster.topology",
                            "cluster.bandwidth",
                            "exchange.algorithm",
                            "switch.slots",
                            "switch.values_per_packet",
                            "simulation.seed",
                            "simulation.warmup"};
    validation.models = {
        "alexnet-a100", "resnet50-a100", "resnet101-a100", "vgg11-a100", "vgg16-a100", g_switchMl};
    validation.part = SwitchPartOf;
    return validation;
}

} // namespace inca
