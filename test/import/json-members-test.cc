/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-members.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(JsonMembers, ReadsNumbersOfEitherKind)
{
    const auto object = Json::parse(R"({"a": 7, "b": "-8", "c": "12.3456", "d": "nan", "e": -1})");
    const JsonPlace place{"x.json", 3, "nodes", 5, true};
    EXPECT_EQ(CountMember(place, object, "a"), 7U);
    EXPECT_EQ(IntegerMember(place, object, "b"), -8);
    EXPECT_EQ(IntegerMember(place, object, "missing"), std::nullopt);
    EXPECT_EQ(TimeMember(place, object, "c", 1000), 12'346); // 12345.6 to the nearest
    EXPECT_THROW(TimeMember(place, object, "d", 1), InputError);
    EXPECT_THROW(IntegerMember(place, object, "c"), InputError);
    try
    {
        CountMember(place, object, "e");
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "x.json:3: nodes[5].e: must be from 0 on, got -1");
    }
}

/* us since 1970 to ns: 2^53 ns are 104 days, so a double would lose digits. */
TEST(JsonMembers, ReadsTimesOfTodayToTheNanosecond)
{
    const auto object = Json::parse(R"({"ts": "1711964646000123.457"})");
    EXPECT_EQ(TimeMember({}, object, "ts", 1000), 1'711'964'646'000'123'457);
}

} // namespace inca
