/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_CHANNEL_PLAN_H
#define INCA_EXCHANGE_CHANNEL_PLAN_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/**
 * Plans that a rank goes through at the same time, each over elements of its own: the channels of a
 * ring, the two trees of a double tree. Step by step it is one after the other, which does the same to
 * the values.
 */
class ChannelPlan : public StepPlan
{
  public:
    /** @param channels at least 1, of the same ranks and elements */
    explicit ChannelPlan(std::vector<std::unique_ptr<StepPlan>> channels);

    Rank WorkerCount() const override;
    Rank RankCount() const override;
    std::uint64_t Elements() const override;
    std::uint32_t StepCount(Rank rank) const override;
    Step At(Rank rank, std::uint32_t step) const override;
    std::uint32_t ChannelCount() const override;
    const StepPlan& Channel(std::uint32_t channel) const override;

  private:
    std::vector<std::unique_ptr<StepPlan>> m_channels;
};

/** A plan of some of the elements, among those of a larger exchange. */
class PartialPlan : public StepPlan
{
  public:
    /**
     * @param part of @p elements; as many as @p plan has
     */
    PartialPlan(std::unique_ptr<StepPlan> plan, ElementRange part, std::uint64_t elements);

    Rank WorkerCount() const override;
    Rank RankCount() const override;
    std::uint64_t Elements() const override;
    std::uint32_t StepCount(Rank rank) const override;
    Step At(Rank rank, std::uint32_t step) const override;

  private:
    std::unique_ptr<StepPlan> m_plan;
    ElementRange m_part;
    std::uint64_t m_elements;
};

/** @return @p step, of elements that begin at @p begin */
Step MovedBy(Step step, std::uint64_t begin);

/** More steps of one rank than this are refused: to count them alone takes a second. */
constexpr std::uint64_t MOST_STEPS{10'000'000};

} // namespace inca

#endif // INCA_EXCHANGE_CHANNEL_PLAN_H
