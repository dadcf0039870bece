/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_TRAINING_H
#define INCA_HELPER_TRAINING_H

#include "inca/exchange/exchange-spec.h"
#include "inca/job/training-job.h"
#include "inca/trace/gradient-trace.h"

#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <string>

namespace inca
{

/**
 * @ingroup inca
 *
 * What a job trains, and how its workers exchange gradients: data parallel, in PyTorch's buckets.
 */
class Training : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** The exchange of so many workers. */
    ExchangeSpec ExchangeOf(std::uint32_t workers) const;

    /** @throws InputError if there is no such trace */
    std::shared_ptr<const GradientTrace> Trace() const;

    /** @throws InputError if the exchange cannot run with so many workers */
    std::shared_ptr<TrainingJob> MakeJob(const std::shared_ptr<const GradientTrace>& trace,
                                         std::uint32_t workers) const;

  private:
    std::string m_trace;              ///< attribute Trace
    std::string m_exchange;           ///< attribute Exchange
    std::uint32_t m_job;              ///< attribute Job
    std::uint32_t m_groupSize;        ///< attribute GroupSize
    std::uint32_t m_iterations;       ///< attribute Iterations
    std::uint32_t m_concurrent;       ///< attribute Concurrent
    std::uint64_t m_firstBucketBytes; ///< attribute FirstBucketBytes
    std::uint64_t m_bucketBytes;      ///< attribute BucketBytes
    std::uint64_t m_chunkBytes;       ///< attribute ChunkBytes
    bool m_overlap;                   ///< attribute Overlap
};

} // namespace inca

#endif // INCA_HELPER_TRAINING_H
