/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SCENARIO_READER_H
#define INCA_SCENARIO_SCENARIO_READER_H

#include "inca/scenario/repeated-tables.h"
#include "inca/scenario/scenario.h"
#include "inca/scenario/sweep-spec.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** A scenario, and what its reader should tell the user. */
struct LoadedScenario
{
    Scenario scenario;
    /** With their places: keys that are set but cannot matter, and files that are in two places. */
    std::vector<std::string> warnings;
    std::vector<std::string> idleKeys;     ///< whom each of the warnings is about
    std::vector<std::string> complaints{}; ///< why it is refused; {} = it is not (TryScenario)
    std::set<std::string> givenKeys{};     ///< dotted names of all that is set, whatever to
};

/**
 * Reads a scenario's TOML file, or stdin as "-", then applies @p settings in their order, then checks the
 * whole. Its trace is looked for, not read: in the working directory first, then beside the scenario.
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
 * The same, with what is wrong as its complaints: of many points some may be refused. What a refused one
 * has set as far as it could be read is there, too, but does not make sense together.
 * @throws InputError if @p text is no TOML
 */
LoadedScenario TryScenario(std::string_view text,
                           const std::string& fileName,
                           const std::vector<std::string>& settings,
                           const std::vector<Varied>& varied);

/** The scenario as TOML that reads back to the same: all that matters or is not the default. */
std::string FormatScenario(const Scenario& scenario);

/** Which keys of a table are written. */
enum class TableKeys
{
    CHANGED, ///< that are not the default
    USED,    ///< and those that matter
};

/** The table as TOML; empty, if it has no such keys. */
std::string FormatTable(const Scenario& scenario, const std::string& table, TableKeys keys);

/** All tables of that name, as TOML. */
std::string FormatRepeated(const Scenario& scenario, const RepeatedTable& repeated);

} // namespace inca

#endif // INCA_SCENARIO_SCENARIO_READER_H
