/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/checksum.h"

#include <array>

namespace inca
{

namespace
{

constexpr std::uint32_t g_reflectedPolynomial = 0xedb88320U;

constexpr std::array<std::uint32_t, 256>
MakeTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte)
    {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit)
        {
            remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? g_reflectedPolynomial : 0U);
        }
        table[byte] = remainder;
    }
    return table;
}

constexpr auto g_table = MakeTable();

} // namespace

std::uint32_t
Crc32(const void* bytes, std::size_t count, std::uint32_t seed)
{
    const auto* next = static_cast<const std::uint8_t*>(bytes);
    std::uint32_t remainder = ~seed;
    for (std::size_t i = 0; i < count; ++i)
    {
        remainder = (remainder >> 8U) ^ g_table[(remainder ^ next[i]) & 0xffU];
    }
    return ~remainder;
}

} // namespace inca
