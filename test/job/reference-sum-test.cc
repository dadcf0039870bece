/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/reference-sum.h"

#include <gtest/gtest.h>

namespace inca
{

/* Element i of worker w is 100 w + i: over 3 workers 300 + 3 i. */
TEST(ReferenceSum, AddsAllWorkersInTheWindow)
{
    const WorkerGradient own = [](Rank worker, ElementRange range, float* out) {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            out[i] = static_cast<float>(100ULL * worker + range.begin + i);
        }
    };
    std::vector<double> sum{-1};
    ReferenceSum(InRoom(own), 3, {5, 3}, sum);
    EXPECT_EQ(sum, (std::vector<double>{315, 318, 321}));
    ReferenceSum(InRoom(own), 3, {5, 0}, sum);
    EXPECT_TRUE(sum.empty());
}

/* 2^24 + 1 + 1 is 2^24 in fp32, and exact in fp64. */
TEST(ReferenceSum, KeepsWhatFp32WouldLose)
{
    const WorkerGradient own = [](Rank worker, ElementRange, float* out) {
        out[0] = worker == 0 ? 0x1p24F : 1.0F;
    };
    std::vector<double> sum;
    ReferenceSum(InRoom(own), 3, {0, 1}, sum);
    EXPECT_EQ(sum, (std::vector<double>{0x1p24 + 2}));
}

} // namespace inca
