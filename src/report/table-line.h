/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TABLE_LINE_H
#define INCA_REPORT_TABLE_LINE_H

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace inca
{

constexpr int TABLE_LABEL_WIDTH{28};

/** A line of a run's tables: what it is, and how much. */
inline std::string
TableLine(std::string_view label, const std::string& text)
{
    return fmt::format("  {:<{}}{}\n", label, TABLE_LABEL_WIDTH, text);
}

} // namespace inca

#endif // INCA_REPORT_TABLE_LINE_H
