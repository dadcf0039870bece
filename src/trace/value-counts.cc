/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-counts.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/word.h"
#include "trace/safetensors.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace inca
{

namespace
{

constexpr std::size_t g_blockValues = 256;
constexpr std::size_t g_partValues = g_blockValues << 10U; ///< of each worker, held at a time
constexpr unsigned g_mantissaBits = 23;
constexpr unsigned g_exponentMask = 0xFF;

/** Six significant digits. */
double
Rounded(double share)
{
    constexpr int digits = 6;
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(
            text.data(), text.data() + text.size(), share, std::chars_format::general, digits)
            .ptr;
    std::from_chars(text.data(), end, share);
    return share;
}

double
Share(std::uint64_t some, std::uint64_t all)
{
    return all == 0 ? 0 : Rounded(static_cast<double>(some) / static_cast<double>(all));
}

unsigned
ExponentOf(float value)
{
    return (BitsOf(value) >> g_mantissaBits) & g_exponentMask;
}

/** Counts one layer, part by part. */
class LayerCounter
{
  public:
    LayerCounter(const LayerRecord& layer, const std::vector<std::string>& paths)
        : m_layer(layer),
          m_paths(paths)
    {
        m_counts.workers = static_cast<std::uint32_t>(paths.size());
        m_counts.elements = layer.elements;
    }

    /** @param begin of the part within the layer, a multiple of 256 */
    void BeginPart(std::uint64_t begin, std::size_t count)
    {
        m_begin = begin;
        m_union.assign(count, false);
        m_counts.blocks += (count + g_blockValues - 1) / g_blockValues;
    }

    void AddWorker(std::size_t worker, const std::vector<float>& values, std::size_t count)
    {
        for (std::size_t at = 0; at < count; at += g_blockValues)
        {
            const auto end = std::min(at + g_blockValues, count);
            bool isSet = false;
            for (auto i = at; i < end; ++i)
            {
                isSet = AddValue(worker, values[i], i) || isSet;
            }
            m_counts.nonZeroBlocks += isSet ? 1 : 0;
        }
    }

    void EndPart()
    {
        for (std::size_t at = 0; at < m_union.size(); at += g_blockValues)
        {
            const auto begin = m_union.begin() + static_cast<std::ptrdiff_t>(at);
            const auto length = std::min(g_blockValues, m_union.size() - at);
            const auto set = std::count(begin, begin + static_cast<std::ptrdiff_t>(length), true);
            m_counts.unionNonZero += static_cast<std::uint64_t>(set);
            m_counts.unionNonZeroBlocks += set > 0 ? 1 : 0;
        }
    }

    const ValueCounts& Counts() const
    {
        return m_counts;
    }

  private:
    /** @return whether the value is not zero */
    bool AddValue(std::size_t worker, float value, std::size_t at)
    {
        const auto exponent = ExponentOf(value);
        if (exponent == g_exponentMask)
        {
            throw InputError({m_paths[worker], 0, 0, m_layer.name},
                             "its value " + std::to_string(m_begin + at) + " is " +
                                 (std::isnan(value) ? "NaN" : "infinite") +
                                 "; statistics are of finite gradients");
        }
        ++m_counts.exponents[exponent];
        m_counts.squares += static_cast<double>(value) * static_cast<double>(value);
        const bool isSet = value != 0;
        m_counts.nonZero += isSet ? 1 : 0;
        m_union[at] = m_union[at] || isSet;
        return isSet;
    }

    const LayerRecord& m_layer;
    const std::vector<std::string>& m_paths;
    ValueCounts m_counts;
    std::vector<bool> m_union; ///< of the part
    std::uint64_t m_begin{0};  ///< of the part
};

ValueCounts
CountLayer(const ValueSource& values,
           const LayerRecord& layer,
           std::uint64_t firstElement,
           const std::vector<std::string>& paths)
{
    LayerCounter counter(layer, paths);
    std::vector<float> part(
        static_cast<std::size_t>(std::min<std::uint64_t>(g_partValues, layer.elements)));
    for (std::uint64_t begin = 0; begin < layer.elements; begin += part.size())
    {
        ThrowIfInterrupted();
        const auto count =
            static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), layer.elements - begin));
        counter.BeginPart(begin, count);
        for (std::size_t worker = 0; worker < paths.size(); ++worker)
        {
            values.Fill(
                static_cast<std::uint32_t>(worker), firstElement + begin, count, part.data());
            counter.AddWorker(worker, part, count);
        }
        counter.EndPart();
    }
    return counter.Counts();
}

/** @return what is wrong with a file's tensor beside that of the first file; empty: nothing */
std::string
Complaint(const TensorInfo& tensor, const LayerRecord& first)
{
    if (tensor.name != first.name)
    {
        return "stands where the first file has '" + first.name + "'";
    }
    return tensor.elements == first.elements
               ? ""
               : "has " + std::to_string(tensor.elements) + " elements, the first file's has " +
                     std::to_string(first.elements);
}

void
CheckTensor(const std::string& path, const TensorInfo& tensor)
{
    if (tensor.elements == 0)
    {
        throw InputError({path, 0, 0, tensor.name}, "has no values");
    }
}

/** @throws InputError unless the file has the tensors of the first, in the same order */
void
CompareFile(const std::string& path, const std::string& firstPath, const GradientTrace& first)
{
    const SafetensorsFile file(path);
    const auto& tensors = file.Tensors();
    for (std::size_t i = 0; i < tensors.size() && i < first.layers.size(); ++i)
    {
        CheckTensor(path, tensors[i]);
        if (const auto text = Complaint(tensors[i], first.layers[i]); !text.empty())
        {
            throw InputError({path, 0, 0, tensors[i].name}, text + ", " + firstPath);
        }
    }
    if (tensors.size() != first.layers.size())
    {
        throw InputError({path, 0, 0, ""},
                         "has " + std::to_string(tensors.size()) +
                             " tensors, and the first file, " + firstPath + ", has " +
                             std::to_string(first.layers.size()));
    }
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
    const SafetensorsFile first(paths.front());
    for (const auto& tensor : first.Tensors())
    {
        CheckTensor(paths.front(), tensor);
        trace.layers.emplace_back();
        trace.layers.back().name = tensor.name;
        trace.layers.back().elements = tensor.elements;
    }
    if (trace.layers.empty())
    {
        throw InputError({paths.front(), 0, 0, ""}, "has no tensors");
    }
    for (const auto& path : paths)
    {
        CompareFile(path, paths.front(), trace);
    }
    return trace;
}

} // namespace inca
