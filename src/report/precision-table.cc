/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/precision-table.h"

#include "report/text-table.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

std::string
ErrorText(double error)
{
    return error == 0 ? "the same" : fmt::format("{:.2g} % off", error * 100);
}

std::string
Differences(const Precision& precision)
{
    std::string text;
    for (const auto& column : precision.differing)
    {
        text += (text.empty() ? "" : ", ") + column;
    }
    return text.empty() ? "none" : text;
}

} // namespace

std::string
FormatPrecision(const Precision& precision, bool exact)
{
    auto text = "\nchecked against packet level\n" +
                TableLine("iteration time", ErrorText(precision.iterationError)) +
                TableLine("communication", ErrorText(precision.communicationError)) +
                TableLine("exchange time", ErrorText(precision.exchangeError)) +
                TableLine("bytes and frames", precision.sameCounts ? "the same" : "differ") +
                TableLine("columns that differ", Differences(precision));
    return text + TableLine("verdict",
                            precision.IsSound(exact) ? "within its bounds" : "BEYOND ITS BOUNDS");
}

} // namespace inca
