/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_REFERENCE_SUM_H
#define INCA_JOB_REFERENCE_SUM_H

#include "job/worker-gradient.h"

#include <vector>

namespace inca
{

/**
 * What all workers should end with, by a path that shares nothing with the exchanges: the own
 * gradients of @p window, added in fp64 from worker 0 upwards.
 *
 * Accuracy: W additions in fp64 are off by at most W 2^-53 of the sum of magnitudes.
 *
 * @param sum set to one value per element of the window
 */
void ReferenceSum(const WorkerGradient& own,
                  Rank workers,
                  ElementRange window,
                  std::vector<double>& sum);

} // namespace inca

#endif // INCA_JOB_REFERENCE_SUM_H
