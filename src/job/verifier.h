/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_VERIFIER_H
#define INCA_JOB_VERIFIER_H

#include "inca/job/clockless-replay.h"
#include "inca/job/sum-errors.h"
#include "inca/job/training-job.h"
#include "inca/job/value-windows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

struct CodedReference;

/**
 * Compares what every worker holds at the end of an exchange, value by value and to the bit, with
 * a replay of the step plans and the codec that knows neither clock nor network. It waits until
 * the last worker has ended the exchange, then goes through it in windows, for each of which it draws or
 * reads the workers' gradients once: so it needs little memory beside the results themselves.
 *
 * Where the order of arrival decides how switches round a sum (NetworkReduction::isExact), no replay can know it. Then
 * all workers must hold the same bits, and every value must be a sum in some order (NetworkReduction::isSum). In fp32 it is
 * as near to the sum in fp64 as any order of W - 1 additions is: within (W - 1) 2^-24 times the sum of magnitudes
 * (Jeannerod and Rump, SIAM J. Matrix Anal. Appl. 34, 2013), and 2^-20 of that for the reference; of 16-bit
 * gradients with their type's unit roundoff instead of 2^-24.
 *
 * A codec that codes groups of values together gets whole messages: then a chunk is one window.
 *
 * A coded chunk is looked at as a whole: all workers' words are encoded, added without a clock and
 * decoded (ReplayCoded), and every worker must hold the same bits, or its shard of them. Where the order of arrival
 * decides, it is the words that worker 0, or the owner of each shard, has decoded which must be sums in some order,
 * and be decoded again to the bits that workers hold (CheckCodedWords). Where the coding bounds its error, as over
 * integers, no more values may be beyond it than were estimated.
 *
 * Where each worker keeps a shard (TrainingJob::GathersWeights), an exchange of gradients is over when each value's sum
 * is on one worker, and that one's is looked at. Gathers hand on what stands for weights: before the first update each
 * owner's own gradients, then the sums of the last iteration (WeightShards); every worker must hold its owner's. Zeros
 * that make shards equal are looked at, too, and are no part of the errors.
 *
 * Where values did not travel, as who stands for others moves none, the replay takes their place (Replay):
 * what its ranks end with is measured beside the sum in fp64. Sums of fp32 that no codec touches, of hosts or of
 * switches (in the order of the workers), must be as near to it as any order of additions is, on every worker.
 */
class Verifier
{
  public:
    /**
     * @param wire what a message's values go through on their way (decode(encode(.)))
     */
    explicit Verifier(std::shared_ptr<const TrainingJob> job);

    /**
     * Takes a rank's values at the end of an exchange; an aggregator's are not looked at.
     * @throws InvariantError if a value differs from the replay's
     */
    void Take(Rank rank, std::uint32_t exchange, ExchangeOutcome outcome);

    /**
     * Has the replay go through an exchange whose values did not travel.
     * @param times exchanges that are like it, itself included
     * @param sizes is told what gradients each message carries; null: nobody is
     * @throws InvariantError if a sum is none; Interrupted
     */
    void Replay(std::uint32_t exchange, std::uint64_t times, CodedSizes* sizes = nullptr);

    /**
     * Has the replay go through all exchanges of the run: once through those that are alike.
     * @param sizesOf what Replay tells of a chunk's messages, chunk by chunk; may be empty
     */
    void ReplayAll(const std::function<CodedSizes*(std::uint32_t chunk)>& sizesOf);

    /** Called after each window of values. */
    std::function<void()> atWindow;

    /** Of all values, the share that was compared, 0..1. */
    double DoneShare() const;

    /** Values of what was replayed that did not fit the scale by which switches add. */
    std::uint64_t Misfits() const
    {
        return m_misfits;
    }

    SumErrors Errors() const;
    std::vector<SumErrors> ErrorsByBucket() const;

    /** @return values compared so far, over all workers */
    std::uint64_t Compared() const
    {
        return m_compared;
    }

    /** @return values to compare in the whole run, over all workers */
    std::uint64_t Due() const;

  private:
    /** What is looked at: results of workers, or, where values did not travel, what a replay gives. */
    struct Subject
    {
        std::uint32_t exchange;
        const std::vector<ExchangeOutcome>* results; ///< by worker; null: values did not travel
        std::uint64_t times; ///< exchanges that are like it, itself included
    };

    void Check(const Subject& subject, CodedSizes* sizes);
    void CheckValues(const Subject& subject, CodedSizes* sizes);
    void CheckCoded(const Subject& subject);
    void CheckEstimates(const Subject& subject, const CodedReference& reference) const;
    std::unique_ptr<ClocklessReplay> MakeReplay(std::uint32_t exchange, CodedSizes* sizes) const;
    WorkerWords WeightsBefore(std::uint32_t exchange) const;
    void KeepWeights(const Word* words);

    // -- of the window
    template <typename Action>
    void ForEachWindow(std::uint32_t exchange, const Action& action);
    void TakeGradients();
    void LookAt(const Communicator& members);
    std::uint32_t TermCount() const;
    std::vector<double> SumOfTerms(decltype(AddTerm)& add) const;
    WorkerGradient Gradients() const;
    void Compare(const HeldWords& got,
                 const std::vector<const Word*>& expected,
                 const std::string& source) const;
    void CompareAll(const HeldWords& got, const Word* expected, const std::string& source) const;
    void RequireSums(const std::vector<const Word*>& got) const;
    /** What one worker has sent to another one, and where that begins there. */
    using Moved = std::function<std::pair<ElementRange, std::uint64_t>(Rank from, Rank to)>;
    Moved MovedBy(const JobChunk& chunk) const;
    void RequireMoved(const HeldWords& got, const Moved& moved) const;
    void MeasureMoved(std::uint64_t times, const HeldWords& got, const Moved& moved);
    bool IsSum(double held, double sum, double magnitude) const;
    std::uint64_t CountBeyond(const Word* got, double bound) const;
    void Measure(std::uint64_t times, const std::vector<const Word*>& got);
    std::string ValueName(std::uint64_t place) const;

    std::shared_ptr<const TrainingJob> m_job;
    std::map<std::uint32_t, std::vector<ExchangeOutcome>> m_open;
    std::map<std::uint32_t, Rank> m_taken; ///< results so far, by exchange

    std::uint32_t m_exchange{0};           ///< that is looked at
    ElementRange m_window;                 ///< of its chunk
    Communicator m_members;                ///< workers that are looked at
    Communicator m_summed;                 ///< whose gradients are added for them
    std::vector<std::vector<float>> m_own; ///< gradients of the window, by worker
    std::vector<double> m_sum;             ///< of these workers' gradients, of all their GPUs

    /** What the last update has made of a chunk, by its first value and the first of the workers that share it. */
    std::map<std::pair<std::uint64_t, Rank>, std::vector<Word>> m_weights;

    std::vector<SumErrors> m_errors; ///< by chunk
    std::uint64_t m_compared{0};
    std::uint64_t m_misfits{0};
};

} // namespace inca

#endif // INCA_JOB_VERIFIER_H
