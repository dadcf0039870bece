/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace inca
{

/* U+009B is what ESC [ is to a terminal that takes such, U+00A0 a space; a byte alone is no letter. */
TEST(Printable, ShowsNothingThatMovesACursor)
{
    const std::pair<std::string, const char*> rows[] = {
        {"a\x1b[2J\n\x7f z", "a?[2J?? z"},
        {"gr\xc3\xb6\xc3\x9f"
         "e",
         "gr\xc3\xb6\xc3\x9f"
         "e"},
        {"\xc2\x9b"
         "2J\xc2\xa0\x9b\xff",
         "?2J\xc2\xa0??"},
    };
    for (const auto& [text, shown] : rows)
    {
        EXPECT_EQ(Printable(text), shown);
    }
    EXPECT_EQ(PrintableLines("a\n\x1b\n\nb"), "a\n?\n\nb");
    EXPECT_EQ(PrintableLines("a\n"), "a\n");
    EXPECT_EQ(PrintableAscii("a\x1b~\xc3\xb6 z"), "a?~?? z");
}

/* The ends of RFC 3629's ranges: U+007F, U+0080, U+07FF, U+0800, U+D7FF, U+E000, U+FFFF, U+10000, U+10FFFF. */
TEST(Utf8, KnowsCharactersOfEveryLength)
{
    const std::pair<std::string, std::size_t> characters[] = {{"\x7f", 1},
                                                              {"\xc2\x80", 2},
                                                              {"\xdf\xbf", 2},
                                                              {"\xe0\xa0\x80", 3},
                                                              {"\xed\x9f\xbf", 3},
                                                              {"\xee\x80\x80", 3},
                                                              {"\xef\xbf\xbf", 3},
                                                              {"\xf0\x90\x80\x80", 4},
                                                              {"\xf4\x8f\xbf\xbf", 4}};
    for (const auto& [text, bytes] : characters)
    {
        EXPECT_EQ(Utf8Length(text + "x"), bytes);
        EXPECT_EQ(FirstOutsideUtf8("a" + text + "b"), std::string::npos);
    }
    EXPECT_EQ(Utf8Length(std::string(1, '\0')), 1U);
}

/* A continuation alone, a sequence cut short, overlong forms, a surrogate, beyond U+10FFFF, bytes that are none. */
TEST(Utf8, RefusesWhatIsNone)
{
    for (const std::string text : {"\x80",
                                   "\xc3",
                                   "\xe2\x82",
                                   "\xc0\xaf",
                                   "\xc1\xbf",
                                   "\xe0\x9f\xbf",
                                   "\xf0\x8f\xbf\xbf",
                                   "\xed\xa0\x80",
                                   "\xf4\x90\x80\x80",
                                   "\xf5\x80\x80\x80",
                                   "\xff",
                                   ""})
    {
        EXPECT_EQ(Utf8Length(text), 0U);
    }
    EXPECT_EQ(FirstOutsideUtf8("ab\xc3"), 2U);
}

} // namespace inca
