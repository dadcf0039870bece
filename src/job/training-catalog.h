/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_TRAINING_CATALOG_H
#define INCA_JOB_TRAINING_CATALOG_H

#include "inca/base/catalog.h"
#include "inca/base/setting.h"

#include <functional>
#include <string>
#include <vector>

namespace inca
{

struct TrainingJob;

/** A kind of training: what its workers compute and exchange, and when. */
struct TrainingEntry
{
    std::string name;
    std::string meaning;
    /** Keys of the scenario that it reads: "training.period". */
    std::vector<Setting> settings;
    /**
     * Sets TrainingJob::programs of a job that has all else: iterations, layers, buckets and chunks. It may change what the
     * job says of its iterations (TrainingJob::exchangedIterations). Called once for each plan.
     * @param values of its settings; those that are not there have their defaults (SettingOf::In)
     * @throws InputError if it does not go with what the scenario says
     */
    std::function<void(TrainingJob& job, const SettingValues& values)> build;
    bool isExtension{false}; ///< registered, no training of INCA's own
};

/**
 * Gives @p job its program.
 * @throws InputError if the training complains, if a program's first iteration names a layer or a chunk that is not
 *         there, or does not say once of each layer that it is updated, and once that the iteration ends (TaskMark), or if
 *         its exchanges are not numbered in turn, or not as many as the job says
 */
void MakeProgram(const TrainingEntry& training, TrainingJob& job, const SettingValues& values);

/** INCA's own trainings, and those that a program registers, which scenarios then name as training.program. */
Catalog<TrainingEntry>& TrainingCatalog();

} // namespace inca

#endif // INCA_JOB_TRAINING_CATALOG_H
