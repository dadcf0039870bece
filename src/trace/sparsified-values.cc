/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/sparsified-values.h"

#include "base/errors.h"
#include "trace/layer-offsets.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint32_t g_leastMagnitude = 1; // of a value that is not zero

/** What orders magnitudes: a float's bits without its sign. 0 for zeros, the same for all NaNs. */
std::uint32_t
MagnitudeOf(float value)
{
    constexpr std::uint32_t magnitudeBits = 0x7fffffff;
    constexpr std::uint32_t firstNan = 0x7f800001;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return std::min(bits & magnitudeBits, firstNan);
}

/** Which values of one layer one worker keeps. */
struct Cut
{
    std::uint32_t magnitude{0}; ///< larger ones are kept
    std::uint64_t equalEnd{0};  ///< equal ones are kept before this index; 0 = not yet found

    bool Keeps(std::uint32_t other, std::uint64_t index) const
    {
        return other > magnitude || (other == magnitude && index < equalEnd);
    }
};

/** One layer's values on one worker. */
struct LayerValues
{
    const ValueSource& values;
    std::uint32_t worker;
    std::uint64_t begin; ///< in the model
    std::uint64_t count;

    /** Calls @p take with each value's index and magnitude until it returns false. */
    template <typename Take>
    void ForEach(Take take) const
    {
        constexpr std::uint64_t pieceValues = 1U << 15U;
        std::vector<float> piece(std::min(count, pieceValues));
        for (std::uint64_t first = 0; first < count; first += pieceValues)
        {
            const auto length = std::min(count - first, pieceValues);
            values.Fill(worker, begin + first, length, piece.data());
            for (std::uint64_t i = 0; i < length; ++i)
            {
                if (!take(first + i, MagnitudeOf(piece[i])))
                {
                    return;
                }
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

/** Puts the value of rank @p rank, 1 = the largest, into its place. */
std::uint32_t
Select(std::vector<std::uint32_t>& magnitudes, std::uint64_t rank)
{
    const auto place = magnitudes.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(magnitudes.begin(), place, magnitudes.end(), std::greater<>());
    return *place;
}

/** @return the index after the @p rank th of the values of exactly that magnitude */
std::uint64_t
EndOfEqual(const LayerValues& layer, std::uint32_t magnitude, std::uint64_t rank)
{
    std::uint64_t end = 0;
    layer.ForEach([&](std::uint64_t index, std::uint32_t other) {
        rank -= other == magnitude ? 1U : 0U;
        end = index + 1;
        return rank > 0;
    });
    return end;
}

/** Values of nearly the same magnitude: those whose upper bits are. */
struct MagnitudeBin
{
    std::uint32_t upperBits;
    std::uint64_t rank; ///< in it, of the value that is sought, 1 = the largest
};

/** A layer's values need no memory so: they are made once more to look into the bin. */
constexpr unsigned g_lowerBits = 16;

MagnitudeBin
BinOf(const LayerValues& layer, std::uint64_t rank)
{
    std::vector<std::uint64_t> counts(std::size_t{1} << (32U - g_lowerBits), 0);
    layer.ForEach([&counts](std::uint64_t, std::uint32_t magnitude) {
        ++counts[magnitude >> g_lowerBits];
        return true;
    });
    auto bin = counts.size() - 1;
    for (; counts[bin] < rank; --bin)
    {
        rank -= counts[bin];
    }
    return {static_cast<std::uint32_t>(bin), rank};
}

Cut
FindTopK(const LayerValues& layer, double density)
{
    const auto [upperBits, rank] = BinOf(layer, Rank(density, layer.count));
    std::vector<std::uint32_t> magnitudes;
    layer.ForEach([&magnitudes, bits = upperBits](std::uint64_t, std::uint32_t magnitude) {
        if (magnitude >> g_lowerBits == bits)
        {
            magnitudes.push_back(magnitude);
        }
        return true;
    });
    const auto magnitude = Select(magnitudes, rank);
    const auto keptEnd = magnitudes.begin() + static_cast<std::ptrdiff_t>(rank);
    const auto equal = std::count(magnitudes.begin(), keptEnd, magnitude);
    if (magnitude == 0 || std::find(keptEnd, magnitudes.end(), magnitude) == magnitudes.end())
    {
        return {std::max(magnitude, g_leastMagnitude), layer.count};
    }
    return {magnitude, EndOfEqual(layer, magnitude, static_cast<std::uint64_t>(equal))};
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
    magnitudes.reserve(sample);
    for (std::uint64_t i = 0; i < sample; ++i)
    {
        float value = 0;
        layer.values.Fill(layer.worker, layer.begin + i * stride, 1, &value);
        magnitudes.push_back(MagnitudeOf(value));
    }
    const auto magnitude = Select(magnitudes, Rank(density, sample));
    return {std::max(magnitude, g_leastMagnitude), layer.count};
}

Cut
KeepAll(const LayerValues& layer, double /* density */)
{
    return {0, layer.count};
}

struct Method
{
    const char* name;
    double bytesPerValue; ///< of GPU memory traffic
    Cut (*find)(const LayerValues& layer, double density);
};

const Method g_methods[] = {
    {"none", 0, KeepAll},
    {"top-k", 4 * 4 + 8, FindTopK},
    {"threshold", 8, FindThreshold},
};

const Method&
FindMethod(const std::string& name)
{
    std::string known;
    for (const auto& method : g_methods)
    {
        if (name == method.name)
        {
            return method;
        }
        known += (known.empty() ? "" : ", ") + std::string(method.name);
    }
    throw InputError("no method of sparsifying is named '" + name + "'; there are " + known);
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
            const auto& cut = CutOf(worker, layer, begin + at - first);
            for (std::uint64_t i = 0; i < length; ++i)
            {
                float& value = out[at + i];
                value = cut.Keeps(MagnitudeOf(value), first + i) ? value : 0;
            }
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

std::vector<std::string>
SparsifyMethods()
{
    std::vector<std::string> names;
    for (const auto& method : g_methods)
    {
        names.emplace_back(method.name);
    }
    return names;
}

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
