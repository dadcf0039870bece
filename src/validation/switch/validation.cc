/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/validation.h"

#include "validation/switch/exchanges.h"
#include "validation/switch/replays.h"

namespace inca
{

namespace
{

constexpr const char* g_name = "switch";
constexpr const char* g_exchangeAlone = "exchange-alone";
constexpr const char* g_lineRate = "line-rate";
constexpr const char* g_switchMl = "switchml";
constexpr const char* g_title =
    "Switches that aggregate: slots of one switch beside a reference simulator (2 workers, 1 us "
    "links),\n"
    "closed forms, and SwitchML (NSDI 2021); Mv/s: million values per second";

std::vector<std::string>
Traces()
{
    std::vector<std::string> traces;
    for (const auto* model : {"alexnet",
                              "bert",
                              "googlenet",
                              "inception",
                              "resnet50",
                              "resnet101",
                              "resnet152",
                              "vgg11",
                              "vgg16",
                              "vgg19"})
    {
        traces.push_back(std::string(model) + "-a100");
    }
    return traces;
}

ValidationPart
MakePart(const std::string& name, std::uint32_t seeds)
{
    return name == g_exchangeAlone ? ExchangeAlonePart(name)
           : name == g_lineRate    ? LineRatePart(name)
           : name == g_switchMl    ? SwitchMlPart(name)
                                   : SwitchReplayPart(name, seeds);
}

/** What differs from run to run, or what the numbers beside them were made with. */
const std::vector<std::string>&
FixedKeys()
{
    static const std::vector<std::string> keys{"training.trace",
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
    return keys;
}

} // namespace

std::vector<std::string>
SwitchPartNames()
{
    auto names = Traces();
    names.insert(names.end(), {g_exchangeAlone, g_lineRate, g_switchMl});
    return names;
}

ValidationReport
ValidateSwitch(const ValidationRequest& request)
{
    RefuseKeys(request.settings, FixedKeys());
    std::vector<ValidationPart> parts;
    std::vector<PlannedRun> planned;
    for (const auto& name : ChosenModels(request.models, SwitchPartNames()))
    {
        parts.push_back(MakePart(name, request.seeds));
        const auto& runs = parts.back().runs;
        planned.insert(planned.end(), runs.begin(), runs.end());
    }
    const auto measured = MeasureAll(g_name, planned, request);
    ValidationReport report{g_name, TitleWithSettings(g_title, request.settings), {}};
    auto begin = measured.begin();
    for (const auto& part : parts)
    {
        const auto end = begin + static_cast<std::ptrdiff_t>(part.runs.size());
        const auto figures = part.compare({begin, end});
        report.comparisons.insert(report.comparisons.end(), figures.begin(), figures.end());
        begin = end;
    }
    return report;
}

} // namespace inca
