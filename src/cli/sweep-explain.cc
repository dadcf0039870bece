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
        const auto cost = CostOf(point.scenario);
        return fmt::format("about {:.2g} s, {}",
                           cost.cpuSeconds,
                           HumanBytes(static_cast<std::uint64_t>(cost.memoryBytes)));
    }
    catch (const InputError& error)
    {
        return std::string("refused: ") + error.what();
    }
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
        text += "\n" + Printable(ShellLine(WithSettings(plan.command, point.settings))) + "\n";
    }
    return text;
}

} // namespace inca
