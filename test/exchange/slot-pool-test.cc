/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-pool.h"

#include "base/errors.h"
#include "base/state-walk.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace inca
{

namespace
{

/** Contributions with the value 10^child of each child, one int32 per packet. */
class SlotPoolTest : public testing::Test
{
  protected:
    void Pool(std::uint32_t slots, std::uint32_t children, bool isRoot = true)
    {
        m_pool.emplace(SlotPoolSpec{slots, children, isRoot});
    }

    SlotOutcome Arrive(std::uint64_t number, std::uint32_t child)
    {
        std::int32_t value = 1;
        for (std::uint32_t i = 0; i < child; ++i)
        {
            value *= 10;
        }
        return m_pool->Add({{}, number, child, NO_EXPONENT, 1, Words(value)});
    }

    /** All children contribute. @return the last outcome */
    SlotOutcome ArriveAll(std::uint64_t number, std::uint32_t children)
    {
        auto outcome = SlotOutcome::NO_SLOT;
        for (std::uint32_t child = 0; child < children; ++child)
        {
            outcome = Arrive(number, child);
        }
        return outcome;
    }

    SlotOutcome ComeDown(std::uint64_t number, std::int32_t sum)
    {
        return m_pool->TakeResult({{}, number, 0, NO_EXPONENT, 1, Words(sum)});
    }

    std::int32_t Sum(std::uint64_t number) const
    {
        const auto packet = m_pool->Sum(number);
        EXPECT_EQ(packet.number, number);
        EXPECT_EQ(packet.values, 1U);
        return static_cast<std::int32_t>(packet.payload->words.at(0));
    }

    static SharedWords Words(std::int32_t value)
    {
        return std::make_shared<PacketWords>(PacketWords{{static_cast<Word>(value)}});
    }

    std::optional<SlotPool> m_pool;
};

} // namespace

TEST_F(SlotPoolTest, CompletesWhenTheLastChildArrives)
{
    Pool(1, 3);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMBINED);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::COMBINED);
    EXPECT_EQ(m_pool->Open(), 1U);
    EXPECT_EQ(Arrive(0, 2), SlotOutcome::COMPLETED);
    EXPECT_EQ(m_pool->Open(), 0U);
    EXPECT_EQ(Sum(0), 111);
}

TEST_F(SlotPoolTest, AnOnlyChildCompletesAtOnce)
{
    Pool(2, 1);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(0), 1);
}

/* Child 1's packet is lost; its repetition completes the sum. */
TEST_F(SlotPoolTest, ALostContributionComesAgain)
{
    Pool(1, 2);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::COMBINED);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::DUPLICATE); // child 0 waits, too
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(0), 11);
}

/* Child 0 has the sum of 0 and goes on; child 1 lost it, asks again, and gets it from the copy. */
TEST_F(SlotPoolTest, ASumThatOneChildLostIsAnswered)
{
    Pool(1, 2);
    ArriveAll(0, 2);
    EXPECT_EQ(Arrive(1, 0), SlotOutcome::COMBINED);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::ANSWER);
    EXPECT_EQ(Sum(0), 11);
    EXPECT_EQ(Arrive(1, 1), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(1), 11);
}

TEST_F(SlotPoolTest, ASumThatAllLostIsAnsweredToEach)
{
    Pool(1, 3);
    ArriveAll(0, 3);
    for (const std::uint32_t child : {2U, 0U, 1U})
    {
        EXPECT_EQ(Arrive(0, child), SlotOutcome::ANSWER);
        EXPECT_EQ(Sum(0), 111);
    }
}

TEST_F(SlotPoolTest, ADuplicateBeforeCompletionIsNotAdded)
{
    Pool(1, 3);
    Arrive(0, 0);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::DUPLICATE);
    Arrive(0, 1);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::DUPLICATE);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::DUPLICATE);
    Arrive(0, 2);
    EXPECT_EQ(Sum(0), 111);
}

