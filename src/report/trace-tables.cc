/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/trace-tables.h"

#include "base/units.h"
#include "report/text-table.h"
#include "trace/native-trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace inca
{

namespace
{

constexpr int g_exponentBias = 127;

/** A share per key, summed over layers with their elements as weights. */
struct WeightedShares
{
    std::map<unsigned, double> sums; ///< share * elements
    std::uint64_t elements{0};       ///< of the layers that have them
    std::size_t layers{0};
};

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
OfLayers(std::size_t some, std::size_t all)
{
    return some == all ? "all layers" : fmt::format("{} of {} layers", some, all);
}

std::string
MetadataText(const GradientTrace& trace)
{
    std::vector<std::pair<std::string, std::string>> lines{{"name", trace.name}};
    for (const auto& key : TraceKeys())
    {
        lines.emplace_back(key.name, key.write(trace));
    }
    lines.insert(lines.end(), trace.notes.begin(), trace.notes.end());
    std::size_t width = 0;
    for (const auto& line : lines)
    {
        width = std::max(width, line.first.size());
    }
    std::string text;
    for (const auto& [key, value] : lines)
    {
        text += fmt::format("{:<{}}  {}\n", key, width, value.empty() ? "-" : value);
    }
    return text;
}

/** Columns that a trace may have. */
struct MoreCells
{
    bool tensors;
    bool aggregatorUpdate;
};

MoreCells
MoreCellsOf(const GradientTrace& trace)
{
    const auto& layers = trace.layers;
    return {std::any_of(layers.begin(),
                        layers.end(),
                        [](const auto& layer) { return !layer.tensors.empty(); }),
            std::any_of(layers.begin(), layers.end(), [](const auto& layer) {
                return layer.aggregatorUpdatePs.has_value();
            })};
}

/** The cells of one layer, or of all of them together. */
std::vector<std::string>
LayerCells(const LayerRecord& layer, std::uint64_t bytesPerElement, const MoreCells& more)
{
    std::vector<std::string> cells{layer.name,
                                   std::to_string(layer.elements),
                                   HumanBytes(layer.elements * bytesPerElement),
                                   HumanPicoseconds(layer.forwardPs),
                                   HumanPicoseconds(layer.backwardPs),
                                   HumanPicoseconds(layer.updatePs)};
    if (more.tensors)
    {
        cells.insert(cells.begin() + 1, std::to_string(TensorsOf(layer).size()));
    }
    if (more.aggregatorUpdate)
    {
        cells.push_back(layer.aggregatorUpdatePs ? HumanPicoseconds(*layer.aggregatorUpdatePs)
                                                 : "-");
    }
    return cells;
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

std::string
LayersText(const GradientTrace& trace)
{
    const auto more = MoreCellsOf(trace);
    std::vector<std::string> titles{"layer", "elements", "size", "forward", "backward", "update"};
    if (more.tensors)
    {
        titles.insert(titles.begin() + 1, "tensors");
    }
    if (more.aggregatorUpdate)
    {
        titles.emplace_back("aggregator update");
    }
    TextTable table(titles, 1);
    for (const auto& layer : trace.layers)
    {
        table.AddRow(LayerCells(layer, trace.BytesPerElement(), more));
    }
    table.AddRow(LayerCells(TotalOf(trace.layers), trace.BytesPerElement(), more));
    return "\n" + table.Text();
}

WeightedShares
WidthsAt(const GradientTrace& trace, unsigned bound)
{
    WeightedShares widths;
    for (const auto& layer : trace.layers)
    {
        const auto found = layer.statistics.widths.find(bound);
        if (found == layer.statistics.widths.end())
        {
            continue;
        }
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            widths.sums[g_publishedWidths[i]] +=
                found->second[i] * static_cast<double>(layer.elements);
        }
        widths.elements += layer.elements;
        ++widths.layers;
    }
    return widths;
}

std::vector<std::string>
WidthCells(unsigned bound, const WeightedShares& widths, std::size_t layers)
{
    constexpr double plainBits = 32;
    double meanBits = 0;
    std::vector<std::string> cells{fmt::format("2^-{}", bound), OfLayers(widths.layers, layers)};
    for (const auto& [bits, sum] : widths.sums)
    {
        const double share = sum / static_cast<double>(widths.elements);
        cells.push_back(Percent(share));
        meanBits += bits * share;
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
    if (bounds.empty())
    {
        return "";
    }
    TextTable table({"bound", "of", "2 b", "10 b", "18 b", "34 b", "mean width", "ratio"}, 2);
    for (const auto bound : bounds)
    {
        table.AddRow(WidthCells(bound, WidthsAt(trace, bound), trace.layers.size()));
    }
    return "\nencoded widths by error bound, tag included (published)\n" + table.Text();
}

std::string
DensitiesText(const GradientTrace& trace)
{
    TextTable table({"layer", "density", "union", "blocks", "union of blocks"}, 1);
    bool isKnown = false;
    for (const auto& layer : trace.layers)
    {
        const auto& s = layer.statistics;
        isKnown = isKnown || s.density || s.unionDensity || s.blockDensity || s.unionBlockDensity;
        table.AddRow({layer.name,
                      OptionalPercent(s.density),
                      OptionalPercent(s.unionDensity),
                      OptionalPercent(s.blockDensity),
                      OptionalPercent(s.unionBlockDensity)});
    }
    const auto workers = trace.statsWorkers ? std::to_string(*trace.statsWorkers) : "several";
    return isKnown ? fmt::format(
                         "\nnon-zero values, of one worker and in union of {} (blocks of 256)\n",
                         workers) +
                         table.Text()
                   : "";
}

std::string
ExponentsText(const GradientTrace& trace)
{
    WeightedShares exponents;
    for (const auto& layer : trace.layers)
    {
        const auto elements = static_cast<double>(layer.elements);
        for (const auto& [exponent, share] : layer.statistics.exponents)
        {
            exponents.sums[exponent] += share * elements;
        }
        const bool isKnown = !layer.statistics.exponents.empty();
        exponents.elements += isKnown ? layer.elements : 0;
        exponents.layers += isKnown ? 1 : 0;
    }
    if (exponents.layers == 0)
    {
        return "";
    }
    TextTable table({"exponent", "magnitude from", "values"}, 0);
    for (const auto& [exponent, sum] : exponents.sums)
    {
        const auto power = static_cast<int>(exponent) - g_exponentBias;
        table.AddRow({std::to_string(exponent),
                      exponent == 0 ? "0" : fmt::format("2^{}", power),
                      Percent(sum / static_cast<double>(exponents.elements))});
    }
    return fmt::format("\nbiased fp32 exponents of {}\n",
                       OfLayers(exponents.layers, trace.layers.size())) +
           table.Text();
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
    return MetadataText(trace) + LayersText(trace) + WidthsText(trace) + DensitiesText(trace) +
           ExponentsText(trace);
}

} // namespace inca
