/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_BESIDE_SCENARIO_H
#define INCA_SCENARIO_BESIDE_SCENARIO_H

#include <string>

namespace inca
{

/** Where a file that a scenario names is, if its path is a relative one. */
enum class FilePlace
{
    HERE,   ///< in the working directory, or in neither place
    BESIDE, ///< in the folder of the scenario's file only
    BOTH,   ///< two files: the one in the working directory is meant
};

/** @param scenarioFile "examples/ring.toml"; what stands in no folder has nothing beside it */
FilePlace PlaceOfFile(const std::string& file, const std::string& scenarioFile);

/** @return @p path as it is called from the working directory, if it is meant from @p scenarioFile's folder */
std::string Beside(const std::string& path, const std::string& scenarioFile);

} // namespace inca

#endif // INCA_SCENARIO_BESIDE_SCENARIO_H