TEST_F(SlotPoolTest, ADuplicateAfterCompletionIsNotAdded)
{
    Pool(1, 2);
    ArriveAll(0, 2);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::ANSWER);
    EXPECT_EQ(Sum(0), 11);
}

/* Child 0 has gone on to round 1, so it has the sum of round 0: nothing needs to be sent. */
TEST_F(SlotPoolTest, ADuplicateOfAChildThatHasGoneOnIsLate)
{
    Pool(1, 2);
    ArriveAll(0, 2);
    Arrive(1, 0);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::LATE);
    ArriveAll(1, 2);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::LATE);
    EXPECT_EQ(Sum(0), 11);
}

/* Packet 0 turns up when its copy holds packet 2, and then 4: it must not be added there. */
TEST_F(SlotPoolTest, ADuplicateOfTwoRoundsAgoIsLate)
{
    Pool(1, 2);
    ArriveAll(0, 2);
    ArriveAll(1, 2);
    EXPECT_EQ(Arrive(2, 1), SlotOutcome::COMBINED);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::LATE);
    EXPECT_EQ(Arrive(2, 0), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(2), 11);
    ArriveAll(3, 2);
    Arrive(4, 0);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::LATE);
    EXPECT_EQ(Arrive(2, 1), SlotOutcome::LATE);
    EXPECT_EQ(Arrive(1, 1), SlotOutcome::LATE);
}

/* Rounds follow each other in both copies: the first packet overwrites, bits start clear. */
TEST_F(SlotPoolTest, EveryRoundStartsAnew)
{
    Pool(2, 3);
    for (std::uint64_t number = 0; number < 20; ++number)
    {
        ASSERT_EQ(ArriveAll(number, 3), SlotOutcome::COMPLETED) << number;
        ASSERT_EQ(Sum(number), 111) << number;
    }
}

TEST_F(SlotPoolTest, SlotsDoNotWaitForEachOther)
{
    Pool(2, 2);
    Arrive(0, 0);
    for (const std::uint64_t number : {1, 3, 5, 7}) // all of slot 1
    {
        EXPECT_EQ(ArriveAll(number, 2), SlotOutcome::COMPLETED);
    }
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMPLETED);
}

/* A window of 2 over a pool of 1: packet 1 comes while packet 0 is added up. It waits for its time,
 * and the sum of 0 stays whole. */
TEST_F(SlotPoolTest, AWindowBeyondThePoolFindsNoSlot)
{
    Pool(1, 2);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::COMBINED);
    EXPECT_EQ(Arrive(1, 0), SlotOutcome::NO_SLOT);
    EXPECT_EQ(Arrive(2, 0), SlotOutcome::NO_SLOT);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMPLETED);
    EXPECT_EQ(Arrive(2, 0), SlotOutcome::NO_SLOT);
    EXPECT_EQ(Arrive(1, 0), SlotOutcome::COMBINED);
    EXPECT_EQ(Sum(0), 11);
    EXPECT_EQ(m_pool->Open(), 1U);
}

TEST_F(SlotPoolTest, AnInnerSwitchWaitsForTheSumFromAbove)
{
    Pool(1, 2, false);
    Arrive(0, 0);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(0), 11); // goes up
    EXPECT_EQ(m_pool->Open(), 1U);
    EXPECT_EQ(ComeDown(0, 5555), SlotOutcome::RESULT);
    EXPECT_EQ(Sum(0), 5555); // goes down
    EXPECT_EQ(m_pool->Open(), 0U);
}

/* What went up, or the sum that comes down, is lost: a worker's repetition makes it go up again. */
TEST_F(SlotPoolTest, AContributionThatIsRepeatedMeanwhileGoesUpAgain)
{
    Pool(1, 2, false);
    ArriveAll(0, 2);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::ASK_AGAIN);
    EXPECT_EQ(Arrive(0, 0), SlotOutcome::ASK_AGAIN);
    EXPECT_EQ(Sum(0), 11);
    EXPECT_EQ(ComeDown(0, 5555), SlotOutcome::RESULT);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::ANSWER);
    EXPECT_EQ(Sum(0), 5555);
}

