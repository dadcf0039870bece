/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_LOCAL_SGD_H
#define INCA_JOB_LOCAL_SGD_H

#include "inca/job/training-catalog.h"

namespace inca
{

/**
 * Local SGD (Stich, ICLR 2019): every worker updates its weights by its own gradients, and of every `training.period`
 * iterations the last one ends with the mean of all workers' weights.
 */
TrainingEntry LocalSgdEntry();

} // namespace inca

#endif // INCA_JOB_LOCAL_SGD_H
