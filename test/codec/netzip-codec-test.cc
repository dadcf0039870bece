/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/netzip-codec.h"

#include "base/errors.h"
#include "codec-test-values.h"
#include "codec/byte-compressor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using Stream = std::vector<std::uint8_t>;

/** All groupings, backends and differences. */
std::vector<NetzipSettings>
AllSettings()
{
    std::vector<NetzipSettings> all;
    for (const auto& backend : ByteCompressors().Names())
    {
        for (const auto& grouping : NETZIP_GROUPINGS)
        {
            for (const bool isShifted : {false, true})
            {
                all.push_back({grouping, backend, isShifted});
            }
        }
    }
    return all;
}

/** As many values of bf16. */
std::vector<float>
ShortValues(std::size_t count)
{
    auto values = AnyValues(count);
    for (auto& value : values)
    {
        value = FromBits(ToBits(value) & 0xFFFF0000U);
    }
    return values;
}

} // namespace

/* 1, -2, 0.5, 3, 0, 1.5, -0.25, 100 in bf16 are 3f80 c000 3f00 4040 0000 3fc0 be80 42c8. Two of the 8 low bytes have bit 7 set,
 * and so on. lz4 finds nothing in 16 bytes: its block is the token 0xF0 0x01, 15 and 1 more literals, and these. 2 is the bytes of a value. */
TEST(NetzipCodec, GroupsBytesAndBits)
{
    const std::vector<float> values{1, -2, 0.5F, 3, 0, 1.5F, -0.25F, 100};
    const std::pair<const char*, Stream> rows[] = {
        {"none",
         {0x80,
          0x3F,
          0x00,
          0xC0,
          0x00,
          0x3F,
          0x40,
          0x40,
          0,
          0,
          0xC0,
          0x3F,
          0x80,
          0xBE,
          0xC8,
          0x42}},
        {"byte",
         {0x80,
          0x00,
          0x00,
          0x40,
          0,
          0xC0,
          0x80,
          0xC8,
          0x3F,
          0xC0,
          0x3F,
          0x40,
          0,
          0x3F,
          0xBE,
          0x42}},
        {"bit", {0, 0, 0, 0x80, 0, 0, 0xA8, 0xE1, 0x25, 0xE5, 0x65, 0x65, 0x65, 0x65, 0x8A, 0x42}},
    };
    for (const auto& [grouping, bytes] : rows)
    {
        Stream expected{2, 0xF0, 0x01};
        expected.insert(expected.end(), bytes.begin(), bytes.end());
        const auto codec = MakeNetzipCodec({grouping, "lz4", false});
        EXPECT_EQ(Encoded(*codec, values), expected) << grouping;
    }
}

/* 1 + 2^-23 is 0x3F800001 and needs 4 bytes; of a literal of 4 bytes the token is 0x40. Of 1 and 1.5, 0x3F80 and 0x3FC0, the value at
 * place 2 / 100 = 0 is the smaller: differences of 0 and 0x40, in low bytes, then high bytes. */
TEST(NetzipCodec, WritesAllBitsAndWhatItSubtracts)
{
    const auto byte = MakeNetzipCodec({"byte", "lz4", false});
    EXPECT_EQ(Encoded(*byte, {FromBits(0x3F800001)}), (Stream{4, 0x40, 0x01, 0x00, 0x80, 0x3F}));
    const auto shift = MakeNetzipCodec({"byte", "lz4", true});
    EXPECT_EQ(Encoded(*shift, {1.5F, 1}), (Stream{2, 0, 0, 0x80, 0x3F, 0x40, 0x40, 0, 0, 0}));
}

TEST(NetzipCodec, KeepsAnyBits)
{
    for (const auto& settings : AllSettings())
    {
        const auto codec = MakeNetzipCodec(settings);
        SCOPED_TRACE(settings.backend + " " + settings.grouping +
                     (settings.isShifted ? " shift" : ""));
        EXPECT_TRUE(codec->IsLossless());
        EXPECT_FALSE(codec->MeanBits({}));
        for (const auto& values : {SpecialValues(),
                                   std::vector<float>(2000),
                                   AnyValues(1),
                                   AnyValues(1001),
                                   ShortValues(7),
                                   ShortValues(2250)})
        {
            EXPECT_EQ(ToBits(ThereAndBack(*codec, values)), ToBits(values));
        }
    }
}

