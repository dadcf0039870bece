/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/address-table.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace inca
{

namespace
{

ns3::Mac48Address
Address(std::uint32_t number)
{
    const std::uint8_t bytes[] = {2,
                                  static_cast<std::uint8_t>(number >> 24U),
                                  0,
                                  static_cast<std::uint8_t>(number >> 16U),
                                  static_cast<std::uint8_t>(number >> 8U),
                                  static_cast<std::uint8_t>(number)};
    ns3::Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

} // namespace

/* 300 in a row, and 300 that differ from them in their upper bytes alone: port and number are the same. */
TEST(AddressTable, FindsWhatIsKnown)
{
    AddressTable table;
    constexpr std::uint32_t above = 1U << 24U;
    for (std::uint32_t number = 0; number < 300; ++number)
    {
        table.Set(Address(number), {number});
        table.Set(Address(above | number), {1000 + number});
    }
    for (std::uint32_t number = 0; number < 300; ++number)
    {
        const auto below = table.Find(Address(number));
        ASSERT_TRUE(below);
        EXPECT_EQ(below.Count(), 1U);
        EXPECT_EQ(below[0], number);
        EXPECT_EQ(table.Find(Address(above | number))[0], 1000 + number);
    }
    EXPECT_FALSE(table.Find(Address(300)));
    EXPECT_FALSE(AddressTable().Find(Address(0)));
}

TEST(AddressTable, LearnsAnew)
{
    AddressTable table;
    table.Set(Address(1), {4});
    table.Set(Address(1), {5, 6, 7});
    table.Set(Address(2), {8, 9});
    ASSERT_EQ(table.Find(Address(1)).Count(), 3U);
    EXPECT_EQ(table.Find(Address(1))[2], 7U);
    EXPECT_EQ(table.Find(Address(2))[0], 8U);
    table.Set(Address(1), {3});
    EXPECT_EQ(table.Find(Address(1)).Count(), 1U);
    EXPECT_EQ(table.Find(Address(1))[0], 3U);
}

} // namespace inca
