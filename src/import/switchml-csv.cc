/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/switchml-csv.h"

#include "import/field-text.h"
#include "trace/csv-fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::size_t MOST_BYTES = 64U << 20U;
constexpr std::size_t MOST_LINE_BYTES = 4096;

const std::vector<std::string> g_columns{
    "layer_index", "numel", "forward_pass_ns", "backward_pass_ns"};

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

} // namespace

bool
IsSwitchMlCsv(std::string_view text)
{
    InputPlace place;
    auto begin = text.substr(0, std::min(text.find('\n'), MOST_LINE_BYTES));
    return TakeLine(place, begin) == g_columns;
}

RecordedTraining
ReadSwitchMlCsv(ByteSource& source, ImportReport& report)
{
    const auto whole = source.ReadAll(MOST_BYTES);
    std::string_view text = whole;
    InputPlace place{source.Name(), 0, 0, ""};
    if (TakeLine(place, text) != g_columns)
    {
        throw InputError(place,
                         "the header must be " + fmt::format("{}", fmt::join(g_columns, ",")));
    }
    RecordedTraining training;
    training.gradientType = "fp32";
    std::uint64_t bytes = 0;
    while (!text.empty())
    {
        const auto fields = TakeLine(place, text);
        if (fields.empty())
        {
            continue;
        }
        if (fields.size() != g_columns.size())
        {
            throw InputError(place,
                             fmt::format("has {} fields, the header row has 4", fields.size()));
        }
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
