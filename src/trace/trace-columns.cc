/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/native-trace.h"

#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace inca
{

namespace
{

constexpr unsigned g_nsPlaces = 3; // a nanosecond has three decimal places of picoseconds
constexpr std::int64_t g_psPerNs = 1000;
constexpr std::size_t g_longestName = 200;
constexpr std::int64_t g_mostElements = 1LL << 40U;
constexpr unsigned g_mostExponent = 255;
constexpr std::int64_t g_mostBatch = 1'000'000'000;
constexpr std::int64_t g_mostStatsWorkers = 1'000'000;

constexpr unsigned g_mostBound = 15; ///< bounds are 2^-1 to 2^-15

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

/** A value as text that is read back as the same; a signed one is a time, in ns with as many places as it needs. @{ */
std::string
Format(const std::string& text)
{
    return text;
}

template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>, std::string>
Format(Number number)
{
    return NumberText(number);
}

std::string
Format(std::int64_t ps)
{
    auto text = std::to_string(ps / g_psPerNs);
    if (const auto rest = ps % g_psPerNs; rest != 0)
    {
        const auto digits = std::to_string(g_psPerNs + rest); // "1ddd"
        text += "." + digits.substr(1, digits.find_last_not_of('0'));
    }
    return text;
}

std::string
Format(const std::vector<std::uint64_t>& tensors)
{
    std::string text;
    for (const auto elements : tensors)
    {
        text += (text.empty() ? "" : " ") + std::to_string(elements);
    }
    return text;
}

std::string
Format(const std::vector<std::pair<unsigned, double>>& histogram)
{
    std::string text;
    for (const auto& [exponent, share] : histogram)
    {
        text += (text.empty() ? "" : ";") + std::to_string(exponent) + ":" + NumberText(share);
    }
    return text;
}

/** @} */

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

/** Calls @p use with each part of @p text between separators. */
template <typename Use>
void
ForEachPart(std::string_view text, char separator, Use use)
{
    for (std::size_t at = 0; at <= text.size();)
    {
        const auto end = std::min(text.find(separator, at), text.size());
        use(text.substr(at, end - at));
        at = end + 1;
    }
}

/** "64 36864": the elements of one tensor after the other. */
std::vector<std::uint64_t>
ParseTensors(const std::string& text)
{
    std::vector<std::uint64_t> tensors;
    ForEachPart(text, ' ', [&](std::string_view count) {
        if (count.empty())
        {
            Refuse(text, "tensors are their elements, one blank between two, as in '36864 64'");
        }
        tensors.push_back(ParseElements(std::string(count)));
    });
    return tensors;
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
    ForEachPart(text, ';', [&](std::string_view part) {
        const auto entry = ParseHistogramEntry(part);
        if (!histogram.empty() && histogram.back().first >= entry.first)
        {
            Refuse(part, "exponents stand in ascending order, each once");
        }
        sum += entry.second;
        histogram.push_back(entry);
    });
    if (sum < 1 - g_shareTolerance || sum > 1 + g_shareTolerance)
    {
        Refuse(text, "the shares add up to " + NumberText(sum) + ", not to 1");
    }
    return histogram;
}

std::string
ParseText(const std::string& text)
{
    return text;
}

/** Takes a whole number from @p least to @p most. */
template <typename Number>
auto
ParseNumber(std::int64_t least, std::int64_t most)
{
    return [=](const std::string& text) {
        const auto number = ParseScaled(text, 0);
        if (number < least || number > most)
        {
            Refuse(text, Text("a whole number from ", least, " to ", most));
        }
        return static_cast<Number>(number);
    };
}

/** Takes one of the words @p known. */
auto
ParseChoice(std::vector<std::string> known)
{
    return [known = std::move(known)](const std::string& text) {
        if (std::find(known.begin(), known.end(), text) == known.end())
        {
            throw UnitError(UnknownName(text, known));
        }
        return text;
    };
}

template <typename Value>
std::string
Format(const std::optional<Value>& value)
{
    return value ? Format(*value) : "";
}

enum Need
{
    OPTIONAL,
    REQUIRED,
};

/** A field of the @p member of @p Record. */
template <typename Record, typename Member, typename Parse>
TraceField<Record>
Field(const char* name, Need need, Member Record::*member, Parse parse)
{
    return {name,
            need == REQUIRED,
            0,
            [=](const auto& text, auto& record) { record.*member = parse(text); },
            [=](const auto& record) { return Format(record.*member); }};
}

/** A column of a @p member of a layer's statistics. */
template <typename Member, typename Parse>
TraceColumn
Statistic(const char* name, Member LayerStatistics::*member, Parse parse)
{
    return {name,
            false,
            0,
            [=](const auto& text, auto& layer) { layer.statistics.*member = parse(text); },
            [=](const auto& layer) { return Format(layer.statistics.*member); }};
}

TraceColumn
WidthColumn(unsigned bound, std::size_t widthIndex)
{
    return {WidthColumnName(bound, widthIndex),
            false,
            bound,
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
                           : NumberText(shares->second[widthIndex]);
            }};
}

std::vector<TraceColumn>
AllColumns()
{
    using Layer = LayerRecord;
    using Statistics = LayerStatistics;
    std::vector<TraceColumn> columns{
        Field("layer", REQUIRED, &Layer::name, ParseName),
        Field("elements", REQUIRED, &Layer::elements, ParseElements),
        Field("tensors", OPTIONAL, &Layer::tensors, ParseTensors),
        Field("forward_ns", REQUIRED, &Layer::forwardPs, ParseNs),
        Field("backward_ns", REQUIRED, &Layer::backwardPs, ParseNs),
        Field("update_ns", REQUIRED, &Layer::updatePs, ParseNs),
        Field("aggregator_update_ns", OPTIONAL, &Layer::aggregatorUpdatePs, ParseNs),
        Statistic("density", &Statistics::density, ParseShare),
        Statistic("union_density", &Statistics::unionDensity, ParseShare),
        Statistic("block_density", &Statistics::blockDensity, ParseShare),
        Statistic("union_block_density", &Statistics::unionBlockDensity, ParseShare),
        Statistic("exponents", &Statistics::exponents, ParseHistogram),
    };
    for (unsigned bound = 1; bound <= g_mostBound; ++bound)
    {
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            columns.push_back(WidthColumn(bound, i));
        }
    }
    return columns;
}

} // namespace

