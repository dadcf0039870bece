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

constexpr std::size_t g_partValues = 1U << 18U; ///< of each worker, held at a time
constexpr unsigned g_mantissaBits = 23;
constexpr unsigned g_exponentMask = 0xFF;

/** With six significant digits. */
double
Share(std::uint64_t some, std::uint64_t all)
{
    constexpr int DIGITS = 6;
    double share = all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
    std::array<char, 32> text{};
    auto* const end = text.data() + text.size();
    std::to_chars(text.data(), end, share, std::chars_format::general, DIGITS);
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
        isSet[i] = value != 0 ? 1 : 0;
    }
}

std::uint64_t
CountOnes(const std::vector<char>& flags)
{
    return static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), 1));
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
            counts.nonZero += CountOnes(isSet);
            std::transform(
                isSet.begin(), isSet.end(), anySet.begin(), anySet.begin(), std::bit_or<>());
        }
        counts.unionNonZero += CountOnes(anySet);
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
    for (std::size_t i = 0; i < exponents.size(); ++i)
    {
        exponents[i] += other.exponents[i];
    }
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
    if (counts.workers > 1)
    {
        statistics.unionDensity = Share(counts.unionNonZero, counts.elements);
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
LayersOfFile(const std::string& path)
{
    const SafetensorsFile file(path);
    GradientTrace trace;
    for (const auto& tensor : file.Tensors())
    {
        if (tensor.elements == 0)
        {
            throw InputError({path, 0, 0, tensor.name}, "has no values");
        }
        trace.layers.emplace_back();
        trace.layers.back().name = tensor.name;
        trace.layers.back().elements = tensor.elements;
    }
    if (trace.layers.empty())
    {
        throw InputError({path, 0, 0, ""}, "has no tensors");
    }
    return trace;
}

} // namespace inca
