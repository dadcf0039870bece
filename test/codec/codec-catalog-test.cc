/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-catalog.h"

#include "base/errors.h"
#include "base/units.h"
#include "codec-test-values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;

CodecSpec
Named(const std::string& name)
{
    CodecSpec spec;
    spec.name = name;
    return spec;
}

std::vector<float>
Part(const std::vector<float>& values, std::ptrdiff_t begin, std::ptrdiff_t end)
{
    return {values.begin() + begin, values.begin() + end};
}

} // namespace

/* A NIC sees frames; homomorphic codes whole buckets, and snappy messages. To netzip a frame may be a message. */
TEST(CodecCatalog, SaysWhatCodesFrames)
{
    EXPECT_EQ(FindCodec("inceptionn").unit, CodedUnit::FRAME);
    EXPECT_EQ(FindCodec("homomorphic").unit, CodedUnit::BUCKET);
    EXPECT_EQ(FindCodec("snappy").unit, CodedUnit::MESSAGE);
    EXPECT_TRUE(FindCodec("inceptionn").RunsInNics() && FindCodec("netzip").RunsInNics());
    EXPECT_FALSE(FindCodec("homomorphic").RunsInNics() || FindCodec("snappy").RunsInNics());
    EXPECT_THAT(CodecNames(),
                AllOf(Contains("inceptionn"), Contains("homomorphic"), Contains("snappy")));
}

TEST(CodecCatalog, PassesArgumentsOn)
{
    auto spec = Named("truncate");
    spec.dropBits = 22;
    EXPECT_EQ(MakeCodec(spec)->MeanBits({}), 10.0);
    spec.dropBits = 23;
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec = Named("inceptionn");
    spec.bound = 16;
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec = Named("inceptionn-bounded");
    spec.bound = FindCodec(spec.name).largestBound;
    EXPECT_NO_THROW(MakeCodec(spec));
    spec.bound += 1;
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec = Named("zfp");
    spec.bound = 16;
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec = Named("cast");
    spec.castTo = "fp8";
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec = Named("netzip");
    spec.netzip.backend = "gzip";
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec = Named("homomorphic");
    spec.homomorphic.index = HomomorphicIndex::BITS_4;
    spec.homomorphic.ratio = 8;
    EXPECT_EQ(MakeCodec(spec)->MeanBits({}), 4 + 32.0 / 8);
    spec.homomorphic.ratio = 0.25;
    EXPECT_THROW(MakeCodec(spec), InputError);
    spec.homomorphic = {10, HomomorphicIndex::BLOOM, {0.5, 0}};
    EXPECT_THROW(MakeCodec(spec), InputError);
}

TEST(CodecCatalog, NamesArgumentsInTitles)
{
    const auto titles = [](const std::string& name) {
        std::vector<std::string> texts;
        for (const auto& spec : UsualSpecs(FindCodec(name)))
        {
            texts.push_back(CodecTitle(spec));
        }
        return texts;
    };
    EXPECT_THAT(titles("none"), ElementsAre("none"));
    EXPECT_THAT(titles("truncate"), ElementsAre("truncate 16", "truncate 22", "truncate 24"));
    EXPECT_THAT(titles("cast"), ElementsAre("cast bf16", "cast fp16"));
    EXPECT_THAT(titles("inceptionn"),
                ElementsAre("inceptionn 2^-10", "inceptionn 2^-8", "inceptionn 2^-6"));
    EXPECT_THAT(
        titles("homomorphic"),
        ElementsAre("homomorphic 10 bits-1", "homomorphic 10 bits-4", "homomorphic 10 bloom"));
}

/* The contract's promises, on lengths around every block, group and row of every codec. */
TEST(CodecCatalog, CountsWhatItWritesAndReadsItBack)
{
    for (const auto& entry : CodecCatalog())
    {
        for (const auto& spec : UsualSpecs(entry))
        {
            SCOPED_TRACE(CodecTitle(spec));
            const auto codec = MakeCodec(spec);
            for (const std::size_t count :
                 {0, 1, 7, 8, 9, 63, 64, 65, 255, 256, 365, 1000, 1023, 1024, 2049, 30000})
            {
                const auto values = AnyValues(count);
                auto stream = Encoded(*codec, values);
                EXPECT_EQ(codec->CountBytes(values.data(), count), stream.size()) << count;
                auto roundTrip = values;
                codec->RoundTrip(roundTrip.data(), count);
                EXPECT_EQ(ToBits(Decoded(*codec, stream, count)), ToBits(roundTrip)) << count;
                EXPECT_TRUE(!codec->IsLossless() || ToBits(roundTrip) == ToBits(values)) << count;
                std::vector<std::uint8_t> appended{42};
                codec->Encode(values.data(), count, appended);
                auto wrong = stream;
                wrong.push_back(0);
                EXPECT_THROW(Decoded(*codec, wrong, count), InputError) << count;
                wrong.resize(count == 0 ? 1 : stream.size() - 1);
                EXPECT_THROW(Decoded(*codec, wrong, count), InputError) << count;
                stream.insert(stream.begin(), 42);
                EXPECT_EQ(appended, stream) << count;
            }
        }
    }
}

/* Whoever streams a large file relies on this: CodedUnit::FRAME. */
TEST(CodecCatalog, JoinsPartsOfMultiplesOfEightValues)
{
    const auto values = AnyValues(203);
    for (const auto& entry : CodecCatalog())
    {
        if (entry.unit != CodedUnit::FRAME)
        {
            continue;
        }
        const auto codec = MakeCodec(Named(entry.name));
        std::vector<std::uint8_t> joined;
        for (const auto& part : {Part(values, 0, 8), Part(values, 8, 200), Part(values, 200, 203)})
        {
            codec->Encode(part.data(), part.size(), joined);
        }
        EXPECT_EQ(joined, Encoded(*codec, values)) << entry.name;
    }
}

TEST(CodecCatalog, ReadsBoundsAsPowersOfTwo)
{
    EXPECT_EQ(ParseBound("2^-10"), 10U);
    EXPECT_EQ(ParseBound("2^-1"), 1U);
    EXPECT_EQ(ParseBound(FormatBound(15)), 15U);
    for (const auto* text :
         {"", "10", "2^10", "2^-0", "2^-16", "2^-010", "2^-1.5", " 2^-10", "2^-10 "})
    {
        EXPECT_THROW(ParseBound(text), UnitError) << text;
    }
}

} // namespace inca
