/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SCENARIO_READER_H
#define INCA_SCENARIO_SCENARIO_READER_H

#include "scenario/grid.h"
#include "scenario/loaded-scenario.h"
#include "scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/**
 * Reads a scenario's TOML file, or stdin as "-", then applies @p settings in their order, then checks the whole. Its
 * trace is looked for, not read.
 * @param settings "key=value" of --set; beside the keys of ScenarioKeys() also
 *        "cluster.worker.3.bandwidth=1Gbps" and "attributes.inca::Nic::Key=value"
 * @param varied the same of one point of a sweep; no key may be in both
 * @throws InputError with all complaints at once, each with file, line, column and key
 */
LoadedScenario ReadScenario(const std::string& path,
                            const std::vector<std::string>& settings,
                            const std::vector<Varied>& varied = {});

/**
 * The text of a scenario's file, which may be a pipe and is read once; "-" is stdin.
 * @throws InputError; Interrupted
 */
std::string ReadScenarioText(const std::string& path);

/** What complaints call the scenario at @p path: "<stdin>" instead of "-". */
std::string ScenarioName(const std::string& path);

/** The same from a text; @p fileName is what complaints call it. */
LoadedScenario ParseScenario(std::string_view text,
                             const std::string& fileName,
                             const std::vector<std::string>& settings,
                             const std::vector<Varied>& varied = {});

/**
 * The sweep that a scenario's file brings along, a list of what else stands behind --vary:
 *
 *     [sweep]
 *     vary = ["cluster.bandwidth=10Gbps..160Gbps:x2", "exchange.algorithm=ring,switch-slots"]
 *
 * A single run takes none of it, and ReadScenario checks its form only.
 * @param fileName what complaints call it
 * @return {} if there is none, or none of that form
 * @throws InputError if @p text is no TOML
 */
std::vector<Varied> ParseSweep(std::string_view text, const std::string& fileName);

/** The scenario as TOML that reads back to the same: all that matters or is not the default. */
std::string FormatScenario(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_SCENARIO_READER_H
