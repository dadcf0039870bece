/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_VERIFIER_H
#define INCA_JOB_VERIFIER_H

#include "job/clockless-replay.h"
#include "job/exchange-outcome.h"
#include "job/training-job.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace inca
{

/** How far the workers' results are from the sum of all gradients, added in fp64 on another path. */
struct SumErrors
{
    double largest{0};
    double mean{0}; ///< over all values of all workers
    std::uint64_t notFinite{
        0}; ///< values that are infinite or NaN, or whose sum is: not counted else
    double replicaDifference{0}; ///< the largest distance between two workers' copies of a value
    std::uint64_t marked{0};     ///< values of coded chunks that some worker has, once for all
    std::uint64_t estimated{0}; ///< values of coded chunks that are estimates, once for all workers
};

/**
 * Compares what every worker holds at the end of an exchange, value by value and to the bit, with
 * a replay of the step plans and the codec that knows neither clock nor network. It waits until
 * the last worker has ended the exchange, then goes through it in windows, so that it needs little
 * memory beside the results themselves.
 *
 * Where switches add fp32 values, the order of arrival decides how a sum is rounded, and no replay
 * can know it. Then all workers must hold the same bits, and every value must be as near to the sum
 * in fp64 as any order of W - 1 additions is: within (W - 1) 2^-24 times the sum of magnitudes
 * (Jeannerod and Rump, SIAM J. Matrix Anal. Appl. 34, 2013), and 2^-20 of that for the reference.
 *
 * A coded chunk is looked at as a whole: all workers' words are encoded, added without a clock and
 * decoded (ReplayCoded), and every worker must hold the same bits. Where the order of arrival decides, it
 * is the words that worker 0 has decoded which must be sums in some order, and be decoded again to the
 * bits that every worker holds (CheckCodedWords). Where the coding bounds its error, as over integers, no more
 * values may be beyond it than were estimated.
 */
class Verifier
{
  public:
    /**
     * @param wire what a message's values go through on their way (decode(encode(.)))
     * @param exactSums whether the sums that the network makes do not depend on the order of arrival
     */
    Verifier(std::shared_ptr<const TrainingJob> job, Wire wire, bool exactSums = true);

    /**
     * Takes a rank's values at the end of an exchange; an aggregator's are not looked at.
     * @throws InvariantError if a value differs from the replay's
     */
    void Take(Rank rank, std::uint32_t exchange, ExchangeOutcome outcome);

    SumErrors Errors() const;

    /** @return values compared so far, over all workers */
    std::uint64_t Compared() const
    {
        return m_compared;
    }

  private:
    using Results = std::vector<ExchangeOutcome>; ///< by worker

    void Check(std::uint32_t exchange, const Results& results);
    void CheckWindow(std::uint32_t exchange, ElementRange window, const Results& results);
    void Compare(std::uint32_t exchange,
                 Rank worker,
                 ElementRange window,
                 const std::vector<Word>& expected,
                 const char* source);
    void CheckReplayed(std::uint32_t exchange, ElementRange window);
    void CheckCoded(std::uint32_t exchange, const Results& results);
    void CheckDistances(std::uint32_t exchange,
                        const std::vector<double>& sum,
                        double bound,
                        std::uint64_t estimated) const;
    void CheckOrderless(std::uint32_t exchange,
                        ElementRange window,
                        const std::vector<double>& sum);
    std::vector<double> Magnitudes(std::uint32_t exchange, ElementRange window) const;
    std::uint64_t WindowElements(std::uint32_t exchange) const;
    void ReadWindow(ElementRange window, const Results& results);
    void AddError(double difference);
    void Measure(const std::vector<double>& sum);
    WorkerGradient OwnGradients(std::uint32_t exchange) const;
    const JobChunk& Chunk(std::uint32_t exchange) const;

    std::shared_ptr<const TrainingJob> m_job;
    Wire m_wire;
    bool m_exactSums;
    std::map<std::uint32_t, Results> m_open;
    std::map<std::uint32_t, Rank> m_taken; ///< results so far, by exchange
    std::vector<std::vector<Word>> m_got;  ///< of the window, by worker
    std::uint64_t m_compared{0};
    double m_errorSum{0};
    SumErrors m_errors;
};

} // namespace inca

#endif // INCA_JOB_VERIFIER_H
