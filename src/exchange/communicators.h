/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_COMMUNICATORS_H
#define INCA_EXCHANGE_COMMUNICATORS_H

#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/** Ranks of a job that exchange with each other. In its step plan, rank i is the i-th of them. */
using Communicator = std::vector<Rank>;

/** Communicators of one exchange, which go on beside each other. A rank is in one of them, or in none. */
class Communicators
{
  public:
    /** @throws InvariantError if one is empty, or a rank is in two places */
    explicit Communicators(std::vector<Communicator> all);

    /** Where a rank is. */
    struct Place
    {
        std::size_t communicator{0};
        Rank member{0};
    };

    const std::vector<Communicator>& All() const
    {
        return m_all;
    }

    std::optional<Place> Of(Rank rank) const;

    std::size_t MemberCount() const ///< of all of them
    {
        return m_places.size();
    }

  private:
    std::vector<Communicator> m_all;
    std::map<Rank, Place> m_places;
};

/** @param colorOf ranks of one color are in one communicator, in their order; empty: the rank is in none */
std::shared_ptr<const Communicators> SplitRanks(
    Rank ranks, const std::function<std::optional<std::uint32_t>(Rank rank)>& colorOf);

/**
 * A plan of a job's ranks in which each communicator executes a plan of its own, of as many workers as it has members.
 * @param ranks of the job, all workers
 * @param plans one for all communicators, or one for each; of as many elements and channels, and of one meaning
 * @param areNodes each is the GPUs of a node, whose own switch adds where switches do
 * @throws InvariantError if they are not, or a rank is none of the job's
 */
std::shared_ptr<const StepPlan> PlanOver(Rank ranks,
                                         std::shared_ptr<const Communicators> communicators,
                                         std::vector<std::shared_ptr<const StepPlan>> plans,
                                         bool areNodes = false);

/** @return whether @p rank is in one of the communicators of @p plan, or all ranks are one */
bool TakesPart(const StepPlan& plan, Rank rank);

/** @return how many workers take part */
std::size_t MemberCount(const StepPlan& plan);

/** @return the communicators whose workers hold at the end what @p plan means: its own, or all workers as one */
std::vector<Communicator> CommunicatorsOf(const StepPlan& plan);

/** @return the ranks whose elements @p plan sums for @p members, one of its communicators: these, or all workers */
Communicator SummedRanks(const StepPlan& plan, const Communicator& members);

} // namespace inca

#endif // INCA_EXCHANGE_COMMUNICATORS_H
