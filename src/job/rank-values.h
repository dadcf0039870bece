/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_RANK_VALUES_H
#define INCA_JOB_RANK_VALUES_H

#include "base/shared-bytes.h"
#include "base/word-sum.h"
#include "exchange/interval-set.h"
#include "exchange/network-sum.h"
#include "exchange/step-plan.h"
#include "job/word-pieces.h"

#include <cstdint>
#include <functional>
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
     * What a host keeps is rounded to the gradients' own type, once a step: hosts in a ring so round at
     * each addition, whoever adds several messages adds them in fp32. Empty: fp32.
     */
    std::function<void(float* values, std::uint64_t count)> narrow{};
    NetworkSum network{};       ///< of steps that the network adds (Step::networkSum)
    WordSum sum{WordSum::FP32}; ///< of hosts
};

/**
 * The words that one rank holds during one exchange, and what a step does to them. It knows no
 * clock: the simulated rank and the replay without a clock both use it. Until something is written
 * to an element it holds the rank's own word, which is asked for when it is needed and not kept.
 *
 * What is received is not copied: it stays where it is, as long as anyone holds it. A sum stands in memory
 * of its own, or in that of one of its terms if nobody else holds that; so words that others have got never
 * change. Parts of the network's sums are written into one array of the window, reserved at the first of
 * them, of which the operating system provides the pages that are written (base/large-memory.h).
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

    /** What this rank's own words of the window are, which it then need not ask for, and does not change. */
    void Bring(SharedBytes own)
    {
        m_pieces.Put(m_window, std::move(own));
    }

    /** Writes the present words of @p range, which lies in the window. */
    void Read(ElementRange range, Word* out) const;

    /** @return the present words of @p range where they are; none if not all are held in one piece */
    SharedBytes Held(ElementRange range) const;

    /** Whether both hold all of @p range in the same memory: then it is looked at once. */
    bool HoldsTheSame(const RankValues& other, ElementRange range) const;

    /** Nobody asks for @p range before it is received anew (Transfer::handsOver). */
    void HandOver(ElementRange range);

    /**
     * Combines what @p step received, one after the other. Each addition, received + own, is rounded
     * by roundSum, and what is kept of an element, once a step, by narrow.
     * @param received the words of each entry of step.receives, each of that entry's range (clipped to
     *        the window by the caller), in the same order
     */
    void Receive(const Step& step, std::vector<SharedBytes> received);

    /** Weights were made here of @p range, which is held (Step::update). */
    void Update(ElementRange range)
    {
        m_updated.push_back(Clip(range, m_window));
    }

    /** Of what weights were made here, as far as it lies in the window. */
    const std::vector<ElementRange>& Updated() const
    {
        return m_updated;
    }

    /** What comes from the network's sum, as Receive keeps it. */
    void Store(ElementRange range, const Word* words);

    /** The same, as another rank keeps it already. */
    void Put(ElementRange range, SharedBytes words)
    {
        m_pieces.Put(range, std::move(words));
    }

  private:
    void ReadOwn(const WordPiece& piece, Word* out) const;
    SharedBytes Sum(ElementRange range, SharedBytes term);
    void AddTo(const WordPiece& piece, const Word* term, Word* out) const;
    bool Changes(bool ownsResult) const;
    void Change(std::uint64_t count, Word* words, bool ownsResult) const;
    bool IsUnchanged(std::uint64_t count, const Word* words, bool ownsResult) const;
    SharedBytes Kept(ElementRange range, SharedBytes words, bool ownsResult) const;

    ElementRange m_window;
    OwnWords m_own;
    ValueHooks m_hooks;
    WordPieces m_pieces;
    SharedBytes m_sums; ///< of the network, of the window
    Word* m_firstSum{nullptr};
    IntervalSet m_stored; ///< of those
    std::vector<ElementRange> m_updated;
};

} // namespace inca

#endif // INCA_JOB_RANK_VALUES_H
