/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_COLOURED_TABLE_H
#define INCA_REPORT_COLOURED_TABLE_H

#include <string>

namespace inca
{

/** What a part of a table is, which a terminal shows by its colour. */
enum class TableColour
{
    HEADING,
    BAR,
    GOOD,
    BAD,
    WARNING,
};

/** @p text, a line feed at its end left out, between the escapes of a terminal's colour. */
std::string Coloured(const std::string& text, TableColour colour);

/** What FormatRunTable returns: headings, bars and warnings. */
std::string ColouredRunTable(const std::string& table);

/** What FormatValidation returns: headings and verdicts. */
std::string ColouredValidation(const std::string& table);

} // namespace inca

#endif // INCA_REPORT_COLOURED_TABLE_H
