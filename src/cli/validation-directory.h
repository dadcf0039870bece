/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_VALIDATION_DIRECTORY_H
#define INCA_CLI_VALIDATION_DIRECTORY_H

#include "report/report-data.h"
#include "validation/comparison.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Writes validation.csv (ValidationCsv) and validation.json (docs/formats.md) into @p directory, which is
 * there, or leaves both as they were.
 * @param command the words that were asked with
 * @throws RunError, InputError
 */
void WriteValidationDirectory(const std::string& directory,
                              const std::vector<std::string>& command,
                              const std::vector<ValidationReport>& reports);

/** Reads validation.json into what a page says beside the figures. @throws InputError if it is none */
void ReadValidationJson(const std::string& file, ReportData& data);

} // namespace inca

#endif // INCA_CLI_VALIDATION_DIRECTORY_H
