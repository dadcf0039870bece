/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_RANK_LOAD_H
#define INCA_EXCHANGE_RANK_LOAD_H

#include "inca/exchange/network-reduction.h"
#include "inca/exchange/step-plan.h"

#include <array>
#include <cstdint>
#include <vector>

namespace inca
{

/** What one rank moves of one kind. Over all ranks, what is sent is what is received. */
struct PayloadLoad
{
    std::uint64_t sentElements{0};
    std::uint64_t sentMessages{0};
    std::uint64_t receivedElements{0};
    std::uint64_t receivedMessages{0};
};

/** What one rank does in a whole plan, for closed-form lower bounds. What it sends to itself moves nowhere (IsToSelf). */
struct RankLoad
{
    PayloadLoad gradient;
    PayloadLoad crossesGroups; ///< gradients, too: those of hops between groups
    PayloadLoad weight;
    std::array<PayloadLoad, 2> inside; ///< a node: gradients, and weights, which hosts do not see
    std::uint64_t addedElements{0};    ///< additions of a host; k buffered values take k - 1
    std::uint64_t codedElements{0};   ///< gradients to encode, without repeated sends (RepeatsSend)
    std::uint64_t decodedElements{0}; ///< gradients to decode
    std::vector<ReductionSize> reductions; ///< in the network
};

/**
 * Walks all steps of @p rank: the time grows with their number, the memory with reductions.
 * @param nodeSize consecutive ranks that are the GPUs of one node
 */
RankLoad LoadOf(const StepPlan& plan, Rank rank, Rank nodeSize = 1);

/** What a rank does in some of its steps. */
struct LoadSample
{
    RankLoad load;
    double times{1}; ///< so often in all steps
};

/** Like LoadOf, of at most @p most steps: of all if there are no more, else of 16 evenly spaced runs of steps. */
LoadSample SampleLoad(const StepPlan& plan, Rank rank, std::uint32_t most, Rank nodeSize = 1);

} // namespace inca

#endif // INCA_EXCHANGE_RANK_LOAD_H
