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
    using Words = std::vector<std::uint32_t>;

    /** What one sum of words of one worker has come to. */
    struct WordResult
    {
        WordSum sum{WordSum::OR};
        Words words;
        std::vector<unsigned> written;       ///< how many times
        std::vector<std::int16_t> exponents; ///< as they were told
        unsigned doneCount{0};
        std::int64_t donePs{0};
    };

    /** Any bits; the first word of worker 0 would be a signalling NaN, which moves must not touch. */
    static std::uint32_t WordOf(std::size_t worker, std::uint64_t i)
    {
        if (i == 0)
        {
            return worker == 0 ? 0x7f80'0001U : 0U;
        }
        return static_cast<std::uint32_t>((worker + 1) * 0x9e37'79b9U ^ i * 0x85eb'ca6bU);
    }

    /** -190, 200, 189, 178 ...: worker 1's is the largest. */
    static std::int16_t ExponentOfWorker(std::size_t worker)
    {
        return static_cast<std::int16_t>(worker == 0 ? -190 : 211 - 11 * static_cast<int>(worker));
    }

    void AskAll(WordSum sum, std::uint64_t values)
    {
        wordResults.resize(clients.size());
        for (std::size_t worker = 0; worker < clients.size(); ++worker)
        {
            Ask(worker, sum, values);
        }
    }

    void Ask(std::size_t worker, WordSum sum, std::uint64_t values)
    {
        auto& result = wordResults[worker].emplace_back();
        result.sum = sum;
        result.words.assign(values, 0);
        result.written.assign(values, 0);
        auto request = RequestOf(result, sum, values);
        request.exponent = ExponentOfWorker(worker);
        request.read = [worker](ElementRange range, Word* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = WordOf(worker, range.begin + i);
            }
        };
        request.write = [&result](ElementRange range, const Word* in) {
            std::copy_n(in, range.count, &result.words[range.begin]);
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                ++result.written[range.begin + i];
            }
        };
        clients[worker]->Sum(std::move(request));
    }

    static ReductionRequest RequestOf(WordResult& result, WordSum sum, std::uint64_t values)
    {
        ReductionRequest request;
        request.values = values;
        request.words = sum;
        request.writeExponent = [&result](std::int16_t exponent) {
            EXPECT_EQ(result.doneCount, 0U);
            result.exponents.push_back(exponent);
        };
        request.done = [&result] {
            ++result.doneCount;
            result.donePs = ns3::Simulator::Now().GetTimeStep();
        };
        return request;
    }

    /** Over all workers, by a path that knows no packet and no slot. */
    Words ExpectedWords(WordSum sum, std::uint64_t values) const
    {
        Words words(values, 0);
        for (std::size_t worker = 0; worker < clients.size(); ++worker)
        {
            for (std::uint64_t i = 0; i < values; ++i)
            {
                const auto word = WordOf(worker, i);
                words[i] = sum == WordSum::OR ? words[i] | word : words[i] + word;
            }
        }
        return words;
    }

    /** Every sum of values and of words is there once and exact, and frames add up. */
    void RunWords()
    {
        RunExact();
        const std::int16_t largest =
            clients.size() == 1 ? ExponentOfWorker(0) : ExponentOfWorker(1);
        for (const auto& ofWorker : wordResults)
        {
            for (const auto& result : ofWorker)
            {
                EXPECT_EQ(result.words, ExpectedWords(result.sum, result.words.size()));
                EXPECT_EQ(result.written, std::vector<unsigned>(result.words.size(), 1));
                EXPECT_EQ(result.exponents, std::vector<std::int16_t>{largest});
                EXPECT_EQ(result.doneCount, 1U);
            }
        }
    }

    std::vector<std::list<WordResult>> wordResults; ///< by worker; a list: results stay in place
};

/* 10 packets and one of 3 words, then as many: 22 full frames, though scaled values would have
 * exponents ahead. */
TEST_F(SlotWordsTest, AreOredOrAddedAndNothingGoesAhead)
{
    ScaleByBlock();
    Star(3);
    AskAll(WordSum::OR, 10 * VALUES + 3);
    AskAll(WordSum::INT32, 10 * VALUES + 3);
    RunWords();
    EXPECT_EQ(wordResults[0].front().donePs, 10 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(wordResults[0].back().donePs, 21 * FRAME_PS + ROUND_TRIP_PS);
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
    RunWords();
    EXPECT_EQ(clients[0]->SentFrames(), 4U + 6 + 3 + 2);
}

/* The first and the last packet up, or down to one worker: the largest number comes back all the
 * same, in whichever packet. */
TEST_F(SlotWordsTest, SurviveLosses)
{
    Slots(4);
    Star(3);
    Lose(links[0], LOWER_SIDE, {0, 9});
    Lose(links[1], LOWER_SIDE, {0, 4, 5});
    Lose(links[1], UPPER_SIDE, {0, 9});
    Lose(links[2], UPPER_SIDE, {1, 2, 3});
    AskAll(WordSum::OR, 9 * VALUES + 5);
    AskAll(WordSum::INT32, 5 * VALUES);
    RunWords();
    EXPECT_GT(Retransmitted(), 0U);
    EXPECT_GT(programs[0]->Counters().answered, 0U);
}

/* One packet: it is lost up on the way from the worker with the largest number, then down to
 * another. */
TEST_F(SlotWordsTest, TheOnlyPacketsNumberIsNotLost)
{
    Star(2);
    Lose(links[1], LOWER_SIDE, {0});
    Lose(links[0], UPPER_SIDE, {0});
    AskAll(WordSum::OR, 1);
    RunWords();
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
    RunWords();
    EXPECT_GT(Retransmitted(), 0U);
}

/* Floating-point switches or bits as well; they add no integers. */
TEST_F(SlotWordsTest, FloatAddersOr)
{
    UseFp32();
    Star(3);
    AskAll(WordSum::OR, 2 * VALUES);
    SumAll(2 * VALUES);
    RunWords();
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
    RunWords();
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

/* As long as with words, and who asks for the largest number is told that there is none. */
TEST_F(SlotWordsTest, SizesAloneTakeAsLong)
{
    ScaleByBlock();
    Star(2);
    std::list<WordResult> sizes(2);
    auto result = sizes.begin();
    for (const auto& client : clients)
    {
        client->Sum(RequestOf(*result++, WordSum::OR, 10 * VALUES + 3));
    }
    ns3::Simulator::Run();
    for (const auto& one : sizes)
    {
        EXPECT_EQ(one.donePs, 10 * FRAME_PS + ROUND_TRIP_PS);
        EXPECT_EQ(one.exponents, std::vector<std::int16_t>{NO_EXPONENT});
    }
    EXPECT_EQ(clients[0]->SentFrames(), 11U);
}

/* 64 words at 100 million values/s are 640 ns: the words of 4 workers in 10 packets keep the adder busy
 * for 10 * 2560 ns. */
TEST_F(SlotWordsTest, TheAddersRateCountsThem)
{
    Program("AdderRate", ns3::UintegerValue(100'000'000));
    Star(4);
    AskAll(WordSum::OR, 10 * VALUES);
    RunWords();
    EXPECT_EQ(wordResults[0].front().donePs, 10 * 4 * 640'000 + ROUND_TRIP_PS);
}

} // namespace inca
