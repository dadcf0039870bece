/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-source.h"

#include "base/errors.h"
#include "base/portable-math.h"
#include "base/random.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "trace/layer-statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr unsigned g_exponentOfOne = 127;
constexpr unsigned g_exponentsAboveOne = 2; // of the 34-bit class: values from 1 to below 4
constexpr unsigned g_exponentsBelowBound = 10;

/** Adds @p share in equal parts to the exponents from @p first to before @p end; nothing if none. */
void
Spread(ExponentLaw& law, unsigned first, unsigned end, double share)
{
    for (unsigned exponent = first; exponent < end; ++exponent)
    {
        law[exponent] += share / (end - first);
    }
}

void
Normalize(ExponentLaw& law)
{
    const double sum = std::accumulate(law.begin(), law.end(), 0.0);
    for (auto& share : law)
    {
        share /= sum;
    }
}

ExponentLaw
LawOfWidths(const std::array<double, 4>& shares,
            unsigned bound,
            const std::optional<double>& density)
{
    const unsigned boundExponent = g_exponentOfOne - bound;
    const unsigned middle = boundExponent + (bound + 1) / 2;
    const double zeros =
        density ? 1 - *density : shares[0] / static_cast<double>(g_exponentsBelowBound + 1);
    ExponentLaw law{};
    law[0] = zeros;
    Spread(law,
           boundExponent - g_exponentsBelowBound,
           boundExponent,
           std::max(0.0, shares[0] - zeros));
    Spread(law, boundExponent, middle, shares[1]);
    Spread(law, middle, g_exponentOfOne, shares[2]);
    Spread(law, g_exponentOfOne, g_exponentOfOne + g_exponentsAboveOne, shares[3]);
    return law;
}

ExponentLaw
LawOfHistogram(const std::vector<std::pair<unsigned, double>>& histogram,
               const std::optional<double>& density)
{
    ExponentLaw law{};
    for (const auto& [exponent, share] : histogram)
    {
        law[exponent] += share;
    }
    if (density)
    {
        const double zeros = std::min(law[0], 1 - *density);
        law[1] += law[0] - zeros;
        law[0] = zeros;
    }
    return law;
}

