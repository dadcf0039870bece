/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/entry-types.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

TomlEntry
OnlyEntry(const std::string& text)
{
    return ReadToml(text, "a.toml").at(0);
}

} // namespace

TEST(EntryTypes, AWholeNumberIsADecimalToo)
{
    EXPECT_TRUE(Fits(ValueType::DECIMAL, TomlKind::INTEGER));
    EXPECT_FALSE(Fits(ValueType::INTEGER, TomlKind::DECIMAL));
    EXPECT_FALSE(Fits(ValueType::TEXT, TomlKind::INTEGER));
    EXPECT_FALSE(Fits(ValueType::BOOLEAN, TomlKind::TEXT));
    EXPECT_FALSE(Fits(ValueType::TEXT, TomlKind::OTHER));
    EXPECT_TRUE(Fits(ValueType::NUMBER_OR_NAME, TomlKind::INTEGER));
    EXPECT_TRUE(Fits(ValueType::NUMBER_OR_NAME, TomlKind::DECIMAL));
    EXPECT_TRUE(Fits(ValueType::NUMBER_OR_NAME, TomlKind::TEXT));
    EXPECT_FALSE(Fits(ValueType::NUMBER_OR_NAME, TomlKind::BOOLEAN));
}

TEST(EntryTypes, SayWhatIsNeededAndWhatIsThere)
{
    const auto entry = OnlyEntry("[cluster]\nworkers = \"4\"\n");
    EXPECT_EQ(Needs(ValueType::INTEGER, "2..65536", entry),
              "needs a whole number, 2..65536, got a text '4'");
    EXPECT_EQ(Needs(ValueType::NUMBER_OR_NAME, "0.5..2", OnlyEntry("[a]\nb = true\n")),
              "needs a number, or a text in quotes, 0.5..2, got true or false 'true'");
    EXPECT_EQ(Needs(ValueType::BOOLEAN, "", entry),
              "needs true or false, without quotes, got a text '4'");
}

TEST(EntryTypes, TellTablesFromWhatStandsInTheirPlace)
{
    EXPECT_TRUE(IsEmptyTable(OnlyEntry("[attributes]\n")));
    EXPECT_FALSE(IsEmptyTable(OnlyEntry("[atributes]\n")));
    EXPECT_TRUE(NeedsTable(OnlyEntry("training = \"hdc\"\n")));
    EXPECT_FALSE(NeedsTable(OnlyEntry("workers = 4\n"))); // no table is called so
}

TEST(EntryTypes, ListsAreNoScalars)
{
    EXPECT_TRUE(IsScalar(OnlyEntry("a = 1\n").kind));
    EXPECT_TRUE(IsScalar(OnlyEntry("a = \"b\"\n").kind));
    EXPECT_FALSE(IsScalar(OnlyEntry("a = [\"b\"]\n").kind));
    EXPECT_FALSE(IsScalar(OnlyEntry("a = [1]\n").kind));
}

TEST(EntryTypes, AnEmptySweepSaysNothing)
{
    EXPECT_TRUE(IsEmptyTable(OnlyEntry("[sweep]\n")));
    EXPECT_TRUE(NeedsTable(OnlyEntry("sweep = [\"cluster.workers=2,3\"]\n")));
}

} // namespace inca
