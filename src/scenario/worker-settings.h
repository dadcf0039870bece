/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_WORKER_SETTINGS_H
#define INCA_SCENARIO_WORKER_SETTINGS_H

#include "scenario/keys.h"
#include "scenario/scenario.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** One key of a [[cluster.worker]] table, beside its index. */
struct WorkerKey
{
    const char* name; ///< "bandwidth"
    const char* meaning;
    ValueType type;
    std::string values; ///< what may stand there, for people

    /** Sets the field from its text. @throws UnitError saying what would be right */
    std::function<void(WorkerOverride&, std::string_view text)> set;
    /** @return the text that sets it to what it is; empty = as the cluster */
    std::function<std::string(const WorkerOverride&)> text;
};

const std::vector<WorkerKey>& WorkerKeys();

/** @return the names of WorkerKeys, and "index" */
std::vector<std::string> WorkerKeyNames();

/** Has what [[cluster.worker]] says of a worker by nothing but its index. @throws UnitError at a bad one */
void NameWorker(Scenario& scenario, std::string_view index);

/**
 * Sets what --set calls cluster.worker.3.bandwidth.
 * @param name "3.bandwidth"
 * @throws UnitError if the index, the key or its text is refused
 */
void SetWorker(Scenario& scenario, std::string_view name, std::string_view text);

/** One setting of one worker. */
struct WorkerSetting
{
    std::string name; ///< "3.bandwidth"
    std::string text;
    bool quoted; ///< a text of TOML and JSON, not a number
};

/** All that sets workers apart, ascending by index. */
std::vector<WorkerSetting> WorkerSettings(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_WORKER_SETTINGS_H
