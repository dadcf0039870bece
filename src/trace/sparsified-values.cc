/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-source.h"

#include "base/errors.h"
#include "base/vector-clones.h"
#include "base/word.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint32_t g_leastMagnitude = 1; // of a value that is not zero
constexpr std::uint32_t g_magnitudeBits = 0x7fffffff;
constexpr std::uint32_t g_firstNan = 0x7f800001;

/** What orders magnitudes: a float's bits without its sign. 0 for zeros, the same for all NaNs. */
std::uint32_t
MagnitudeOf(float value)
{
    return std::min(BitsOf(value) & g_magnitudeBits, g_firstNan);
}

/** Keeps values whose magnitude is at least @p least; the others become 0. */
INCA_VECTOR_CLONES void
KeepAtLeast(std::uint32_t least, std::uint64_t count, float* values)
{
    for (std::uint64_t i = 0; i < count; ++i)
    {
        const auto bits = BitsOf(values[i]);
        const auto magnitude = std::min(bits & g_magnitudeBits, g_firstNan);
        values[i] = FloatOf(magnitude >= least ? bits : 0);
    }
}

/** Which values of one layer one worker keeps. */
struct Cut
{
    std::uint32_t magnitude{0}; ///< larger ones are kept
    std::uint64_t equalEnd{0};  ///< equal ones are kept before this index; 0 = not yet found

    /** @param first the index of the first of @p values */
    void Apply(std::uint64_t first, std::uint64_t count, float* values) const
    {
        const auto withEqual = std::min(count, equalEnd - std::min(equalEnd, first));
        KeepAtLeast(magnitude, withEqual, values);
        KeepAtLeast(magnitude + 1, count - withEqual, values + withEqual);
    }
};

/** One layer's values on one worker. */
struct LayerValues
{
    const ValueSource& values;
    std::uint32_t worker;
    std::uint64_t begin; ///< in the model
    std::uint64_t count;

    /** Calls @p take with the index of each value, and its magnitude. */
    template <typename Take>
    void ForEachMagnitude(Take take) const
    {
        constexpr std::uint64_t pieceValues = 1U << 12U;
        std::array<float, pieceValues> piece;
        for (std::uint64_t first = 0; first < count; first += pieceValues)
        {
            const auto length = std::min(count - first, pieceValues);
            values.Fill(worker, begin + first, length, piece.data());
            for (std::uint64_t i = 0; i < length; ++i)
            {
                take(first + i, MagnitudeOf(piece[i]));
            }
        }
    }
};

/** ceil(density * count), at least 1; a product that only rounding puts above an integer is one. */
std::uint64_t
Rank(double density, std::uint64_t count)
{
    constexpr double rounding = 0x1p-51; // of the density's digits and of the product, with room
    const double product = density * static_cast<double>(count) * (1 - rounding);
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(product)), 1, count);
}

/** @return the largest index with @p rank counts from there on; leaves the rank among those at the index */
std::uint32_t
TakeRank(const std::vector<std::uint64_t>& counts, std::uint64_t& rank)
{
    auto at = counts.size() - 1;
    for (; counts[at] < rank; --at)
    {
        rank -= counts[at];
    }
    return static_cast<std::uint32_t>(at);
}

/** Radix selection: the upper bits of the magnitude of rank k first, then the lower ones of those that share them. */
Cut
FindTopK(const LayerValues& layer, double density)
{
    constexpr unsigned lowerBits = 17;
    constexpr std::uint32_t lowerMask = (1U << lowerBits) - 1;
    auto rank = Rank(density, layer.count);
    std::vector<std::uint64_t> counts((g_firstNan >> lowerBits) + 1);
    layer.ForEachMagnitude(
        [&](std::uint64_t, std::uint32_t magnitude) { ++counts[magnitude >> lowerBits]; });
    const auto upper = TakeRank(counts, rank);
    counts.assign(lowerMask + 1, 0);
    layer.ForEachMagnitude([&](std::uint64_t, std::uint32_t magnitude) {
        if (magnitude >> lowerBits == upper) // of few
        {
            ++counts[magnitude & lowerMask];
        }
    });
    const auto lower = TakeRank(counts, rank);
    const auto last = upper << lowerBits | lower;
    if (last == 0 || counts[lower] == rank)
    {
        return {std::max(last, g_leastMagnitude), layer.count};
    }
    std::uint64_t end = 0; // behind the last value of that magnitude which is kept
    layer.ForEachMagnitude([&](std::uint64_t index, std::uint32_t magnitude) {
        const bool isKept = rank > 0 && magnitude == last;
        rank -= isKept ? 1U : 0U;
        end = isKept ? index + 1 : end;
    });
    return {last, end};
}

