/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_STEP_PLAN_H
#define INCA_EXCHANGE_STEP_PLAN_H

#include "inca/exchange/element-range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

class Communicators;

/** Workers are 0 .. W-1; aggregators or servers follow. */
using Rank = std::uint32_t;

/** What a message carries; only gradients may be compressed, weights would lose accuracy. */
enum class PayloadKind : std::uint8_t
{
    GRADIENT,
    WEIGHT,
};

/** How a receiver combines a message with its own values. */
enum class Combine : std::uint8_t
{
    STORE, ///< the message replaces them
    ADD,   ///< received + own
};

/**
 * What the workers of an exchange hold when it has ended, of what they held before; worker 0 is its root. Where ranks exchange in
 * communicators, the workers are those of each one.
 */
enum class Meaning : std::uint8_t
{
    SUM, ///< Each worker holds the sums of all elements, or the weights that were made of these.
    REDUCE_SCATTER, ///< Each worker holds the sums of its shard alone, which it may update (ShardsOf).
    ALL_GATHER,     ///< Each worker holds the shards of all workers.
    TRANSPOSE, ///< Of equal blocks (BlockOf), block i of worker w is what worker i held as its block w.
    BROADCAST, ///< Each worker holds what the root held.
    SEND,      ///< The last worker holds what the root held.
    DISPATCH,  ///< Each worker holds, of the blocks of all, its part (PartOf) of each.
    COMBINE, ///< Each worker holds the sums of its block; to each part of it those add whose part it is (PartOf).
};

/** Which part of an all-reduce an exchange is; worker w owns block w (BlockOf). */
enum class SumPhase : std::uint8_t
{
    ALL_REDUCE,     ///< all of it: every worker gets all sums
    REDUCE_SCATTER, ///< each worker gets the sums of its own block
    ALL_GATHER,     ///< each worker sends its own block to all
};

/** @return what a plan means that is this part of an all-reduce */
constexpr Meaning
MeaningOf(SumPhase phase)
{
    constexpr Meaning meanings[]{Meaning::SUM, Meaning::REDUCE_SCATTER, Meaning::ALL_GATHER};
    return meanings[static_cast<std::size_t>(phase)];
}

/**
 * The sums of all workers' blocks, and of their parts.
 * @return whether each worker gets those of its block alone
 */
constexpr bool
SharesOutSums(Meaning meaning)
{
    return meaning == Meaning::REDUCE_SCATTER || meaning == Meaning::COMBINE;
}

/** One message, seen from one of its ends; sender and receiver may have its values in different ranges. */
struct Transfer
{
    Rank peer{0};       ///< may be the rank itself (IsToSelf)
    ElementRange range; ///< of this end's values
    PayloadKind kind{PayloadKind::GRADIENT};
    Combine combine{Combine::STORE}; ///< at the receiver
    bool crossesGroups{false};       ///< of a hop between groups, which may have a codec of its own
    std::int64_t shift{0};           ///< from the range at this end to that at the peer (elements)

    /** The range of the peer's values. */
    ElementRange RangeAtPeer() const
    {
        return {range.begin + static_cast<std::uint64_t>(shift), range.count};
    }

    /** The same message, seen from its other end. @param rank of this end */
    Transfer SeenByPeer(Rank rank) const
    {
        return {rank, RangeAtPeer(), kind, combine, crossesGroups, -shift};
    }

    /** Whether both are of the same message, seen from the same end. */
    bool operator==(const Transfer& other) const
    {
        return peer == other.peer && range == other.range && kind == other.kind &&
               crossesGroups == other.crossesGroups && shift == other.shift;
    }
};

/**
 * Whether @p rank sends or receives @p transfer to or from itself. Such a message is no traffic: hosts encode, decode and add
 * it like any other, but it never leaves them, so that no transport, NIC or engine sees it, and nobody counts it.
 */
inline bool
IsToSelf(Rank rank, const Transfer& transfer)
{
    return transfer.peer == rank;
}

/** What a rank without values of its own receives to add up: it stores the first operand and adds the others. */
inline Transfer
Operand(Rank peer, ElementRange range, bool isFirst)
{
    return {peer, range, PayloadKind::GRADIENT, isFirst ? Combine::STORE : Combine::ADD};
}

/**
 * One step of one rank. Its sends take the values as they are when the step begins. It ends when
 * its sends have left and what it received is combined; the rank's next step begins then.
 */
struct Step
{
    std::vector<Transfer> sends;    ///< one after the other, in this order
    std::vector<Transfer> receives; ///< together, each of another peer; combined in this order
    bool update{false};             ///< afterwards this rank makes weights of the sums
    bool receiveFirst{false};       ///< a host that cannot do both at once receives before it sends

