/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation.h"

#include "record/csv-text.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

/** By PublishedClass. */
constexpr std::array<const char*, 3> g_classNames{"published", "derived", "simulated"};

/** How figures of a unit are written. */
struct UnitText
{
    const char* name;   ///< in CSV
    const char* format; ///< of a number with its unit; times have four significant digits
};

/** By FigureUnit. */
constexpr std::array<UnitText, 6> g_units{{{"s", "{:#.4g} s"},
                                           {"h", "{:.1f} h"},
                                           {"%", "{:.1f} %"},
                                           {"x", "{:.2f} x"},
                                           {"Mvalues/s", "{:.1f} Mv/s"},
                                           {"rounds", "{:.1f}"}}};

const UnitText&
UnitOf(const Comparison& comparison)
{
    return g_units.at(static_cast<std::size_t>(comparison.unit));
}

const char*
ClassOf(const PublishedValue& published)
{
    return g_classNames.at(static_cast<std::size_t>(published.publishedClass));
}

std::string
ValueText(double value, const Comparison& comparison)
{
    return fmt::format(fmt::runtime(UnitOf(comparison).format), value);
}

std::string
PublishedText(const Comparison& comparison)
{
    if (!comparison.published)
    {
        return "-";
    }
    const auto& published = *comparison.published;
    auto to = ValueText(published.to, comparison);
    if (published.from == published.to)
    {
        return to;
    }
    const auto from = ValueText(published.from, comparison);
    return from.substr(0, from.find(' ')) + ".." + to;
}

/** How errors and limits of a scale are written. */
struct ScaleText
{
    double factor; ///< to what is written
    const char* unit;
    const char* limit; ///< the format of a limit
};

/** By ErrorScale. */
constexpr std::array<ScaleText, 2> g_scales{
    {{g_percent, "%", "{:.3g} {}"}, {1, "pt", "{:.1f} {}"}}};

const ScaleText&
ScaleOf(const Comparison& comparison)
{
    return g_scales.at(static_cast<std::size_t>(ErrorScaleOf(comparison)));
}

/** Enough digits after the point for ten steps up to a limit in percent. */
int
ErrorDigits(const Comparison& comparison)
{
    constexpr double coarse = 2;
    constexpr double fine = 0.5;
    const double limit = comparison.limit.value_or(1) * g_percent;
    const bool isCoarse = ErrorScaleOf(comparison) == ErrorScale::POINTS || limit >= coarse;
    return isCoarse ? 1 : limit >= fine ? 2 : 3;
}

/** "-3.0 %"; "+1.2 pt" for figures that are percentages themselves. */
std::string
ErrorText(const Comparison& comparison)
{
    const auto error = ErrorOf(comparison);
    const auto& scale = ScaleOf(comparison);
    return error ? fmt::format(
                       "{:+.{}f} {}", *error * scale.factor, ErrorDigits(comparison), scale.unit)
                 : "-";
}

std::string
LimitText(const Comparison& comparison)
{
    const auto& scale = ScaleOf(comparison);
    return IsJudged(comparison) ? fmt::format(fmt::runtime(scale.limit),
                                              *comparison.limit * scale.factor,
                                              scale.unit)
                                : "";
}

/** @return whether nobody judges it, and its error is large */
bool
IsFar(const Comparison& comparison)
{
    const auto error = ErrorOf(comparison).value_or(0) * ScaleOf(comparison).factor;
    return !IsJudged(comparison) && std::abs(error) > 20; // percent or points
}

std::string
VerdictText(const Comparison& comparison)
{
    return Misses(comparison)     ? "MISS"
           : IsJudged(comparison) ? "ok"
           : IsFar(comparison)    ? "far"
                                  : "";
}

