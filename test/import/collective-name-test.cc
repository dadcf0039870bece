/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/collective-name.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(CollectiveName, KnowsCollectivesByAnyName)
{
    EXPECT_EQ(NormalisedCollective("ALL_REDUCE"), "allreduce");
    EXPECT_EQ(NormalisedCollective("_reduce_scatter_base"), "reducescatterbase");
    EXPECT_TRUE(IsSum("reducescatterbase"));
    EXPECT_TRUE(IsSum("allreducecoalesced"));
    EXPECT_FALSE(IsSum("allgather"));
    EXPECT_FALSE(IsSum("reduce"));
}

TEST(CollectiveName, RefusesWhatItDoesNotKnow)
{
    ImportReport report;
    for (const auto* name : {"_reduce_scatter_base",
                             "_allgather_base",
                             "allreduce_coalesced",
                             "allgather_into_tensor_coalesced",
                             "reduce_scatter_tensor_coalesced",
                             "wait",
                             "ALL_TO_ALL"})
    {
        EXPECT_NO_THROW(CheckCollective("", NormalisedCollective(name), report)) << name;
    }
    EXPECT_TRUE(IsSilent("barrier"));
    EXPECT_FALSE(IsSilent("allreduce"));
    EXPECT_THROW(CheckCollective("", "allredcue", report), InputError);
}

} // namespace inca
