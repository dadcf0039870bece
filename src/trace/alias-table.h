/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_ALIAS_TABLE_H
#define INCA_TRACE_ALIAS_TABLE_H

#include "trace/exponent-law.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace inca
{

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

#endif // INCA_TRACE_ALIAS_TABLE_H
