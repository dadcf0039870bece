/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/toml-guard.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <string>

namespace inca
{

namespace
{

std::string
Refusal(const std::string& text)
{
    try
    {
        RefuseUnsafeToml(text, "x.toml");
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/** @p count keys of a letter each, with points between them */
std::string
DeepKey(int count)
{
    std::string key = "a";
    for (int i = 1; i < count; ++i)
    {
        key += ".a";
    }
    return key;
}

} // namespace

TEST(TomlGuard, RefusesWhatIsNoUtf8)
{
    EXPECT_EQ(Refusal("a = 1\nb = \"\xff\"\n"), "x.toml:2:6: no valid TOML: byte 0xFF is no UTF-8");
    EXPECT_NE(Refusal("# \xed\xa0\x80\n"), ""); // a surrogate
}

/* toml++ 3.3 asks whether such a character is white space, and ends in __builtin_unreachable. */
TEST(TomlGuard, RefusesLettersWhereTheLibraryDoesNotStandThem)
{
    const std::string outside =
        "no valid TOML: a character outside ASCII may not stand outside of quotes";
    EXPECT_EQ(Refusal("\xc3\xb6 = 1\n"), "x.toml:1:1: " + outside);
    EXPECT_EQ(Refusal("a = 1\xc3\xb6\n"), "x.toml:1:6: " + outside);
    EXPECT_EQ(Refusal("a = \"x\"\xc3\xb6\n"), "x.toml:1:8: " + outside);
    EXPECT_NE(Refusal("a = \"\"\"x\\\n  \xc3\xb6\"\"\"\n"), "");
    EXPECT_NE(Refusal("a = 1\"\xc3\xb6\"\n"), ""); // for the library one word
    EXPECT_NE(Refusal("a = [1.\"\xc3\xb6\"]\n"), "");
    EXPECT_NE(Refusal("a = {b = [1, x='\xc3\xb6']}\n"), "");
    EXPECT_NE(Refusal("a = \"\"\"\\\xc3\xb6\"\"\"\n"), "");
}

TEST(TomlGuard, TakesLettersInQuotesAndComments)
{
    EXPECT_EQ(Refusal("# \xc3\xb6\n\"\xc3\xb6\" = '\xc3\xb6'\n"), "");
    EXPECT_EQ(Refusal("a = \"\"\"\n\xc3\xb6 \"\" \xc3\xb6\"\"\"\"\"\nb = '''\xc3\xb6'''\n"), "");
    EXPECT_EQ(Refusal("a = \"\\\"\xc3\xb6\"\n"), ""); // the first quote inside does not end it
    EXPECT_EQ(Refusal("a = 'x\\'\nb = \"\xc3\xb6\"\n"), "");
    EXPECT_EQ(
        Refusal(
            "[a.\"\xc3\xb6\".b]\nc = {a.\"\xc3\xb6\" = [1, \"\xc3\xb6\", [true, '\xc3\xb6']]}\n"),
        "");
    EXPECT_EQ(Refusal("\xef\xbb\xbf# a byte order mark\n"), "");
    EXPECT_EQ(Refusal("a = \"\"\"x\\\n  y\\\\\xc3\xb6\"\"\"\n"), "");
}

/* 16 points are 17 keys. */
TEST(TomlGuard, RefusesKeysOfManyPoints)
{
    EXPECT_EQ(Refusal(DeepKey(17) + " = 1\n"), "");
    EXPECT_EQ(Refusal(DeepKey(18) + " = 1\n"),
              "x.toml:1:34: no valid TOML: more than 16 points in a key");
    EXPECT_NE(Refusal("x = {" + DeepKey(18) + " = 1}\n"), "");
    EXPECT_NE(Refusal("[" + DeepKey(18) + "]\n"), "");
    EXPECT_NE(Refusal("\"a\" . 'a' . " + DeepKey(16) + " = 1\n"), "");
    EXPECT_NE(Refusal("x = \"\"\"\n\" \"\"\"\n" + DeepKey(18) + " = 1\n"), "");
}

/* 40 decimals between quotes were taken for a key of 40 points. */
TEST(TomlGuard, CountsNoPointsOfValues)
{
    std::string values;
    for (int i = 0; i < 40; ++i)
    {
        values += (i == 0 ? "" : ",") + std::string("0.") + std::to_string(i + 10);
    }
    EXPECT_EQ(Refusal("[sweep]\nvary = [\"cluster.loss_rate=" + values + "\"]\n"), "");
    EXPECT_EQ(Refusal("x = [" + values + "]\n"), "");
    EXPECT_EQ(Refusal("# " + DeepKey(40) + "\n"), "");
}

} // namespace inca
