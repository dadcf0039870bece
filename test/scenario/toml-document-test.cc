/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/toml-document.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(TomlDocument, KeepsTheOrderAndThePlacesOfTheText)
{
    const auto entries = ReadToml("[b]\nz = 1\na = \"x\"\n[a]\n  y = 2.5\n", "f.toml");
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].name, "b.z");
    EXPECT_EQ(entries[1].name, "b.a");
    EXPECT_EQ(entries[1].kind, TomlKind::TEXT);
    EXPECT_EQ(entries[2].name, "a.y");
    EXPECT_EQ(entries[2].text, "2.5");
    EXPECT_EQ(entries[2].keyPlace.line, 5U);
    EXPECT_EQ(entries[2].keyPlace.column, 3U);
    EXPECT_EQ(entries[2].valuePlace.column, 7U);
}

TEST(TomlDocument, NamesWhatIsNoScalar)
{
    const auto entries =
        ReadToml("[t]\nlist = [1]\ndate = 2020-01-01\ntable = {a = 1}\n", "f.toml");
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].kindName, "a list");
    EXPECT_EQ(entries[1].kindName, "a date or time");
    EXPECT_EQ(entries[2].kindName, "a table");
    EXPECT_EQ(entries[2].kind, TomlKind::OTHER);
}

TEST(TomlDocument, QuotesWhatReadsBackToTheSame)
{
    const std::string text = "a \"b\" \\ \n\t c";
    const auto entries = ReadToml("a = " + QuoteToml(text), "f.toml");
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].text, text);
}

TEST(TomlDocument, RefusesWhatTheLibraryDoesNotStand)
{
    EXPECT_THROW(ReadToml("a" + std::string(33, '.') + "\n", "f.toml"), InputError);
    EXPECT_THROW(ReadToml("\xc3\xb6 = 1\n", "f.toml"), InputError);
    EXPECT_TRUE(ReadToml("# " + std::string(33, '.') + "\n", "f.toml").empty());
}

TEST(TomlDocument, TakesListsOfTextsWithTheirPlaces)
{
    const auto entries = ReadToml("[a]\nb = [\"x\", \"y\"]\nc = []\nd = [\"x\", 1]\n", "a.toml");
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].kind, TomlKind::TEXTS);
    ASSERT_EQ(entries[0].texts.size(), 2U);
    EXPECT_EQ(entries[0].texts[1].text, "y");
    EXPECT_EQ(entries[0].texts[1].place.line, 2U);
    EXPECT_EQ(entries[0].texts[1].place.column, 11U); // behind 'b = ["x", '
    EXPECT_EQ(entries[1].kind, TomlKind::TEXTS);
    EXPECT_EQ(entries[2].kind, TomlKind::OTHER);
}

} // namespace inca