TEST_F(SlotPoolTest, ASumComesDownOnce)
{
    Pool(1, 1, false);
    Arrive(0, 0);
    ComeDown(0, 5);
    EXPECT_EQ(ComeDown(0, 5), SlotOutcome::LATE);
    Arrive(1, 0);
    ComeDown(1, 6);
    Arrive(2, 0); // overwrites the copy of 0
    EXPECT_EQ(ComeDown(0, 5), SlotOutcome::LATE);
    EXPECT_EQ(Sum(2), 1);
}

TEST_F(SlotPoolTest, ASumThatWasNotAskedForFindsNoSlot)
{
    Pool(1, 2, false);
    EXPECT_EQ(ComeDown(0, 5), SlotOutcome::NO_SLOT);
    Arrive(0, 0);
    EXPECT_EQ(ComeDown(0, 5), SlotOutcome::NO_SLOT); // is not complete here
    EXPECT_EQ(ComeDown(2, 5), SlotOutcome::NO_SLOT);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(0), 11);
}

/* The next round begins below only when the sum has come down. */
TEST_F(SlotPoolTest, AnInnerSwitchBeginsNoRoundBeforeTheLastOnesSumIsThere)
{
    Pool(1, 1, false);
    Arrive(0, 0);
    EXPECT_EQ(Arrive(1, 0), SlotOutcome::NO_SLOT);
    ComeDown(0, 5);
    EXPECT_EQ(Arrive(1, 0), SlotOutcome::COMPLETED);
}

TEST_F(SlotPoolTest, TheLargestExponentIsTheSums)
{
    Pool(1, 3, false);
    m_pool->Add({{}, 0, 0, -7, 0, nullptr});
    m_pool->Add({{}, 0, 1, 3, 0, nullptr});
    m_pool->Add({{}, 0, 2, NO_EXPONENT, 0, nullptr});
    EXPECT_EQ(m_pool->Sum(0).exponent, 3);
    EXPECT_EQ(m_pool->Sum(0).payload, nullptr);
    m_pool->TakeResult({{}, 0, 0, 12, 0, nullptr});
    EXPECT_EQ(m_pool->Sum(0).exponent, 12);
}

/* 6 | 5 = 7 in packet 0; in packet 1, through the same slot, 6 + 5 = 11. */
TEST_F(SlotPoolTest, WordsAreOredOrAddedAsTheirPacketsSay)
{
    Pool(1, 2);
    for (const bool orWords : {true, false})
    {
        const std::uint64_t number = orWords ? 0 : 1;
        m_pool->Add({{}, number, 0, NO_EXPONENT, 1, Words(6), orWords});
        EXPECT_THROW(m_pool->Add({{}, number, 1, NO_EXPONENT, 1, Words(5), !orWords}),
                     InvariantError);
        m_pool->Add({{}, number, 1, NO_EXPONENT, 1, Words(5), orWords});
        EXPECT_EQ(Sum(number), orWords ? 7 : 11);
        EXPECT_EQ(m_pool->Sum(number).orWords, orWords);
    }
}

TEST_F(SlotPoolTest, SizesAloneAreCountedAlike)
{
    SlotPool pool({1, 2, true});
    EXPECT_EQ(pool.Add({{}, 0, 0, NO_EXPONENT, 64, nullptr}), SlotOutcome::COMBINED);
    EXPECT_EQ(pool.Add({{}, 0, 1, NO_EXPONENT, 64, nullptr}), SlotOutcome::COMPLETED);
    EXPECT_EQ(pool.Sum(0).values, 64U);
    EXPECT_EQ(pool.Sum(0).payload, nullptr);
}