/** @return the published bound that is nearest, the finer of two */
unsigned
NearestBound(const std::map<unsigned, std::array<double, 4>>& widths, unsigned bound)
{
    const auto distance = [bound](const auto& entry) {
        return std::abs(static_cast<int>(entry.first) - static_cast<int>(bound));
    };
    // Bounds ascend; of equal ones the first in this order is taken, so the finer comes first.
    return std::min_element(widths.rbegin(),
                            widths.rend(),
                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
        ->first;
}

/** A share of 0..1 in units of 2^-32; 1 itself is one unit short. */
std::uint32_t
ToFraction(double share)
{
    constexpr double units = 0x1p32;
    constexpr double most = units - 1;
    return static_cast<std::uint32_t>(share * units < most ? share * units : most);
}

std::uint64_t
ColumnOf(std::uint32_t threshold, std::size_t other)
{
    constexpr unsigned mantissaBits = 23;
    return std::uint64_t{other} << (32U + mantissaBits) | threshold;
}

constexpr double g_leastUnionExponent = 0x1p-7; // what is below counts as 0: the same positions

/** The bits of @p index in reverse, as a number in (0, 1): van der Corput's sequence. */
double
Reversed(std::uint32_t index, unsigned bits)
{
    double value = 0;
    double weight = 0.5;
    for (unsigned bit = 0; bit < bits; ++bit)
    {
        value += (index >> bit & 1U) != 0 ? weight : 0.0;
        weight /= 2;
    }
    return value + weight;
}

/** ln V of Kanter's formula, from two uniform numbers in (0, 1). */
double
LogOfStable(double a, double uniform, double other)
{
    constexpr double pi = 0x1.921fb54442d18p+1;
    const double angle = pi * uniform;
    const double exponential = -PortableLog(other);
    return PortableLog(PortableSin(a * angle)) - PortableLog(PortableSin(angle)) / a +
           (1 - a) / a * (PortableLog(PortableSin((1 - a) * angle)) - PortableLog(exponential));
}

/** q of two uniform numbers; in logarithms, because for a small `a` its factors leave a double's range. */
double
Chance(double density, double a, double uniform, double other)
{
    const double logScale = PortableLog(-PortableLog1p(-density)) / a;
    return PortableExp(-PortableExp(LogOfStable(a, uniform, other) + logScale));
}

/** @return the law of a value of which it is known that it is not zero */
ExponentLaw
WithoutZero(const ExponentLaw& law)
{
    auto others = law;
    others[0] = 0;
    Normalize(others);
    return others;
}

/**
 * Draws an fp32 value from 64 random bits in constant time (Walker's alias method): eight bits pick
 * a column of equal width, 32 bits one of the two exponents that share it; the rest is mantissa
 * and sign. Exponents have their shares within 2^-32.
 */
class AliasTable
{
  public:
    /** @param law adds up to 1 */
    explicit AliasTable(const ExponentLaw& law)
        : m_columns{}
    {
        // A column is as wide as the mean share. Exponents with less lend the rest to one with more.
        std::array<double, g_exponentCount> left{};
        std::vector<std::size_t> poor;
        std::vector<std::size_t> rich;
        for (std::size_t i = 0; i < g_exponentCount; ++i)
        {
            left[i] = law[i] * g_exponentCount;
            (left[i] < 1 ? poor : rich).push_back(i);
            m_columns[i] = ColumnOf(0, i);
        }
        while (!poor.empty() && !rich.empty())
        {
            const auto lender = poor.back();
            const auto borrower = rich.back();
            poor.pop_back();
            m_columns[lender] = ColumnOf(ToFraction(left[lender]), borrower);
            left[borrower] -= 1 - left[lender];
            if (left[borrower] < 1)
            {
                rich.pop_back();
                poor.push_back(borrower);
            }
        }
    }

    /** @return the bits of an fp32 value; +0 where the random exponent is 0 */
    std::uint32_t Draw(std::uint64_t bits) const
    {
        return DrawOf(m_columns[bits & 0xffU], bits);
    }

    /** Draws @p count values of BitsAt(@p key, @p begin) and those after it. */
    void Draw(std::uint64_t key, std::uint64_t begin, std::uint64_t count, float* values) const
    {
        const auto end = begin + count;
        for (; end - begin >= BLOCK; begin += BLOCK, values += BLOCK)
        {
            DrawBlock(m_columns.data(), key, begin, values);
        }
        for (; begin < end; ++begin, ++values)
        {
            *values = FloatOf(Draw(BitsAt(key, begin)));
        }
    }

  private:
    /**
     * Of an exponent, the threshold (in 2^-32) of random numbers below which it is chosen; above it, the other one, shifted
     * to its place in fp32: in one word, which is one load.
     */
    using Column = std::uint64_t;

    /** Values that are made at once, by vector instructions. */
    static constexpr std::size_t BLOCK{256};

    /** Of the two halves of the bits, so that vectors of 32 bits do. */
    static std::uint32_t DrawOf(Column column, std::uint64_t bits)
    {
        constexpr unsigned mantissaBits = 23;
        const auto low = static_cast<std::uint32_t>(bits);
        const auto high = static_cast<std::uint32_t>(bits >> 32U);
        const auto own = low << mantissaBits & 0x7f800000U;
        const auto fraction = low >> 8U | high << 24U;
        const auto exponent = fraction < static_cast<std::uint32_t>(column)
                                  ? own
                                  : static_cast<std::uint32_t>(column >> 32U);
        const auto value = (high & 0x80000000U) | exponent | (high >> 8U & 0x7fffffU);
        return exponent == 0 ? 0 : value;
    }

    static void DrawBlock(const Column* columns,
                          std::uint64_t key,
                          std::uint64_t begin,
                          float* values);

    std::array<Column, g_exponentCount> m_columns;
};

/**
 * Makes workers' zeros coincide as much as a trace says: the share of positions where at least one
 * of W workers is not zero is 1 - (1 - d)^(W^a), for every W.
 *
 * A Gumbel copula does that. Every position has a chance q, shared by all workers, with which each
 * worker, independently of the others, is zero there: q = exp(-V (-ln(1 - d))^(1/a)), where V is
 * positive stable with index a, so that E[q^W] = exp(-W^a (-ln(1 - d))). V is computed by Kanter's
 * formula at the 2^16 points of a Hammersley set, so that E[q] is within 10^-4 of 1 - d. With a = 0
 * the position alone decides, exactly.
 */
class ZeroOverlap
{
  public:
    /**
     * @param density d, above 0 and below 1
     * @param unionExponent a, 0 to below 1; what is below 2^-7 counts as 0, the same positions
     */
    ZeroOverlap(double density, double unionExponent)
        : m_samePositionsEnd(static_cast<std::uint64_t>(std::ldexp(density, 64)))
    {
        if (unionExponent < g_leastUnionExponent)
        {
            return;
        }
        constexpr std::uint32_t count = 1U << INDEX_BITS;
        constexpr double most = 0x1p32 - 1;
        m_chances.reserve(count);
        for (std::uint32_t i = 0; i < count; ++i)
        {
            const double uniform = (i + 0.5) / count;
            const double chance = Chance(density, unionExponent, uniform, Reversed(i, INDEX_BITS));
            m_chances.push_back(static_cast<std::uint32_t>(chance * most));
        }
    }

    /**
     * @param positionBits random bits of the position, the same for all workers
     * @param workerBits random bits of position and worker
     */
    bool IsZero(std::uint64_t positionBits, std::uint64_t workerBits) const
    {
        return m_chances.empty()
                   ? positionBits >= m_samePositionsEnd
                   : (workerBits >> 32U) < m_chances[positionBits >> (64U - INDEX_BITS)];
    }

  private:
    static constexpr unsigned INDEX_BITS{16};

    std::vector<std::uint32_t> m_chances; ///< quantiles of q, in 2^-32; none for the same positions
    std::uint64_t m_samePositionsEnd;     ///< density, in 2^-64
};

INCA_VECTOR_CLONES void
AliasTable::DrawBlock(const Column* columns, std::uint64_t key, std::uint64_t begin, float* values)
{
    alignas(64) std::array<std::uint64_t, BLOCK> bits;
    alignas(64) std::array<Column, BLOCK> drawn;
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        bits[i] = BitsAt(key, begin + i);
    }
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        drawn[i] = columns[bits[i] & 0xffU];
    }
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        values[i] = FloatOf(DrawOf(drawn[i], bits[i]));
    }
}

