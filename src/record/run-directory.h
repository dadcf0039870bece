/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_RUN_DIRECTORY_H
#define INCA_RECORD_RUN_DIRECTORY_H

#include "record/run-record.h"

#include <string>

namespace inca
{

/**
 * run.json: the resolved scenario by table, versions, seed, checksums of what was read, the exact
 * breakdown in ps, hop ratios and warnings. Ends with a line feed.
 */
std::string RunJson(const RunRecord& record);

/**
 * Writes run.json, result.csv, layers.csv and links.csv into @p directory, which is made if it is
 * not there, parents included. Each file is written whole or stays as it was.
 * @throws RunError naming the file or directory that cannot be written
 */
void WriteRunDirectory(const std::string& directory, const RunRecord& record);

} // namespace inca

#endif // INCA_RECORD_RUN_DIRECTORY_H
