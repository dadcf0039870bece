/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What raising each limit of 1,000 random scenarios by a quarter saves, beside the limit that their runs name.
#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "experiment/drawn-scenario.h"
#include "experiment/explanation.h"
#include "experiment/run-experiment.h"
#include "experiment/trip-saving.h"
#include "scenario/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>
#include <string>

namespace inca
{

namespace
{

/** A rate, or a number of frames or slots, rounded up. */
template <typename Number>
void
Raise(Number& number)
{
    number = static_cast<Number>(std::ceil(static_cast<double>(number) * RAISE));
}

void
Raise(std::optional<std::uint64_t>& rate)
{
    if (rate)
    {
        Raise(*rate);
    }
}

void
Shorten(std::int64_t& ps)
{
    ps = std::llround(static_cast<double>(ps) / RAISE);
}

void
RaiseLinks(Scenario& scenario)
{
    auto& cluster = scenario.cluster;
    Raise(cluster.bitsPerSecond);
    Raise(cluster.aggregatorBitsPerSecond);
    for (auto& worker : cluster.overrides)
    {
        Raise(worker.bitsPerSecond);
    }
}

/** @param engine which; empty: both */
void
RaiseClock(Scenario& scenario, const std::string& engine)
{
    for (auto& [attribute, value] : scenario.attributes)
    {
        if (attribute == "inca::" + engine + "Engine::Clock" ||
            (engine.empty() && attribute.find("Engine::Clock") != std::string::npos))
        {
            auto hertz = g_frequency.Parse(value);
            Raise(hertz);
            value = g_frequency.Format(hertz);
        }
    }
}

void
RaiseHosts(Scenario& scenario)
{
    auto& host = scenario.host;
    for (auto* rate : {&host.sumBytesPerSecond,
                       &host.copyBytesPerSecond,
                       &host.byteBytesPerSecond,
                       &scenario.codec.encodeBytesPerSecond,
                       &scenario.codec.decodeBytesPerSecond})
    {
        Raise(*rate);
    }
    Shorten(host.frameCostPs);
    Shorten(host.messageCostPs);
}

void
RaiseAdder(Scenario& scenario)
{
    auto rate = ReadSlotFormat(scenario.rowSettings).valuesPerSecond;
    Raise(rate);
    scenario.rowSettings["switch.adder_rate"] = rate == 0 ? "none" : g_valueRate.Format(rate);
}

void
RaiseSlots(Scenario& scenario)
{
    auto slots = ReadSlotFormat(scenario.rowSettings).slots;
    Raise(slots);
    scenario.rowSettings["switch.slots"] = std::to_string(slots);
}

/** By limit. */
const std::array<std::function<void(Scenario&)>, LIMIT_NAMES.size()> g_raise{
    RaiseLinks,
    [](Scenario& scenario) { Raise(scenario.cluster.trunkBitsPerSecond); },
    [](Scenario& scenario) { RaiseClock(scenario, "Compression"); },
    [](Scenario& scenario) { RaiseClock(scenario, "Decompression"); },
    [](Scenario& scenario) { RaiseClock(scenario, ""); },
    [](Scenario& scenario) { Raise(scenario.cluster.gpuBytesPerSecond); },
    RaiseHosts,
    [](Scenario& scenario) {
        scenario.training.trace = DrawnTraces::Faster(scenario.training.trace);
    },
    RaiseAdder,
    [](Scenario& scenario) {
        auto window = scenario.transport.window.value_or(64);
        Raise(window);
        scenario.transport.window = window;
    },
    RaiseSlots,
    [](Scenario& scenario) {
        Shorten(scenario.cluster.latencyPs);
        Shorten(scenario.inSwitch.latencyPs);
    },
    [](Scenario& scenario) { Shorten(scenario.transport.minTimeoutPs); }};

/** What raising each limit saves of an iteration of @p scenario. */
std::map<std::string, double>
GainsOf(const Scenario& scenario, std::int64_t runPs)
{
    std::map<std::string, double> gainsPs;
    for (std::size_t i = 0; i < LIMIT_NAMES.size(); ++i)
    {
        auto raised = scenario;
        g_raise[i](raised);
        gainsPs[LIMIT_NAMES[i]] =
            static_cast<double>(runPs - RunExperiment(raised, {}).results.iterationTimePs);
    }
    return gainsPs;
}

} // namespace

} // namespace inca

/** limits-bench [HOW MANY] [FROM]: prints where another limit saves more by one hundredth of the run, and counts. */
int
main(int argc, char** argv)
{
    const auto count = argc > 1 ? std::atoi(argv[1]) : 1000;
    const auto from = argc > 2 ? std::atoi(argv[2]) : 0;
    const inca::DrawnTraces traces((std::filesystem::temp_directory_path() / "").string());
    std::map<std::string, std::size_t> named;
    std::array<std::size_t, 10> byShare{}; // of the bound in the run's time, by tenths
    std::size_t exceptions = 0;
    std::size_t above = 0;
    std::cout << std::fixed << std::setprecision(1);
    for (auto number = from; number < from + count; ++number)
    {
        const auto scenario = inca::DrawnScenario(static_cast<std::uint32_t>(number), traces);
        const auto results = inca::RunExperiment(scenario, {}).results;
        const auto gainsPs = inca::GainsOf(scenario, results.iterationTimePs);
        const auto runPs = static_cast<double>(results.iterationTimePs);
        const auto share = static_cast<double>(*results.lowerBoundPs) / runPs;
        ++named[results.limitedBy];
        ++byShare[std::min<std::size_t>(static_cast<std::size_t>(10 * share), byShare.size() - 1)];
        const auto namedPs = gainsPs.at(results.limitedBy);
        const bool isRight = std::all_of(gainsPs.begin(), gainsPs.end(), [&](const auto& gain) {
            return namedPs >= gain.second - runPs / 100;
        });
        exceptions += isRight ? 0 : 1;
        above += share > 1 ? 1 : 0;
        if (!isRight || share > 1)
        {
            std::cout << number << ": bound " << 100 * share << " %, names " << results.limitedBy;
            for (const auto& [limit, gainPs] : gainsPs)
            {
                std::cout << ", " << limit << " " << 100 * gainPs / runPs;
            }
            std::cout << "\n    " << inca::SettingsOf(scenario) << "\n";
        }
    }
    std::cout << exceptions << " exceptions of " << count << "; bounds above the time: " << above
              << "\nnamed:";
    for (const auto& [name, times] : named)
    {
        std::cout << "  " << name << " " << times;
    }
    std::cout << "\nbound / time, by tenths:";
    for (const auto times : byShare)
    {
        std::cout << "  " << times;
    }
    std::cout << "\n";
}
