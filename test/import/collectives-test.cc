/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/collectives.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace inca
{

TEST(Collectives, AreKnownByAnyName)
{
    EXPECT_EQ(NormalisedCollective("ALL_REDUCE"), "allreduce");
    EXPECT_EQ(NormalisedCollective("_reduce_scatter_base"), "reducescatterbase");
    EXPECT_TRUE(IsSum("reducescatterbase"));
    EXPECT_TRUE(IsSum("allreducecoalesced"));
    EXPECT_FALSE(IsSum("allgather"));
    EXPECT_FALSE(IsSum("reduce"));
}

TEST(ElementTypes, AreKnownByAnyName)
{
    for (const auto& [name, type, bytes] :
         std::vector<std::tuple<std::string, std::string, unsigned>>{{"Float", "fp32", 4},
                                                                     {"c10::BFloat16", "bf16", 2},
                                                                     {"torch.float16", "fp16", 2},
                                                                     {"long int", "int64", 8},
                                                                     {"Float8_e4m3fn", "fp8", 1}})
    {
        const auto found = FindElementType(name);
        ASSERT_TRUE(found) << name;
        EXPECT_EQ(found->name, type);
        EXPECT_EQ(found->bytes, bytes) << name;
    }
    EXPECT_FALSE(FindElementType("Flo"));
    EXPECT_EQ(BytesOfGradientType("bf16"), 2U);
    EXPECT_EQ(BytesOfGradientType("int64"), 0U);
}

} // namespace inca
