/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_RANDOM_VALUES_H
#define INCA_TRACE_RANDOM_VALUES_H

#include "trace/gradient-trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

constexpr std::size_t g_exponentCount = 256;

/** Share of the values by biased fp32 exponent; exponent 0 stands for zero. Adds up to 1. */
using ExponentLaw = std::array<double, g_exponentCount>;

/**
 * The law after which a layer's values are drawn: the published width shares at 2^-@p bound; else
 * the exponent histogram; else the width shares at the nearest published bound (the finer of two).
 *
 * Of width shares, an exponent is uniform in its class: 34 bits 127 and 128; 18 bits from eb +
 * ceil((127 - eb) / 2) to 126; 10 bits from eb to below that; 2 bits zero or one of the ten
 * exponents below eb, where eb = 127 - bound (INCEPTIONN, Algorithm 2). A class that holds no
 * exponent is left out. Where density is known, it says how many values are zero, and others keep
 * their shares; values that the histogram counts as denormal become of exponent 1.
 * @return empty if the statistics have neither widths nor exponents
 */
std::optional<ExponentLaw> MakeExponentLaw(const LayerStatistics& statistics, unsigned bound);

/** @return the law of a value of which it is known that it is not zero */
ExponentLaw WithoutZero(const ExponentLaw& law);

/**
 * Draws an fp32 value from 64 random bits in constant time (Walker's alias method): eight bits pick
 * a column of equal width, 32 bits one of the two exponents that share it; the rest is mantissa
 * and sign. Exponents have their shares within 2^-32.
 */
class AliasTable
{
  public:
    /** @param law adds up to 1 */
    explicit AliasTable(const ExponentLaw& law);

    /** @return the bits of an fp32 value; +0 where the exponent 0 was drawn */
    std::uint32_t Draw(std::uint64_t bits) const
    {
        return DrawOf(m_columns[bits & 0xffU], bits);
    }

    /** Draws @p count values of BitsAt(@p key, @p begin) and those after it. */
    void Draw(std::uint64_t key, std::uint64_t begin, std::uint64_t count, float* values) const;

  private:
    /**
     * Of an exponent, the threshold below which it is drawn, in 2^-32, and above that the other one, shifted
     * to its place in fp32: in one word, which is one load.
     */
    using Column = std::uint64_t;

    /** So many values are drawn at once, by vector instructions. */
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
    ZeroOverlap(double density, double unionExponent);

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

} // namespace inca

#endif // INCA_TRACE_RANDOM_VALUES_H
