/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec-fixture.h"
#include "trace/safetensors-writer.h"
#include "trace/safetensors.h"

#include <gmock/gmock.h>

#include <cmath>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t g_rows = 64;
constexpr std::size_t g_lanes = 1024;
constexpr std::size_t g_count = g_rows * g_lanes + 3;
const std::string g_countText = std::to_string(g_count);

/** One value in each lane, a small integer, so that sums are exact; and a tail of three. */
std::vector<float>
OnePerLane(std::size_t shift)
{
    std::vector<float> values(g_count);
    for (std::size_t lane = 0; lane < g_lanes; ++lane)
    {
        values[(lane * 7 + shift * 11) % g_rows * g_lanes + lane] = static_cast<float>(lane + 1);
    }
    values[g_count - 1] = static_cast<float>(shift) - 0.5F;
    return values;
}

std::vector<float>
Sum(const std::vector<float>& a, const std::vector<float>& b)
{
    std::vector<float> sum(a);
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        sum[i] += b[i];
    }
    return sum;
}

class CodecBucketTest : public CodecFixture
{
  protected:
    using Words = std::vector<std::string>;

    static Words Encoding(const Words& settings, const std::string& in, const std::string& out)
    {
        Words words{"encode", "--codec", "homomorphic"};
        words.insert(words.end(), settings.begin(), settings.end());
        words.insert(words.end(), {"@" + in, "@" + out});
        return words;
    }

    static Words Decoding(const Words& settings, const std::string& in, const std::string& out)
    {
        Words words{"decode", "--codec", "homomorphic", "--elements", g_countText};
        words.insert(words.end(), settings.begin(), settings.end());
        words.insert(words.end(), {"@" + in, "@" + out});
        return words;
    }

    static Words Adding(const Words& settings, const Words& files)
    {
        Words words{"add", "--codec", "homomorphic", "--elements", g_countText};
        words.insert(words.end(), settings.begin(), settings.end());
        for (const auto& file : files)
        {
            words.push_back("@" + file);
        }
        return words;
    }
};

} // namespace

/* 64 rows: index 128, 512 or (half a bit per value) 64 bytes per row; 64 counter rows of 4096
 * bytes; 12 bytes of tail. A value alone in its lane is peeled in the first round, the second finds
 * nothing.                                                                                        */
TEST_F(CodecBucketTest, DecodesWhatItEncodedWithAnyIndex)
{
    const auto values = OnePerLane(0);
    PutFloats("in.f32", values);
    const auto bytes = [this](const Words& settings) {
        Run(Encoding(settings, "in.f32", "stream"));
        return Bytes("stream").size();
    };
    const auto decode = [this](const Words& settings) {
        return Run(Decoding(settings, "stream", "out.f32"));
    };
    const std::string all =
        "1024 values decoded, 0 estimated, 2 rounds; 1024 of 1024 lanes decoded";
    for (const auto& [index, rowBytes] :
         {std::pair("bits-1", 128U), std::pair("1", 128U), std::pair("4", 512U)})
    {
        EXPECT_EQ(bytes({"--ratio", "1", "--index", index}), 64 * (rowBytes + 4096) + 12) << index;
        EXPECT_THAT(decode({"--ratio", "1", "--index-bits", index}), HasSubstr(all)) << index;
        EXPECT_EQ(Floats("out.f32"), values) << index;
    }
    EXPECT_EQ(bytes({"--ratio", "1", "--index", "bloom"}), 64 * (64 + 4096) + 12U);
    decode({"--ratio", "1", "--index", "bloom"});
    EXPECT_EQ(Floats("out.f32"), values);
    const Words bloom{
        "--ratio", "1", "--index", "bloom", "--bloom-bits", "0.25", "--bloom-hashes", "3"};
    EXPECT_EQ(bytes(bloom), 64 * (32 + 4096) + 12U);
    decode(bloom);
    EXPECT_EQ(Floats("out.f32"), values);
}

/* What "homomorphic" says: the sum of the streams is the stream of the sum. */
TEST_F(CodecBucketTest, AddsStreamsWithoutDecodingThem)
{
    for (const Words& settings : {Words{"--ratio", "1"},
                                  Words{"--ratio", "1", "--index-bits", "4"},
                                  Words{"--ratio", "1", "--index", "bloom"}})
    {
        for (const std::size_t worker : {0U, 1U, 2U})
        {
            PutFloats("in.f32", OnePerLane(worker));
            Run(Encoding(settings, "in.f32", "stream" + std::to_string(worker)));
        }
        EXPECT_THAT(Run(Adding(settings, {"stream0", "stream1", "stream2", "sum"})),
                    HasSubstr("sum: 3 streams"));
        const auto sum = Sum(Sum(OnePerLane(0), OnePerLane(1)), OnePerLane(2));
        PutFloats("sum.f32", sum);
        Run(Encoding(settings, "sum.f32", "expected"));
        EXPECT_TRUE(Bytes("sum") == Bytes("expected")) << settings.back();
        Run(Decoding(settings, "sum", "out.f32"));
        EXPECT_EQ(Floats("out.f32"), sum) << settings.back();
    }
}

