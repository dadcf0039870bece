/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Words through switches: or-ed or added as they are, and a number that goes along.
#include "aggregation/switch-fixture.h"

#include "base/errors.h"

#include <algorithm>

namespace inca
{

class SlotWordsTest : public SwitchFixture
{
  protected:
    void AskAll(WordSum sum, std::uint64_t values)
    {
        SumAll(values, true, sum);
    }
};

/* 10 packets and one of 3 words, then as many: 22 full frames, though scaled values would have
 * exponents ahead. */
TEST_F(SlotWordsTest, AreOredOrAddedAndNothingGoesAhead)
{
    ScaleByBlock();
    Star(3);
    AskAll(WordSum::OR, 10 * VALUES + 3);
    AskAll(WordSum::INT32, 10 * VALUES + 3);
    RunExact();
    EXPECT_EQ(results[0].front().donePs, 10 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(results[0].back().donePs, 21 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(clients[0]->SentFrames(), 22U);
    EXPECT_EQ(clients[0]->ReceivedBytes(), 2 * (10 * VALUES + 3) * 4U);
    EXPECT_EQ(clients[0]->ClampedValues(), 0U);
}

/* Through 2 slots: 4 packets of bits; 2 ahead and 4 of values; 3 of integers; 1 ahead and 1 of
 * values. */
TEST_F(SlotWordsTest, TakeTurnsWithValues)
{
    ScaleByBlock();
    Slots(2);
    Star(3);
    AskAll(WordSum::OR, 4 * VALUES);
    SumAll(4 * VALUES);
    AskAll(WordSum::INT32, 3 * VALUES);
    SumAll(1);
    RunExact();
    EXPECT_EQ(clients[0]->SentFrames(), 4U + 6 + 3 + 2);
}

/* One packet: it is lost up on the way from the worker with the largest number, then down to
 * another. */
TEST_F(SlotWordsTest, TheOnlyPacketsNumberIsNotLost)
{
    Star(2);
    Lose(links[1], LOWER_SIDE, {0});
    Lose(links[0], UPPER_SIDE, {0});
    AskAll(WordSum::OR, 1);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 2U);
}

TEST_F(SlotWordsTest, SurviveLossesInATree)
{
    Slots(3);
    ScaleByBlock();
    Tree({3, 1, 2});
    Lose(links[0], LOWER_SIDE, {0, 9, 10});
    Lose(links[3], UPPER_SIDE, {0, 5});
    Lose(trunks[1], LOWER_SIDE, {0, 4, 20});
    Lose(trunks[2], UPPER_SIDE, {3, 8, 9});
    Lose(trunks[3], UPPER_SIDE, {0, 1});
    AskAll(WordSum::OR, 9 * VALUES);
    SumAll(5 * VALUES + 1);
    AskAll(WordSum::INT32, 7 * VALUES + 2);
    RunExact();
    EXPECT_GT(Retransmitted(), 0U);
}

/* Floating-point switches or bits as well; they add no integers. */
TEST_F(SlotWordsTest, FloatAddersOr)
{
    UseFp32();
    Star(3);
    AskAll(WordSum::OR, 2 * VALUES);
    SumAll(2 * VALUES);
    RunExact();
    ReductionRequest request;
    request.values = 1;
    request.words = WordSum::INT32;
    EXPECT_THROW(clients[0]->Sum(std::move(request)), InvariantError);
}

TEST_F(SlotWordsTest, AreNoFloats)
{
    Star(1);
    ReductionRequest request;
    request.values = 1;
    request.words = WordSum::FP32;
    EXPECT_THROW(clients[0]->Sum(std::move(request)), InvariantError);
}

/* As for those that wrap, and no sum saturates. */
TEST_F(SlotWordsTest, SaturatingAddersTakeScaledValues)
{
    Both("Adder", ns3::StringValue("int32-saturating"));
    Star(3);
    SumAll(3 * VALUES);
    AskAll(WordSum::OR, 3 * VALUES);
    RunExact();
}

/* 2^30 from each of 2 workers: 2^31 - 1, not -2^31. */
TEST_F(SlotWordsTest, SaturatingAddersSaturateWords)
{
    Both("Adder", ns3::StringValue("int32-saturating"));
    Star(2);
    std::vector<std::uint32_t> sums;
    for (const auto& client : clients)
    {
        ReductionRequest request;
        request.values = 1;
        request.words = WordSum::INT32;
        request.read = [](ElementRange, Word* out) { *out = 0x4000'0000; };
        request.write = [&sums](ElementRange, const Word* in) { sums.push_back(*in); };
        request.done = [] {};
        client->Sum(std::move(request));
    }
    ns3::Simulator::Run();
    EXPECT_EQ(sums, (std::vector<std::uint32_t>{0x7fff'ffff, 0x7fff'ffff}));
}

/* As long as with words, and their exponents come back all the same. */
TEST_F(SlotWordsTest, SizesAloneTakeAsLong)
{
    ScaleByBlock();
    Star(2);
    SumAll(10 * VALUES + 3, false, WordSum::OR);
    RunExact();
    EXPECT_EQ(results[0][0].donePs, 10 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(clients[0]->SentFrames(), 11U);
}

/* 64 words at 100 million values/s are 640 ns: the words of 4 workers in 10 packets keep the adder busy
 * for 10 * 2560 ns. */
TEST_F(SlotWordsTest, TheAddersRateCountsThem)
{
    Program("AdderRate", ns3::UintegerValue(100'000'000));
    Star(4);
    AskAll(WordSum::OR, 10 * VALUES);
    RunExact();
    EXPECT_EQ(results[0].front().donePs, 10 * 4 * 640'000 + ROUND_TRIP_PS);
}

} // namespace inca
