/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/sparsified-values.h"

#include "base/errors.h"
#include "base/row-loop.h"
#include "base/vector-clones.h"
#include "trace/layer-offsets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

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
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return std::min(bits & g_magnitudeBits, g_firstNan);
}

constexpr std::size_t g_row = 64; ///< values of a loop of fixed length

/** Keeps values of a row whose magnitude is at least @p least. */
INCA_VECTOR_CLONES void
KeepAtLeast(std::uint32_t least, float* values)
{
    std::array<std::uint32_t, g_row> bits;
    std::memcpy(bits.data(), values, sizeof bits);
    for (std::size_t i = 0; i < g_row; ++i)
    {
        const auto magnitude = std::min(bits[i] & g_magnitudeBits, g_firstNan);
        bits[i] = magnitude >= least ? bits[i] : 0;
    }
    std::memcpy(values, bits.data(), sizeof bits);
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
        const auto keep = [](std::uint32_t least, std::uint64_t length, float* from) {
            ChangeRows<g_row>(from, length, [least](float* row) { KeepAtLeast(least, row); });
        };
        keep(magnitude, withEqual, values);
        keep(magnitude + 1, count - withEqual, values + withEqual);
    }
};

/** One layer's values on one worker. */
struct LayerValues
{
    const ValueSource& values;
    std::uint32_t worker;
    std::uint64_t begin; ///< in the model
    std::uint64_t count;

    /** Calls @p take with the index of a piece's first value, and the piece's values, until it returns false. */
    template <typename Take>
    void ForEachPiece(Take take) const
    {
        constexpr std::uint64_t pieceValues = 1U << 12U;
        std::array<float, pieceValues> piece;
        bool goesOn = true;
        for (std::uint64_t first = 0; goesOn && first < count; first += pieceValues)
        {
            const auto length = std::min(count - first, pieceValues);
            values.Fill(worker, begin + first, length, piece.data());
            goesOn = take(first, piece.data(), length);
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

/** @return the one of rank @p rank, 1 = the largest: digit by digit, each found by counting those that have it */
std::uint32_t
Select(const std::vector<std::uint32_t>& magnitudes, std::uint64_t rank)
{
    constexpr unsigned digitBits = 11;
    constexpr std::array<unsigned, 3> shifts{2 * digitBits, digitBits, 0};
    std::uint64_t selected = 0; // its upper digits
    for (const auto shift : shifts)
    {
        std::array<std::uint64_t, 1U << digitBits> counts{};
        for (const std::uint64_t magnitude : magnitudes)
        {
            const bool isAlike = magnitude >> (shift + digitBits) == selected;
            counts[magnitude >> shift & (counts.size() - 1)] += isAlike ? 1U : 0U; // no branch
        }
        auto digit = counts.size() - 1;
        for (; counts[digit] < rank; --digit)
        {
            rank -= counts[digit];
        }
        selected = selected << digitBits | digit;
    }
    return static_cast<std::uint32_t>(selected);
}

/** @return the index after the @p rank th of the values of exactly that magnitude */
std::uint64_t
EndOfEqual(const LayerValues& layer, std::uint32_t magnitude, std::uint64_t rank)
{
    std::uint64_t end = 0;
    layer.ForEachPiece([&](std::uint64_t first, const float* values, std::uint64_t length) {
        for (std::uint64_t i = 0; rank > 0 && i < length; ++i)
        {
            rank -= MagnitudeOf(values[i]) == magnitude ? 1U : 0U;
            end = first + i + 1;
        }
        return rank > 0;
    });
    return end;
}

/** The largest of many magnitudes, found in one pass, in room for twice as many as are sought, or for all. */
class LargestMagnitudes
{
  public:
    LargestMagnitudes(std::uint64_t sought, std::uint64_t all)
        : m_sought(sought),
          m_candidates(std::min(std::max(2 * sought, LEAST_ROOM), all))
    {
    }

    void Add(const float* values, std::uint64_t count)
    {
        while (count > 0)
        {
            if (m_size == m_candidates.size())
            {
                Drop();
            }
            const auto part = std::min(count, m_candidates.size() - m_size);
            AddSome(values, part);
            values += part;
            count -= part;
        }
    }

    /** How many of the magnitude of the last one that is sought are among these. */
    struct Last
    {
        std::uint32_t magnitude;
        std::uint64_t among;
        bool mayBeMore; ///< of the same magnitude
    };

    Last Find()
    {
        m_candidates.resize(m_size);
        const auto magnitude = Select(m_candidates, m_sought);
        const auto equal = std::count(m_candidates.begin(), m_candidates.end(), magnitude);
        const auto among = m_sought - KeepAbove(magnitude);
        const bool areMore = static_cast<std::uint64_t>(equal) > among;
        return {magnitude, among, areMore || magnitude + 1 == m_least};
    }

  private:
    /** Of so few, more are kept than need be: to drop some takes as long as to look at many. */
    static constexpr std::uint64_t LEAST_ROOM{1U << 12U};

    /** There is room for all of them. */
    void AddSome(const float* values, std::uint64_t count)
    {
        auto* const candidates = m_candidates.data();
        auto size = m_size;
        for (std::uint64_t i = 0; i < count; ++i)
        {
            const auto magnitude = MagnitudeOf(values[i]);
            candidates[size] = magnitude; // no branch, which would be taken at random
            size += magnitude >= m_least ? 1U : 0U;
        }
        m_size = size;
    }

    /** All but those that are sought, of which there are enough: others matter if they are larger. */
    void Drop()
    {
        const auto last = Select(m_candidates, m_sought);
        const auto above = KeepAbove(last);
        std::fill_n(
            m_candidates.begin() + static_cast<std::ptrdiff_t>(above), m_sought - above, last);
        m_size = m_sought;
        m_least = last + 1;
    }

    /** @return how many candidates are larger, which are the first ones then */
    std::uint64_t KeepAbove(std::uint32_t magnitude)
    {
        std::uint64_t above = 0;
        for (const auto candidate : m_candidates)
        {
            m_candidates[above] = candidate;
            above += candidate > magnitude ? 1U : 0U;
        }
        return above;
    }

    std::uint64_t m_sought;
    std::vector<std::uint32_t> m_candidates;
    std::uint64_t m_size{0};  ///< of those that are
    std::uint32_t m_least{0}; ///< of what may still be among those that are sought
};

Cut
FindTopK(const LayerValues& layer, double density)
{
    LargestMagnitudes largest(Rank(density, layer.count), layer.count);
    layer.ForEachPiece([&](std::uint64_t, const float* values, std::uint64_t length) {
        largest.Add(values, length);
        return true;
    });
    const auto [magnitude, among, mayBeMore] = largest.Find();
    if (magnitude == 0 || !mayBeMore)
    {
        return {std::max(magnitude, g_leastMagnitude), layer.count};
    }
    return {magnitude, EndOfEqual(layer, magnitude, among)};
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
