/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "cli/codec-fixture.h"
#include "codec/codec-catalog.h"
#include "support/full-disk.h"
#include "trace/safetensors-writer.h"
#include "trace/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

using CodecCommandTest = CodecFixture;

} // namespace

TEST_F(CodecCommandTest, ListsTheCatalogue)
{
    const auto text = Output("codec list");
    for (const auto& name : CodecNames())
    {
        EXPECT_THAT(text, HasSubstr(name));
    }
    EXPECT_THAT(text, HasSubstr("\ninceptionn-bounded  frames "));
    EXPECT_THAT(text, HasSubstr("\nzfp                 messages "));
    EXPECT_THAT(text, HasSubstr("\nhomomorphic         buckets "));
}

/* 0.3 is kept as floor(0.3 * 2^15) / 2^15 = 9830 / 32768; 0.0001 is below 2^-10. */
TEST_F(CodecCommandTest, DecodesWhatItEncoded)
{
    PutFloats("in.f32", {0.3F, 0.0001F, -2.5F});
    Output("codec encode --codec inceptionn --bound 2^-10 @in.f32 @stream");
    EXPECT_EQ(Read("stream").size(), 2U + 2U + 0U + 4U);
    Output("codec decode --codec inceptionn --elements 3 @stream @out.f32");
    EXPECT_THAT(Floats("out.f32"), ElementsAre(9830.0F / 32768, 0.0F, -2.5F));
}

TEST_F(CodecCommandTest, PassesEveryArgumentOn)
{
    PutFloats("in.f32", std::vector<float>(16, 0.01F));
    const auto size = [this](const std::string& codec) {
        Output("codec encode @in.f32 @stream --codec " + codec);
        return Read("stream").size();
    };
    EXPECT_EQ(size("none"), 64U);
    EXPECT_EQ(size("truncate --drop-bits 22"), 20U);
    EXPECT_EQ(size("cast --cast fp16"), 32U);
    EXPECT_EQ(size("inceptionn"), 20U);             // 2 tag words, a byte each
    EXPECT_EQ(size("inceptionn --bound 2^-6"), 4U); // 0.01 < 2^-6
}

TEST_F(CodecCommandTest, MakesOneStreamOfALongFile)
{
    std::vector<float> values((1U << 21U) + 3);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        values[i] = std::ldexp(1.0F, -static_cast<int>(i % 12));
    }
    PutFloats("in.f32", values);
    Output("codec encode --codec inceptionn @in.f32 @stream");
    std::vector<std::uint8_t> expected;
    CodecSpec spec;
    spec.name = "inceptionn";
    MakeCodec(spec)->Encode(values.data(), values.size(), expected);
    EXPECT_TRUE(Read("stream") == std::string(expected.begin(), expected.end()));
}

TEST_F(CodecCommandTest, TakesAnEmptyFileAndSeveralTensors)
{
    Put("in.f32", "");
    Output("codec encode --codec inceptionn @in.f32 @stream");
    EXPECT_EQ(Read("stream"), "");
    Output("codec decode --codec inceptionn --elements 0 @stream @out.f32");
    EXPECT_EQ(Read("out.f32"), "");
    WriteSafetensors(Path("in.safetensors"),
                     {{"conv", {3}, {1, 2, 3}}, {"none", {0}, {}}, {"fc", {2, 1}, {4, 5}}});
    Output("codec encode --codec none @in.safetensors @stream");
    EXPECT_THAT(Floats("stream"), ElementsAre(1, 2, 3, 4, 5));
}

/* What was there before stays, and nothing half-written beside it. */
TEST_F(CodecCommandTest, LeavesTheOldFileWhenTheStreamIsRefused)
{
    Put("stream", std::string("\x02\x00\x00\x40", 4));
    Put("out.f32", "old");
    for (const auto* elements : {"0", "9", "4398046511104"})
    {
        EXPECT_NE(Refusal("codec decode --codec inceptionn @stream @out.f32 --elements " +
                          std::string(elements)),
                  "");
    }
    EXPECT_EQ(Read("out.f32"), "old");
    EXPECT_THAT(Files(), testing::UnorderedElementsAre("stream", "out.f32"));
}

/* The one-byte class keeps nothing below 2^-7 = 0.0078, which a bound of 2^-8 = 0.0039 would promise. */
TEST_F(CodecCommandTest, NotesWhereErrorsExceedTheBound)
{
    PutFloats("in.f32", {0.005F});
    const auto note = HasSubstr("at a bound of 2^-8 to 2^-15 they stay below 2^-7");
    EXPECT_THAT(Output("codec measure --bound 2^-8 @in.f32"), note);
    EXPECT_THAT(Output("codec measure --bound 2^-7 @in.f32"), testing::Not(note));
    EXPECT_THAT(Output("codec measure --codec inceptionn-bounded --bound 2^-8 @in.f32"),
                testing::Not(note));
    EXPECT_THAT(Output("codec measure --codec none @in.f32"), testing::Not(note));
}

