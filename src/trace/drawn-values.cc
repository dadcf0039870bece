/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/random.h"
#include "base/vector-clones.h"
#include "trace/exponent-law.h"
#include "trace/layer-offsets.h"
#include "trace/layer-statistics.h"
#include "trace/value-source.h"
#include "trace/zero-overlap.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

namespace inca
{

namespace
{

/** What random bits are for; a part of their key, so that no two uses share them. */
enum Purpose : std::uint64_t
{
    VALUE,    ///< one worker's value, and whether it is zero if workers are independent
    POSITION, ///< shared by all workers
    ZERO,     ///< one worker's zero, given what is shared
};

/** So many at once. */
using BitsBlock = std::array<std::uint64_t, AliasTable::BLOCK>;

/** BitsAt from element @p begin on. */
INCA_VECTOR_CLONES void
MakeBits(std::uint64_t key, std::uint64_t begin, BitsBlock& bits)
{
    for (std::size_t i = 0; i < bits.size(); ++i)
    {
        bits[i] = BitsAt(key, begin + i);
    }
}

/** How one layer's values are drawn. */
struct LayerDraw
{
    AliasTable values;
    std::shared_ptr<const ZeroOverlap> overlap; ///< null: each worker's zeros are its own business
};

class DrawnValues : public ValueSource
{
  public:
    DrawnValues(const GradientTrace& trace, const DrawnValuesSpec& spec)
        : m_offsets(trace),
          m_seed(spec.seed)
    {
        for (const auto& layer : trace.layers)
        {
            m_layers.push_back(MakeLayer(trace, layer, spec));
        }
    }

  private:
    LayerDraw MakeLayer(const GradientTrace& trace,
                        const LayerRecord& layer,
                        const DrawnValuesSpec& spec);
    std::shared_ptr<const ZeroOverlap> MakeOverlap(double zeros, double unionExponent);

    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override;

    LayerOffsets m_offsets;
    std::uint64_t m_seed;
    std::vector<LayerDraw> m_layers;
    /** By share of zeros and union exponent: layers with the same statistics share a table. */
    std::map<std::pair<double, double>, std::shared_ptr<const ZeroOverlap>> m_overlaps;
};

/** @throws InputError if the layer's statistics do not say how its values are distributed */
ExponentLaw
LawOf(const GradientTrace& trace, const LayerRecord& layer, const DrawnValuesSpec& spec)
{
    const auto prefix = trace.name + ": layer " + layer.name + ": ";
    const auto& statistics = layer.statistics;
    const auto law = MakeExponentLaw(statistics, spec.bound);
    if (!law)
    {
        throw InputError(prefix + "has no statistics to draw values after: a column exponents, or "
                                  "widths as in b10_w2 to b10_w34; or give training.values_file");
    }
    if (law->back() > 0)
    {
        throw InputError(prefix + "has infinities or NaNs (exponent 255), which have no sum");
    }
    if (spec.unionExponent && !statistics.density && statistics.exponents.empty())
    {
        throw InputError(prefix + "has no column density, which a union exponent needs");
    }
    return *law;
}

LayerDraw
DrawnValues::MakeLayer(const GradientTrace& trace,
                       const LayerRecord& layer,
                       const DrawnValuesSpec& spec)
{
    const auto law = LawOf(trace, layer, spec);
    const auto fitted = FitUnionExponent(layer.statistics, trace.statsWorkers);
    const double unionExponent = spec.unionExponent.value_or(fitted.value_or(1));
    const double zeros = law[0];
    if (unionExponent >= 1 || zeros <= 0 || zeros >= 1)
    {
        return {AliasTable(law), nullptr};
    }
    return {AliasTable(WithoutZero(law)), MakeOverlap(zeros, unionExponent)};
}

std::shared_ptr<const ZeroOverlap>
DrawnValues::MakeOverlap(double zeros, double unionExponent)
{
    auto& overlap = m_overlaps[{zeros, unionExponent}];
    if (!overlap)
    {
        overlap = std::make_shared<ZeroOverlap>(1 - zeros, unionExponent);
    }
    return overlap;
}

/** Of one worker's layer. */
struct DrawKeys
{
    std::uint64_t value;
    std::uint64_t position;
    std::uint64_t zero;
};

/** Of AliasTable::BLOCK elements from @p begin on. */
void
DrawBlock(const LayerDraw& layer, const DrawKeys& keys, std::uint64_t begin, float* values)
{
    layer.values.DrawBlock(keys.value, begin, values);
    if (!layer.overlap)
    {
        return;
    }
    BitsBlock bits;
    BitsBlock zeroBits;
    MakeBits(keys.position, begin, bits);
    if (layer.overlap->AsksWorkers())
    {
        MakeBits(keys.zero, begin, zeroBits);
    }
    layer.overlap->PutZeros(bits, zeroBits, values);
}

constexpr std::uint64_t g_few = 16; ///< fewer values are drawn one by one

/** The same of few elements. */
void
DrawFew(const LayerDraw& layer,
        const DrawKeys& keys,
        std::uint64_t begin,
        std::uint64_t count,
        float* out)
{
    for (auto index = begin; index < begin + count; ++index, ++out)
    {
        const auto& overlap = layer.overlap;
        const bool isZero =
            overlap && overlap->IsZero(BitsAt(keys.position, index), BitsAt(keys.zero, index));
        const auto value = isZero ? 0 : layer.values.Draw(BitsAt(keys.value, index));
        std::memcpy(out, &value, sizeof value);
    }
}

void
DrawnValues::DoFill(std::uint32_t worker,
                    std::uint64_t begin,
                    std::uint64_t count,
                    float* out) const
{
    m_offsets.ForEach(begin, count, [&](auto index, auto first, auto length, auto at) {
        const auto& layer = m_layers[index];
        const DrawKeys keys{RandomBits(m_seed, VALUE, index, worker),
                            RandomBits(m_seed, POSITION, index, 0),
                            RandomBits(m_seed, ZERO, index, worker)};
        if (length < g_few)
        {
            DrawFew(layer, keys, first, length, out + at);
            return;
        }
        const auto whole = length / AliasTable::BLOCK * AliasTable::BLOCK;
        for (std::uint64_t done = 0; done < whole; done += AliasTable::BLOCK)
        {
            DrawBlock(layer, keys, first + done, out + at + done);
        }
        if (whole < length)
        {
            std::array<float, AliasTable::BLOCK> last;
            DrawBlock(layer, keys, first + whole, last.data());
            std::copy_n(last.begin(), length - whole, out + at + whole);
        }
    });
}

} // namespace

std::unique_ptr<ValueSource>
MakeDrawnValues(std::shared_ptr<const GradientTrace> trace, const DrawnValuesSpec& spec)
{
    return std::make_unique<DrawnValues>(*trace, spec);
}

} // namespace inca
