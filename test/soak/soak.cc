/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs drawn scenarios, in one process, and says of which something does not hold that must hold of all:
// inca-soak [COUNT [FIRST]]
#include "base/errors.h"
#include "base/random.h"
#include "base/units.h"
#include "experiment/precision.h"
#include "experiment/run-experiment.h"
#include "record/details.h"
#include "record/result-row.h"
#include "scenario/checks.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "scenario/specs.h"
#include "support/key-texts.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint64_t g_stream = 77; ///< of random numbers

/** Texts from which every key takes what it accepts. */
const std::vector<std::string>&
Texts()
{
    static const std::vector<std::string> texts{"0",           "1",
                                                "2",           "3",
                                                "4",           "7",
                                                "16",          "100",
                                                "0.5",         "0.01",
                                                "true",        "false",
                                                "none",        "0s",
                                                "1ps",         "999ps",
                                                "1us",         "100us",
                                                "1ms",         "1Gbps",
                                                "10Gbps",      "100Gbps",
                                                "400Gbps",     "100MBps",
                                                "8GBps",       "1kB",
                                                "4000B",       "64KiB",
                                                "16MiB",       "1GiB",
                                                "safe",        "2^-6",
                                                "2Gvalues/s",  "300Mvalues/s",
                                                "nvfp4",       "sdp4bit",
                                                "mxfp6",       "quickreduce-q6",
                                                "torchft-fp8", "int4/48/fp32/hadamard-16"};
    return texts;
}

/** Keys that are drawn in another way, or make runs long or needless. */
bool
IsLeftOut(const std::string& key)
{
    static const std::set<std::string> names{"training.trace",
                                             "training.iterations",
                                             "training.values_file",
                                             "training.accumulation",
                                             "cluster.workers",
                                             "cluster.servers",
                                             "cluster.loss_rate",
                                             "cluster.spines",
                                             "cluster.trunks",
                                             "simulation.seed",
                                             "simulation.watchdog"};
    return names.count(key) > 0;
}

/** The texts that each key takes. */
std::map<std::string, std::vector<std::string>>
ReadChoices()
{
    std::map<std::string, std::vector<std::string>> choices;
    for (const auto& key : ScenarioKeys())
    {
        auto texts = NamesOf(key);
        std::copy_if(Texts().begin(),
                     Texts().end(),
                     std::back_inserter(texts),
                     [&](const auto& text) { return Takes(key, text); });
        choices[key.name] = std::move(texts);
    }
    return choices;
}

const std::map<std::string, std::vector<std::string>>&
Choices()
{
    static const auto choices = ReadChoices();
    return choices;
}

/** Draws of one scenario. */
class Drawing
{
  public:
    explicit Drawing(std::uint64_t number)
        : m_number(number)
    {
    }

    std::uint64_t Below(std::uint64_t count)
    {
        return RandomBits(g_stream, m_number, m_question++, 0) % count;
    }

    std::vector<std::string> Settings()
    {
        const auto& choices = Choices();
        static const std::vector<std::string> traces{"tensor:4B",
                                                     "tensor:400B",
                                                     "tensor:4kB",
                                                     "tensor:16kB",
                                                     "tensor:100kB",
                                                     INCA_SOURCE_DIR "/test/soak/layers.csv"};
        const auto workers = 2 + Below(10);
        std::vector<std::string> settings{
            "training.trace=" + traces[Below(traces.size())],
            "training.iterations=" + std::to_string(1 + Below(4)),
            "cluster.workers=" + std::to_string(workers),
            "simulation.seed=" + std::to_string(m_number),
        };
        if (Below(4) == 0)
        {
            settings.emplace_back("cluster.latency=0s"); // so that much is due at once
        }
        if (Below(6) == 0)
        {
            const auto worker = "cluster.worker." + std::to_string(Below(workers));
            settings.push_back(Below(2) == 0 ? worker + ".bandwidth=10Mbps"
                                             : worker + ".compute_scale=1.5");
        }
        if (Below(6) == 0)
        {
            settings.emplace_back("simulation.warmup=1");
        }
        if (Below(6) == 0)
        {
            settings.emplace_back("training.sharding=optimizer");
        }
        if (Below(3) == 0)
        {
            settings.push_back("cluster.loss_rate=" + std::string(Below(2) == 0 ? "0.01" : "0.1"));
        }
        Add("exchange.algorithm", choices, settings);
        Add("training.values", choices, settings);
        const auto more = Below(12);
        for (std::uint64_t i = 0; i < more; ++i)
        {
            const auto& key = ScenarioKeys()[Below(ScenarioKeys().size())];
            if (!IsLeftOut(key.name))
            {
                Add(key.name, choices, settings);
            }
        }
        return settings;
    }

