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
    static ns3::TypeId GetTypeId();

    /** The exchange of so many workers. */
    ExchangeSpec ExchangeOf(std::uint32_t workers) const;

    /** @throws InputError if there is no such trace */
    std::shared_ptr<const GradientTrace> Trace() const;

    /** @throws InputError if the exchange cannot run with so many workers */
    std::shared_ptr<TrainingJob> MakeJob(const std::shared_ptr<const GradientTrace>& trace,
                                         std::uint32_t workers) const;

  private:
    std::string m_trace;
    std::string m_exchange;
    std::uint32_t m_job;
    std::uint32_t m_groupSize;
    std::uint32_t m_iterations;
    std::uint32_t m_concurrent;
    std::uint64_t m_firstBucketBytes;
    std::uint64_t m_bucketBytes;
    std::uint64_t m_chunkBytes;
    bool m_overlap;
};

} // namespace inca

#endif // INCA_HELPER_TRAINING_H