/* Four bits count to 15, whether 16 streams are given or sums of 8. */
TEST_F(CodecBucketTest, AddsNoMoreThanFifteenWorkersWithFourBits)
{
    PutFloats("in.f32", OnePerLane(0));
    const Words settings{"--index", "bits-4"};
    Run(Encoding(settings, "in.f32", "one"));
    EXPECT_THAT(Refusal(Adding(settings, Words(17, "one"))),
                HasSubstr("at most 15 workers, not 16"));
    auto eight = Words(8, "one");
    eight.emplace_back("eight");
    Run(Adding(settings, eight));
    EXPECT_THAT(Refusal(Adding(settings, {"eight", "eight", "sum"})),
                HasSubstr("eight: homomorphic: an index of 4 bits adds up at most 15 workers"));
    EXPECT_THAT(Files(), testing::UnorderedElementsAre("in.f32", "one", "eight"));
}

/* All of 64 rows set at 7 counter rows: load 64 / 7 = 9.143. */
TEST_F(CodecBucketTest, WarnsBeforehandAndAfterwardsThatValuesAreEstimated)
{
    PutFloats("in.f32", std::vector<float>(g_count, 1.0F));
    const auto before = Warnings(Encoding({}, "in.f32", "stream"));
    EXPECT_THAT(before, HasSubstr("inca: warning: ratio 10 is not safe: at a load"));
    EXPECT_THAT(before, HasSubstr("of 9.143, decoding is expected to estimate"));
    EXPECT_THAT(before, HasSubstr("a ratio is safe (0.1 % at most) up to 0.5"));
    const auto after = Warnings(Decoding({}, "stream", "out.f32"));
    EXPECT_THAT(after, HasSubstr("of 65536 set values ("));
    EXPECT_THAT(after,
                HasSubstr("could not be decoded and were estimated: the load (set values per "
                          "lane / counter rows) is 9.143"));
    EXPECT_THAT(Warnings(Adding({}, {"stream", "stream", "sum"})),
                HasSubstr("ratio 10 is not safe"));
}

/* A file of its own would do with few counter rows; what it will be added to would not. */
TEST_F(CodecBucketTest, AsksForTheUnionsDensity)
{
    PutFloats("in.f32", OnePerLane(0));
    const Words alone{"--ratio", "1"};
    const Words together{"--ratio", "1", "--union-density", "0.9"};
    EXPECT_EQ(Warnings(Encoding(alone, "in.f32", "stream")), "");
    EXPECT_THAT(Warnings(Encoding(together, "in.f32", "stream")), HasSubstr("ratio 1 is not safe"));
    const auto text =
        Run(Encoding({"--ratio", "0.5", "--union-density", "0.9"}, "in.f32", "stream"));
    EXPECT_THAT(text, HasSubstr("128 counter rows"));
    EXPECT_THAT(text, HasSubstr("density as a decoder finds it 90 %, load 0.450"));
}

TEST_F(CodecBucketTest, PrintsTheRatioThatIsSafe)
{
    PutFloats("in.f32", OnePerLane(0));
    const auto text =
        Run(Encoding({"--ratio", "safe", "--union-density", "0.3"}, "in.f32", "stream"));
    const auto begin = text.find("ratio ") + 6;
    const auto ratio = text.substr(begin, text.find(',', begin) - begin);
    EXPECT_EQ(Warnings(Decoding({"--ratio", ratio}, "stream", "out.f32")), "");
    EXPECT_EQ(Floats("out.f32"), OnePerLane(0));
    EXPECT_THAT(Refusal(Decoding({"--ratio", "safe"}, "stream", "out.f32")),
                HasSubstr("--ratio safe is for encoding"));
    PutFloats("few.f32", std::vector<float>(20 * g_lanes, 1.0F));
    EXPECT_THAT(Refusal(Encoding({"--ratio", "safe"}, "few.f32", "few")),
                HasSubstr("no ratio is safe for 20 rows at a density of 100 %"));
}

TEST_F(CodecBucketTest, TakesFilesWithoutAWholeRow)
{
    PutFloats("in.f32", {1.5F, -0.0F, NAN});
    Put("empty.f32", "");
    for (const auto* name : {"in", "empty"})
    {
        const std::string file(name);
        const auto elements = std::to_string(Floats(file + ".f32").size());
        EXPECT_THAT(Run(Encoding({"--ratio", "safe"}, file + ".f32", file)), HasSubstr("0 rows"));
        EXPECT_EQ(Bytes(file), Bytes(file + ".f32"));
        Run({"decode", "--codec", "homomorphic", "--elements", elements, "@" + file, "@out.f32"});
        EXPECT_EQ(Bytes("out.f32"), Bytes(file + ".f32"));
        Run({"add",
             "--codec",
             "homomorphic",
             "--elements",
             elements,
             "@" + file,
             "@" + file,
             "@sum"});
        EXPECT_EQ(Bytes("sum").size(), Bytes(file).size());
    }
}

