/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/precision-table.h"

#include <fmt/format.h>

#include <string_view>

namespace inca
{

namespace
{

std::string
Line(std::string_view label, const std::string& text)
{
    return fmt::format("  {:<28}{}\n", label, text);
}

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
                Line("iteration time", ErrorText(precision.iterationError)) +
                Line("communication", ErrorText(precision.communicationError)) +
                Line("exchange time", ErrorText(precision.exchangeError)) +
                Line("bytes and frames", precision.sameCounts ? "the same" : "differ") +
                Line("columns that differ", Differences(precision));
    return text +
           Line("verdict", precision.IsSound(exact) ? "within its bounds" : "BEYOND ITS BOUNDS");
}

} // namespace inca
