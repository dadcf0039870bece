/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_ALIAS_TABLE_H
#define INCA_TRACE_ALIAS_TABLE_H

#include "trace/exponent-law.h"

#include <array>
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
        const auto& column = m_columns[bits & 0xffU];
        const auto fraction = static_cast<std::uint32_t>(bits >> 8U);
        const std::uint32_t exponent = fraction < column.threshold ? column.own : column.other;
        const auto mantissa = static_cast<std::uint32_t>(bits >> 40U) & 0x7fffffU;
        const auto sign = static_cast<std::uint32_t>(bits >> 32U) & 0x80000000U;
        return exponent == 0 ? 0 : sign | exponent | mantissa;
    }

  private:
    struct Column
    {
        std::uint32_t threshold{0}; ///< below it the column's own exponent, in 2^-32
        std::uint32_t own{0};       ///< exponents, shifted to their place in fp32
        std::uint32_t other{0};
    };

    std::array<Column, g_exponentCount> m_columns;
};

} // namespace inca

#endif // INCA_TRACE_ALIAS_TABLE_H
