/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/training.h"

#include "exchange/exchange-catalog.h"
#include "job/trace-job.h"
#include "trace/trace-catalog.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(Training);

ns3::TypeId
Training::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::Training")
            .SetParent<ns3::Object>()
            .SetGroupName("Inca")
            .AddConstructor<Training>()
            .AddAttribute(
                "Trace",
                "what is trained: a shipped trace, a file, or a tensor such as tensor:100MB",
                ns3::StringValue("tensor:100MB"),
                ns3::MakeStringAccessor(&Training::m_trace),
                ns3::MakeStringChecker())
            .AddAttribute("Exchange",
                          "how workers add gradients (inca list exchange)",
                          ns3::StringValue("ring"),
                          ns3::MakeStringAccessor(&Training::m_exchange),
                          ns3::MakeStringChecker())
            .AddAttribute("Job",
                          "number of the job, its own among those that share nodes",
                          ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&Training::m_job),
                          ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute(
                "GroupSize",
                "workers of a group, of hierarchical exchanges; 0: what is usual for so many",
                ns3::UintegerValue(0),
                ns3::MakeUintegerAccessor(&Training::m_groupSize),
                ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute("Iterations",
                          "iterations, one after the other",
                          ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&Training::m_iterations),
                          ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("Concurrent",
                          "exchanges in flight per worker",
                          ns3::UintegerValue(1),
                          ns3::MakeUintegerAccessor(&Training::m_concurrent),
                          ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("FirstBucketBytes",
                          "what ends the first bucket",
                          ns3::UintegerValue(BucketSpec{}.firstBucketBytes),
                          ns3::MakeUintegerAccessor(&Training::m_firstBucketBytes),
                          ns3::MakeUintegerChecker<std::uint64_t>(1))
            .AddAttribute("BucketBytes",
                          "what ends all others",
                          ns3::UintegerValue(BucketSpec{}.bucketBytes),
                          ns3::MakeUintegerAccessor(&Training::m_bucketBytes),
                          ns3::MakeUintegerChecker<std::uint64_t>(1))
            .AddAttribute("ChunkBytes",
                          "buckets are cut into pieces of this; 0: they are not cut",
                          ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&Training::m_chunkBytes),
                          ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Overlap",
                          "whether gradients leave while backward goes on",
                          ns3::BooleanValue(true),
                          ns3::MakeBooleanAccessor(&Training::m_overlap),
                          ns3::MakeBooleanChecker());
    return tid;
}

ExchangeSpec
Training::ExchangeOf(std::uint32_t workers) const
{
    ExchangeSpec spec;
    spec.algorithm = m_exchange;
    spec.workers = workers;
    spec.groupSize = m_groupSize > 0 ? m_groupSize : UsualGroupSizeOf(m_exchange, workers);
    return spec;
}

std::shared_ptr<const GradientTrace>
Training::Trace() const
{
    return std::make_shared<const GradientTrace>(FindTrace(m_trace));
}

std::shared_ptr<TrainingJob>
Training::MakeJob(const std::shared_ptr<const GradientTrace>& trace, std::uint32_t workers) const
{
    BucketSpec buckets;
    buckets.firstBucketBytes = m_firstBucketBytes;
    buckets.bucketBytes = m_bucketBytes;
    buckets.chunkBytes = m_chunkBytes;
    auto job = MakeTraceJob(trace, ExchangeOf(workers), buckets);
    job->id = JobId(m_job);
    job->iterations = m_iterations;
    job->concurrent = m_concurrent;
    job->overlap = m_overlap;
    return job;
}

} // namespace inca
