/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_EXPONENT_LAW_H
#define INCA_TRACE_EXPONENT_LAW_H

#include "trace/gradient-trace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

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

    /** So many values are drawn at once. */
    static constexpr std::size_t BLOCK{256};

    /** Draws BLOCK values of BitsAt(@p key, @p begin) and those after it, as vectors where the machine has them. */
    void DrawBlock(std::uint64_t key, std::uint64_t begin, float* values) const;

  private:
    /**
     * Of an exponent, the threshold below which it is drawn, in 2^-32, and above that the other one, shifted
     * to its place in fp32: in one word, which is one load.
     */
    using Column = std::uint64_t;
    using Columns = std::array<Column, g_exponentCount>;

    /** Of a block of values. */
    using Block = std::array<std::uint64_t, BLOCK>;

    /** Of the two halves of the bits, so that vectors of 32 bits do. */
    static std::uint32_t DrawOf(Column column, std::uint64_t bits)
    {
        const auto low = static_cast<std::uint32_t>(bits);
        const auto high = static_cast<std::uint32_t>(bits >> 32U);
        const auto own = low << MANTISSA_BITS & 0x7f800000U;
        const auto fraction = low >> 8U | high << 24U;
        const auto exponent = fraction < static_cast<std::uint32_t>(column)
                                  ? own
                                  : static_cast<std::uint32_t>(column >> 32U);
        const auto value = (high & 0x80000000U) | exponent | (high >> 8U & 0x7fffffU);
        return exponent == 0 ? 0 : value;
    }

    static void FillBits(std::uint64_t key, std::uint64_t begin, Block& bits);
    static void DrawAll(const Block& columns, const Block& bits, float* values);

    static constexpr unsigned MANTISSA_BITS{23};

    Columns m_columns;
};

} // namespace inca

#endif // INCA_TRACE_EXPONENT_LAW_H
