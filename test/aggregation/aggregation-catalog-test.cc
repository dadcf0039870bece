/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/aggregation-catalog.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(AggregationCatalog, EveryRowMakesBothSides)
{
    for (const auto& entry : AggregationCatalog())
    {
        EXPECT_TRUE(FindAggregation(entry.name).makeProgram()) << entry.name;
        EXPECT_TRUE(FindAggregation(entry.name).makeClient()) << entry.name;
    }
}

TEST(AggregationCatalog, NamesWhatItKnows)
{
    try
    {
        FindAggregation("slot");
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "aggregation program: unknown 'slot'; did you mean 'slots'?");
    }
}

} // namespace inca
