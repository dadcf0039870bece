/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-fixture.h"
#include "trace/safetensors-writer.h"
#include "trace/safetensors.h"

#include <gmock/gmock.h>

#include <cmath>

namespace inca
{

namespace
{

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
    /** Command lines, with further options @p settings. @{ */
    static std::string Encode(const std::string& in,
                              const std::string& out,
                              const std::string& settings = "")
    {
        return "codec encode --codec homomorphic @" + in + " @" + out + " " + settings;
    }

    static std::string Decode(const std::string& in,
                              const std::string& out,
                              const std::string& settings = "",
                              const std::string& elements = g_countText)
    {
        return "codec decode --codec homomorphic --elements " + elements + " @" + in + " @" + out +
               " " + settings;
    }

    /** @param files "@a @b @sum" */
    static std::string Add(const std::string& files,
                           const std::string& settings = "",
                           const std::string& elements = g_countText)
    {
        return "codec add --codec homomorphic --elements " + elements + " " + files + " " +
               settings;
    }
    /** @} */
};

} // namespace

/* 64 rows: index 128, 512 or (half a bit per value) 64 bytes per row; 64 counter rows of 4096
 * bytes; 12 bytes of tail. A value alone in its lane is peeled in the first round, the second finds
 * nothing.                                                                                        */
TEST_F(CodecBucketTest, DecodesWhatItEncodedWithAnyIndex)
{
    const auto values = OnePerLane(0);
    PutFloats("in.f32", values);
    const std::vector<std::pair<std::string, unsigned>> cases{
        {"--index bits-1", 128},
        {"--index 1", 128},
        {"--index-bits 4", 512},
        {"--index bloom", 64},
        {"--index bloom --bloom-bits 0.25 --bloom-hashes 3", 32},
    };
    for (const auto& [index, rowBytes] : cases)
    {
        Output(Encode("in.f32", "stream", "--ratio 1 " + index));
        EXPECT_EQ(Read("stream").size(), 64 * (rowBytes + 4096) + 12) << index;
        const auto text = Output(Decode("stream", "out.f32", "--ratio 1 " + index));
        EXPECT_EQ(Floats("out.f32"), values) << index;
        if (rowBytes >= 128) // an index of bits marks nothing by mistake
        {
            EXPECT_THAT(text,
                        HasSubstr("1024 values decoded, 0 estimated, 2 rounds; 1024 of 1024 lanes "
                                  "decoded"));
        }
    }
}

/* What "homomorphic" says: the sum of the streams is the stream of the sum. */
TEST_F(CodecBucketTest, AddsStreamsWithoutDecodingThem)
{
    for (const std::string settings :
         {"--ratio 1", "--ratio 1 --index-bits 4", "--ratio 1 --index bloom"})
    {
        for (const std::size_t worker : {0U, 1U, 2U})
        {
            PutFloats("in.f32", OnePerLane(worker));
            Output(Encode("in.f32", "stream" + std::to_string(worker), settings));
        }
        EXPECT_THAT(Output(Add("@stream0 @stream1 @stream2 @sum", settings)),
                    HasSubstr("sum: 3 streams"));
        const auto sum = Sum(Sum(OnePerLane(0), OnePerLane(1)), OnePerLane(2));
        PutFloats("sum.f32", sum);
        Output(Encode("sum.f32", "expected", settings));
        EXPECT_TRUE(Read("sum") == Read("expected")) << settings;
        Output(Decode("sum", "out.f32", settings));
        EXPECT_EQ(Floats("out.f32"), sum) << settings;
    }
}

/* Four bits count to 15, whether 16 streams are given or sums of 8. */
TEST_F(CodecBucketTest, AddsNoMoreThanFifteenWorkersWithFourBits)
{
    PutFloats("in.f32", OnePerLane(0));
    const std::string settings = "--index bits-4";
    Output(Encode("in.f32", "one", settings));
    std::string eight;
    for (int i = 0; i < 8; ++i)
    {
        eight += "@one ";
    }
    EXPECT_THAT(Refusal(Add(eight + eight + "@sum", settings)),
                HasSubstr("at most 15 workers, not 16"));
    Output(Add(eight + "@eight", settings));
    EXPECT_THAT(Refusal(Add("@eight @eight @sum", settings)),
                HasSubstr("eight: homomorphic: an index of 4 bits adds up at most 15 workers"));
    EXPECT_THAT(Files(), testing::UnorderedElementsAre("in.f32", "one", "eight"));
}

/* All of 64 rows set at 7 counter rows: load 64 / 7 = 9.143. */
TEST_F(CodecBucketTest, WarnsBeforehandAndAfterwardsThatValuesAreEstimated)
{
    PutFloats("in.f32", std::vector<float>(g_count, 1.0F));
    for (const auto& line : {Encode("in.f32", "stream"), Decode("stream", "out.f32")})
    {
        EXPECT_THAT(Warnings(line), HasSubstr(" 9.143"));
    }
    EXPECT_THAT(Warnings(Add("@stream @stream @sum")), HasSubstr("ratio 10 is not safe"));
}

