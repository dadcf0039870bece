/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_LISTED_PLAN_H
#define INCA_TEST_EXCHANGE_LISTED_PLAN_H

#include "exchange/step-plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** Steps as a test lists them, by rank; all ranks are workers. */
class ListedPlan : public StepPlan
{
  public:
    ListedPlan(std::uint64_t elements,
               std::vector<std::vector<Step>> steps,
               Meaning meaning = Meaning::SUM)
        : StepPlan(static_cast<Rank>(steps.size()), 0, elements, meaning),
          m_steps(std::move(steps))
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return static_cast<std::uint32_t>(m_steps[rank].size());
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        return m_steps[rank][step];
    }

  private:
    std::vector<std::vector<Step>> m_steps;
};

/**
 * ">1:0-6" or "+3:6-12w": a transfer, by its direction or what is done with it, and "w" for weights; ">1:0-6@2" is one that
 * begins at element 2 of its peer.
 */
inline std::string
TextOf(char direction, const Transfer& transfer)
{
    return (transfer.combine == Combine::ADD ? '+' : direction) + std::to_string(transfer.peer) +
           ":" + std::to_string(transfer.range.begin) + "-" + std::to_string(transfer.range.End()) +
           (transfer.shift == 0 ? "" : "@" + std::to_string(transfer.RangeAtPeer().begin)) +
           (transfer.kind == PayloadKind::WEIGHT ? "w " : " ");
}

/**
 * ">1:0-6 +3:6-12 own": sends elements 0..5 to rank 1, adds 6..11 of rank 3, and owns the result; "<": stores, "w":
 * weights; "sum 0-6", "scatter 0-6" and "gather 0-6" are reductions.
 */
inline std::string
TextOf(const Step& step)
{
    std::string text;
    for (const auto& send : step.sends)
    {
        text += TextOf('>', send);
    }
    for (const auto& receive : step.receives)
    {
        text += TextOf('<', receive);
    }
    if (step.reduction)
    {
        const char* const phases[] = {"sum ", "scatter ", "gather "};
        text += phases[static_cast<std::size_t>(step.phase)] +
                std::to_string(step.reduction->begin) + "-" +
                std::to_string(step.reduction->End()) + " ";
    }
    text += step.update ? "update " : "";
    text += step.ownsResult ? "own " : "";
    return text.empty() ? "" : text.substr(0, text.size() - 1);
}

/** A step in which the network adds. */
inline Step
SumOf(ElementRange range)
{
    Step step;
    step.reduction = range;
    return step;
}

} // namespace inca

#endif // INCA_TEST_EXCHANGE_LISTED_PLAN_H
