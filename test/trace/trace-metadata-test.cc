/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-metadata.h"

#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** What a key writes after it has read @p text. */
std::string
Again(const std::string& name, const std::string& text)
{
    for (const auto& key : TraceKeys())
    {
        if (key.name == name)
        {
            GradientTrace trace;
            key.read(text, trace);
            return key.write(trace);
        }
    }
    return "no such key";
}

} // namespace

TEST(TraceMetadata, KeysAreThoseOfTheFormat)
{
    EXPECT_THAT(
        TraceKeyNames(),
        testing::ElementsAre(
            "model", "source", "class", "device", "batch", "gradient_type", "stats_workers"));
}

TEST(TraceMetadata, TextReadsBackAsTheSame)
{
    EXPECT_EQ(Again("model", "a: b, c"), "a: b, c");
    EXPECT_EQ(Again("class", "printed"), "printed");
    EXPECT_EQ(Again("gradient_type", "bf16"), "bf16");
    EXPECT_EQ(Again("batch", "1000000000"), "1000000000");
    EXPECT_EQ(Again("stats_workers", "2"), "2");
}

TEST(TraceMetadata, ValuesAreChecked)
{
    EXPECT_THROW(Again("class", "Printed"), UnitError);
    EXPECT_THROW(Again("gradient_type", "fp64"), UnitError);
    EXPECT_THROW(Again("batch", "1000000001"), UnitError);
    EXPECT_THROW(Again("batch", "-1"), UnitError);
    EXPECT_THROW(Again("stats_workers", "1"), UnitError); // a union takes two
}

} // namespace inca