const std::vector<TraceColumn>&
TraceColumns()
{
    static const auto columns = AllColumns();
    return columns;
}

const std::vector<TraceKey>&
TraceKeys()
{
    using Trace = GradientTrace;
    static const std::vector<TraceKey> keys{
        Field("model", OPTIONAL, &Trace::model, ParseText),
        Field("source", OPTIONAL, &Trace::source, ParseText),
        Field("class",
              OPTIONAL,
              &Trace::valueClass,
              ParseChoice({"printed", "measured", "derived", "assumed"})),
        Field("device", OPTIONAL, &Trace::device, ParseText),
        Field("batch", OPTIONAL, &Trace::batch, ParseNumber<std::uint64_t>(1, g_mostBatch)),
        Field(
            "gradient_type", OPTIONAL, &Trace::gradientType, ParseChoice({"fp32", "fp16", "bf16"})),
        Field("stats_workers",
              OPTIONAL,
              &Trace::statsWorkers,
              ParseNumber<std::uint32_t>(2, g_mostStatsWorkers)),
    };
    return keys;
}

std::string
UnknownTraceColumn(const std::string& name)
{
    std::vector<std::string> all;
    std::vector<std::string> fixed;
    for (const auto& column : TraceColumns())
    {
        all.push_back(column.name);
        if (column.bound == 0)
        {
            fixed.push_back(column.name);
        }
    }
    const bool isNear = !Nearest(name, all).empty();
    return isNear ? UnknownName(name, all)
                  : UnknownName(name, fixed) + ", and b1_w2 to b15_w34 (widths 2, 10, 18, 34)";
}

} // namespace inca
