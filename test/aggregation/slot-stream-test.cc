/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-stream.h"

#include "base/errors.h"
#include "support/float-words.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

/**
 * A stream of 10 values, 1 to 10, in packets of 4: blocks of 4, 4 and 2. helper/aggregation-loss-test.cc knows what streams of many
 * workers, of any kind, come to.
 */
class SlotStreamTest : public testing::Test
{
  protected:
    static SlotFormat Floats()
    {
        SlotFormat format;
        format.workers = 1;
        format.valuesPerPacket = 4;
        format.adder = WordSum::FP32;
        return format;
    }

    /** For one worker, with exponents ahead. */
    static SlotFormat Scaled()
    {
        auto format = Floats();
        format.adder = WordSum::INT32;
        return format;
    }

    ReductionRequest TenValues()
    {
        ReductionRequest request;
        request.size = 10;
        request.read = FillingWords([](ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>(range.begin + i + 1);
            }
        });
        request.write = TakingFloats([this](ElementRange range, const float* sum) {
            written = range;
            sums.assign(sum, sum + range.count);
        });
        request.done = [this] { ++done; };
        return request;
    }

    static StreamPacket Block(std::uint64_t block)
    {
        StreamPacket packet;
        packet.block = block;
        return packet;
    }

    static StreamPacket Exponent(std::uint64_t block)
    {
        StreamPacket packet;
        packet.exponentOf = block;
        return packet;
    }

    ElementRange written;
    std::vector<float> sums;
    unsigned done{0};
    std::uint64_t clamped{0};
};

/* Workers get the packet with the sum of block 0, of which none changes the words: with another exponent in mind the
 * same integers are other values. */
TEST_F(SlotStreamTest, LeavesTheSumForOthers)
{
    const auto format = Scaled();
    SlotPacket sum;
    sum.values = 4;
    sum.payload = std::make_shared<PacketWords>(PacketWords{{1U << 30U, 0, 0, 0}});
    const auto restored = [&](std::int16_t exponent) {
        SlotStream stream(format, TenValues());
        SlotPacket largest;
        largest.exponent = exponent;
        stream.Take(Exponent(0), largest);
        stream.Take(Block(0), sum);
        return sums.at(0);
    };
    EXPECT_FLOAT_EQ(restored(4), 8); // 2^30 of 2^31 - 1, and 2^4
    EXPECT_FLOAT_EQ(restored(5), 16);
    EXPECT_FLOAT_EQ(restored(4), 8);
}

/* 5 to 8 need 2^3; 9 and 10 need 2^4. A block may be scaled when its exponent has come back. */
TEST_F(SlotStreamTest, TellsExponentsAndScalesByThem)
{
    const auto format = Scaled();
    SlotStream stream(format, TenValues());
    const auto prologue = stream.MakePacket(Exponent(1), clamped);
    EXPECT_EQ(prologue.exponent, 3);
    EXPECT_EQ(prologue.values, 0U);
    EXPECT_EQ(stream.Take(Exponent(1), prologue), 0U);
    auto second = Block(1);
    second.exponentOf = 2;
    const auto packet = stream.MakePacket(second, clamped);
    EXPECT_EQ(packet.exponent, 4);
    stream.Take(second, packet);
    // one step of the scale is 2^3 / INT32_MAX, below half of fp32's step at 5, so all come back
    EXPECT_EQ(sums, (std::vector<float>{5, 6, 7, 8}));
    EXPECT_EQ(clamped, 0U);
}

/* Scaled for up to 2^3 by mistake of the one who fixed it: 9 and 10 are clamped. */
TEST_F(SlotStreamTest, CountsWhatDoesNotFit)
{
    auto format = Scaled();
    format.isFixed = true;
    format.fixedExponent = 3;
    SlotStream stream(format, TenValues());
    stream.Take(Block(2), stream.MakePacket(Block(2), clamped));
    EXPECT_EQ(clamped, 2U);
    EXPECT_EQ(sums, (std::vector<float>{8, 8}));
}

/* 9 and 10 are of e4m3, 17 and 500 become 16 and 448. A term is a byte, a sum two. Words that are only moved stay words. */
TEST_F(SlotStreamTest, RoundsToWhatSwitchesAdd)
{
    auto format = Floats();
    format.adder = WordSum::FP8_FP16;
    SlotStream stream(format, TenValues());
    EXPECT_EQ(stream.Prologue(), 0U);
    const auto packet = stream.MakePacket(Block(2), clamped);
    EXPECT_EQ(packet.valueBytes, 1U);
    EXPECT_EQ(stream.Take(Block(2), packet), 2 * 2U);
    EXPECT_EQ(sums, (std::vector<float>{9, 10}));
    auto request = TenValues();
    request.read = FillingWords([](ElementRange range, float* out) {
        std::fill_n(out, range.count, 500.0F);
        out[0] = 17;
    });
    SlotStream beyond(format, std::move(request));
    beyond.Take(Block(0), beyond.MakePacket(Block(0), clamped));
    EXPECT_EQ(sums, (std::vector<float>{16, 448, 448, 448}));
    EXPECT_EQ(clamped, 3U);
}

TEST_F(SlotStreamTest, TellsNoExponentOfValues)
{
    const auto format = Scaled();
    auto request = TenValues();
    request.writeExponent = [](std::int16_t) { FAIL() << "nobody gave one"; };
    SlotStream stream(format, std::move(request));
    EXPECT_EQ(stream.Prologue(), 3U);
    EXPECT_FALSE(stream.MakePacket(Exponent(0), clamped).orWords);
    EXPECT_TRUE(stream.TakeFirst());
    EXPECT_FALSE(stream.TakeFirst());
    stream.End();
    EXPECT_TRUE(stream.HasEnded());
    EXPECT_EQ(done, 1U);
}

TEST_F(SlotStreamTest, RefusesASumOfAnotherSize)
{
    const auto format = Floats();
    SlotStream stream(format, TenValues());
    const auto packet = stream.MakePacket(Block(2), clamped);
    EXPECT_THROW(stream.Take(Block(1), packet), InvariantError);
    EXPECT_THROW(stream.Take(Block(1), {}), InvariantError);
}

} // namespace inca
