/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/json-pieces.h"

#include "base/atomic-file.h"
#include "base/errors.h"
#include "import/byte-source.h"
#include "support/own-path.h"
#include "support/why-not.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <zlib.h>

namespace inca
{

namespace
{

/** @return each piece as "place=text" */
std::vector<std::string>
PiecesOf(const std::string& text)
{
    std::vector<std::string> pieces;
    ByteSource source("x.json", text);
    ReadJsonPieces(source, [&](const JsonPlace& place, const Json& piece) {
        pieces.push_back(place.Prefix("") + piece.dump());
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

TEST(JsonPieces, HandsOverMembersAndElements)
{
    EXPECT_THAT(PiecesOf(R"({"a": 1, "b": [2, {"c": [3]}], "d": {"e": []}})"),
                testing::ElementsAre("x.json:1: a: 1",
                                     "x.json:1: b[0]: 2",
                                     R"(x.json:1: b[1]: {"c":[3]})",
                                     R"(x.json:1: d: {"e":[]})"));
    EXPECT_THAT(PiecesOf("[1,\n [2]]"),
                testing::ElementsAre("x.json:1: [0]: 1", "x.json:2: [1]: [2]"));
}

TEST(JsonPieces, RefusesWhatIsCutOffOrNoJson)
{
    EXPECT_THAT(RefusalOfJson("{\"a\":\n NaN}"), testing::HasSubstr("line 2"));
    EXPECT_THAT(RefusalOfJson("{\"a\": 1} x"), testing::HasSubstr("is no JSON"));
    EXPECT_THAT(RefusalOfJson("\"\xff\""), testing::HasSubstr("is no JSON"));
}

TEST(JsonPieces, ReadsNumbersOfEitherKind)
{
    const auto object = Json::parse(R"({"a": 7, "b": "-8", "c": "12.3456", "d": "nan", "e": -1})");
    const JsonPlace place{"x.json", 3, "nodes", 5, true};
    EXPECT_EQ(CountMember(place, object, "a"), 7U);
    EXPECT_EQ(IntegerMember(place, object, "b"), -8);
    EXPECT_EQ(IntegerMember(place, object, "missing"), std::nullopt);
    EXPECT_EQ(TimeMember(place, object, "c"), 12'346); // 12345.6 to the nearest
    EXPECT_THROW(TimeMember(place, object, "d"), InputError);
    EXPECT_THROW(IntegerMember(place, object, "c"), InputError);
    EXPECT_EQ(WhyNot([&] { CountMember(place, object, "e"); }),
              "x.json:3: nodes[5].e: must be from 0 on, got -1");
}

/* us since 1970 to ns: 2^53 ns are 104 days, so a double would lose digits. */
TEST(JsonPieces, ReadsTimesOfTodayToTheNanosecond)
{
    const auto object = Json::parse(R"({"ts": "1711964646000123.457"})");
    EXPECT_EQ(TimeMember({}, object, "ts"), 1'711'964'646'000'123'457);
    const auto number = Json::parse(R"({"ts": 1711964646000123.457})");
    EXPECT_EQ(TimeMember({}, number, "ts"), 1'711'964'646'000'123'457);
}

namespace
{

/** Of zlib, which gzips what it writes. */
std::string
Packed(const std::string& text)
{
    const auto path = OwnPath() + ".gz";
    auto* const file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    std::stringstream packed;
    packed << std::ifstream(path, std::ios::binary).rdbuf();
    std::filesystem::remove(path);
    return packed.str();
}

class ByteSourceTest : public testing::Test
{
  protected:
    std::string Write(const std::string& text) const
    {
        WriteAtomically({{m_path, text}});
        return m_path;
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    std::string m_path = OwnPath();
};

constexpr std::size_t MOST = 64U << 20U;

} // namespace

TEST_F(ByteSourceTest, ReadsPlainAndPackedAlike)
{
    const std::string text(3'000'000, 'x'); // longer than the prefix
    ByteSource plain(Write(text));
    EXPECT_EQ(plain.Prefix().size(), ByteSource::MOST_PREFIX);
    EXPECT_EQ(plain.ReadAll(MOST), text);
    EXPECT_FALSE(plain.IsPacked());

    ByteSource packed(Write(Packed(text)));
    EXPECT_EQ(packed.Prefix(), text.substr(0, ByteSource::MOST_PREFIX));
    EXPECT_EQ(packed.ReadAll(MOST), text);
    EXPECT_TRUE(packed.IsPacked());
    EXPECT_EQ(packed.UnpackedBytes(), text.size());
}

TEST_F(ByteSourceTest, RefusesDamagedAndCutGzip)
{
    std::string noise;
    for (unsigned i = 0; i < 100'000; ++i)
    {
        noise.push_back(static_cast<char>(i * 2654435761U >> 24U));
    }
    const auto whole = Packed(noise);
    for (const auto size : {whole.size() - 1, whole.size() / 2, std::size_t{12}, std::size_t{2}})
    {
        const auto path = Write(whole.substr(0, size));
        EXPECT_THROW(ByteSource(path).ReadAll(MOST), InputError) << size;
    }
    auto damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
    const auto path = Write(damaged);
    EXPECT_THROW(ByteSource(path).ReadAll(MOST), InputError);
}

TEST_F(ByteSourceTest, RefusesWhatIsEmptyOrTooMuch)
{
    const auto path = Write("");
    EXPECT_THROW(ByteSource{path}, InputError);
    EXPECT_THROW(ByteSource{testing::TempDir() + "no-such-file"}, InputError);
    ByteSource source("text", "12345");
    EXPECT_THROW(source.ReadAll(4), InputError);
}

} // namespace inca
