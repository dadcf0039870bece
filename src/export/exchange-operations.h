/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPORT_EXCHANGE_OPERATIONS_H
#define INCA_EXPORT_EXCHANGE_OPERATIONS_H

#include "export/exported-operation.h"
#include "job/training-job.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** Operations of a rank, by their place in its list. */
using Indices = std::vector<std::size_t>;

/** The operations of one rank, of which it makes those of its exchanges. */
class ExchangeOperations
{
  public:
    /** @param collectives an exchange is one of all workers, or two, and not its steps */
    ExchangeOperations(const Scenario& scenario,
                       const TrainingJob& job,
                       Rank rank,
                       bool collectives);

    Indices AddCompute(std::string name, std::int64_t ps, Indices needs);

    /**
     * All of a chunk's exchange, which begins no sooner than as many before it as may go on have ended.
     * @param updates whether weights are made of the sums
     * @return its end
     */
    Indices AddExchange(std::uint32_t chunk, Indices ready, bool updates);

    std::vector<ExportedOperation> Take()
    {
        return std::move(m_operations);
    }

  private:
    std::size_t Add(ExportedOperation operation);
    Indices StartOf(Indices ready) const;
    Indices AddRounds(const JobChunk& chunk, Indices before);
    Indices AddDecoded(const JobChunk& chunk, Indices before);
    Indices AddSteps(const JobChunk& chunk, const JobRound& round, const Indices& before);
    Indices AddStep(const JobChunk& chunk, const Step& step, Indices before);
    Indices AddSends(const JobChunk& chunk, const Step& step, const Indices& before);
    Indices AddReceives(const JobChunk& chunk, const Step& step, const Indices& before);
    std::size_t AddTransfer(ExportedOperation::Kind kind,
                            const JobChunk& chunk,
                            const Transfer& transfer,
                            Indices needs);
    Indices AddUpdate(const JobChunk& chunk, ElementRange range, Indices before);
    Indices AddCollectives(const JobChunk& chunk, Indices before);
    Indices AddCollective(ExportedOperation::Kind kind, std::uint64_t bytes, Indices before);
    bool IsHostCoded(Leg leg) const;
    std::uint64_t BytesOf(const JobChunk& chunk, ElementRange range, Leg leg) const;

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    Rank m_rank;
    bool m_collectives;
    bool m_updates{true}; ///< in the exchange under way
    std::vector<ExportedOperation> m_operations;
    std::vector<Indices> m_ended; ///< the ends of exchanges, in their order
    std::map<Rank, std::uint32_t> m_sent;
    std::map<Rank, std::uint32_t> m_received;
};

} // namespace inca

#endif // INCA_EXPORT_EXCHANGE_OPERATIONS_H