TEST_F(CodecCommandTest, SaysThatTheDiskIsFullAndLeavesNothing)
{
    PutFloats("in.f32", std::vector<float>(1024, 1.0F));
    const FullDisk disk(1024);
    EXPECT_THROW(Output("codec encode --codec none @in.f32 @stream"), RunError);
    EXPECT_THROW(Output("codec decode --codec none --elements 1024 @in.f32 @out"), RunError);
    EXPECT_THAT(Files(), ElementsAre("in.f32"));
}

/* Eight values at 2^-10: four without data, two of a byte, one of two bytes, one raw: with the tag word 2 + 2 + 2 + 4 = 10 bytes
 * for 32, which is 10 bits per value and a ratio of 3.2. Errors: 0.0005 four times (dropped), 0.02 - 2/128 = 0.004375 twice, 0
 * and 0; mean 0.01075 / 8. What keeps its bound is as large and loses less: 0.02 - 81/4096 = 0.0002246 twice, mean 0.002449 / 8.
 * fp16 overflows at 65520: the value is finite, its decoded form is not. */
TEST_F(CodecCommandTest, MeasuresWidthsRatioAndErrors)
{
    PutFloats("in.f32", {0.0005F, -0.0005F, 0.0005F, 0.0005F, 0.02F, -0.02F, 0.5F, 2.0F});
    EXPECT_THAT(Output("codec measure --codec inceptionn --bound 2^-10 @in.f32"),
                HasSubstr("\ninceptionn 2^-10  50.00%   25.00%   12.50%   12.50%      10.000  "
                          "3.200       0.004375    0.001344\n"));
    EXPECT_THAT(Output("codec measure --codec inceptionn-bounded --bound 2^-10 @in.f32"),
                HasSubstr("\ninceptionn-bounded 2^-10  50.00%   25.00%   12.50%   12.50%      "
                          "10.000  3.200         0.0005   0.0003062\n"));
    PutFloats("large.f32", {1e6F, NAN});
    EXPECT_THAT(Output("codec measure --cast fp16 @large.f32"),
                testing::AllOf(HasSubstr(" 1 of them infinite or NaN"), HasSubstr(" inf ")));
}

/* 64 KiB of zeros: Snappy makes a literal and copies of 64 bytes of 3 bytes each, a ratio of 21; zfp a bit of 4 values, 128. Rates
 * are some number, as a scenario's codec.encode_rate takes it. */
TEST_F(CodecCommandTest, MeasuresCodecsOfHostsAndTheirRates)
{
    PutFloats("in.f32", std::vector<float>(16384));
    const auto snappy = Output("codec measure --codec snappy --rates @in.f32");
    EXPECT_THAT(snappy,
                testing::ContainsRegex(" encode_rate +decode_rate\nsnappy .* 21\\.[0-9]+ "));
    EXPECT_THAT(snappy, testing::ContainsRegex(" [1-9][0-9]*MBps +[1-9][0-9]*MBps\n"));
    const auto zfp = Output("codec measure --codec zfp --bound 2^-10 @in.f32");
    EXPECT_THAT(zfp, testing::ContainsRegex("\nzfp 2\\^-10 .* 127\\.[0-9]+ "));
    EXPECT_THAT(zfp, testing::Not(HasSubstr("MBps")));
}

/* The whole file is one message. 100,000 zeros are fewer bytes than an eighth of a byte each. */
TEST_F(CodecCommandTest, CodesMessagesAsAWhole)
{
    std::vector<float> values(100'000);
    values[70'000] = 1.5F;
    PutFloats("in.f32", values);
    for (const std::string codec : {"snappy", "zfp"})
    {
        Output("codec encode @in.f32 @stream --codec " + codec);
        EXPECT_LT(Read("stream").size(), 20'000U);
        Output("codec decode --elements 100000 @stream @out.f32 --codec " + codec);
        EXPECT_THAT(Floats("out.f32")[70'000], testing::FloatNear(1.5F, 1.0F / 1024)) << codec;
        EXPECT_THAT(Refusal("codec decode --elements 90000 @stream @out.f32 --codec " + codec),
                    HasSubstr(codec + " stream: "));
    }
}

TEST_F(CodecCommandTest, MeasuresAllThatIsUsual)
{
    PutFloats("in.f32", {0.0005F, -0.0005F, 0.0005F, 0.0005F, 0.02F, -0.02F, 0.5F, 2.0F, INFINITY});
    const auto text = Output("codec measure @in.f32");
    EXPECT_THAT(text, HasSubstr("9 fp32 values, 36 B, 1 of them infinite"));
    for (const auto* codec :
         {"inceptionn 2^-10", "inceptionn 2^-8", "inceptionn 2^-6", "cast bf16", "truncate 24"})
    {
        EXPECT_THAT(text, HasSubstr(codec));
    }
    const auto one = Output("codec measure --codec inceptionn --bound 2^-3 @in.f32");
    EXPECT_THAT(one, HasSubstr("2^-3"));
    EXPECT_THAT(one, testing::Not(HasSubstr("2^-10")));
    EXPECT_EQ(Output("codec measure --bound 2^-3 @in.f32"), one) << "the argument names the codec";
    EXPECT_THAT(Output("codec measure --codec truncate @in.f32"), HasSubstr("truncate 22"));
    EXPECT_THAT(Output("codec measure --codec cast @in.f32"), HasSubstr("cast fp16"));
}

} // namespace inca
