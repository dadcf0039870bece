/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/row-loop.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t g_row = 4;

std::vector<int>
UpTo(std::size_t count)
{
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 1);
    return values;
}

} // namespace

/* 0 to 9 values are 0, 1 or 2 rows of 4 and up to 3 more. */
TEST(RowLoop, MapsEveryValueOnceAndNothingBehind)
{
    for (std::size_t count = 0; count <= 9; ++count)
    {
        const auto values = UpTo(count);
        std::vector<long> made(count + 1, -1);
        MapRows<g_row>(values.data(), count, made.data(), [](const int* from, long* to) {
            for (std::size_t i = 0; i < g_row; ++i)
            {
                to[i] = 10L * from[i];
            }
        });
        for (std::size_t i = 0; i < count; ++i)
        {
            EXPECT_EQ(made[i], 10L * values[i]);
        }
        EXPECT_EQ(made[count], -1);
    }
}

TEST(RowLoop, ChangesEveryValueOnceAndNothingBehind)
{
    for (std::size_t count = 0; count <= 9; ++count)
    {
        auto values = UpTo(count + 1);
        ChangeRows<g_row>(values.data(), count, [](int* row) {
            for (std::size_t i = 0; i < g_row; ++i)
            {
                row[i] = -row[i];
            }
        });
        for (std::size_t i = 0; i <= count; ++i)
        {
            const auto before = static_cast<int>(i) + 1;
            EXPECT_EQ(values[i], i < count ? -before : before);
        }
    }
}

/* 1 + ... + n = n (n + 1) / 2; what fills the last row up is zeros. */
TEST(RowLoop, SeesEveryValueOnceAndZerosBehind)
{
    for (int count = 0; count <= 9; ++count)
    {
        const auto values = UpTo(static_cast<std::size_t>(count));
        int sum = 0;
        SeeRows<g_row>(values.data(), values.size(), [&sum](const int* row) {
            sum += row[0] + row[1] + row[2] + row[3];
        });
        EXPECT_EQ(sum, count * (count + 1) / 2);
    }
}

} // namespace inca
