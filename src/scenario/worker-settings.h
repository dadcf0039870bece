/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_WORKER_SETTINGS_H
#define INCA_SCENARIO_WORKER_SETTINGS_H

#include "scenario/key-row.h"

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** The keys of a [[cluster.worker]] table, beside its index. */
const std::vector<KeyRow<WorkerOverride>>& WorkerKeys();

/** @return the key of that name, or nothing */
const KeyRow<WorkerOverride>* FindWorkerKey(std::string_view name);

/** Has what [[cluster.worker]] says of a worker by nothing but its index. @throws UnitError at a bad one */
void NameWorker(Scenario& scenario, std::string_view index);

/**
 * Sets what --set calls cluster.worker.3.bandwidth.
 * @param name "3.bandwidth"
 * @throws UnitError if the index, the key or its text is refused
 */
void SetWorker(Scenario& scenario, std::string_view name, std::string_view text);

/** All that sets workers apart, ascending by index: "3.bandwidth". */
std::vector<ResolvedSetting> WorkerSettings(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_WORKER_SETTINGS_H