/** A line of a model's table, without spaces at its end. */
std::string
TableRow(const std::array<std::string, 7>& texts, std::size_t systemWidth)
{
    const auto& [system, predicted, published, error, limit, verdict, source] = texts;
    const auto line = fmt::format("    {:<{}}{:>11}{:>15}{:>11}{:>7}  {:<6}{}",
                                  system,
                                  systemWidth,
                                  predicted,
                                  published,
                                  error,
                                  limit,
                                  verdict,
                                  source);
    return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string
TableRow(const Comparison& comparison, std::size_t systemWidth)
{
    const auto& published = comparison.published;
    return TableRow(
        {comparison.system,
         ValueText(comparison.predicted, comparison),
         PublishedText(comparison),
         ErrorText(comparison),
         LimitText(comparison),
         VerdictText(comparison),
         published ? fmt::format("{}: {}", ClassOf(*published), published->source) : ""},
        systemWidth);
}

/** The figures of one model, in the report's order. */
std::string
ModelText(const std::vector<Comparison>& comparisons)
{
    std::size_t width = 7;
    for (const auto& comparison : comparisons)
    {
        width = std::max(width, comparison.system.size() + 1);
    }
    auto text = "\n" + comparisons.front().model + "\n" +
                TableRow({"", "predicted", "reference", "error", "limit", "", ""}, width);
    std::string figure;
    for (const auto& comparison : comparisons)
    {
        text += comparison.figure != figure ? "  " + comparison.figure + "\n" : "";
        text += TableRow(comparison, width);
        figure = comparison.figure;
    }
    return text;
}

/** The lines below the models. */
std::string
Summary(const ValidationReport& report)
{
    const auto count = [&report](auto is) {
        return std::count_if(report.comparisons.begin(), report.comparisons.end(), is);
    };
    const auto judged = count(IsJudged);
    const auto all = count([](const auto& one) { return one.published.has_value(); });
    auto text = fmt::format("\njudged: {} of {} figures, {} MISS\n"
                            "not judged: {} figures, {} far off (more than 20 % or 20 points)\n",
                            judged,
                            all,
                            CountMisses(report),
                            all - judged,
                            count(IsFar));
    for (const auto& comparison : report.comparisons)
    {
        if (Misses(comparison) || IsFar(comparison))
        {
            const auto limit = LimitText(comparison);
            text += fmt::format("  {} {} {}, {}: {} instead of {}, {}{}\n",
                                VerdictText(comparison),
                                comparison.model,
                                comparison.system,
                                comparison.figure,
                                ValueText(comparison.predicted, comparison),
                                PublishedText(comparison),
                                ErrorText(comparison),
                                limit.empty() ? "" : fmt::format(" (limit {})", limit));
        }
    }
    return text;
}

/** More digits than any publication has, and the same on every machine. */
std::string
CsvNumber(std::optional<double> value)
{
    return value ? NineDigits(*value) : "";
}

/** An error or a limit as it is written: in percent where it is relative. */
std::string
CsvError(const Comparison& comparison, const std::optional<double>& error)
{
    return error ? NineDigits(*error * ScaleOf(comparison).factor) : "";
}

std::vector<std::string>
CsvFields(const std::string& validation, const Comparison& comparison)
{
    const auto error = ErrorOf(comparison);
    const auto limit = IsJudged(comparison) ? comparison.limit : std::nullopt;
    const bool inPoints = ErrorScaleOf(comparison) == ErrorScale::POINTS;
    const auto& published = comparison.published;
    return {validation,
            comparison.model,
            comparison.system,
            comparison.figure,
            UnitOf(comparison).name,
            CsvNumber(comparison.predicted),
            published ? CsvNumber(published->from) : "",
            published ? CsvNumber(published->to) : "",
            inPoints ? "" : CsvError(comparison, error),
            inPoints ? CsvError(comparison, error) : "",
            CsvError(comparison, limit),
            VerdictText(comparison),
            published ? ClassOf(*published) : "",
            published ? published->source : ""};
}

} // namespace

PublishedValue
Single(double value, PublishedClass publishedClass, std::string source)
{
    return {value, value, publishedClass, std::move(source)};
}

ErrorScale
ErrorScaleOf(const Comparison& comparison)
{
    return comparison.unit == FigureUnit::PERCENT ? ErrorScale::POINTS : ErrorScale::RELATIVE;
}

std::optional<double>
ErrorOf(const Comparison& comparison)
{
    if (!comparison.published)
    {
        return std::nullopt;
    }
    const auto& published = *comparison.published;
    const double nearest = std::clamp(comparison.predicted, published.from, published.to);
    const double difference = comparison.predicted - nearest;
    return ErrorScaleOf(comparison) == ErrorScale::POINTS ? difference : difference / nearest;
}

bool
IsJudged(const Comparison& comparison)
{
    return comparison.published && comparison.limit;
}

bool
Misses(const Comparison& comparison)
{
    return IsJudged(comparison) && std::abs(*ErrorOf(comparison)) > *comparison.limit;
}

std::size_t
CountMisses(const ValidationReport& report)
{
    return static_cast<std::size_t>(
        std::count_if(report.comparisons.begin(), report.comparisons.end(), Misses));
}

std::string
FormatValidation(const ValidationReport& report)
{
    auto text = report.title + "\n";
    for (auto begin = report.comparisons.begin(); begin != report.comparisons.end();)
    {
        const auto end = std::find_if(begin, report.comparisons.end(), [begin](const auto& other) {
            return other.model != begin->model;
        });
        text += ModelText({begin, end});
        begin = end;
    }
    return text + Summary(report);
}

std::string
ValidationCsv(const std::vector<ValidationReport>& reports)
{
    std::string text = "validation,model,system,figure,unit,predicted,published_from,published_to,"
                       "error_percent,error_points,limit_percent,verdict,published_class,"
                       "published_source\n";
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