/* A file of its own would do with few counter rows; what it will be added to would not. */
TEST_F(CodecBucketTest, AsksForTheUnionsDensity)
{
    PutFloats("in.f32", OnePerLane(0));
    EXPECT_EQ(Warnings(Encode("in.f32", "stream", "--ratio 1")), "");
    EXPECT_THAT(Warnings(Encode("in.f32", "stream", "--ratio 1 --union-density 0.9")),
                HasSubstr("ratio 1 is not safe"));
    const auto text = Output(Encode("in.f32", "stream", "--ratio 0.5 --union-density 0.9"));
    EXPECT_THAT(text, HasSubstr("128 counter rows"));
    EXPECT_THAT(text, HasSubstr("density as a decoder finds it 90 %, load 0.450"));
}

TEST_F(CodecBucketTest, PrintsTheRatioThatIsSafe)
{
    PutFloats("in.f32", OnePerLane(0));
    const auto text = Output(Encode("in.f32", "stream", "--ratio safe --union-density 0.3"));
    const auto begin = text.find("ratio ");
    const auto ratio = text.substr(begin, text.find(',', begin) - begin);
    EXPECT_EQ(Warnings(Decode("stream", "out.f32", "--" + ratio)), "");
    EXPECT_EQ(Floats("out.f32"), OnePerLane(0));
}

TEST_F(CodecBucketTest, TakesFilesWithoutAWholeRowAndSeveralTensors)
{
    PutFloats("in.f32", {1.5F, -0.0F, NAN});
    Put("empty.f32", "");
    for (const std::string file : {"in", "empty"})
    {
        const auto values = Read(file + ".f32");
        const auto elements = std::to_string(values.size() / sizeof(float));
        EXPECT_THAT(Output(Encode(file + ".f32", file, "--ratio safe")), HasSubstr("0 rows"));
        EXPECT_EQ(Read(file), values);
        Output(Decode(file, "out.f32", "", elements));
        EXPECT_EQ(Read("out.f32"), values);
        Output(Add("@" + file + " @" + file + " @sum", "", elements));
        EXPECT_EQ(Read("sum").size(), values.size());
    }
    WriteSafetensors(Path("in.safetensors"), {{"conv", {2}, {1.5F, -0.0F}}, {"fc", {1}, {NAN}}});
    Output(Encode("in.safetensors", "joined"));
    EXPECT_TRUE(Read("joined") == Read("in"));
}

/* 64 * 128 + 7 * 4096 + 12 = 36876 bytes: others are refused. Any bits of that size are taken: here an index of everything, and
 * counters and tail of NaNs. */
TEST_F(CodecBucketTest, TakesStreamsOfTheRightSizeOnly)
{
    Put("stream", "1234");
    EXPECT_THAT(Refusal(Decode("stream", "out.f32")), HasSubstr(" has 36876"));
    PutFloats("in.f32", OnePerLane(0));
    Output(Encode("in.f32", "good"));
    for (const auto* files : {"@stream @stream @sum", "@good @stream @sum"})
    {
        EXPECT_THAT(Refusal(Add(files)), HasSubstr("stream: has 4 bytes"));
    }
    EXPECT_THAT(Files(), testing::UnorderedElementsAre("stream", "in.f32", "good"));
    Put("stream", std::string(36876, '\xFF'));
    EXPECT_THAT(Warnings(Decode("stream", "out.f32")), HasSubstr("of 65536 set values"));
    EXPECT_EQ(Floats("out.f32").size(), g_count);
}

/* 64 rows of which one is set, and a tail of one: (64 * i + R * 4096 + 4) / 65537 bytes per value, of an index of i = 128, 512
 * or 64 bytes a row and R = 7 counter rows; with a ratio of 2, of 32. */
TEST_F(CodecBucketTest, IsMeasuredWithEachIndex)
{
    std::vector<float> values(g_rows * g_lanes + 1);
    std::fill_n(values.begin(), g_lanes, 0.5F);
    values.back() = 2.0F;
    PutFloats("in.f32", values);
    EXPECT_THAT(
        Output("codec measure --codec homomorphic @in.f32"),
        testing::AllOf(HasSubstr("65537 fp32 values"),
                       testing::ContainsRegex("homomorphic 10 bits-1 .* 4.500 +7.110 +0 +0"),
                       testing::ContainsRegex("homomorphic 10 bits-4 .* 7.500 +4.266 "),
                       testing::ContainsRegex("homomorphic 10 bloom .* 4.000 +7.999 ")));
    const auto one = Output("codec measure --ratio 2 --index 4 @in.f32");
    EXPECT_THAT(one, testing::ContainsRegex("homomorphic 2 bits-4 .* 20.000 "));
    EXPECT_THAT(one, testing::Not(HasSubstr("bits-1")));
    EXPECT_THAT(Output("codec measure --ratio safe @in.f32"), testing::ContainsRegex(" 0 +0\n"));
}

} // namespace inca
