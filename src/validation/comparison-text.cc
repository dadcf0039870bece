/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/comparison-text.h"

#include "record/csv-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

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
    case FigureUnit::MILLION_VALUES_PER_SECOND:
        return fmt::format("{:.1f} Mv/s", value);
    case FigureUnit::GIGABITS_PER_SECOND:
        return fmt::format("{:.2f} Gb/s", value);
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

/** Enough digits after the point for ten steps up to a limit in percent. */
int
ErrorDigits(const Comparison& comparison)
{
    constexpr double coarse = 2;
    constexpr double fine = 0.5;
    const double limit = comparison.limit.value_or(1) * g_percent;
    return limit >= coarse ? 1 : limit >= fine ? 2 : 3;
}

/** "-3.0 %"; "+1.2 pt" for figures that are percentages themselves; "+1.2 sd" of drawn ones. */
std::string
ErrorText(const Comparison& comparison)
{
    const auto error = ErrorOf(comparison);
    if (!error)
    {
        return "-";
    }
    switch (ErrorScaleOf(comparison))
    {
    case ErrorScale::RELATIVE:
        return fmt::format("{:+.{}f} %", *error * g_percent, ErrorDigits(comparison));
    case ErrorScale::POINTS:
        return fmt::format("{:+.1f} pt", *error);
    case ErrorScale::DEVIATIONS:
        return fmt::format("{:+.2f} sd", *error);
    }
    return "";
}

std::string
LimitText(const Comparison& comparison)
{
    if (!IsJudged(comparison))
    {
        return "";
    }
    return ErrorScaleOf(comparison) == ErrorScale::DEVIATIONS
               ? fmt::format("{:g} sd", *comparison.limit)
               : fmt::format("{:.3g} %", *comparison.limit * g_percent);
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

/** The table's lines: aligned for the systems of one model. */
class Lines
{
  public:
    Lines(const std::vector<const Comparison*>& comparisons, const TableInk& ink)
        : m_ink(ink)
    {
        for (const auto* comparison : comparisons)
        {
            m_systemWidth = std::max(m_systemWidth, comparison->system.size() + 1);
        }
    }

    std::string Header() const
    {
        return Columns({"", "predicted", "published", "error", "limit", "", ""});
    }

    std::string Of(const Comparison& comparison) const
    {
        return Columns({comparison.system,
                        ValueText(comparison.predicted, comparison.unit),
                        PublishedText(comparison),
                        ErrorText(comparison),
                        LimitText(comparison),
                        VerdictText(comparison),
                        SourceText(comparison)});
    }

  private:
    std::string Columns(const std::array<std::string, 7>& texts) const
    {
        const auto& [system, predicted, published, error, limit, verdict, source] = texts;
        const auto line =
            fmt::format("    {:<{}}{:>11}{:>15}{:>11}{:>7}  {}{:<{}}{}",
                        system,
                        m_systemWidth,
                        predicted,
                        published,
                        error,
                        limit,
                        m_ink(verdict, verdict == "ok" ? TableColour::GOOD : TableColour::BAD),
                        "",
                        6 - verdict.size(),
                        source);
        return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }

    const TableInk& m_ink;
    std::size_t m_systemWidth{7};
};

/** "judged: 10 figures, 1 MISS", and which. */
std::string
Summary(const ValidationReport& report, const TableInk& ink)
{
    const auto judged =
        std::count_if(report.comparisons.begin(), report.comparisons.end(), IsJudged);
    auto text =
        "\n" + ink(fmt::format("judged: {} figures, {} MISS\n", judged, CountMisses(report)),
                   TableColour::HEADING);
    for (const auto& comparison : report.comparisons)
    {
        if (Misses(comparison))
        {
            text += fmt::format("  {} {} {}, {}: {} instead of {}, {} (limit {})\n",
                                ink("MISS", TableColour::BAD),
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

/** An error or a limit in the column of @p scale, in percent where it is relative; else empty. */
std::string
CsvError(const Comparison& comparison, ErrorScale scale, const std::optional<double>& error)
{
    const bool relative = scale == ErrorScale::RELATIVE;
    return error && ErrorScaleOf(comparison) == scale
               ? CsvNumber(*error * (relative ? g_percent : 1))
               : "";
}

std::vector<std::string>
CsvFields(const std::string& validation, const Comparison& comparison)
{
    const auto error = ErrorOf(comparison);
    const auto limit = [&](ErrorScale scale) {
        return IsJudged(comparison) ? CsvError(comparison, scale, comparison.limit) : "";
    };
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
            CsvError(comparison, ErrorScale::RELATIVE, error),
            CsvError(comparison, ErrorScale::POINTS, error),
            limit(ErrorScale::RELATIVE),
            VerdictText(comparison),
            given([](const auto& value) { return PublishedClassName(value.publishedClass); }),
            given([](const auto& value) { return value.source; }),
            CsvNumber(comparison.deviation),
            CsvError(comparison, ErrorScale::DEVIATIONS, error),
            limit(ErrorScale::DEVIATIONS)};
}

/** The figures of one model, in the report's order; nothing of a model that is only in the CSV. */
std::string
ModelText(const std::vector<const Comparison*>& comparisons, const TableInk& ink)
{
    if (std::all_of(comparisons.begin(), comparisons.end(), [](const Comparison* comparison) {
            return comparison->onlyInCsv;
        }))
    {
        return "";
    }
    const Lines lines(comparisons, ink);
    auto text =
        "\n" + ink(comparisons.front()->model + "\n", TableColour::HEADING) + lines.Header();
    std::string figure;
    std::size_t hidden = 0;
    for (const auto* comparison : comparisons)
    {
        if (comparison->onlyInCsv)
        {
            ++hidden;
            continue;
        }
        text += comparison->figure != figure ? "  " + comparison->figure + "\n" : "";
        text += lines.Of(*comparison);
        figure = comparison->figure;
    }
    return hidden == 0 ? text : text + fmt::format("  and {} more figures (--csv)\n", hidden);
}

} // namespace

std::string
FormatValidation(const ValidationReport& report, const TableInk& ink)
{
    auto text = ink(report.title + "\n", TableColour::HEADING) + report.tables;
    std::vector<const Comparison*> model;
    for (const auto& comparison : report.comparisons)
    {
        if (!model.empty() && model.back()->model != comparison.model)
        {
            text += ModelText(model, ink);
            model.clear();
        }
        model.push_back(&comparison);
    }
    text += model.empty() ? "" : ModelText(model, ink);
    return text + Summary(report, ink);
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
                         "published_source",
                         "predicted_sd",
                         "error_sd",
                         "limit_sd"});
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