Cut
FindThreshold(const LayerValues& layer, double density)
{
    constexpr std::uint64_t leastSample = 1024;
    constexpr std::uint64_t valuesPerSampled = 100;
    const auto sample =
        std::min(layer.count, std::max(leastSample, layer.count / valuesPerSampled));
    const auto stride = layer.count / sample;
    std::vector<std::uint32_t> magnitudes;
    for (std::uint64_t i = 0; i < sample; ++i)
    {
        float value = 0;
        layer.values.Fill(layer.worker, layer.begin + i * stride, 1, &value);
        magnitudes.push_back(MagnitudeOf(value));
    }
    const auto last = magnitudes.begin() + static_cast<std::ptrdiff_t>(Rank(density, sample)) - 1;
    std::nth_element(magnitudes.begin(), last, magnitudes.end(), std::greater<>());
    return {std::max(*last, g_leastMagnitude), layer.count};
}

struct Method
{
    const char* name;
    double bytesPerValue; ///< of GPU memory traffic
    Cut (*find)(const LayerValues& layer, double density);
};

const Method&
FindMethod(const std::string& name)
{
    static constexpr Method methods[] = {
        {"none",
         0,
         [](const LayerValues& layer, double) {
             return Cut{0, layer.count};
         }},
        {"top-k", 4 * 4 + 8, FindTopK},
        {"threshold", 8, FindThreshold},
    };
    for (const auto& method : methods)
    {
        if (name == method.name)
        {
            return method;
        }
    }
    throw InputError("no method of sparsifying is named '" + name +
                     "'; there are none, top-k, threshold");
}

class SparsifiedValues : public ValueSource
{
  public:
    SparsifiedValues(std::shared_ptr<const ValueSource> values,
                     std::shared_ptr<const GradientTrace> trace,
                     const SparsifySpec& spec)
        : m_values(std::move(values)),
          m_trace(std::move(trace)),
          m_offsets(*m_trace),
          m_method(FindMethod(spec.method)),
          m_density(spec.density)
    {
        if (!(m_density > 0 && m_density <= 1))
        {
            throw InputError("sparsify.density must be above 0 and at most 1, got " +
                             std::to_string(m_density));
        }
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        m_values->Fill(worker, begin, count, out);
        m_offsets.ForEach(begin, count, [&](auto layer, auto first, auto length, auto at) {
            CutOf(worker, layer, begin + at - first).Apply(first, length, out + at);
        });
    }

    const Cut& CutOf(std::uint32_t worker, std::size_t layer, std::uint64_t layerBegin) const
    {
        if (worker >= m_cuts.size())
        {
            m_cuts.resize(worker + std::size_t{1});
        }
        auto& cuts = m_cuts[worker];
        cuts.resize(m_trace->layers.size());
        if (cuts[layer].equalEnd == 0)
        {
            const auto count = m_trace->layers[layer].elements;
            cuts[layer] = m_method.find({*m_values, worker, layerBegin, count}, m_density);
        }
        return cuts[layer];
    }

    std::shared_ptr<const ValueSource> m_values;
    std::shared_ptr<const GradientTrace> m_trace;
    LayerOffsets m_offsets;
    const Method& m_method;
    double m_density;
    mutable std::vector<std::vector<Cut>> m_cuts; ///< by worker and layer, as they are asked for
};

} // namespace

std::unique_ptr<ValueSource>
MakeSparsifiedValues(std::shared_ptr<const ValueSource> values,
                     std::shared_ptr<const GradientTrace> trace,
                     const SparsifySpec& spec)
{
    return std::make_unique<SparsifiedValues>(std::move(values), std::move(trace), spec);
}

double
SparsifyBytesPerValue(const std::string& method)
{
    return FindMethod(method).bytesPerValue;
}

} // namespace inca
