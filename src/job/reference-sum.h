/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_REFERENCE_SUM_H
#define INCA_JOB_REFERENCE_SUM_H

#include "job/worker-gradient.h"

#include <functional>
#include <vector>

namespace inca
{

/**
 * Tells where the values of a term, such as a worker's gradient, in @p range are: at most WORD_BLOCK of them, in @p room
 * or where they were before.
 */
using TermValues = std::function<const float*(Rank term, ElementRange range, float* room)>;

/** Written into the room when they are asked for. */
TermValues InRoom(WorkerGradient terms);

/**
 * What all workers should end with, by a path that shares nothing with the exchanges: the terms of @p window, added in
 * fp64 from term 0 upwards.
 *
 * Accuracy: W additions in fp64 are off by at most W 2^-53 of the sum of magnitudes.
 *
 * @param sum set to one value per element of the window
 */
void ReferenceSum(const TermValues& terms,
                  Rank count,
                  ElementRange window,
                  std::vector<double>& sum);

/** The same of the terms' magnitudes. */
void ReferenceMagnitudes(const TermValues& terms,
                         Rank count,
                         ElementRange window,
                         std::vector<double>& sum);

} // namespace inca

#endif // INCA_JOB_REFERENCE_SUM_H
