/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CALIBRATION_SHOWN_TABLES_H
#define INCA_TEST_CALIBRATION_SHOWN_TABLES_H

#include "base/text.h"
#include "calibration/measurement-log.h"

#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace inca
{

/** "8 B 17.93 us @5", to six significant digits. */
inline std::string
Shown(const Measurement& row)
{
    const double value = row.seconds * 1e6;
    const double unit = std::pow(10., std::floor(std::log10(value)) - 5);
    return Text(
        row.bytes,
        " B ",
        NumberText(std::stod(NumberText(static_cast<float>(std::round(value / unit) * unit)))),
        " us @",
        row.line);
}

/** A line for the table, "OSU ranks 8" or "OSU message ranks 2", and one for each row. */
inline std::vector<std::string>
Shown(const std::vector<MeasurementTable>& tables)
{
    std::vector<std::string> lines;
    for (const auto& table : tables)
    {
        const bool isAllReduce = table.kind == MeasuredKind::ALL_REDUCE;
        lines.push_back(Text(
            table.tool, isAllReduce ? "" : Text(" ", NameOf(table.kind)), " ranks ", table.ranks));
        for (const auto& row : table.rows)
        {
            lines.push_back(Shown(row));
        }
    }
    return lines;
}

/** All notes, each after a bar, up to where they explain themselves. */
inline std::string
Notes(const std::vector<MeasurementTable>& tables)
{
    std::string notes;
    for (const auto& table : tables)
    {
        for (const auto& note : table.notes)
        {
            notes += "|" + note.substr(0, note.find_first_of(",;"));
        }
    }
    return notes;
}

inline std::vector<MeasurementTable>
Read(const std::string& text, std::uint32_t ranks = 0)
{
    return ReadMeasurements("a.log", text, ranks);
}

inline std::string
WhyNoTable(const std::string& text, std::uint32_t ranks = 0)
{
    return WhyNot([&] { Read(text, ranks); });
}

} // namespace inca

#endif // INCA_TEST_CALIBRATION_SHOWN_TABLES_H
