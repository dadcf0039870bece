/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/trace-tables.h"

#include "base/units.h"
#include "report/text-table.h"
#include "trace/native-trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

std::string
Percent(double share)
{
    return fmt::format("{:.3g} %", 100 * share);
}

std::string
OptionalPercent(const std::optional<double>& share)
{
    return share ? Percent(*share) : "-";
}

std::string
MetadataText(const GradientTrace& trace)
{
    TextTable table({"name", trace.name}, 2);
    const auto add = [&table](const std::string& key, const std::string& value) {
        table.AddRow({key, value.empty() ? "-" : value});
    };
    for (const auto& key : TraceKeys())
    {
        add(key.name, key.write(trace));
    }
    for (const auto& [key, value] : trace.notes)
    {
        add(key, value);
    }
    return table.Text();
}

LayerRecord
TotalOf(const std::vector<LayerRecord>& layers)
{
    LayerRecord total;
    total.name = "total";
    for (const auto& layer : layers)
    {
        total.elements += layer.elements;
        const auto tensors = TensorsOf(layer);
        total.tensors.insert(total.tensors.end(), tensors.begin(), tensors.end());
        total.forwardPs += layer.forwardPs;
        total.backwardPs += layer.backwardPs;
        total.updatePs += layer.updatePs;
        // a layer that has none of its own is updated there as on a worker
        total.aggregatorUpdatePs = total.aggregatorUpdatePs.value_or(0) +
                                   layer.aggregatorUpdatePs.value_or(layer.updatePs);
    }
    return total;
}

/** The layers, and all of them together; columns of tensors and of an aggregator only where some layer has them. */
std::string
LayersText(const GradientTrace& trace)
{
    const auto some = [&trace](auto has) {
        return std::any_of(trace.layers.begin(), trace.layers.end(), has);
    };
    const bool hasTensors = some([](const auto& layer) { return !layer.tensors.empty(); });
    const bool hasAggregator =
        some([](const auto& layer) { return layer.aggregatorUpdatePs.has_value(); });
    const auto chosen = [=](std::vector<std::string> cells) { // of all columns
        cells.erase(cells.begin() + 7, cells.begin() + (hasAggregator ? 7 : 8));
        cells.erase(cells.begin() + 1, cells.begin() + (hasTensors ? 1 : 2));
        return cells;
    };
    TextTable table(chosen({"layer",
                            "tensors",
                            "elements",
                            "size",
                            "forward",
                            "backward",
                            "update",
                            "aggregator update"}),
                    1);
    const auto add = [&](const LayerRecord& layer) {
        table.AddRow(
            chosen({layer.name,
                    std::to_string(TensorsOf(layer).size()),
                    std::to_string(layer.elements),
                    HumanBytes(layer.elements * trace.BytesPerElement()),
                    HumanPicoseconds(layer.forwardPs),
                    HumanPicoseconds(layer.backwardPs),
                    HumanPicoseconds(layer.updatePs),
                    layer.aggregatorUpdatePs ? HumanPicoseconds(*layer.aggregatorUpdatePs) : "-"}));
    };
    std::for_each(trace.layers.begin(), trace.layers.end(), add);
    add(TotalOf(trace.layers));
    return "\n" + table.Text();
}

/** How many bits INCEPTIONN's codec needs at a bound: shares of values, by elements, over the layers that say so. */
std::vector<std::string>
WidthCells(const GradientTrace& trace, unsigned bound)
{
    constexpr double plainBits = 32;
    std::array<double, g_publishedWidths.size()> sums{};
    double elements = 0;
    std::size_t layers = 0;
    for (const auto& layer : trace.layers)
    {
        const auto found = layer.statistics.widths.find(bound);
        if (found != layer.statistics.widths.end())
        {
            for (std::size_t i = 0; i < sums.size(); ++i)
            {
                sums.at(i) += found->second[i] * static_cast<double>(layer.elements);
            }
            elements += static_cast<double>(layer.elements);
            ++layers;
        }
    }
    const auto all = trace.layers.size();
    std::vector<std::string> cells{fmt::format("2^-{}", bound),
                                   layers == all ? "all layers"
                                                 : fmt::format("{} of {} layers", layers, all)};
    double meanBits = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
        cells.push_back(Percent(sums.at(i) / elements));
        meanBits += g_publishedWidths[i] * sums.at(i) / elements;
    }
    cells.push_back(fmt::format("{:.3f} b", meanBits));
    cells.push_back(fmt::format("{:.3f}", plainBits / meanBits));
    return cells;
}

std::string
WidthsText(const GradientTrace& trace)
{
    std::set<unsigned> bounds;
    for (const auto& layer : trace.layers)
    {
        for (const auto& entry : layer.statistics.widths)
        {
            bounds.insert(entry.first);
        }
    }
    TextTable table({"bound", "of", "2 b", "10 b", "18 b", "34 b", "mean width", "ratio"}, 2);
    for (const auto bound : bounds)
    {
        table.AddRow(WidthCells(trace, bound));
    }
    return bounds.empty()
               ? ""
               : "\nencoded widths by error bound, tag included (published)\n" + table.Text();
}

std::string
DensitiesText(const GradientTrace& trace)
{
    TextTable table({"layer", "density", "union"}, 1);
    bool isKnown = false;
    for (const auto& layer : trace.layers)
    {
        const auto& s = layer.statistics;
        isKnown = isKnown || s.density || s.unionDensity;
        table.AddRow({layer.name, OptionalPercent(s.density), OptionalPercent(s.unionDensity)});
    }
    const auto workers = trace.statsWorkers ? std::to_string(*trace.statsWorkers) : "several";
    return isKnown ? fmt::format("\nnon-zero values, of one worker and in union of {}\n", workers) +
                         table.Text()
                   : "";
}

} // namespace

std::string
TraceListText(const std::vector<GradientTrace>& traces)
{
    TextTable table({"name", "model", "device", "class", "layers", "parameters", "size"}, 4);
    for (const auto& trace : traces)
    {
        table.AddRow({trace.name,
                      trace.model.empty() ? "-" : trace.model,
                      trace.device.empty() ? "-" : trace.device,
                      trace.valueClass.empty() ? "-" : trace.valueClass,
                      std::to_string(trace.layers.size()),
                      std::to_string(trace.Elements()),
                      HumanBytes(trace.Bytes())});
    }
    return table.Text();
}

std::string
TraceText(const GradientTrace& trace)
{
    return MetadataText(trace) + LayersText(trace) + WidthsText(trace) + DensitiesText(trace);
}

} // namespace inca