/* Child 1's is the owner's: what is added goes to it alone, to the other one only that the slot is free. */
TEST_F(SlotPoolTest, WhatIsScatteredGoesToItsOwner)
{
    Pool(1, 2);
    const auto halves = Halves::REDUCE_SCATTER;
    m_pool->Add({{}, 0, 0, 7, 1, Words(3), false, false, halves, false});
    m_pool->Add({{}, 0, 1, 5, 1, Words(4), false, false, halves, true});
    const auto sum = m_pool->Sum(0);
    EXPECT_TRUE(sum.ofOwner);
    EXPECT_EQ(PartFor(sum, 1).payload->words.at(0), 7U);
    EXPECT_EQ(PartFor(sum, 0).payload, nullptr);
    EXPECT_EQ(PartFor(sum, 0).values, 0U);
    EXPECT_EQ(PartFor(sum, 0).exponent, 7);
}

/* Child 1's are the only values; it alone does not get them. The others' packets came before and after them. */
TEST_F(SlotPoolTest, WhatIsGatheredComesFromItsOwner)
{
    Pool(1, 3);
    const auto halves = Halves::ALL_GATHER;
    const auto wanted = [this, halves](std::uint32_t child) {
        return m_pool->Add({{}, 0, child, NO_EXPONENT, 0, nullptr, false, false, halves, false});
    };
    EXPECT_EQ(wanted(0), SlotOutcome::COMBINED);
    m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, Words(4), false, false, halves, true});
    EXPECT_EQ(wanted(2), SlotOutcome::COMPLETED);
    const auto sum = m_pool->Sum(0);
    EXPECT_EQ(PartFor(sum, 0).payload->words.at(0), 4U);
    EXPECT_EQ(PartFor(sum, 2).payload->words.at(0), 4U);
    EXPECT_EQ(PartFor(sum, 1).payload, nullptr);
    EXPECT_EQ(wanted(2), SlotOutcome::ANSWER);
}

/* Below the root: a switch without the owner below asks without values, and gets them; the owner's sends them up, and
 * gets word that all is well. */
TEST_F(SlotPoolTest, ASwitchSendsUpWhatItHas)
{
    const auto halves = Halves::ALL_GATHER;
    const SlotPacket wanted{{}, 0, 0, NO_EXPONENT, 0, nullptr, false, false, halves, false};
    const SlotPacket owners{{}, 0, 0, NO_EXPONENT, 1, Words(4), false, false, halves, true};
    Pool(1, 1, false);
    m_pool->Add(wanted);
    EXPECT_EQ(m_pool->Sum(0).values, 0U);
    EXPECT_FALSE(m_pool->Sum(0).ofOwner);
    EXPECT_EQ(m_pool->TakeResult(owners), SlotOutcome::RESULT);
    EXPECT_EQ(PartFor(m_pool->Sum(0), 0).payload->words.at(0), 4U);
    Pool(1, 1, false);
    m_pool->Add(owners);
    EXPECT_EQ(m_pool->Sum(0).payload->words.at(0), 4U);
    EXPECT_THROW(m_pool->TakeResult(owners), InvariantError); // it is there already
    EXPECT_EQ(m_pool->TakeResult(wanted), SlotOutcome::RESULT);
    EXPECT_EQ(m_pool->Sum(0).payload->words.at(0), 4U);
    EXPECT_EQ(PartFor(m_pool->Sum(0), 0).payload, nullptr);
}

TEST_F(SlotPoolTest, RefusesWhatIsOfAnothersPart)
{
    const auto halves = Halves::ALL_GATHER;
    Pool(1, 3);
    EXPECT_THROW(m_pool->Add({{}, 0, 0, NO_EXPONENT, 1, Words(1), false, false, halves, false}),
                 InvariantError);
    m_pool->Add({{}, 0, 0, NO_EXPONENT, 1, Words(1), false, false, halves, true});
    EXPECT_THROW(m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, Words(1), false, false, halves, true}),
                 InvariantError);
    EXPECT_THROW(m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, Words(1)}), InvariantError);
}

