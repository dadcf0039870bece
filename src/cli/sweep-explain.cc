/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/sweep-explain.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "cli/command-line.h"
#include "plan/plan-maker.h"

#include <fmt/format.h>

#include <vector>

namespace inca
{

namespace
{

/** What its run takes, or why there is none. */
std::string
Outlook(const SweepPoint& point)
{
    if (!point.refusal.empty())
    {
        return "refused: " + point.refusal;
    }
    try
    {
        const auto estimate = EstimateOf(point.scenario);
        return fmt::format("about {:.2g} s, {}",
                           estimate.cpuSeconds,
                           HumanBytes(static_cast<std::uint64_t>(estimate.memoryBytes)));
    }
    catch (const InputError& error)
    {
        return std::string("refused: ") + error.what();
    }
}

std::string
CommandOf(const SweepRequest& request, const SweepPoint& point)
{
    std::vector<std::string> words{"inca", "run", request.scenario};
    for (const auto& settings : {request.settings, point.settings})
    {
        for (const auto& setting : settings)
        {
            words.insert(words.end(), {"--set", setting});
        }
    }
    return ShellLine(words);
}

} // namespace

std::string
ExplainSweep(const SweepRequest& request, const SweepPlan& plan)
{
    auto text = fmt::format("# {} points", plan.all);
    text += plan.dropped > 0 ? fmt::format("; {} are dropped by conditions", plan.dropped) : "";
    text += request.shard.of > 1 ? fmt::format("; {} are in this shard", plan.points.size()) : "";
    text += "\n";
    for (const auto& point : plan.points)
    {
        text += Printable(fmt::format("# {}: {}: {}", point.number, NameOf(point), Outlook(point)));
        text += "\n" + Printable(CommandOf(request, point)) + "\n";
    }
    return text;
}

} // namespace inca
