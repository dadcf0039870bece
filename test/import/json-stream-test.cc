/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-stream.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

namespace
{

/** @return each piece as "place=text" */
std::vector<std::string>
PiecesOf(const std::string& text, bool severalObjects = false)
{
    std::vector<std::string> pieces;
    ByteSource source("x.json", text);
    ReadJsonPieces(source, severalObjects, [&](const JsonPlace& place, const Json& piece) {
        pieces.push_back(place.Text() + "=" + piece.dump());
    });
    return pieces;
}

std::string
RefusalOfJson(const std::string& text)
{
    try
    {
        PiecesOf(text);
        return "";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(JsonStream, HandsOverMembersAndElements)
{
    EXPECT_THAT(PiecesOf(R"({"a": 1, "b": [2, {"c": [3]}], "d": {"e": []}})"),
                testing::ElementsAre("a=1", "b[0]=2", R"(b[1]={"c":[3]})", R"(d={"e":[]})"));
    EXPECT_THAT(PiecesOf("[1, [2]]"), testing::ElementsAre("[0]=1", "[1]=[2]"));
    EXPECT_THAT(PiecesOf("{\"a\":1}\n{\"b\":2}\n", true),
                testing::ElementsAre(R"([0]={"a":1})", R"([1]={"b":2})"));
}

/* Written 1.5: as a text, so that no digit is lost. */
TEST(JsonStream, KeepsFractionsAsTheyAreWritten)
{
    EXPECT_THAT(PiecesOf(R"({"ts": 1711964646000123.456})"),
                testing::ElementsAre(R"(ts="1711964646000123.456")"));
}

TEST(JsonStream, RefusesWhatIsCutOffOrNoJson)
{
    EXPECT_THAT(RefusalOfJson(R"({"a": [1, 2)"),
                testing::HasSubstr("x.json: is no JSON: parse error at line 1"));
    EXPECT_THAT(RefusalOfJson("{\"a\":\n NaN}"), testing::HasSubstr("line 2"));
    EXPECT_THAT(RefusalOfJson("{\"a\": 1} x"), testing::HasSubstr("is no JSON"));
    EXPECT_THAT(RefusalOfJson("\"\xff\""), testing::HasSubstr("is no JSON"));
}

TEST(JsonStream, RefusesDeepNesting)
{
    const std::string deep(100'000, '[');
    EXPECT_THAT(RefusalOfJson(deep), testing::HasSubstr("more than 64 levels"));
    EXPECT_THAT(RefusalOfJson("{\"traceEvents\": [{\"args\": " + deep),
                testing::HasSubstr("traceEvents[0]: more than 64 levels"));
}

TEST(JsonStream, RefusesPiecesThatFillTheMemory)
{
    EXPECT_THAT(RefusalOfJson("[\"" + std::string(17U << 20U, 'x') + "\"]"),
                testing::HasSubstr("more than 16 MiB"));
    std::string many = "[[1";
    for (unsigned i = 0; i < 1'000'000; ++i)
    {
        many += ",1";
    }
    EXPECT_THAT(RefusalOfJson(many + "]]"), testing::HasSubstr("more than a million values"));
}

} // namespace inca