/* A frame under way holds the sum of 0 while 2 overwrites its copy; 4 may take 2's memory. */
TEST_F(SlotPoolTest, ASumThatIsUnderWayDoesNotChange)
{
    Pool(1, 1);
    Arrive(0, 0);
    auto held = m_pool->Sum(0).payload;
    const auto before = held->words;
    Arrive(1, 0);
    m_pool->Add({{}, 2, 0, NO_EXPONENT, 1, Words(99)});
    EXPECT_EQ(held->words, before);
    EXPECT_EQ(Sum(2), 99);
    const auto* reused = m_pool->Sum(2).payload.get();
    Arrive(3, 0);
    Arrive(4, 0);
    EXPECT_EQ(m_pool->Sum(4).payload.get(), reused);
    EXPECT_EQ(m_pool->Sum(4).payload, m_pool->Sum(4).payload); // shared, not copied
}

TEST_F(SlotPoolTest, SaysWhatWaitsForWhom)
{
    Pool(3, 3, false);
    ArriveAll(0, 3);
    ComeDown(0, 5);
    Arrive(3, 2);    // slot 0 again: misses 0 and 1
    ArriveAll(1, 3); // waits for the sum from above
    Arrive(2, 1);    // misses 0 and 2
    const auto open = m_pool->OpenSlots(10);
    ASSERT_EQ(open.size(), 3U);
    EXPECT_EQ(open[0].number, 1U);
    EXPECT_EQ(open[0].missing, std::vector<std::uint32_t>{});
    EXPECT_EQ(open[1].number, 2U);
    EXPECT_EQ(open[1].missing, (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(open[2].number, 3U);
    EXPECT_EQ(open[2].missing, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(m_pool->Open(), 3U);
    EXPECT_EQ(m_pool->OpenSlots(1).size(), 1U);
}

TEST_F(SlotPoolTest, RefusesWhatNoSenderMaySend)
{
    Pool(1, 2);
    EXPECT_THROW(Arrive(0, 2), InvariantError);
    EXPECT_THROW(ComeDown(0, 1), InvariantError); // a root has nothing above
    Arrive(0, 0);
    EXPECT_THROW(m_pool->Sum(0), InvariantError); // is not there yet
    EXPECT_THROW(m_pool->Sum(1), InvariantError);
    EXPECT_THROW(m_pool->Add({{}, 0, 1, NO_EXPONENT, 2, nullptr}), InvariantError);
    EXPECT_THROW(m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, nullptr}), InvariantError);
    EXPECT_THROW(m_pool->Add({{}, 0, 1, NO_EXPONENT, 2, Words(1)}), InvariantError);
    EXPECT_EQ(Arrive(0, 1), SlotOutcome::COMPLETED);
    EXPECT_EQ(Sum(0), 11);
}

TEST_F(SlotPoolTest, WantsASlotAndAChild)
{
    EXPECT_THROW(Pool(0, 2), InvariantError);
    EXPECT_THROW(Pool(2, 0), InvariantError);
}

TEST(SlotOutcome, EachHasAName)
{
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::COMBINED), "combined");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::COMPLETED), "completed");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::RESULT), "result");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::ASK_AGAIN), "ask_again");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::ANSWER), "answer");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::DUPLICATE), "duplicate");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::LATE), "late");
    EXPECT_STREQ(SlotOutcomeName(SlotOutcome::NO_SLOT), "no_slot");
}

/* Child 1's packet was sent before: its first copy was lost. The next round's were not. */
TEST_F(SlotPoolTest, ASumSaysThatAPacketWasLost)
{
    Pool(1, 2);
    for (const std::uint64_t number : {0U, 1U})
    {
        Arrive(number, 0);
        SlotPacket packet{{}, number, 1, NO_EXPONENT, 1, Words(1)};
        packet.afterLoss = number == 0;
        m_pool->Add(packet);
        EXPECT_EQ(m_pool->Sum(number).afterLoss, number == 0);
    }
}