    /**
     * What was added is a finished sum, which this rank passes on encoded (`ring.owner_copy`
     * says whether it keeps the exact or the coded one).
     */
    bool ownsResult{false};

    /**
     * An in-network reduction: every worker sends these values to its switch, and gets the sum over all
     * workers, which replaces them. Such a step sends and receives nothing else; the k-th one of every worker
     * names the same range. Where several exchanges are under way, it is the first step of its channel: the
     * network needs one order on all workers.
     */
    std::optional<ElementRange> reduction;
    SumPhase phase{SumPhase::ALL_REDUCE};      ///< of the reduction
    PayloadKind gathered{PayloadKind::WEIGHT}; ///< of an ALL_GATHER: what is handed on
    /** The workers whose values are added, in the order of their parts, as long as the plan lives; null: all of them. */
    const std::vector<Rank>* among{nullptr};
    bool addsInNodes{false}; ///< the reduction is of GPUs of a node, by the switch inside it
    Rank oneIn{1}; ///< of a part of a block one worker in so many adds or gets the values (PartOf)
};

/** So many steps in a row that are alike are looked at, whether the network repeats itself in them. */
constexpr std::uint32_t FEWEST_ALIKE_STEPS{4};

/**
 * Whether two steps have the same peers, as many elements of the same kind, and what is done with them, so that they take as long if
 * elements do. Nothing is known of what networks add, nor of updates.
 */
inline bool
AreAlike(const Step& step, const Step& other)
{
    const auto areSame = [](const std::vector<Transfer>& all, const std::vector<Transfer>& others) {
        bool isSame = all.size() == others.size();
        for (std::size_t i = 0; isSame && i < all.size(); ++i)
        {
            const auto& a = all[i];
            const auto& b = others[i];
            const bool isAgain = i > 0 && a.range == all[i - 1].range; // of the values before
            isSame = a.peer == b.peer && a.range.count == b.range.count && a.kind == b.kind &&
                     a.combine == b.combine && a.crossesGroups == b.crossesGroups &&
                     isAgain == (i > 0 && b.range == others[i - 1].range);
        }
        return isSame;
    };
    return !step.reduction && !other.reduction && !step.update && !other.update &&
           step.receiveFirst == other.receiveFirst && areSame(step.sends, other.sends) &&
           areSame(step.receives, other.receives);
}

/** Who takes part in a reduction. */
struct Summands
{
    Rank count{0};  ///< workers
    Rank member{0}; ///< which of them a rank is
};

/** @param step that has a reduction @param workers of its plan */
inline Summands
SummandsOf(const Step& step, Rank rank, Rank workers)
{
    if (step.among == nullptr)
    {
        return {workers, rank};
    }
    const auto found = std::find(step.among->begin(), step.among->end(), rank);
    return {static_cast<Rank>(step.among->size()), static_cast<Rank>(found - step.among->begin())};
}

/**
 * Tokens of a mixture of experts go to some workers each: a block is cut into as many equal parts as one worker in @p oneIn
 * gets, its first one goes to its owner and every oneIn-th worker behind it, the second one to the workers behind these, ...
 * @param block whose elements @p oneIn divides
 * @param member any worker; the number of all is a multiple of oneIn
 * @return what of the block is for @p member, or from it
 */
inline ElementRange
PartOf(ElementRange block, Rank owner, Rank member, Rank oneIn)
{
    const auto part = BlockOf(block.count, oneIn, (member + oneIn - owner % oneIn) % oneIn);
    return {block.begin + part.begin, part.count};
}

/** @return what of a reduction is @p rank's own, where each worker has a part */
inline ElementRange
OwnPart(const Step& step, Rank rank, Rank workers)
{
    const auto [count, member] = SummandsOf(step, rank, workers);
    const auto own = BlockOf(step.reduction->count, count, member);
    return {step.reduction->begin + own.begin, own.count};
}

/**
 * @return whether a step's send number @p send carries the values of the one before it, so that a
 *         host need not encode them again
 */
inline bool
RepeatsSend(const Step& step, std::size_t send)
{
    return send > 0 && step.sends[send].range == step.sends[send - 1].range &&
           step.sends[send].kind == step.sends[send - 1].kind &&
           step.sends[send].crossesGroups == step.sends[send - 1].crossesGroups;
}

