/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-counts.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/word.h"
#include "trace/safetensors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace inca
{

namespace
{

constexpr std::size_t g_blockValues = 256;
constexpr std::size_t g_partValues = g_blockValues << 10U; ///< of each worker, held at a time
constexpr unsigned g_mantissaBits = 23;
constexpr unsigned g_exponentMask = 0xFF;

/** With six significant digits. */
double
Share(std::uint64_t some, std::uint64_t all)
{
    double share = all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), share, std::chars_format::general, 6)
            .ptr;
    std::from_chars(text.data(), end, share);
    return share;
}

/** Counts @p values, which are of one worker, and marks in @p isSet where they are not zero. */
void
CountPart(const std::vector<float>& values,
          const InputPlace& place,
          std::uint64_t firstElement,
          ValueCounts& counts,
          std::vector<char>& isSet)
{
    for (std::size_t i = 0; i < isSet.size(); ++i)
    {
        const auto value = values[i];
        const auto exponent = (BitsOf(value) >> g_mantissaBits) & g_exponentMask;
        if (exponent == g_exponentMask)
        {
            throw InputError(place,
                             "its value " + std::to_string(firstElement + i) + " is " +
                                 (std::isnan(value) ? "NaN" : "infinite") +
                                 "; statistics are of finite gradients");
        }
        ++counts.exponents[exponent];
        counts.squares += static_cast<double>(value) * static_cast<double>(value);
        isSet[i] = value != 0 ? 1 : 0;
    }
}

/** Counts the values that are set, and the blocks that have some. */
void
CountSet(const std::vector<char>& isSet, std::uint64_t& values, std::uint64_t& blocks)
{
    for (std::size_t at = 0; at < isSet.size(); at += g_blockValues)
    {
        const auto begin = isSet.begin() + static_cast<std::ptrdiff_t>(at);
        const auto length = std::min(g_blockValues, isSet.size() - at);
        const auto set = std::count(begin, begin + static_cast<std::ptrdiff_t>(length), 1);
        values += static_cast<std::uint64_t>(set);
        blocks += set > 0 ? 1 : 0;
    }
}

ValueCounts
CountLayer(const ValueSource& values,
           const LayerRecord& layer,
           std::uint64_t firstElement,
           const std::vector<std::string>& paths)
{
    ValueCounts counts;
    counts.workers = static_cast<std::uint32_t>(paths.size());
    counts.elements = layer.elements;
    counts.blocks = (layer.elements + g_blockValues - 1) / g_blockValues;
    std::vector<float> part(std::min<std::uint64_t>(g_partValues, layer.elements));
    for (std::uint64_t begin = 0; begin < layer.elements; begin += part.size())
    {
        ThrowIfInterrupted();
        const auto count = std::min<std::uint64_t>(part.size(), layer.elements - begin);
        std::vector<char> isSet(count);
        std::vector<char> anySet(count);
        for (std::uint32_t worker = 0; worker < counts.workers; ++worker)
        {
            values.Fill(worker, firstElement + begin, count, part.data());
            CountPart(part, {paths[worker], 0, 0, layer.name}, begin, counts, isSet);
            CountSet(isSet, counts.nonZero, counts.nonZeroBlocks);
            std::transform(
                isSet.begin(), isSet.end(), anySet.begin(), anySet.begin(), std::bit_or<>());
        }
        CountSet(anySet, counts.unionNonZero, counts.unionNonZeroBlocks);
    }
    return counts;
}

} // namespace

void
ValueCounts::Add(const ValueCounts& other)
{
    workers = other.workers;
    elements += other.elements;
    nonZero += other.nonZero;
    unionNonZero += other.unionNonZero;
    blocks += other.blocks;
    nonZeroBlocks += other.nonZeroBlocks;
    unionNonZeroBlocks += other.unionNonZeroBlocks;
    squares += other.squares;
    for (std::size_t i = 0; i < exponents.size(); ++i)
    {
        exponents[i] += other.exponents[i];
    }
}

double
ValueCounts::Rms() const
{
    const auto count = static_cast<double>(elements) * workers;
    return count == 0 ? 0 : std::sqrt(squares / count);
}

double
ValueCounts::ShareOfValues(std::uint64_t count) const
{
    return Share(count, elements * workers);
}

std::vector<ValueCounts>
CountValues(const ValueSource& values,
            const GradientTrace& trace,
            const std::vector<std::string>& paths)
{
    std::vector<ValueCounts> counts;
    std::uint64_t begin = 0;
    for (const auto& layer : trace.layers)
    {
        counts.push_back(CountLayer(values, layer, begin, paths));
        begin += layer.elements;
    }
    return counts;
}

LayerStatistics
StatisticsOf(const ValueCounts& counts)
{
    LayerStatistics statistics;
    statistics.density = counts.ShareOfValues(counts.nonZero);
    statistics.blockDensity = Share(counts.nonZeroBlocks, counts.blocks * counts.workers);
    if (counts.workers > 1)
    {
        statistics.unionDensity = Share(counts.unionNonZero, counts.elements);
        statistics.unionBlockDensity = Share(counts.unionNonZeroBlocks, counts.blocks);
    }
    for (unsigned exponent = 0; exponent < counts.exponents.size(); ++exponent)
    {
        if (counts.exponents[exponent] > 0)
        {
            statistics.exponents.emplace_back(exponent,
                                              counts.ShareOfValues(counts.exponents[exponent]));
        }
    }
    return statistics;
}

GradientTrace
LayersOfFiles(const std::vector<std::string>& paths)
{
    GradientTrace trace;
    auto& layers = trace.layers;
    for (const auto& path : paths)
    {
        const SafetensorsFile file(path);
        const auto& tensors = file.Tensors();
        const bool isFirst = &path == &paths.front();
        for (std::size_t i = 0; i < tensors.size() && (isFirst || i < layers.size()); ++i)
        {
            const auto& tensor = tensors[i];
            const auto refuse = [&](const std::string& text) {
                throw InputError({path, 0, 0, tensor.name}, text);
            };
            if (tensor.elements == 0)
            {
                refuse("has no values");
            }
            if (isFirst)
            {
                layers.emplace_back();
                layers.back().name = tensor.name;
                layers.back().elements = tensor.elements;
            }
            if (tensor.name != layers[i].name)
            {
                refuse("stands where the first file has '" + layers[i].name + "', " +
                       paths.front());
            }
            if (tensor.elements != layers[i].elements)
            {
                refuse("has " + std::to_string(tensor.elements) +
                       " elements, the first file's has " + std::to_string(layers[i].elements) +
                       ", " + paths.front());
            }
        }
        if (layers.empty())
        {
            throw InputError({path, 0, 0, ""}, "has no tensors");
        }
        if (tensors.size() != layers.size())
        {
            throw InputError({path, 0, 0, ""},
                             "has " + std::to_string(tensors.size()) +
                                 " tensors, and the first file, " + paths.front() + ", has " +
                                 std::to_string(layers.size()));
        }
    }
    return trace;
}

} // namespace inca