/* The first packet of a round, too; and one that is a duplicate says nothing. */
TEST_F(SlotPoolTest, ARepetitionThatWasNotNeededSaysNothing)
{
    Pool(1, 2);
    SlotPacket packet{{}, 0, 1, NO_EXPONENT, 1, Words(1)};
    packet.afterLoss = true;
    Arrive(0, 1);
    EXPECT_EQ(m_pool->Add(packet), SlotOutcome::DUPLICATE);
    Arrive(0, 0);
    EXPECT_FALSE(m_pool->Sum(0).afterLoss);
    packet.number = 1;
    m_pool->Add(packet);
    Arrive(1, 0);
    EXPECT_TRUE(m_pool->Sum(1).afterLoss);
}

/*
 * Packet 4 of a pool of 4 slots is short, the last one of a tensor, and over when 8 has come. After 8 there are
 * 1 to 8, of which 5 is the oldest that a host asks for; after 9 there are 2 to 9: the same one packet on,
 * though the short one is not. One more packet skipped: 3 to 10 are there, and 4 of them is short still.
 */
TEST_F(SlotPoolTest, WhatIsOverIsNoPartOfItsState)
{
    Pool(4, 1);
    const auto sizeOf = [](std::uint64_t number) -> std::uint32_t { return number == 4 ? 3 : 8; };
    const auto arrive = [&](std::uint64_t number) {
        m_pool->Add({{}, number, 0, NO_EXPONENT, sizeOf(number), nullptr});
    };
    std::uint64_t oldest = 5;
    const auto walk = [&](StateWalk& step) {
        step.Packet(oldest);
        m_pool->Walk(step);
    };
    const auto seen = [&walk](std::int64_t nowPs) {
        NetworkState state;
        StateWalk look(state, nowPs);
        walk(look);
        look.End();
        return state;
    };
    for (std::uint64_t number = 0; number <= 8; ++number)
    {
        arrive(number);
    }
    const auto before = seen(0);
    arrive(9);
    ++oldest;
    const auto now = seen(1);
    EXPECT_EQ(before.digest, now.digest);
    StateWalk skip(before, now, 1);
    walk(skip);
    EXPECT_EQ(oldest, 7U);
    for (std::uint64_t number = 3; number <= 10; ++number)
    {
        EXPECT_EQ(m_pool->Sum(number).values, sizeOf(number)) << number;
    }
}

/* A short one that may still be asked for is: packet 5 instead, of 1 to 8. */
TEST_F(SlotPoolTest, WhatIsAskedForIsAPartOfItsState)
{
    const auto digest = [this](std::uint32_t values) {
        Pool(4, 1);
        for (std::uint64_t number = 0; number <= 8; ++number)
        {
            m_pool->Add({{}, number, 0, NO_EXPONENT, number == 5 ? values : 8, nullptr});
        }
        NetworkState state;
        StateWalk look(state, 0);
        std::uint64_t oldest = 5;
        look.Packet(oldest);
        m_pool->Walk(look);
        look.End();
        return state.digest;
    };
    EXPECT_NE(digest(3), digest(8));
}

/* The sum from above says it for those below. */
TEST_F(SlotPoolTest, ALossAboveIsToldBelow)
{
    Pool(1, 2, false);
    ArriveAll(0, 2);
    EXPECT_FALSE(m_pool->Sum(0).afterLoss);
    SlotPacket sum{{}, 0, 0, NO_EXPONENT, 1, Words(111)};
    sum.afterLoss = true;
    EXPECT_EQ(m_pool->TakeResult(sum), SlotOutcome::RESULT);
    EXPECT_TRUE(m_pool->Sum(0).afterLoss);
}

} // namespace inca
