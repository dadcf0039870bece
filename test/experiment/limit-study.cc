/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/limit-study.h"

#include "base/units.h"
#include "exchange/slot-scheme.h"
#include "experiment/run-experiment.h"
#include "scenario/keys.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inca
{

namespace
{

std::uint64_t
Faster(std::uint64_t rate)
{
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(rate) * RAISE));
}

/** Frames, or slots, rounded up. */
std::uint64_t
More(std::uint64_t count)
{
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(count) * RAISE));
}

std::int64_t
Shorter(std::int64_t ps)
{
    return std::llround(static_cast<double>(ps) / RAISE);
}

void
RaiseLinks(ClusterSettings& cluster)
{
    for (auto* rate : {&cluster.aggregatorBitsPerSecond, &cluster.trunkBitsPerSecond})
    {
        if (*rate)
        {
            **rate = Faster(**rate);
        }
    }
    for (auto& worker : cluster.overrides)
    {
        if (worker.bitsPerSecond)
        {
            worker.bitsPerSecond = Faster(*worker.bitsPerSecond);
        }
    }
    cluster.bitsPerSecond = Faster(cluster.bitsPerSecond);
}

void
RaiseClock(Scenario& scenario, const std::string& path)
{
    for (auto& [attribute, value] : scenario.attributes)
    {
        if (attribute == path)
        {
            value = g_frequency.Format(Faster(g_frequency.Parse(value)));
        }
    }
}

void
RaiseHosts(Scenario& scenario)
{
    auto& host = scenario.host;
    auto& codec = scenario.codec;
    for (auto* rate : {&host.sumBytesPerSecond,
                       &host.copyBytesPerSecond,
                       &host.byteBytesPerSecond,
                       &codec.encodeBytesPerSecond,
                       &codec.decodeBytesPerSecond})
    {
        *rate = Faster(*rate);
    }
    host.frameCostPs = Shorter(host.frameCostPs);
    host.messageCostPs = Shorter(host.messageCostPs);
}

} // namespace

double
LimitStudy::NamedGainPs() const
{
    double gainPs = 0;
    for (std::size_t i = 0; i < LIMITS; ++i)
    {
        gainPs = LimitName(static_cast<Limit>(i)) == named ? gainsPs[i] : gainPs;
    }
    return gainPs;
}

Limit
LimitStudy::Best() const
{
    const auto best = std::max_element(gainsPs.begin(), gainsPs.end());
    return static_cast<Limit>(best - gainsPs.begin());
}

bool
LimitStudy::Holds() const
{
    constexpr double share = 0.01;
    return NamedGainPs() >= gainsPs[static_cast<std::size_t>(Best())] - share * runPs;
}

Scenario
WithRaised(const Scenario& given, Limit limit)
{
    auto scenario = given;
    const auto slots = ReadSlotSettings(scenario.aggregation);
    switch (limit)
    {
    case Limit::LINK:
        RaiseLinks(scenario.cluster);
        break;
    case Limit::COMPRESSION:
        RaiseClock(scenario, "inca::CompressionEngine::Clock");
        break;
    case Limit::DECOMPRESSION:
        RaiseClock(scenario, "inca::DecompressionEngine::Clock");
        break;
    case Limit::ENGINES:
        RaiseClock(scenario, "inca::CompressionEngine::Clock");
        RaiseClock(scenario, "inca::DecompressionEngine::Clock");
        break;
    case Limit::HOST:
        RaiseHosts(scenario);
        break;
    case Limit::COMPUTE:
        scenario.training.trace = DrawnTraces::Faster(scenario.training.trace);
        break;
    case Limit::ADDER:
        scenario.aggregation["switch.adder_rate"] =
            slots.valuesPerSecond == 0 ? "none" : g_valueRate.Format(Faster(slots.valuesPerSecond));
        break;
    case Limit::WINDOW:
        scenario.transport.window = static_cast<std::uint32_t>(More(scenario.transport.window));
        break;
    case Limit::SLOTS:
        scenario.aggregation["switch.slots"] = std::to_string(More(slots.slots));
        break;
    case Limit::LATENCY:
        scenario.cluster.latencyPs = Shorter(scenario.cluster.latencyPs);
        scenario.inSwitch.latencyPs = Shorter(scenario.inSwitch.latencyPs);
        break;
    }
    return scenario;
}

LimitStudy
StudyLimits(std::uint32_t number, const DrawnTraces& traces)
{
    const auto scenario = DrawnScenario(number, traces);
    const auto results = RunExperiment(scenario, {}).results;
    LimitStudy study;
    study.settings = SettingsOf(scenario);
    study.runPs = static_cast<double>(results.iterationTimePs);
    study.boundPs = static_cast<double>(*results.lowerBoundPs);
    study.named = results.limitedBy;
    for (std::size_t i = 0; i < LIMITS; ++i)
    {
        const auto raised = WithRaised(scenario, static_cast<Limit>(i));
        const auto runPs = RunExperiment(raised, {}).results.iterationTimePs;
        study.gainsPs[i] = study.runPs - static_cast<double>(runPs);
    }
    return study;
}

} // namespace inca
