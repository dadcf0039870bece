/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/alias-table.h"

#include "base/random.h"
#include "base/vector-clones.h"
#include "base/word.h"

#include <vector>

namespace inca
{

namespace
{

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

} // namespace

AliasTable::AliasTable(const ExponentLaw& law)
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

void
AliasTable::DrawBlock(std::uint64_t key, std::uint64_t begin, float* values) const
{
    alignas(64) Block bits;
    alignas(64) Block columns;
    FillBits(key, begin, bits);
    static_assert(BLOCK % 4 == 0);
    for (std::size_t i = 0; i < BLOCK; i += 4) // loads and stores: no vectors to take apart
    {
        columns[i] = m_columns[bits[i] & 0xffU];
        columns[i + 1] = m_columns[bits[i + 1] & 0xffU];
        columns[i + 2] = m_columns[bits[i + 2] & 0xffU];
        columns[i + 3] = m_columns[bits[i + 3] & 0xffU];
    }
    DrawAll(columns, bits, values);
}

INCA_VECTOR_CLONES void
AliasTable::FillBits(std::uint64_t key, std::uint64_t begin, Block& bits)
{
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        bits[i] = BitsAt(key, begin + i);
    }
}

INCA_VECTOR_CLONES void
AliasTable::DrawAll(const Block& columns, const Block& bits, float* values)
{
    for (std::size_t i = 0; i < BLOCK; ++i)
    {
        values[i] = FloatOf(DrawOf(columns[i], bits[i]));
    }
}

} // namespace inca
