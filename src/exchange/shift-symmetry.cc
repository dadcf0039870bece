/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/shift-symmetry.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace inca
{

namespace
{

constexpr std::uint32_t MOST_STEPS{64};        ///< of a rank that are looked at
constexpr Rank MOST_KINDS{256};                ///< of ranks that do different things
constexpr std::size_t MOST_TRANSFERS{200'000}; ///< of all ranks together, about

/** A transfer without its place. */
using Shape = std::tuple<Rank, std::uint64_t, PayloadKind, bool>;

/** @param shift of the peers: what the rank is behind the one that stands for it */
std::vector<Shape>
ShapesOf(const std::vector<Transfer>& transfers,
         const ShiftSymmetry& symmetry,
         Rank shift,
         Rank ranks)
{
    std::vector<Shape> shapes;
    for (const auto& transfer : transfers)
    {
        shapes.emplace_back(symmetry.Moved(transfer.peer, shift, ranks),
                            transfer.range.count,
                            transfer.kind,
                            transfer.crossesGroups);
    }
    return shapes;
}

std::size_t
AddsOf(const Step& step)
{
    return static_cast<std::size_t>(
        std::count_if(step.receives.begin(), step.receives.end(), [](const auto& transfer) {
            return transfer.combine == Combine::ADD;
        }));
}

/** Whether @p step is that of the one that stands for its rank, @p shift further. */
bool
IsShifted(
    const Step& step, const Step& ofStandIn, const ShiftSymmetry& symmetry, Rank shift, Rank ranks)
{
    const auto sorted = [](std::vector<Shape> shapes) {
        std::sort(shapes.begin(), shapes.end());
        return shapes;
    };
    const bool isSumAlike =
        step.reduction.has_value() == ofStandIn.reduction.has_value() &&
        (!step.reduction || step.reduction->count == ofStandIn.reduction->count);
    return ShapesOf(step.sends, symmetry, 0, ranks) ==
               ShapesOf(ofStandIn.sends, symmetry, shift, ranks) &&
           sorted(ShapesOf(step.receives, symmetry, 0, ranks)) ==
               sorted(ShapesOf(ofStandIn.receives, symmetry, shift, ranks)) &&
           AddsOf(step) == AddsOf(ofStandIn) && step.update == ofStandIn.update &&
           step.phase == ofStandIn.phase && isSumAlike;
}

/** All steps of few, else the first ones, the last ones and some between. */
std::vector<std::uint32_t>
SomeStepsOf(std::uint32_t count)
{
    std::vector<std::uint32_t> steps;
    const auto chosen = std::min(count, MOST_STEPS);
    for (std::uint32_t i = 0; i < chosen; ++i)
    {
        steps.push_back(
            static_cast<std::uint32_t>(std::uint64_t{i} * (count - 1) / std::max(1U, chosen - 1)));
    }
    return steps;
}

/** Of those from whom a rank hears in a step, by data or acknowledgements: who stands for them. */
void
AddKinds(const Step& step, Rank period, std::set<Rank>& kinds)
{
    for (const auto* some : {&step.sends, &step.receives})
    {
        for (const auto& transfer : *some)
        {
            kinds.insert(StandInOf(transfer.peer, period));
        }
    }
}

/** Compares what some ranks of a plan do with what a symmetry says. */
class Comparison
{
  public:
    Comparison(const ShiftSymmetry& symmetry, const StepPlan& plan)
        : m_symmetry(symmetry),
          m_plan(plan),
          m_ranks(plan.RankCount())
    {
    }

    /** @return what contradicts it; empty: nothing */
    std::string Of(Rank rank, const std::vector<std::uint32_t>& steps)
    {
        const auto standIn = StandInOf(rank, m_symmetry.period);
        if (m_plan.StepCount(rank) != m_plan.StepCount(standIn))
        {
            return Differs(std::min(m_plan.StepCount(rank), m_plan.StepCount(standIn)), rank);
        }
        std::set<Rank> kinds;
        for (const auto step : steps)
        {
            const auto own = m_plan.At(rank, step);
            if (!IsShifted(own, m_plan.At(standIn, step), m_symmetry, rank - standIn, m_ranks))
            {
                return Differs(step, rank);
            }
            transfers += own.sends.size() + own.receives.size();
            AddKinds(own, m_symmetry.period, kinds);
        }
        return m_symmetry.oneSender && kinds.size() > 1
                   ? "rank " + std::to_string(rank) + " hears from ranks that are not periods apart"
                   : "";
    }

    /** Transfers that were compared so far. */
    std::size_t transfers{0};

  private:
    std::string Differs(std::uint32_t step, Rank rank) const
    {
        return "step " + std::to_string(step) + " of rank " + std::to_string(rank) +
               " is not that of rank " + std::to_string(StandInOf(rank, m_symmetry.period));
    }

    const ShiftSymmetry& m_symmetry;
    const StepPlan& m_plan;
    Rank m_ranks;
};

/** Whether all ranks of all plans do what a period says. */
bool
HoldsOf(const std::vector<const StepPlan*>& plans, const ShiftSymmetry& symmetry)
{
    return std::all_of(plans.begin(), plans.end(), [&](const StepPlan* plan) {
        Comparison comparison(symmetry, *plan);
        for (auto rank = symmetry.period; rank < plan->RankCount(); ++rank)
        {
            std::vector<std::uint32_t> steps(plan->StepCount(rank));
            std::iota(steps.begin(), steps.end(), 0U);
            if (!comparison.Of(rank, steps).empty())
            {
                return false;
            }
        }
        return true;
    });
}

/** Whether each rank hears from ranks of one kind in all plans. */
bool
HasOneSender(const std::vector<const StepPlan*>& plans, Rank period)
{
    for (Rank rank = 0; rank < period; ++rank)
    {
        std::set<Rank> kinds;
        for (const auto* plan : plans)
        {
            for (std::uint32_t step = 0; step < plan->StepCount(rank); ++step)
            {
                AddKinds(plan->At(rank, step), period, kinds);
            }
        }
        if (kinds.size() > 1)
        {
            return false;
        }
    }
    return true;
}

} // namespace

std::string
ContradictionTo(const ShiftSymmetry& symmetry, const StepPlan& plan)
{
    const auto ranks = plan.RankCount();
    if (symmetry.period == 0 || ranks % symmetry.period != 0)
    {
        return "its period, " + std::to_string(symmetry.period) + ", does not divide " +
               std::to_string(ranks) + " ranks";
    }
    Comparison comparison(symmetry, plan);
    std::vector<Rank> some{
        symmetry.period % ranks, (ranks / 2 + 1) % ranks, ranks - 1, ranks - symmetry.period};
    const auto kinds = std::min(symmetry.period, MOST_KINDS);
    for (std::uint64_t kind = 1; kind < kinds; ++kind) // of the second period
    {
        some.push_back(
            static_cast<Rank>((symmetry.period + kind * symmetry.period / kinds) % ranks));
    }
    for (const auto rank : some)
    {
        const auto contradiction = comparison.Of(rank, SomeStepsOf(plan.StepCount(rank)));
        if (!contradiction.empty() || comparison.transfers > MOST_TRANSFERS)
        {
            return contradiction;
        }
    }
    return "";
}

ShiftSymmetry
FindSymmetry(const std::vector<const StepPlan*>& plans)
{
    const auto ranks = plans.front()->RankCount();
    std::uint64_t steps = 0;
    for (const auto* plan : plans)
    {
        steps += plan->StepCount(0);
    }
    for (Rank period = 1; period < ranks && steps * ranks <= MOST_TRANSFERS; ++period)
    {
        if (ranks % period == 0 && HoldsOf(plans, {period, false}))
        {
            return {period, HasOneSender(plans, period)};
        }
    }
    return {};
}

} // namespace inca
