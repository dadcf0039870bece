/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RUN_DIRECTORY_H
#define INCA_RECORD_RUN_DIRECTORY_H

#include "inca/record/run-record.h"

#include <string>

namespace inca
{

/**
 * run.json: the resolved scenario by table, versions, seed, checksums of what was read, the exact
 * breakdown in ps, steps' ratios and warnings. Ends with a line feed.
 */
std::string RunJson(const RunRecord& record);

/**
 * Writes run.json, result.csv, layers.csv, links.csv, where switches add, switches.csv, with values, errors.csv and, where it is known, path.csv into
 * @p directory, which is made if it is not there, parents included. If one of them cannot be
 * written, all stay as they were. Else none of the latter three of another run stays.
 * @throws InputError if the path is no place for a directory; RunError naming the file that cannot
 *         be written
 */
void WriteRunDirectory(const std::string& directory, const RunRecord& record);

/** Makes the directory before a long run, parents included. @throws InputError as WriteRunDirectory */
void MakeRunDirectory(const std::string& directory);

} // namespace inca

#endif // INCA_RECORD_RUN_DIRECTORY_H