/** What random bits are for; a part of their key, so that no two uses share them. */
enum Purpose : std::uint64_t
{
    VALUE,    ///< one worker's value, and whether it is zero if workers are independent
    POSITION, ///< shared by all workers
    ZERO,     ///< one worker's zero, given what is shared
};

/** How one layer's random values are made. */
struct LayerDraw
{
    AliasTable values;
    std::shared_ptr<const ZeroOverlap> overlap; ///< null: each worker's zeros are its own business
};

/** @throws InputError if the layer's statistics do not say how its values are distributed */
ExponentLaw
LawOf(const GradientTrace& trace, const LayerRecord& layer, const RandomValuesSpec& spec)
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

class RandomValues : public ValueSource
{
  public:
    RandomValues(const GradientTrace& trace, const RandomValuesSpec& spec)
        : m_offsets(trace),
          m_seed(spec.seed)
    {
        // Layers with the same statistics share a table.
        std::map<std::pair<double, double>, std::shared_ptr<const ZeroOverlap>> overlaps;
        for (const auto& layer : trace.layers)
        {
            const auto law = LawOf(trace, layer, spec);
            const auto fitted = FitUnionExponent(layer.statistics, trace.statsWorkers);
            const double unionExponent = spec.unionExponent.value_or(fitted.value_or(1));
            const double zeros = law[0];
            if (unionExponent >= 1 || zeros <= 0 || zeros >= 1)
            {
                m_layers.push_back({AliasTable(law), nullptr});
                continue;
            }
            auto& overlap = overlaps[{zeros, unionExponent}];
            if (!overlap)
            {
                overlap = std::make_shared<ZeroOverlap>(1 - zeros, unionExponent);
            }
            m_layers.push_back({AliasTable(WithoutZero(law)), overlap});
        }
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        m_offsets.ForEach(begin, count, [&](auto index, auto first, auto length, auto at) {
            const auto& [values, overlap] = m_layers[index];
            values.Draw(RandomBits(m_seed, VALUE, index, worker), first, length, out + at);
            if (!overlap)
            {
                return;
            }
            const auto positionKey = RandomBits(m_seed, POSITION, index, 0);
            const auto zeroKey = RandomBits(m_seed, ZERO, index, worker);
            for (std::uint64_t i = 0; i < length; ++i)
            {
                const bool isZero =
                    overlap->IsZero(BitsAt(positionKey, first + i), BitsAt(zeroKey, first + i));
                out[at + i] = isZero ? 0.0F : out[at + i];
            }
        });
    }

    LayerOffsets m_offsets;
    std::uint64_t m_seed;
    std::vector<LayerDraw> m_layers;
};

} // namespace

std::optional<ExponentLaw>
MakeExponentLaw(const LayerStatistics& statistics, unsigned bound)
{
    const auto& widths = statistics.widths;
    ExponentLaw law{};
    if (!statistics.exponents.empty() && widths.count(bound) == 0)
    {
        law = LawOfHistogram(statistics.exponents, statistics.density);
    }
    else if (!widths.empty())
    {
        const auto nearest = NearestBound(widths, bound);
        law = LawOfWidths(widths.at(nearest), nearest, statistics.density);
    }
    else
    {
        return std::nullopt;
    }
    Normalize(law);
    return law;
}

std::unique_ptr<ValueSource>
MakeRandomValues(std::shared_ptr<const GradientTrace> trace, const RandomValuesSpec& spec)
{
    return std::make_unique<RandomValues>(*trace, spec);
}

} // namespace inca
