/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/shift-symmetry.h"

#include <algorithm>
#include <set>

namespace inca
{

namespace
{

constexpr std::uint32_t MOST_STEPS{64};        ///< of a rank that are looked at
constexpr std::size_t MOST_TRANSFERS{200'000}; ///< of all ranks together, about

/** A transfer without its place. */
using Shape = std::tuple<Rank, std::uint64_t, PayloadKind, bool>;

/** @param shift of the peers: what the rank is behind the one that stands for it */
std::vector<Shape>
ShapesOf(const std::vector<Transfer>& transfers, const ShiftSymmetry& symmetry, Rank shift, Rank ranks)
{
    std::vector<Shape> shapes;
    for (const auto& transfer : transfers)
    {
        const auto peer = symmetry.bitwise ? transfer.peer ^ shift : (transfer.peer + shift) % ranks;
        shapes.emplace_back(peer, transfer.range.count, transfer.kind, transfer.crossesGroups);
    }
    return shapes;
}

std::size_t
AddsOf(const Step& step)
{
    return static_cast<std::size_t>(std::count_if(step.receives.begin(), step.receives.end(), [](const auto& transfer) {
        return transfer.combine == Combine::ADD;
    }));
}

/** Whether @p step is that of the one that stands for its rank, @p shift further. */
bool
IsShifted(const Step& step, const Step& ofStandIn, const ShiftSymmetry& symmetry, Rank shift, Rank ranks)
{
    const auto sorted = [](std::vector<Shape> shapes) {
        std::sort(shapes.begin(), shapes.end());
        return shapes;
    };
    const bool isSumAlike = step.reduction.has_value() == ofStandIn.reduction.has_value() &&
                            (!step.reduction || step.reduction->count == ofStandIn.reduction->count);
    return ShapesOf(step.sends, symmetry, 0, ranks) == ShapesOf(ofStandIn.sends, symmetry, shift, ranks) &&
           sorted(ShapesOf(step.receives, symmetry, 0, ranks)) ==
               sorted(ShapesOf(ofStandIn.receives, symmetry, shift, ranks)) &&
           AddsOf(step) == AddsOf(ofStandIn) && step.update == ofStandIn.update && step.phase == ofStandIn.phase && isSumAlike;
}

/** All steps of few, else the first ones, the last ones and some between. */
std::vector<std::uint32_t>
SomeStepsOf(std::uint32_t count)
{
    std::vector<std::uint32_t> steps;
    const auto chosen = std::min(count, MOST_STEPS);
    for (std::uint32_t i = 0; i < chosen; ++i)
    {
        steps.push_back(static_cast<std::uint32_t>(std::uint64_t{i} * (count - 1) / std::max(1U, chosen - 1)));
    }
    return steps;
}

} // namespace

std::string
ContradictionTo(const ShiftSymmetry& symmetry, const StepPlan& plan)
{
    const auto ranks = plan.RankCount();
    if (symmetry.period == 0 || ranks % symmetry.period != 0)
    {
        return "its period, " + std::to_string(symmetry.period) + ", does not divide " + std::to_string(ranks) + " ranks";
    }
    std::size_t transfers = 0;
    for (const auto rank : std::set<Rank>{symmetry.period % ranks, (ranks / 2 + 1) % ranks, ranks - 1, ranks - symmetry.period})
    {
        const auto standIn = StandInOf(rank, symmetry.period);
        const auto steps = plan.StepCount(rank);
        const auto differs = [&](std::uint32_t step) {
            return "step " + std::to_string(step) + " of rank " + std::to_string(rank) + " is not that of rank " +
                   std::to_string(standIn);
        };
        if (steps != plan.StepCount(standIn))
        {
            return differs(std::min(steps, plan.StepCount(standIn)));
        }
        std::set<Rank> kinds;
        for (const auto step : SomeStepsOf(steps))
        {
            const auto own = plan.At(rank, step);
            if (!IsShifted(own, plan.At(standIn, step), symmetry, rank - standIn, ranks))
            {
                return differs(step);
            }
            for (const auto* some : {&own.sends, &own.receives})
            {
                transfers += some->size();
                for (const auto& transfer : *some)
                {
                    kinds.insert(StandInOf(transfer.peer, symmetry.period));
                }
            }
        }
        if (symmetry.oneSender && kinds.size() > 1)
        {
            return "rank " + std::to_string(rank) + " hears from ranks that are not periods apart";
        }
        if (transfers > MOST_TRANSFERS)
        {
            break;
        }
    }
    return "";
}

} // namespace inca
