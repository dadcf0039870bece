/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/switchml-csv.h"

#include "base/printable.h"
#include "import/field-text.h"
#include "trace/csv-fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace inca
{

namespace
{

constexpr std::size_t MOST_BYTES = 64U << 20U;
constexpr std::size_t MOST_LINE_BYTES = 4096;

const std::vector<std::string> g_columns{
    "layer_index", "numel", "forward_pass_ns", "backward_pass_ns"};

/** Where a file has each of g_columns. */
using ColumnPlaces = std::array<std::size_t, 4>;

/** @return the fields of the line that @p text begins with, which is taken away */
std::vector<std::string>
TakeLine(InputPlace& place, std::string_view& text)
{
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++place.line;
    if (line.size() > MOST_LINE_BYTES)
    {
        throw InputError(place, "a line of more than 4096 bytes");
    }
    auto trimmed = Trimmed(line);
    while (!trimmed.empty() && trimmed.back() == '\r')
    {
        trimmed.remove_suffix(1);
    }
    if (trimmed.empty())
    {
        return {};
    }
    return SplitCsv(trimmed).value_or(std::vector<std::string>());
}

bool
IsAmong(const std::string& name, const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

ColumnPlaces
PlacesOf(const InputPlace& place, const std::vector<std::string>& header, ImportReport& report)
{
    ColumnPlaces places{};
    for (std::size_t i = 0; i < g_columns.size(); ++i)
    {
        const auto found = std::find(header.begin(), header.end(), g_columns[i]);
        if (found == header.end())
        {
            throw InputError(place,
                             fmt::format("the header must be {}; '{}' is missing",
                                         fmt::join(g_columns, ","),
                                         g_columns[i]));
        }
        places[i] = static_cast<std::size_t>(found - header.begin());
    }
    for (const auto& name : header)
    {
        if (!IsAmong(name, g_columns))
        {
            report.Unknown(place.Prefix(), "column of SwitchML's models", name, g_columns);
            report.LeaveOut("column " + Printable(name.substr(0, 40)), "unknown");
        }
        else if (std::count(header.begin(), header.end(), name) > 1)
        {
            throw InputError(place, "the column '" + name + "' is there twice");
        }
    }
    return places;
}

} // namespace

bool
IsSwitchMlCsv(std::string_view text)
{
    InputPlace place;
    auto begin = text.substr(0, std::min(text.find('\n'), MOST_LINE_BYTES));
    const auto header = TakeLine(place, begin);
    return IsAmong("numel", header) &&
           (IsAmong("forward_pass_ns", header) || IsAmong("backward_pass_ns", header));
}

RecordedTraining
ReadSwitchMlCsv(ByteSource& source, ImportReport& report)
{
    const auto whole = source.ReadAll(MOST_BYTES);
    std::string_view text = whole;
    InputPlace place{source.Name(), 0, 0, ""};
    const auto header = TakeLine(place, text);
    const auto places = PlacesOf(place, header, report);
    RecordedTraining training;
    training.gradientType = "fp32";
    std::uint64_t bytes = 0;
    while (!text.empty())
    {
        const auto row = TakeLine(place, text);
        if (row.empty())
        {
            continue;
        }
        if (row.size() != header.size())
        {
            throw InputError(
                place,
                fmt::format("has {} fields, the header row has {}", row.size(), header.size()));
        }
        std::array<std::string, 4> fields;
        std::transform(places.begin(), places.end(), fields.begin(), [&row](std::size_t column) {
            return row[column];
        });
        const auto placeOf = [&place](std::size_t column) {
            return InputPlace{place.file, place.line, 0, g_columns[column]};
        };
        if (ParseCount(placeOf(0), fields[0]) != training.layers.size())
        {
            report.Doubt(placeOf(0).Prefix() +
                         fmt::format("layers are numbered from 0 on, this is line {}, not {}",
                                     training.layers.size(),
                                     fields[0]));
        }
        RecordedLayer layer;
        layer.name = "layer-" + fields[0];
        layer.tensors = {ParseCount(placeOf(1), fields[1])};
        layer.forwardPs = ParseTime(placeOf(2), fields[2], "ns");
        layer.backwardPs = ParseTime(placeOf(3), fields[3], "ns");
        bytes += layer.Elements() * 4;
        training.layers.push_back(std::move(layer));
    }
    report.Read("layer line", training.layers.size());
    report.Assume("values are fp32, as SwitchML's benchmark sends them");
    report.Assume("updates take no time: the format has none");
    training.buckets = ExchangesOf(training.layers);
    report.SetBytes(bytes, 0);
    return training;
}

} // namespace inca
