/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-columns.h"

#include "base/nearest.h"
#include "base/units.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

namespace inca
{

namespace
{

constexpr unsigned g_nsPlaces = 3; // a nanosecond has three decimal places of picoseconds
constexpr std::int64_t g_psPerNs = 1000;
constexpr std::size_t g_longestName = 200;
constexpr std::int64_t g_mostElements = 1LL << 40U;
constexpr unsigned g_mostExponent = 255;

[[noreturn]] void
Refuse(std::string_view text, const std::string& why)
{
    constexpr std::size_t shown = 60;
    throw UnitError("'" + std::string(text.substr(0, shown)) + "': " + why);
}

double
ParseShare(std::string_view text)
{
    double share = 0;
    const auto* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, share);
    if (error != std::errc{} || rest != end || !(share >= 0 && share <= 1))
    {
        Refuse(text, "a share is a number from 0 to 1");
    }
    return share + 0.0; // -0 becomes 0
}

std::string
FormatShare(double share)
{
    constexpr std::size_t longestDouble = 32;
    std::string text(longestDouble, '\0');
    const auto end = std::to_chars(text.data(), text.data() + text.size(), share).ptr;
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

std::string
FormatOptionalShare(const std::optional<double>& share)
{
    return share ? FormatShare(*share) : "";
}

/** Nanoseconds with as many places as the picoseconds need. */
std::string
FormatNs(std::int64_t ps)
{
    auto text = std::to_string(ps / g_psPerNs);
    if (const auto rest = ps % g_psPerNs; rest != 0)
    {
        const auto digits = std::to_string(g_psPerNs + rest); // "1ddd"
        text += "." + digits.substr(1, digits.find_last_not_of('0'));
    }
    return text;
}

std::int64_t
ParseNs(const std::string& text)
{
    const auto point = text.find('.');
    const bool isNumber = text.find_first_not_of("0123456789.") == std::string::npos;
    if (!text.empty() && text.front() == '-')
    {
        Refuse(text, "is negative; a time is 0 or more");
    }
    if (isNumber && point != std::string::npos && text.size() - point - 1 > g_nsPlaces)
    {
        Refuse(text, "a time has at most 3 digits after the point, which are picoseconds");
    }
    return ParseScaled(text, g_nsPlaces);
}

std::string
ParseName(const std::string& text)
{
    if (text.size() > g_longestName)
    {
        Refuse(text, "a layer's name has at most " + std::to_string(g_longestName) + " characters");
    }
    return text;
}

std::uint64_t
ParseElements(const std::string& text)
{
    if (!text.empty() && text.front() == '-')
    {
        Refuse(text, "is negative; elements are a whole number from 1");
    }
    const auto elements = ParseScaled(text, 0);
    if (elements < 1 || elements > g_mostElements)
    {
        Refuse(text, "elements are a whole number from 1 to " + std::to_string(g_mostElements));
    }
    return static_cast<std::uint64_t>(elements);
}

/** "64 36864": the elements of one tensor after the other. */
std::vector<std::uint64_t>
ParseTensors(const std::string& text)
{
    std::vector<std::uint64_t> tensors;
    for (std::size_t at = 0; at <= text.size();)
    {
        const auto end = std::min(text.find(' ', at), text.size());
        const auto count = text.substr(at, end - at);
        if (count.empty())
        {
            Refuse(text, "tensors are their elements, one blank between two, as in '36864 64'");
        }
        tensors.push_back(ParseElements(count));
        at = end + 1;
    }
    return tensors;
}

std::string
FormatTensors(const std::vector<std::uint64_t>& tensors)
{
    std::string text;
    for (const auto elements : tensors)
    {
        text += (text.empty() ? "" : " ") + std::to_string(elements);
    }
    return text;
}

std::pair<unsigned, double>
ParseHistogramEntry(std::string_view entry)
{
    const auto colon = entry.find(':');
    unsigned exponent = 0;
    const auto* end = entry.data() + std::min(colon, entry.size());
    const auto [rest, error] = std::from_chars(entry.data(), end, exponent);
    if (colon == std::string_view::npos || error != std::errc{} || rest != end ||
        exponent > g_mostExponent)
    {
        Refuse(
            entry,
            "an entry is a biased exponent from 0 to 255, a colon and its share, as in '117:0.25'");
    }
    return {exponent, ParseShare(entry.substr(colon + 1))};
}

std::vector<std::pair<unsigned, double>>
ParseHistogram(std::string_view text)
{
    std::vector<std::pair<unsigned, double>> histogram;
    double sum = 0;
    for (std::size_t at = 0; at <= text.size();)
    {
        const auto end = std::min(text.find(';', at), text.size());
        const auto entry = ParseHistogramEntry(text.substr(at, end - at));
        if (!histogram.empty() && histogram.back().first >= entry.first)
        {
            Refuse(text.substr(at, end - at), "exponents stand in ascending order, each once");
        }
        sum += entry.second;
        histogram.push_back(entry);
        at = end + 1;
    }
    if (sum < 1 - g_shareTolerance || sum > 1 + g_shareTolerance)
    {
        Refuse(text, "the shares add up to " + FormatShare(sum) + ", not to 1");
    }
    return histogram;
}

std::string
FormatHistogram(const std::vector<std::pair<unsigned, double>>& histogram)
{
    std::string text;
    for (const auto& [exponent, share] : histogram)
    {
        text += (text.empty() ? "" : ";") + std::to_string(exponent) + ":" + FormatShare(share);
    }
    return text;
}

TraceColumn
TimeColumn(const char* name, std::int64_t LayerRecord::*time)
{
    return {name,
            true,
            [time](const auto& text, auto& layer) { layer.*time = ParseNs(text); },
            [time](const auto& layer) { return FormatNs(layer.*time); }};
}

TraceColumn
ShareColumn(const char* name, std::optional<double> LayerStatistics::*share)
{
    return {name,
            false,
            [share](const auto& text, auto& layer) { layer.statistics.*share = ParseShare(text); },
            [share](const auto& layer) { return FormatOptionalShare(layer.statistics.*share); }};
}

TraceColumn
AggregatorUpdateColumn()
{
    return {"aggregator_update_ns",
            false,
            [](const auto& text, auto& layer) { layer.aggregatorUpdatePs = ParseNs(text); },
            [](const auto& layer) {
                return layer.aggregatorUpdatePs ? FormatNs(*layer.aggregatorUpdatePs) : "";
            }};
}

TraceColumn
ExponentsColumn()
{
    return {
        "exponents",
        false,
        [](const auto& text, auto& layer) { layer.statistics.exponents = ParseHistogram(text); },
        [](const auto& layer) { return FormatHistogram(layer.statistics.exponents); }};
}

std::string
WidthColumnName(unsigned bound, std::size_t widthIndex)
{
    return "b" + std::to_string(bound) + "_w" + std::to_string(g_publishedWidths[widthIndex]);
}

} // namespace

const std::vector<TraceColumn>&
TraceColumns()
{
    static const std::vector<TraceColumn> columns{
        {"layer",
         true,
         [](const auto& text, auto& layer) { layer.name = ParseName(text); },
         [](const auto& layer) { return layer.name; }},
        {"elements",
         true,
         [](const auto& text, auto& layer) { layer.elements = ParseElements(text); },
         [](const auto& layer) { return std::to_string(layer.elements); }},
        {"tensors",
         false,
         [](const auto& text, auto& layer) { layer.tensors = ParseTensors(text); },
         [](const auto& layer) { return FormatTensors(layer.tensors); }},
        TimeColumn("forward_ns", &LayerRecord::forwardPs),
        TimeColumn("backward_ns", &LayerRecord::backwardPs),
        TimeColumn("update_ns", &LayerRecord::updatePs),
        AggregatorUpdateColumn(),
        ShareColumn("density", &LayerStatistics::density),
        ShareColumn("union_density", &LayerStatistics::unionDensity),
        ShareColumn("block_density", &LayerStatistics::blockDensity),
        ShareColumn("union_block_density", &LayerStatistics::unionBlockDensity),
        ExponentsColumn(),
    };
    return columns;
}

TraceColumn
WidthColumn(unsigned bound, std::size_t widthIndex)
{
    return {WidthColumnName(bound, widthIndex),
            false,
            [=](const auto& text, auto& layer) {
                // What stays NaN was not given; the reader refuses such a row.
                constexpr double missing = std::numeric_limits<double>::quiet_NaN();
                auto& widths = layer.statistics.widths;
                const auto shares = widths.try_emplace(
                    bound, std::array<double, 4>{missing, missing, missing, missing});
                shares.first->second[widthIndex] = ParseShare(text);
            },
            [=](const auto& layer) {
                const auto shares = layer.statistics.widths.find(bound);
                return shares == layer.statistics.widths.end()
                           ? ""
                           : FormatShare(shares->second[widthIndex]);
            }};
}

std::optional<TraceColumn>
FindTraceColumn(const std::string& name)
{
    for (const auto& column : TraceColumns())
    {
        if (column.name == name)
        {
            return column;
        }
    }
    for (unsigned bound = g_leastBound; bound <= g_mostBound; ++bound)
    {
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            if (WidthColumnName(bound, i) == name)
            {
                return WidthColumn(bound, i);
            }
        }
    }
    return std::nullopt;
}

std::string
UnknownTraceColumn(const std::string& name)
{
    std::vector<std::string> fixed;
    for (const auto& column : TraceColumns())
    {
        fixed.push_back(column.name);
    }
    auto all = fixed;
    for (unsigned bound = g_leastBound; bound <= g_mostBound; ++bound)
    {
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            all.push_back(WidthColumnName(bound, i));
        }
    }
    const bool isNear = !Nearest(name, all).empty();
    return isNear ? UnknownName(name, all)
                  : UnknownName(name, fixed) + ", and b1_w2 to b15_w34 (widths 2, 10, 18, 34)";
}

} // namespace inca
