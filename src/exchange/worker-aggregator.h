/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_WORKER_AGGREGATOR_H
#define INCA_EXCHANGE_WORKER_AGGREGATOR_H

#include "exchange/exchange-spec.h"

#include <memory>

namespace inca
{

/**
 * INCEPTIONN's WA: W workers send their gradients to one aggregator (rank W), which buffers them,
 * adds them from worker 0 upwards, ((g0 + g1) + g2) ..., updates the weights and broadcasts them
 * (MakeBroadcast; position 0 is the aggregator, position i + 1 is worker i).
 *
 * With n elements: W gradient messages of n; W whole copies of n in weights. The aggregator
 * receives W n and adds (W - 1) n; it sends W n (flat), ceil(log2(W + 1)) n (binomial) or n
 * (chain). Every worker sends n gradients and receives n weights.
 */
std::unique_ptr<StepPlan> MakeWorkerAggregator(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_WORKER_AGGREGATOR_H
