/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_TENSOR_JOB_H
#define INCA_JOB_TENSOR_JOB_H

#include "exchange/exchange-spec.h"
#include "job/training-job.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * A job that exchanges one tensor once and computes nothing: the exchange alone. Change what you
 * like before it is installed.
 * @param elements fp32 values, at least 1
 * @throws InputError if the exchange is unknown or cannot run with so many workers
 */
std::shared_ptr<TrainingJob> MakeTensorJob(const ExchangeSpec& exchange, std::uint64_t elements);

} // namespace inca

#endif // INCA_JOB_TENSOR_JOB_H
