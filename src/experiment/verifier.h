/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_VERIFIER_H
#define INCA_EXPERIMENT_VERIFIER_H

#include "exchange/clockless-replay.h"
#include "model/training-job.h"

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
};

/**
 * Compares what every worker holds at the end of an exchange, value by value and to the bit, with
 * a replay of the step programs and the codec that knows neither clock nor network. It waits until
 * the last worker has ended the exchange, then goes through it in windows, so that it needs little
 * memory beside the results themselves.
 */
class Verifier
{
  public:
    /** @param wire what a message's values go through on their way (decode(encode(.))) */
    Verifier(std::shared_ptr<const TrainingJob> job, Wire wire);

    /**
     * Takes a rank's values at the end of an exchange; an aggregator's are not looked at.
     * @throws InvariantError if a value differs from the replay's
     */
    void Take(Rank rank, std::uint32_t exchange, std::unique_ptr<RankValues> values);

    SumErrors Errors() const;

    /** @return values compared so far, over all workers */
    std::uint64_t Compared() const
    {
        return m_compared;
    }

  private:
    using Results = std::vector<std::unique_ptr<RankValues>>; ///< by worker

    void Check(std::uint32_t exchange, const Results& results);
    void CheckWindow(std::uint32_t exchange, ElementRange window, const Results& results);
    void Compare(std::uint32_t exchange,
                 Rank worker,
                 ElementRange window,
                 const std::vector<float>& expected);
    void AddError(double difference);
    void Measure(const std::vector<double>& sum);
    WorkerGradient OwnGradients(std::uint32_t exchange) const;
    const JobChunk& Chunk(std::uint32_t exchange) const;

    std::shared_ptr<const TrainingJob> m_job;
    Wire m_wire;
    std::map<std::uint32_t, Results> m_open;
    std::map<std::uint32_t, Rank> m_taken; ///< results so far, by exchange
    std::vector<std::vector<float>> m_got; ///< of the window, by worker
    std::uint64_t m_compared{0};
    double m_errorSum{0};
    SumErrors m_errors;
};

} // namespace inca

#endif // INCA_EXPERIMENT_VERIFIER_H
