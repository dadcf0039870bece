/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_CSV_FIELDS_H
#define INCA_TRACE_CSV_FIELDS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** @return @p text without blanks and tabs at its ends */
std::string_view Trimmed(std::string_view text);

/**
 * Splits one line of a CSV file at its commas. A field in double quotes may hold commas, and two
 * quotes stand for one; what is not quoted is trimmed.
 * @return the fields, or nothing if a quote is not closed or text follows it
 */
std::optional<std::vector<std::string>> SplitCsv(std::string_view line);

/** @return @p field as SplitCsv reads it back, in quotes only where it must be */
std::string QuoteCsv(const std::string& field);

} // namespace inca

#endif // INCA_TRACE_CSV_FIELDS_H
