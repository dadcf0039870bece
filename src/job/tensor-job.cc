/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/tensor-job.h"

#include "exchange/exchange-catalog.h"

namespace inca
{

std::shared_ptr<TrainingJob>
MakeTensorJob(const ExchangeSpec& exchange, std::uint64_t elements)
{
    auto job = std::make_shared<TrainingJob>();
    const ElementRange all{0, elements};
    job->workers = exchange.workers;
    job->weightsReturn = ReturnsWeights(exchange);
    job->computePs = [](const ComputeKey&) { return 0; };
    job->meanBits = [](ElementRange) { return 32.0; };
    job->layers = {{all, 0}};
    job->buckets = {{0, 0, {0}}};
    job->chunks = {{all, 0, 0, {{MakeStepPlan(exchange, elements), {}}}, nullptr, 0}};
    return job;
}

} // namespace inca