  private:
    void Add(const std::string& key,
             const std::map<std::string, std::vector<std::string>>& choices,
             std::vector<std::string>& settings)
    {
        const auto begin = key + "=";
        const auto taken =
            std::any_of(settings.begin(), settings.end(), [&begin](const auto& setting) {
                return setting.rfind(begin, 0) == 0;
            });
        const auto found = choices.find(key);
        if (!taken && !found->second.empty())
        {
            settings.push_back(begin + found->second[Below(found->second.size())]);
        }
    }

    std::uint64_t m_number;
    std::uint64_t m_question{0};
};

bool
IsPlain(const Scenario& scenario)
{
    return scenario.cluster.lossRate == 0 && scenario.training.jitter == Jitter::NONE;
}

/** What hosts sent has arrived: of a star whose switch only passes on. */
bool
IsConserved(const RunRecord& record)
{
    std::uint64_t in = 0;
    std::uint64_t out = 0;
    for (const auto& link : record.links)
    {
        in += link.ends.to == "switch" ? link.port.out.wireBytes : 0;
        out += link.ends.from == "switch" ? link.port.out.wireBytes : 0;
    }
    return in == out;
}

/** The same with all links twice as fast. */
Scenario
WithDoubledLinks(Scenario scenario)
{
    auto& cluster = scenario.cluster;
    cluster.bitsPerSecond *= 2;
    for (auto* rate : {&cluster.aggregatorBitsPerSecond, &cluster.trunkBitsPerSecond})
    {
        *rate = *rate ? std::optional(2 * **rate) : std::nullopt;
    }
    for (auto& worker : cluster.overrides)
    {
        worker.bitsPerSecond =
            worker.bitsPerSecond ? std::optional(2 * *worker.bitsPerSecond) : std::nullopt;
    }
    return scenario;
}

/** @return whether twice the bandwidth makes it slower by more than docs/model.md ("Anomalies") states */
std::string
AnomalyOf(const Scenario& scenario, const RunResults& results)
{
    const auto faster = RunExperiment(WithDoubledLinks(scenario), {}).results;
    if (results.drops + results.retransmitted + faster.drops + faster.retransmitted > 0)
    {
        return "";
    }
    const bool overlaps = IdleReason(*FindKey("exchange.concurrent"), scenario).empty();
    const auto inFlight = overlaps ? scenario.exchange.concurrent : 1;
    const auto mostPs = static_cast<double>(results.iterationTimePs) * (2 - 1.0 / inFlight);
    if (static_cast<double>(faster.iterationTimePs) <= mostPs)
    {
        return "";
    }
    return "with twice the bandwidth it takes " + FormatPicoseconds(faster.iterationTimePs) +
           ", not " + FormatPicoseconds(results.iterationTimePs);
}

/** @return whether auto is off packet level by more than it says; messages as flows are, and are asked for by name */
std::string
AutoFault(Scenario scenario, const RunRecord& record)
{
    if (scenario.simulation.mode == SimulationMode::FLOW)
    {
        return "";
    }
    scenario.simulation.mode = SimulationMode::PACKET;
    const auto packetLevel = RunExperiment(scenario, {});
    const auto& exact = record.results.exact;
    return PrecisionOf(record, packetLevel).IsSound(exact) ? "" : "it is off packet level";
}

/** All that a run writes, but for its warnings and its seed; or why it writes nothing. */
std::string
OutputOf(const Scenario& scenario)
{
    try
    {
        auto record = RunExperiment(scenario, {});
        record.warnings.clear();
        record.origin.seed = 0;
        return CsvRow(record) + LayersCsv(record) + LinksCsv(record) + SwitchesCsv(record) +
               ErrorsCsv(record);
    }
    catch (const std::exception& error)
    {
        return error.what();
    }
}

