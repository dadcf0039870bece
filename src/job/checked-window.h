/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CHECKED_WINDOW_H
#define INCA_JOB_CHECKED_WINDOW_H

#include "exchange/interval-set.h"
#include "job/rank-values.h"
#include "job/reference-sum.h"
#include "job/sum-errors.h"
#include "job/training-job.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** @return the most values of a window, of each worker: of all together as many as caches hold, within reason */
std::uint64_t WindowElements(Rank workers);

/**
 * @return a chunk's windows: parts of whole blocks of what the network treats together, each from the first element of
 *         what it shares out
 */
std::vector<ElementRange> WindowsOf(const JobChunk& chunk);

/** What a worker holds of an exchange. */
using ValuesOf = std::function<RankValues&(Rank worker)>;

/**
 * A part of an exchange's values, one after the other: what workers bring of it, its sum in fp64, and what is held
 * compared with others' and with these. Who holds it, a simulated rank or a replayed one, is the Verifier's business.
 */
class CheckedWindow
{
  public:
    explicit CheckedWindow(std::shared_ptr<const TrainingJob> job);

    /** Goes on to a window of the values of @p exchange. */
    void Begin(std::uint32_t exchange, ElementRange window)
    {
        m_exchange = exchange;
        m_window = window;
    }

    /** Draws or reads the gradients of the window, and adds them. */
    void TakeOwn(const WorkerGradient& own);

    const ElementRange& Range() const
    {
        return m_window;
    }

    /** Writes what was taken of @p worker in @p range, which lies in the window. */
    void ReadOwn(Rank worker, ElementRange range, Word* out) const
    {
        CopyBits(&m_own[worker][range.begin - m_window.begin], range.count, out);
    }

    /** @return where each worker's words of the window are */
    std::vector<const Word*> Held(const ValuesOf& valuesOf) const;

    /** @param source of what is expected, for people @throws InvariantError if a word is another one */
    void Compare(const std::string& who,
                 const Word* got,
                 const Word* expected,
                 const char* source) const;

    /**
     * Of workers, who need not hold the same.
     * @throws InvariantError if a value is further from the sum than any order of additions explains
     */
    void RequireSums(const std::vector<const Word*>& got);

    /** @return how many values are further than @p bound from the sums of what workers have coded; all hold the same */
    std::uint64_t CountBeyond(const Word* got, double bound) const;

    /**
     * Adds up how far what is held is from the sum.
     * @param got by worker, or by whoever has a sum
     * @param times how often that happened
     */
    void Measure(std::uint64_t times, const std::vector<const Word*>& got);

    /**
     * Puts beside each other what each worker has updated.
     * @throws InvariantError if a value is not one worker's
     */
    void Assemble(const ValuesOf& valuesOf, std::vector<Word>& whole) const;

    const SumErrorCount& Errors() const
    {
        return m_errors;
    }

  private:
    TermValues Terms() const;
    TermValues OwnTerms() const;
    void RequireSum(const Word* words) const;
    void RequireWhole(std::uint64_t count, const IntervalSet& owned) const;

    std::shared_ptr<const TrainingJob> m_job;
    std::uint32_t m_exchange{0};
    ElementRange m_window;                 ///< of the exchange's chunk
    std::vector<std::vector<float>> m_own; ///< gradients, by worker
    std::vector<double> m_sum;             ///< of the gradients, of all GPUs
    std::vector<double> m_magnitudes;      ///< the sums of theirs
    SumErrorCount m_errors;
};

} // namespace inca

#endif // INCA_JOB_CHECKED_WINDOW_H
