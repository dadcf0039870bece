/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/toml-document.h"

#include "scenario-settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::HasSubstr;

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

/* Tables of tables have entries of their own; what is in braces stands where a value should, but in groups. */
TEST(TomlDocument, GoesFourLevelsDeep)
{
    const auto entries =
        ReadToml("[g]\nb.z = 1\n[g.a]\nx = 2\ny = {q = 1}\n[g.c]\n[g.d.e]\nx = 3\nf.h = 4\n"
                 "[group.a]\nb = {x = 5}\n",
                 "f.toml");
    std::vector<std::string> names;
    for (const auto& entry : entries)
    {
        names.push_back(entry.name + (entry.kind == TomlKind::TABLE ? " TABLE" : ""));
    }
    EXPECT_THAT(names,
                testing::UnorderedElementsAre("g.b.z",
                                              "g.a.x",
                                              "g.a.y TABLE",
                                              "g.c TABLE",
                                              "g.d.e.x",
                                              "g.d.e.f TABLE",
                                              "group.a.b.x"));
}

TEST(TomlDocument, NamesWhatIsNoScalar)
{
    const auto entries =
        ReadToml("[t]\nlist = [1]\ndate = 2020-01-01\ntable = {a = 1}\n", "f.toml");
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].kindName, "a list");
    EXPECT_EQ(entries[1].kindName, "a date or time");
    EXPECT_EQ(entries[2].kindName, "a table");
    EXPECT_EQ(entries[2].kind, TomlKind::TABLE);
}

TEST(TomlDocument, QuotesWhatReadsBackToTheSame)
{
    const std::string text = "a \"b\" \\ \n\t c";
    const auto entries = ReadToml("a = " + QuoteToml(text), "f.toml");
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].text, text);
}

/* toml++ 3.3 asks whether such a character is white space, and may end in __builtin_unreachable. */
TEST(TomlDocument, TakesLettersOutsideAsciiInQuotesAndComments)
{
    const auto text = [](const std::string& toml) { return ReadToml(toml, "f.toml").at(0).text; };
    for (const std::string letter : {"\xc3\xb6",
                                     "\xc2\x80",
                                     "\xdf\xbf",
                                     "\xe0\xa0\x80",
                                     "\xef\xbf\xbf",
                                     "\xf0\x9f\x98\x80",
                                     "\xf3\xb0\x82\x80"})
    {
        EXPECT_EQ(text("# " + letter + "\na = \"x" + letter + "\"\n"), "x" + letter);
        EXPECT_EQ(text("a = '''\n" + letter + "'''"), letter);
        EXPECT_EQ(text("a = \"\"\"x\\\n  " + letter + "\"\"\""), "x" + letter);
        const auto list = ReadToml("\"" + letter + "\" = [\"" + letter + "\"]", "f.toml").at(0);
        EXPECT_EQ(list.name, letter);
        EXPECT_EQ(list.texts.at(0).text, letter);
    }
    EXPECT_EQ(text("\xef\xbb\xbf# a byte order mark\na = \"b\"\n"), "b");
}

TEST(TomlDocument, RefusesWhatTheLibraryDoesNotStand)
{
    const auto refusal = [](const std::string& text) {
        const auto complaints = ComplaintsIn([&] { ReadToml(text, "x.toml"); });
        return complaints.empty() ? "" : complaints[0];
    };
    EXPECT_NE(refusal("# \xed\xa0\x80\n"), ""); // a surrogate
    for (const auto* outside : {"\xc3\xb6 = 1\n",
                                "a = 1\xc3\xb6\n",
                                "a = \"x\"\xc3\xb6\n",
                                "a = 1\"\xc3\xb6\"\n",
                                "a = [1.\"\xc3\xb6\"]\n",
                                "a = {b = [1, x='\xc3\xb6']}\n",
                                "a = \"\"\"\\\xc3\xb6\"\"\"\n"})
    {
        EXPECT_THAT(refusal(outside), HasSubstr("x.toml:1:")) << outside;
    }
    const std::string points(10'001, '.'); // the first of a line does not count
    EXPECT_EQ(refusal("# " + points), "");
    EXPECT_THAT(refusal("\n# " + points + "."), HasSubstr("x.toml:2:1: "));
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