TEST_F(CodecBucketTest, JoinsTheTensorsOfASafetensorsFile)
{
    const auto values = OnePerLane(1);
    const auto middle = values.begin() + 5000;
    WriteSafetensors(Path("in.safetensors"),
                     {{"conv", {5000}, {values.begin(), middle}},
                      {"none", {0}, {}},
                      {"fc", {g_count - 5000}, {middle, values.end()}}});
    PutFloats("in.f32", values);
    Run(Encoding({}, "in.safetensors", "joined"));
    Run(Encoding({}, "in.f32", "raw"));
    EXPECT_TRUE(Bytes("joined") == Bytes("raw"));
}

TEST_F(CodecBucketTest, RefusesStreamsOfAnotherSize)
{
    Put("stream", "1234");
    EXPECT_THAT(Refusal(Decoding({}, "stream", "out.f32")),
                HasSubstr("stream: has 4 bytes, but a stream of --elements, --ratio and --index as "
                          "given has 36876")); // 64 * 128 + 7 * 4096 + 12
    EXPECT_THAT(Refusal(Adding({}, {"stream", "stream", "sum"})), HasSubstr("stream: has 4 bytes"));
    PutFloats("in.f32", OnePerLane(0));
    Run(Encoding({}, "in.f32", "good"));
    EXPECT_THAT(Refusal(Adding({}, {"good", "stream", "sum"})), HasSubstr("stream: has 4 bytes"));
    EXPECT_THAT(
        Refusal(
            {"decode", "--codec", "homomorphic", "--elements", "4398046511104", "@stream", "@out"}),
        HasSubstr("a bucket has fewer than 2^32 values, got 4398046511104"));
    EXPECT_THAT(Files(), testing::UnorderedElementsAre("stream", "in.f32", "good"));
}

/* Every bit set: an index of everything, counters and tail of NaNs. It is what it is, and said. */
TEST_F(CodecBucketTest, TakesAnyStreamOfTheRightSize)
{
    Put("stream", std::string(64 * 128 + 7 * 4096 + 12, '\xFF'));
    EXPECT_THAT(Warnings(Decoding({}, "stream", "out.f32")), HasSubstr("of 65536 set values"));
    EXPECT_EQ(Floats("out.f32").size(), g_count);
}

TEST_F(CodecBucketTest, RefusesWrongSettings)
{
    PutFloats("in.f32", OnePerLane(0));
    const auto refusal = [this](const Words& settings) {
        return Refusal(Encoding(settings, "in.f32", "stream"));
    };
    EXPECT_THAT(refusal({"--ratio", "0.4"}), HasSubstr("ratio must be a number from 0.5 on"));
    EXPECT_THAT(refusal({"--ratio", "nan"}), HasSubstr("--ratio: "));
    EXPECT_THAT(refusal({"--ratio", "sage"}), HasSubstr("--ratio: "));
    EXPECT_THAT(refusal({"--index", "2"}), HasSubstr("--index: index: unknown '2'"));
    EXPECT_THAT(refusal({"--bloom-bits", "0.5"}), HasSubstr("are of --index bloom"));
    EXPECT_THAT(refusal({"--index", "bloom", "--bloom-bits", "1.5"}), HasSubstr("--bloom-bits: "));
    EXPECT_THAT(refusal({"--index", "bloom", "--bloom-bits", "0"}), HasSubstr("bits per value"));
    EXPECT_THAT(refusal({"--index", "bloom", "--bloom-hashes", "17"}),
                HasSubstr("--bloom-hashes: "));
    EXPECT_THAT(refusal({"--union-density", "1.5"}), HasSubstr("--union-density: "));
    EXPECT_THAT(refusal({"--bound", "2^-8"}), HasSubstr("--bound is no argument of codec"));
    EXPECT_THAT(Refusal({"encode", "--codec", "none", "--union-density", "1", "@in.f32", "@out"}),
                HasSubstr("--union-density is no argument of codec 'none'"));
    EXPECT_THAT(Refusal({"encode", "--codec", "cast", "--ratio", "2", "@in.f32", "@out"}),
                HasSubstr("--ratio is no argument of codec 'cast'"));
    EXPECT_THAT(
        Refusal({"add", "--codec", "cast", "--elements", "1", "@in.f32", "@in.f32", "@out"}),
        HasSubstr("codec 'cast': its streams cannot be added"));
    EXPECT_THAT(Refusal(Adding({}, {"in.f32", "out"})), HasSubstr("needs two streams or more"));
    EXPECT_THAT(Files(), ElementsAre("in.f32"));
}

} // namespace inca
