/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/gpu-sums.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

namespace
{

using Values = std::vector<float>;

/** Each GPU has the same value everywhere. */
class ConstantValues : public ValueSource
{
  public:
    explicit ConstantValues(Values ofGpus)
        : m_ofGpus(std::move(ofGpus))
    {
    }

  private:
    void DoFill(std::uint32_t gpu,
                std::uint64_t /*begin*/,
                std::uint64_t count,
                float* out) const override
    {
        std::fill_n(out, count, m_ofGpus.at(gpu));
    }

    Values m_ofGpus;
};

Values
SumsOf(const Values& ofGpus, GpuRing ring, std::uint32_t worker, std::uint64_t begin, std::size_t n)
{
    Values sums(n);
    MakeGpuSums(std::make_shared<ConstantValues>(ofGpus), std::move(ring))
        ->Fill(worker, begin, n, sums.data());
    return sums;
}

} // namespace

/* bf16 has 8 significant bits: 256 + 1 = 257 is half-way between 256 and 258, and goes to the even 256. Block
 * 0: (256 + 1) + 1 -> 256 + 1 -> 256. Block 1: (1 + 1) + 256 = 258. Block 2: (1 + 256) + 1 -> 256. */
TEST(GpuSums, RoundAtEachGpuThatABlockComesTo)
{
    const GpuRing ring{3, GradientTypeNamed("bf16"), {0}, 6};
    EXPECT_EQ(SumsOf({256, 1, 1}, ring, 0, 0, 6), (Values{256, 256, 258, 258, 256, 256}));
}

/* The same, buckets of 3 elements each: a block is one element, in each bucket anew. What is asked for from
 * element 2 to 4 lies in both. */
TEST(GpuSums, CutEachBucketIntoBlocks)
{
    const GpuRing ring{3, GradientTypeNamed("bf16"), {3, 0}, 6};
    EXPECT_EQ(SumsOf({256, 1, 1}, ring, 0, 0, 6), (Values{256, 258, 256, 256, 258, 256}));
    EXPECT_EQ(SumsOf({256, 1, 1}, ring, 0, 2, 3), (Values{256, 256, 258}));
}

/* GPUs 2 and 3 are worker 1's. */
TEST(GpuSums, AreOfTheWorkersOwnGpus)
{
    const GpuRing ring{2, GradientTypeNamed("fp16"), {0}, 4};
    EXPECT_EQ(SumsOf({1, 2, 30, 40}, ring, 1, 0, 4), Values(4, 70));
}

/* 11 significant bits: 2048 + 1 -> 2048 (even), and 2048 + 3 = 2051 -> 2052. */
TEST(GpuSums, RoundToTheirType)
{
    const GpuRing ring{2, GradientTypeNamed("fp16"), {0}, 2};
    EXPECT_EQ(SumsOf({2048, 1}, ring, 0, 0, 2), Values(2, 2048));
    EXPECT_EQ(SumsOf({2048, 3}, ring, 0, 0, 2), Values(2, 2052));
}

/* Blocks longer than what is added at once: 20,001 elements of 2 GPUs are 10,001 and 10,000. */
TEST(GpuSums, FillLongBlocks)
{
    const GpuRing ring{2, GradientTypeNamed("bf16"), {0}, 20'001};
    EXPECT_EQ(SumsOf({1, 2}, ring, 0, 0, 20'001), Values(20'001, 3));
}

/* More GPUs than elements: blocks 2 and 3 are empty. */
TEST(GpuSums, LeaveOutEmptyBlocks)
{
    const GpuRing ring{4, GradientTypeNamed("bf16"), {0}, 2};
    EXPECT_EQ(SumsOf({1, 2, 3, 4}, ring, 0, 0, 2), Values(2, 10));
}

} // namespace inca
