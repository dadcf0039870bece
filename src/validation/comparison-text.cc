/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/comparison-text.h"

#include "record/csv-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

/** With its unit; times to four significant digits, whatever their size. */
std::string
ValueText(double value, FigureUnit unit)
{
    switch (unit)
    {
    case FigureUnit::SECONDS:
        return fmt::format("{:#.4g} s", value);
    case FigureUnit::PERCENT:
        return fmt::format("{:.1f} %", value);
    case FigureUnit::TIMES:
        return fmt::format("{:.2f} x", value);
    }
    return "";
}

std::string
PublishedText(const Comparison& comparison)
{
    if (!comparison.published)
    {
        return "-";
    }
    const auto& published = *comparison.published;
    auto to = ValueText(published.to, comparison.unit);
    if (published.from == published.to)
    {
        return to;
    }
    const auto from = ValueText(published.from, comparison.unit);
    return from.substr(0, from.find(' ')) + ".." + to;
}

/** "-3.0 %", or "+1.2 pt" for figures that are percentages themselves. */
std::string
ErrorText(const Comparison& comparison)
{
    const auto error = ErrorOf(comparison);
    if (!error)
    {
        return "-";
    }
    return comparison.unit == FigureUnit::PERCENT ? fmt::format("{:+.1f} pt", *error)
                                                  : fmt::format("{:+.1f} %", *error * g_percent);
}

std::string
LimitText(const Comparison& comparison)
{
    return IsJudged(comparison) ? fmt::format("{:.0f} %", *comparison.limit * g_percent) : "";
}

std::string
VerdictText(const Comparison& comparison)
{
    return !IsJudged(comparison) ? "" : Misses(comparison) ? "MISS" : "ok";
}

std::string
SourceText(const Comparison& comparison)
{
    return comparison.published
               ? fmt::format("{}: {}",
                             PublishedClassName(comparison.published->publishedClass),
                             comparison.published->source)
               : "";
}

std::string
Columns(const std::string& system,
        const std::string& predicted,
        const std::string& published,
        const std::string& error,
        const std::string& limit,
        const std::string& verdict,
        const std::string& source)
{
    const auto line = fmt::format("    {:<7}{:>11}{:>15}{:>11}{:>7}  {:<6}{}",
                                  system,
                                  predicted,
                                  published,
                                  error,
                                  limit,
                                  verdict,
                                  source);
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string
ComparisonLine(const Comparison& comparison)
{
    return Columns(comparison.system,
                   ValueText(comparison.predicted, comparison.unit),
                   PublishedText(comparison),
                   ErrorText(comparison),
                   LimitText(comparison),
                   VerdictText(comparison),
                   SourceText(comparison));
}

/** "judged: 10 figures, 1 MISS", and which. */
std::string
Summary(const ValidationReport& report)
{
    const auto judged =
        std::count_if(report.comparisons.begin(), report.comparisons.end(), IsJudged);
    auto text = fmt::format("\njudged: {} figures, {} MISS\n", judged, CountMisses(report));
    for (const auto& comparison : report.comparisons)
    {
        if (Misses(comparison))
        {
            text += fmt::format("  MISS {} {}, {}: {} instead of {}, {} (limit {})\n",
                                comparison.model,
                                comparison.system,
                                comparison.figure,
                                ValueText(comparison.predicted, comparison.unit),
                                PublishedText(comparison),
                                ErrorText(comparison),
                                LimitText(comparison));
        }
    }
    return text;
}

/** Nine digits are more than any publication has, and the same on every machine. */
std::string
CsvNumber(std::optional<double> value)
{
    return value ? NineDigits(*value) : "";
}

std::vector<std::string>
CsvFields(const std::string& validation, const Comparison& comparison)
{
    const auto error = ErrorOf(comparison);
    const bool inPoints = comparison.unit == FigureUnit::PERCENT;
    const auto& published = comparison.published;
    const auto given = [&](auto&& text) { return published ? text(*published) : std::string(); };
    return {validation,
            comparison.model,
            comparison.system,
            comparison.figure,
            FigureUnitName(comparison.unit),
            CsvNumber(comparison.predicted),
            given([](const auto& value) { return CsvNumber(value.from); }),
            given([](const auto& value) { return CsvNumber(value.to); }),
            error && !inPoints ? CsvNumber(*error * g_percent) : "",
            error && inPoints ? CsvNumber(*error) : "",
            IsJudged(comparison) ? CsvNumber(*comparison.limit * g_percent) : "",
            VerdictText(comparison),
            given([](const auto& value) { return PublishedClassName(value.publishedClass); }),
            given([](const auto& value) { return value.source; })};
}

} // namespace

std::string
FormatValidation(const ValidationReport& report)
{
    auto text = report.title + "\n";
    std::string model;
    std::string figure;
    for (const auto& comparison : report.comparisons)
    {
        if (comparison.model != model)
        {
            text += "\n" + comparison.model + "\n" +
                    Columns("", "predicted", "published", "error", "limit", "", "");
            figure.clear();
        }
        if (comparison.figure != figure)
        {
            text += "  " + comparison.figure + "\n";
        }
        text += ComparisonLine(comparison);
        model = comparison.model;
        figure = comparison.figure;
    }
    return text + Summary(report);
}

std::string
ValidationCsv(const std::vector<ValidationReport>& reports)
{
    auto text = CsvLine({"validation",
                         "model",
                         "system",
                         "figure",
                         "unit",
                         "predicted",
                         "published_from",
                         "published_to",
                         "error_percent",
                         "error_points",
                         "limit_percent",
                         "verdict",
                         "published_class",
                         "published_source"});
    for (const auto& report : reports)
    {
        for (const auto& comparison : report.comparisons)
        {
            text += CsvLine(CsvFields(report.name, comparison));
        }
    }
    return text;
}

} // namespace inca
