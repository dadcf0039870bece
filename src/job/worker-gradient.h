/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_WORKER_GRADIENT_H
#define INCA_JOB_WORKER_GRADIENT_H

#include "exchange/step-plan.h"

#include <functional>

namespace inca
{

/** Writes the own gradient of @p worker in @p range. */
using WorkerGradient = std::function<void(Rank worker, ElementRange range, float* out)>;

} // namespace inca

#endif // INCA_JOB_WORKER_GRADIENT_H