/** @return which keys have an effect of which it is said that they have none: all at once, then one by one */
std::string
IdleFault(const Scenario& scenario, Drawing& drawing)
{
    const auto output = OutputOf(scenario);
    auto changed = scenario;
    std::vector<std::pair<const Key*, std::string>> idle;
    for (const auto& key : ScenarioKeys())
    {
        const auto& texts = Choices().at(key.name);
        // Cables that no sum takes are listed all the same.
        const bool listsCables = key.name == "cluster.trunks" || key.name == "cluster.spines";
        if (!texts.empty() && !listsCables && !IdleReason(key, scenario).empty())
        {
            const auto& text = texts[drawing.Below(texts.size())];
            auto one = changed;
            key.set(one, text);
            if (Complaints(one).empty())
            {
                changed = std::move(one);
                idle.emplace_back(&key, text);
            }
        }
    }
    if (OutputOf(changed) == output)
    {
        return "";
    }
    std::string keys;
    for (const auto& [key, text] : idle)
    {
        auto one = scenario;
        key->set(one, text);
        keys += OutputOf(one) == output ? "" : " " + key->name + "=" + text;
    }
    return "it is changed by" + (keys.empty() ? " several keys at once" : keys);
}

/** @return what does not hold, or empty */
std::string
Fault(const Scenario& scenario, std::uint64_t number)
{
    const auto record = RunExperiment(scenario, {});
    const auto& results = record.results;
    for (const auto& link : record.links)
    {
        if (link.utilisation > 1)
        {
            return link.ends.name + " is busy for " + std::to_string(link.utilisation) +
                   " of the time";
        }
    }
    if (results.lowerBoundPs.value_or(0) > results.iterationTimePs)
    {
        return "the lower bound is " + FormatPicoseconds(*results.lowerBoundPs) + ", the time " +
               FormatPicoseconds(results.iterationTimePs);
    }
    if (IsPlain(scenario) && results.scalingEfficiency.value_or(0) > 1)
    {
        return "the scaling efficiency is " + std::to_string(*results.scalingEfficiency);
    }
    const bool passesOn = scenario.cluster.topology == "star" && !ReducesInNetwork(scenario);
    if (IsPlain(scenario) && passesOn && results.drops == 0 && !IsConserved(record))
    {
        return "what hosts sent is not what arrived";
    }
    if (number % 4 == 1 && IsPlain(scenario))
    {
        return AnomalyOf(scenario, results);
    }
    if (number % 4 == 2)
    {
        return AutoFault(scenario, record);
    }
    if (number % 4 == 3)
    {
        Drawing drawing(number);
        return IdleFault(scenario, drawing);
    }
    if (number % 4 == 0 && CsvRow(RunExperiment(scenario, {})) != CsvRow(record))
    {
        return "a second run has another row";
    }
    return "";
}

/** What came of the scenarios. */
struct Tally
{
    std::uint64_t ran{0};
    std::uint64_t refused{0};
    std::uint64_t withValues{0};
    std::uint64_t lossyWithValues{0};
    std::uint64_t faults{0};
};

std::string
Joined(const std::vector<std::string>& settings)
{
    std::string text;
    for (const auto& setting : settings)
    {
        text += " --set " + setting;
    }
    return text;
}

void
RunOne(std::uint64_t number, Tally& tally)
{
    const auto settings = Drawing(number).Settings();
    std::string fault;
    try
    {
        const auto scenario = ParseScenario("", "drawn.toml", settings).scenario;
        fault = Fault(scenario, number);
        ++tally.ran;
        tally.withValues += scenario.training.values ? 1 : 0;
        tally.lossyWithValues += scenario.training.values && scenario.cluster.lossRate > 0 ? 1 : 0;
    }
    catch (const InputError&)
    {
        ++tally.refused;
    }
    catch (const std::exception& error)
    {
        fault = error.what();
    }
    if (!fault.empty())
    {
        ++tally.faults;
        std::printf("%llu:%s: %s\n",
                    static_cast<unsigned long long>(number),
                    Joined(settings).c_str(),
                    fault.c_str());
        std::fflush(stdout);
    }
}

std::uint64_t
NumberOr(int argc, char** argv, int position, std::uint64_t byDefault)
{
    return argc > position ? std::strtoull(argv[position], nullptr, 10) : byDefault;
}

} // namespace

} // namespace inca

int
main(int argc, char** argv)
{
    const auto count = inca::NumberOr(argc, argv, 1, 2000);
    const auto first = inca::NumberOr(argc, argv, 2, 0);
    inca::Tally tally;
    for (auto number = first; number < first + count; ++number)
    {
        inca::RunOne(number, tally);
    }
    std::printf("%llu ran (%llu with values, %llu of them with loss), %llu refused, %llu faults\n",
                static_cast<unsigned long long>(tally.ran),
                static_cast<unsigned long long>(tally.withValues),
                static_cast<unsigned long long>(tally.lossyWithValues),
                static_cast<unsigned long long>(tally.refused),
                static_cast<unsigned long long>(tally.faults));
    return tally.faults == 0 && tally.ran > 0 ? 0 : 1;
}
