/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Words through switches: or-ed or added as they are, and a number that goes along.
#include "aggregation/switch-fixture.h"

#include "base/errors.h"

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

/* Floating-point switches or bits; they add no integers, and nobody adds floats as words. */
TEST_F(SlotWordsTest, MustBeWhatAddersAdd)
{
    UseFp32();
    Star(1);
    for (const auto words : {WordSum::INT32, WordSum::FP32})
    {
        ReductionRequest request;
        request.size = 1;
        request.words = words;
        EXPECT_THROW(clients[0]->Sum(std::move(request)), InvariantError);
    }
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
        request.size = 1;
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