/* The sign and 8 bits of the exponent are one value in 9 of 16 planes of 1,000 bytes each: 7,000 random bytes stay. Of the others
 * Snappy takes 3 bytes for 64, i.e. 422; the rest is what it takes for literals. */
TEST(NetzipCodec, MakesPlanesOfEqualBitsSmall)
{
    auto values = ShortValues(8000);
    for (auto& value : values)
    {
        value = FromBits((ToBits(value) & 0x007FFFFFU) | 0x3F000000U);
    }
    for (const auto& backend : ByteCompressors().Names())
    {
        const auto bytes = Encoded(*MakeNetzipCodec({"bit", backend, false}), values).size();
        EXPECT_LT(static_cast<double>(bytes), 1.1 * 7000) << backend;
        EXPECT_GE(bytes, 7000U) << backend;
    }
}

/* Each byte of a stream changed, and each end cut off: it is refused, or read as other values. */
TEST(NetzipCodec, ReadsAnyStreamOrRefusesIt)
{
    const auto values = ShortValues(99);
    for (const auto& settings : AllSettings())
    {
        SCOPED_TRACE(settings.backend + " " + settings.grouping +
                     (settings.isShifted ? " shift" : ""));
        const auto codec = MakeNetzipCodec(settings);
        const auto stream = Encoded(*codec, values);
        for (std::size_t at = 0; at < stream.size(); ++at)
        {
            EXPECT_THROW(
                Decoded(*codec, {stream.begin(), stream.begin() + static_cast<int>(at)}, 99),
                InputError);
            auto changed = stream;
            changed[at] ^= 0xFFU;
            try
            {
                Decoded(*codec, changed, 99);
            }
            catch (const InputError&)
            {
            }
        }
        EXPECT_THROW(Decoded(*codec, stream, 98), InputError);
        EXPECT_THROW(Decoded(*codec, stream, 1'000'000), InputError);
        EXPECT_THROW(Decoded(*codec, stream, 0), InputError);
    }
}

/* Neither 2 nor 4 bytes a value, nothing at all, too few bytes in the block, 16 bits a value and 17 to add, bits behind a plane's last. */
TEST(NetzipCodec, SaysWhatIsWrong)
{
    const auto shift = MakeNetzipCodec({"byte", "lz4", true});
    const auto bit = MakeNetzipCodec({"bit", "lz4", false});
    const auto says = [](const Codec& codec, const Stream& stream, const char* what) {
        EXPECT_THAT([&] { Decoded(codec, stream, 1); },
                    testing::ThrowsMessage<InputError>(testing::HasSubstr(what)));
    };
    says(*bit, {3, 0x10, 0}, "3 bytes are no lz4 stream of 1 values");
    says(*bit, {}, "0 bytes are no lz4 stream of 1 values");
    says(*bit, {2, 0x10, 0}, "3 bytes are no lz4 stream of 1 values");
    says(*shift, {2, 1, 0, 0x80, 0x3F, 0x20, 0, 0}, "8 bytes are no lz4 stream of 1 values");
    Stream badBits{2, 0xF0, 1};
    badBits.resize(3 + 16, 2);
    says(*bit, badBits, "those behind its last value are not zero");
    EXPECT_THROW(MakeNetzipCodec({"nibble", "lz4", false}), InputError);
    EXPECT_THROW(MakeNetzipCodec({"bit", "gzip", false}), InputError);
}

/* lz4 counts bytes in an int, snappy in 32 bits. Nothing is read of what is too long. */
TEST(ByteCompressor, RefusesWhatItsLibraryCannotCount)
{
    Stream stream;
    EXPECT_THROW(ByteCompressors().Find("lz4").Append(nullptr, 1ULL << 31U, stream), InputError);
    EXPECT_THROW(ByteCompressors().Find("snappy").Append(nullptr, 1ULL << 32U, stream), InputError);
}

} // namespace inca
