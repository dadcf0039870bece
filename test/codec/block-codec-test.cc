/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/block-codec.h"

#include "base/half-float.h"
#include "codec-test-values.h"
#include "codec/block-format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace inca
{

namespace
{

using Bytes = std::vector<std::uint8_t>;

std::unique_ptr<Codec>
CodecOf(const std::string& format, const BlockSettings& settings = {})
{
    return MakeBlockCodec(ParseBlockFormat(format), settings);
}

/** A group of 8 values, and what a format makes of it: its scale, and its codes in the values' order. */
struct GroupRow
{
    const char* format;
    std::vector<float> values;
    std::uint32_t scale;
    std::vector<unsigned> codes;
};

std::ostream&
operator<<(std::ostream& out, const GroupRow& row)
{
    return out << row.format << " of " << row.values.front();
}

const std::vector<float> g_a{0.5F, -1.25F, 2, -3, 3.75F, 5, -6.5F, 7};
const std::vector<float> g_b{100, -1, 0.5F, 0.25F, -0.125F, 3, -20, 0};
const std::vector<float> g_c{-0.75F, 0.75F, 0.015625F, -0.046875F, 0.375F, -0.3125F, 0.09375F, 0};

/** The codes, packed with the first in the lowest bits, and the little-endian scale. */
Bytes
PackedRow(const GroupRow& row, unsigned bits, std::size_t scaleBytes)
{
    std::uint64_t packed = 0;
    for (std::size_t i = 0; i < row.codes.size(); ++i)
    {
        packed |= std::uint64_t{row.codes[i]} << (bits * i);
    }
    Bytes bytes(bits); // of 8 codes
    std::memcpy(bytes.data(), &packed, bits);
    Bytes scale(scaleBytes);
    std::memcpy(scale.data(), &row.scale, scaleBytes);
    bytes.insert(bytes.end(), scale.begin(), scale.end());
    return bytes;
}

class BlockRows : public testing::TestWithParam<GroupRow>
{
};

} // namespace

/* Codes of floats are sign, exponent, mantissa. For instance mxfp8 of A: the largest, 7, has exponent 2, e4m3's largest has
 * 8, so the scale is 2^(2 - 8), whose code is 127 - 6 = 0x79; 7 / 2^-6 = 448 = 0x7e. Of nvfp4 the last 4 bytes are 100. */
TEST_P(BlockRows, AreToTheBit)
{
    const auto& row = GetParam();
    const auto format = ParseBlockFormat(row.format);
    auto expected = PackedRow(row, format.element->bits, format.scale->bytes);
    if (format.layout == BlockLayout::ROWS)
    {
        expected = Bytes(expected.end() - 4, expected.end());
        const auto codes = PackedRow(row, format.element->bits, 0);
        expected.insert(expected.end(), codes.begin(), codes.end());
    }
    auto got = Encoded(*CodecOf(row.format), row.values);
    EXPECT_EQ(got, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Formats,
    BlockRows,
    testing::Values(
        GroupRow{"mxfp8", g_a, 0x79, {0x60, 0xea, 0x70, 0xf4, 0x77, 0x7a, 0xfd, 0x7e}},
        GroupRow{"mxfp8", g_b, 0x7d, {0x7c, 0xc8, 0x40, 0x38, 0xb0, 0x54, 0xea, 0x00}},
        GroupRow{"mxfp8", g_c, 0x76, {0xfc, 0x7c, 0x50, 0xdc, 0x74, 0xf2, 0x64, 0x00}},
        GroupRow{"mxfp6", g_a, 0x7d, {0x10, 0x35, 0x18, 0x3a, 0x1c, 0x1d, 0x3e, 0x1f}},
        GroupRow{"mxfp6", g_b, 0x81, {0x1e, 0x24, 0x02, 0x01, 0x20, 0x0a, 0x35, 0x00}},
        GroupRow{"mxfp6-e2m3", g_a, 0x7f, {0x04, 0x2a, 0x10, 0x34, 0x17, 0x1a, 0x3d, 0x1e}},
        GroupRow{"mxfp6-e2m3", g_c, 0x7c, {0x3c, 0x1c, 0x01, 0x23, 0x14, 0x32, 0x06, 0x00}},
        GroupRow{"mxfp4", g_a, 0x7f, {0x1, 0xa, 0x4, 0xd, 0x6, 0x6, 0xf, 0x7}},
        GroupRow{"mxfp4", g_b, 0x83, {0x7, 0x8, 0x0, 0x0, 0x8, 0x0, 0xa, 0x0}},
        GroupRow{"torchft-fp8", g_a, 0x42800000, {0x60, 0xea, 0x70, 0xf4, 0x77, 0x7a, 0xfd, 0x7e}},
        GroupRow{"torchft-fp8", g_b, 0x408f5c29, {0x7e, 0xc9, 0x41, 0x39, 0xb1, 0x55, 0xeb, 0x00}},
        GroupRow{"e4m3/256/fp32", // LoongForge's, but for its zeros
                 g_c,
                 0x3adb6db7,
                 {0xfe, 0x7e, 0x51, 0xde, 0x76, 0xf4, 0x66, 0x00}},
        GroupRow{"zeropp-int4", g_a, 0x3f5fffff, {0x1, 0xf, 0x2, 0xd, 0x4, 0x6, 0x9, 0x7}},
        GroupRow{"zeropp-int4", g_b, 0x41480000, {0x7, 0, 0, 0, 0, 0, 0xe, 0}},
        GroupRow{"zeropp-int4", g_c, 0x3dc00000, {0x8, 0x7, 0, 0, 0x4, 0xd, 0x1, 0}}));

/* Of a group whose message has 100 as its largest: 2688 / 100 is the message's scale. */
TEST(BlockCodec, HasTwoLevelsOfScales)
{
    auto values = g_a;
    values.resize(16, 0.0F);
    values.insert(values.end(), g_b.begin(), g_b.end());
    values.resize(32, 0.0F);
    const Bytes expected{
        0xa1, 0xd3, 0x65, 0x7f, 0, 0, 0, 0, 0x87, 0, 0x08, 0x0a, 0, 0, 0, 0, // codes, two in a byte
        0x60, 0x7e,             // scales of both groups
        0,    0,    0xc8, 0x42, // 100
    };
    EXPECT_EQ(Encoded(*CodecOf("nvfp4"), values), expected);
}

/* A at the even places of the first 64 values of an atom, zeros elsewhere. The largest is 7, so d = -7 / 8 = 0xbb00 for int4,
 * -7 / 128 for int8, -7 / 32 for int6, and 0.0291672 = 0x2777 for e4m3fnuz. A group of zeros has d = -0, or 0 of fp8. */
TEST(BlockCodec, WritesAtoms)
{
    std::vector<float> values(2048, 0.0F);
    for (std::size_t i = 0; i < g_a.size(); ++i)
    {
        values[2 * i] = g_a[i];
    }
    const auto part = [](const Bytes& stream, std::ptrdiff_t begin, std::ptrdiff_t count) {
        return Bytes(stream.begin() + begin, stream.begin() + begin + count);
    };
    const auto fp8 = Encoded(*CodecOf("quickreduce-fp8"), values);
    EXPECT_EQ(part(fp8, 0, 6), (Bytes{0x61, 0, 0xeb, 0, 0x71, 0}));
    EXPECT_EQ(part(fp8, 2048, 4), (Bytes{0x77, 0x27, 0, 0}));
    // values 0 2 1 3 4 6 5 7 of each thread; a zero is 0x80
    const auto q8 = Encoded(*CodecOf("quickreduce-q8"), values);
    EXPECT_EQ(part(q8, 0, 8), (Bytes{0x77, 0x97, 0x80, 0x80, 0x5b, 0xb7, 0x80, 0x80}));
    EXPECT_EQ(part(q8, 2048, 4), (Bytes{0x00, 0xab, 0x00, 0x80}));
    // even values 7 9 6 b, then 4 2 f 0, in the low half of a word; zeros, 8, in the high half
    const auto q4 = Encoded(*CodecOf("quickreduce-q4"), values);
    EXPECT_EQ(part(q4, 0, 8), (Bytes{0x97, 0xb6, 0x88, 0x88, 0x24, 0x0f, 0x88, 0x88}));
    EXPECT_EQ(part(q4, 1024, 4), (Bytes{0x00, 0xbb, 0x00, 0x80}));
    // even values 1e 26 17 2e, zeros 20: low nibbles e 6 7 e, 0 0 0 0; high pairs 1 2 2 2 1 2 2 2
    const auto q6 = Encoded(*CodecOf("quickreduce-q6"), values);
    EXPECT_EQ(part(q6, 0, 4), (Bytes{0x6e, 0xe7, 0x00, 0x00}));
    EXPECT_EQ(part(q6, 1024, 2), (Bytes{0xa9, 0xa9}));
    EXPECT_EQ(part(q6, 1536, 4), (Bytes{0x00, 0xb3, 0x00, 0x80}));
}

/* Elements of 4,096 values, and their scales. */
TEST(BlockCodec, TakesTheBytesOfItsLayout)
{
    const std::vector<std::pair<const char*, std::uint64_t>> sizes{
        {"quickreduce-fp8", 4352}, // 4,096 + 128 groups of 2
        {"quickreduce-q8", 4352},
        {"quickreduce-q6", 3328},
        {"quickreduce-q4", 2304},
        {"loongforge-fp8", 4160}, // 4,096 + 16 groups of 4
        {"torchft-fp8", 4100},    // one row
        {"mxfp8", 4224},          // 4,096 + 128
        {"mxfp8-e5m2", 4224},
        {"mxfp6", 3200},
        {"mxfp6-e2m3", 3200},
        {"mxfp4", 2176},
        {"nvfp4", 2308},       // 2,048 + 256 + 4
        {"zeropp-int4", 2052}, // 2,048 + 4
        {"sdp4bit", 4128},     // 4,096 + 8 groups of 4
        {"sdp4bit-between", 2176},
        {"int2/64/bf16", 1152}, // 1,024 + 64 groups of 2
    };
    for (const auto& [format, bytes] : sizes)
    {
        EXPECT_EQ(CodecOf(format)->CountBytes(nullptr, 4096), bytes) << format;
    }
    // 10 rows of 100 values: 4 + 100 bytes each
    EXPECT_EQ(CodecOf("torchft-fp8", {100})->CountBytes(nullptr, 1000), 1040U);
    // a row of 5 takes 4 + 8
    EXPECT_EQ(CodecOf("torchft-fp8", {5})->CountBytes(nullptr, 5), 12U);
    EXPECT_DOUBLE_EQ(*CodecOf("mxfp4")->MeanBits({}), 4.25);
    EXPECT_DOUBLE_EQ(*CodecOf("quickreduce-q6")->MeanBits({}), 6.5);
    EXPECT_DOUBLE_EQ(*CodecOf("torchft-fp8")->MeanBits({}), 8 + 32.0 / 4096);
}

/* Whoever rotates first spreads 32 equal to one value: H (1, 0, 0, ...) = (1, 1, 1, ...), which int8 holds exactly: the
 * scale is fp32(1 / 127), codes are 127, and 127 * fp32(1 / 127) rounds to 1. */
TEST(BlockCodec, RotatesBeforeItScales)
{
    std::vector<float> values(32, 0.0F);
    values[0] = 1;
    const auto codec = CodecOf("sdp4bit");
    auto stream = Encoded(*codec, values);
    stream.resize(32);
    EXPECT_EQ(stream, Bytes(32, 127));
    EXPECT_EQ(ThereAndBack(*codec, values), values);
}

/* A group with what is no number is lost, and no other; of nvfp4, a NaN takes the message, an infinity its group. */
TEST(BlockCodec, TurnsGroupsWithoutNumbersIntoNan)
{
    for (const auto& format : BlockFormats())
    {
        for (const auto odd : {INFINITY, -INFINITY, NAN})
        {
            std::vector<float> values(4096, 1.0F);
            values[70] = odd;
            const auto decoded = ThereAndBack(*CodecOf(format.name, {512}), values);
            EXPECT_TRUE(std::isnan(decoded[70])) << format.name;
            const bool isAllLost = format.name == "nvfp4" && std::isnan(odd);
            EXPECT_EQ(std::isnan(decoded[4000]), isAllLost) << format.name;
        }
    }
}

/* int4 over 7: in steps of 1, a value of 2.25 goes up to 3 with a chance of 1/4. Of 4,096 that are tried, one in each
 * group, as many do: 1,024 +- 6 standard deviations of sqrt(4096 * 3 / 16) = 28; the mean is right, while to nearest it
 * is 2. Groups differ by another value, of which chance depends. */
TEST(BlockCodec, RoundsByChanceWithoutBias)
{
    std::vector<float> values;
    for (int i = 0; i < 4096; ++i)
    {
        values.insert(values.end(), {7, 2.25F});
        values.insert(values.end(), 14, 0.0F);
        values.back() = static_cast<float>(i) / 4096;
    }
    const auto decoded = ThereAndBack(*CodecOf("int4/16/fp32", {1, true, 5}), values);
    int ups = 0;
    for (std::size_t i = 1; i < values.size(); i += 16)
    {
        EXPECT_TRUE(decoded[i] == 2 || decoded[i] == 3);
        ups += decoded[i] == 3 ? 1 : 0;
    }
    EXPECT_NEAR(ups, 1024, 6 * 28);
    EXPECT_EQ(ThereAndBack(*CodecOf("int4/16/fp32"), values)[1], 2);
    EXPECT_NE(ThereAndBack(*CodecOf("int4/16/fp32", {1, true, 6}), values), decoded);
}

/* fp16 has 11 bits: 2048 + 1 rounds to 2048, 60000 + 60000 becomes its largest; and a sum from +0 on is never -0. */
TEST(BlockCodec, AddsInHalfWhereItsPresetDoes)
{
    std::vector<float> sums{2049, 120000, -0.0F};
    CodecOf("quickreduce-q4")->RoundSum(sums.data(), sums.size());
    EXPECT_EQ(ToBits(sums), ToBits({2048, 65504, 0.0F}));
    sums = {2049};
    CodecOf("mxfp8")->RoundSum(sums.data(), sums.size());
    EXPECT_EQ(sums.front(), 2049);
}

TEST(BlockFormat, IsReadPartByPart)
{
    EXPECT_EQ(ParseBlockFormat("int8/tensor/bf16").group, BlockFormat::MESSAGE);
    EXPECT_EQ(ParseBlockFormat("int8/row/bf16/hadamard-16").rotation, 16U);
}

} // namespace inca