/**
 * An exchange as a plan, without clock and without values: what every rank does, step by step,
 * asked for one step at a time so that large clusters need no list of all transfers.
 *
 * For any two ranks a and b, the k-th send of a to b in all of a's steps meets the k-th receive
 * from a in all of b's steps, and both are the same message (Transfer::SeenByPeer). When all steps of all ranks are
 * done, workers hold what the plan's Meaning says.
 */
class StepPlan
{
  public:
    /** @param others aggregators or servers, whose ranks follow those of the workers */
    StepPlan(Rank workers, Rank others, std::uint64_t elements, Meaning meaning = Meaning::SUM)
        : m_workers(workers),
          m_others(others),
          m_meaning(meaning),
          m_elements(elements)
    {
    }

    virtual ~StepPlan() = default;

    Rank WorkerCount() const
    {
        return m_workers;
    }

    Rank RankCount() const
    {
        return m_workers + m_others;
    }

    std::uint64_t Elements() const
    {
        return m_elements;
    }

    Meaning Means() const
    {
        return m_meaning;
    }

    /** So many of its elements, the last ones, are room for what comes, and none of what is exchanged. */
    virtual std::uint64_t Room() const
    {
        return 0;
    }

    /** Of a DISPATCH or COMBINE: one worker in so many has a part of a block (PartOf). */
    virtual Rank OneIn() const
    {
        return 1;
    }

    /** The communicators among whose members it is what it means (exchange/communicators.h); null: all ranks are one. */
    virtual const Communicators* GetCommunicators() const
    {
        return nullptr;
    }

    /** Those whose members' elements it sums; null: all ranks are one. */
    virtual const Communicators* SummedAmong() const
    {
        return GetCommunicators();
    }

    virtual std::uint32_t StepCount(Rank rank) const = 0;
    virtual Step At(Rank rank, std::uint32_t step) const = 0; ///< @p step < StepCount(rank)

    /**
     * A rank executes the steps of all channels of a stage concurrently, each channel's in order, and those of a stage once all
     * stages that it awaits have ended; At lists those of channel 0 first, then those of channel 1, ... Channels that may go on
     * at the same time touch elements of their own. Channels match their messages among themselves.
     * @{
     */
    virtual std::uint32_t ChannelCount() const
    {
        return 1;
    }

    virtual const StepPlan& Channel(std::uint32_t /*channel*/) const
    {
        return *this;
    }

    /** Consecutive channels are a stage; stages are numbered from 0. */
    virtual std::uint32_t StageOf(std::uint32_t /*channel*/) const
    {
        return 0;
    }

    /** Of stages before this one. */
    virtual std::vector<std::uint32_t> AwaitedBy(std::uint32_t /*stage*/) const
    {
        return {};
    }

    /** @} */

  private:
    Rank m_workers;
    Rank m_others;
    Meaning m_meaning;
    std::uint64_t m_elements;
};

/** @return the same step with @p moved peers: a function of a peer */
template <typename Moved>
Step
WithPeers(Step step, const Moved& moved)
{
    for (auto* transfers : {&step.sends, &step.receives})
    {
        for (auto& transfer : *transfers)
        {
            transfer.peer = moved(transfer.peer);
        }
    }
    return step;
}

/** @return the first step of @p worker that has a reduction; empty: it has none */
inline std::optional<Step>
FirstReduction(const StepPlan& plan, Rank worker)
{
    for (std::uint32_t step = 0; step < plan.StepCount(worker); ++step)
    {
        if (auto one = plan.At(worker, step); one.reduction)
        {
            return one;
        }
    }
    return std::nullopt;
}

/** @return the same of the first worker that takes part; of others it differs in ranges alone */
inline std::optional<Step>
FirstReduction(const StepPlan& plan)
{
    Rank worker = 0;
    while (worker + 1 < plan.WorkerCount() && plan.StepCount(worker) == 0)
    {
        ++worker;
    }
    return FirstReduction(plan, worker);
}

/** @return whether switches add in it */
inline bool
NetworkAdds(const StepPlan& plan)
{
    return FirstReduction(plan).has_value();
}

/** @return what a rank executes concurrently; a host that @p alternates is one thread: one sequence of all steps */
inline std::vector<const StepPlan*>
ChannelsOf(const StepPlan& plan, bool alternates)
{
    if (alternates)
    {
        return {&plan};
    }
    std::vector<const StepPlan*> channels;
    for (std::uint32_t channel = 0; channel < plan.ChannelCount(); ++channel)
    {
        channels.push_back(&plan.Channel(channel));
    }
    return channels;
}

} // namespace inca

#endif // INCA_EXCHANGE_STEP_PLAN_H
