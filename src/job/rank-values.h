/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_RANK_VALUES_H
#define INCA_JOB_RANK_VALUES_H

#include "inca/base/word-sum.h"
#include "inca/base/word.h"
#include "inca/exchange/communicators.h"
#include "inca/exchange/network-reduction.h"
#include "inca/exchange/step-plan.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/**
 * What an exchange does to words on their way. Functions of values work in place on @p count of
 * them, each for itself, and are there only where words are fp32 values.
 */
struct ValueHooks
{
    /** A sum is rounded to the format in which it is kept (a codec's RoundSum). Empty: fp32. */
    std::function<void(float* values, std::uint64_t count)> roundSum{};
    /**
     * What an owner keeps of a finished sum (`ring.owner_copy = "coded"`: decode(encode(sum))), and
     * so also what it passes on. Empty: exact.
     */
    std::function<void(float* values, std::uint64_t count)> keepOwned{};
    /**
     * What a host keeps of gradients is rounded to the gradients' own type, once a step: hosts in a ring so round at
     * each addition, whoever adds several messages adds them in fp32. Empty: fp32.
     */
    std::function<void(float* values, std::uint64_t count)> narrow{};
    /** Weights that are made here are rounded to their type, in which they travel. Empty: they are as sums are. */
    std::function<void(float* values, std::uint64_t count)> narrowWeights{};
    NetworkReduction network{}; ///< of steps that the network adds (Step::reduction)
    NetworkReduction inNodes{}; ///< of those that switches inside nodes add
    WordSum sum{WordSum::FP32}; ///< of hosts

    const NetworkReduction& Of(const Step& step) const
    {
        return step.addsInNodes ? inNodes : network;
    }

    bool NetworkAdds() const ///< anywhere
    {
        return network.add || inNodes.add;
    }

    bool IsNetworkExact() const ///< everywhere
    {
        return network.isExact && inNodes.isExact;
    }

    /** Words that the network treats together; where it does so twice, they are as many. */
    std::uint64_t NetworkBlock() const
    {
        return std::max(network.block, inNodes.block);
    }
};

/**
 * The words that one rank holds during one exchange, and what a step does to them. It knows no
 * clock: the simulated rank and the replay without a clock both use it. Until something is written
 * to an element it holds the rank's own word, which is asked for when it is needed.
 */
class RankValues
{
  public:
    /** Writes this rank's own words of @p range; never called on an aggregator. */
    using OwnWords = std::function<void(ElementRange range, Word* out)>;

    /** @param window the elements that are held; outside of it nothing is asked for */
    RankValues(ElementRange window, OwnWords own, ValueHooks hooks);

    /** Begins anew with another window: nothing is held. */
    void Restart(ElementRange window);

    /** Writes the present words of @p range, which lies in the window. */
    void Read(ElementRange range, Word* out) const;

    /** @return the present words of @p range, until the next Restart; the rank's own words are asked for once */
    Word* Held(ElementRange range);

    /**
     * Combines what @p step received, one after the other. Each addition, received + own, is rounded
     * by roundSum, and what is kept of an element, once a step, by narrow.
     * @param received the words of each entry of step.receives, each of that entry's range clipped to
     *        the window, in the same order
     */
    void Receive(const Step& step, const std::vector<const Word*>& received);

    /** Weights were made here of @p range, which is held (Step::update). */
    void Update(ElementRange range);

    /** Of what weights were made here, as far as it lies in the window. */
    const std::vector<ElementRange>& Updated() const
    {
        return m_updated;
    }

    /** What comes from the network's sum, as Receive keeps it. */
    void Store(ElementRange range, const Word* words, PayloadKind kind);

  private:
    Word* At(ElementRange range)
    {
        return m_words.data() + (range.begin - m_window.begin);
    }

    void Keep(ElementRange range, bool ownsResult);

    ElementRange m_window;
    OwnWords m_own;
    ValueHooks m_hooks;
    std::vector<Word> m_words;           ///< of the window
    std::vector<ElementRange> m_written; ///< that is not asked for any more: apart, ascending
    std::vector<ElementRange> m_updated;
};

/**
 * The weights that a worker keeps where each keeps a shard of them. INCA knows no weights: the sum of which an update
 * has made them stands for them.
 */
class WeightShards
{
  public:
    /** Keeps what was updated of a chunk. @param begin of the chunk in the model */
    void Keep(std::uint64_t begin, const RankValues& values);

    /** @return what is kept of the chunk, counted from its first value; empty: nothing yet */
    RankValues::OwnWords Of(std::uint64_t begin) const;

  private:
    using Shard = std::vector<std::pair<ElementRange, std::vector<Word>>>;

    std::map<std::uint64_t, std::shared_ptr<const Shard>> m_shards; ///< by where the chunk begins
};

/** What a worker holds of an exchange. */
using WorkerValues = std::function<RankValues&(Rank worker)>;

/**
 * @return the words of @p window, each as the worker holds it that has updated it
 * @throws InvariantError if an element is not exactly one worker's
 */
std::vector<Word> AssembleShards(const WorkerValues& valuesOf,
                                 const Communicator& workers,
                                 ElementRange window);

} // namespace inca

#endif // INCA_JOB_RANK_VALUES_H
