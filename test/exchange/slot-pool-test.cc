/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-pool.h"

#include "base/errors.h"
#include "base/state-visitor.h"
#include "support/played.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>

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

    SlotOutcome Arrive(std::uint64_t number, std::uint32_t child, bool afterLoss = false)
    {
        std::int32_t value = 1;
        for (std::uint32_t i = 0; i < child; ++i)
        {
            value *= 10;
        }
        return m_pool->Add({{}, number, child, NO_EXPONENT, 1, Words(value), false, afterLoss});
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

    SlotOutcome ComeDown(std::uint64_t number, std::int32_t sum, bool afterLoss = false)
    {
        return m_pool->TakeResult({{}, number, 0, NO_EXPONENT, 1, Words(sum), false, afterLoss});
    }

    std::int32_t Sum(std::uint64_t number) const
    {
        const auto packet = m_pool->Sum(number);
        EXPECT_EQ(packet.number, number);
        EXPECT_EQ(packet.values, 1U);
        return static_cast<std::int32_t>(packet.payload->words.at(0));
    }

    /** What becomes of packet "2.1"; or the answer to "sum 2", "loss 2" or "open". */
    std::string Do(std::istringstream& words, std::uint32_t children)
    {
        std::string what;
        std::uint64_t number = 0;
        words >> what >> number;
        if (what == "sum")
        {
            return std::to_string(Sum(number));
        }
        if (what == "loss" || what == "open")
        {
            const auto open = m_pool->Open();
            return std::to_string(what == "open" ? open : m_pool->Sum(number).afterLoss ? 1U : 0U);
        }
        static const char* const names[] = {"combined",
                                            "completed",
                                            "result",
                                            "ask_again",
                                            "answer",
                                            "duplicate",
                                            "late",
                                            "no_slot"};
        number = static_cast<std::uint64_t>(what[0] - '0');
        const auto child = static_cast<std::uint32_t>(what[2] - '0');
        const bool afterLoss = what.back() == '!';
        const auto outcome = what[2] == '*'   ? ArriveAll(number, children)
                             : what[2] == '^' ? ComeDown(number, 5555, afterLoss)
                                              : Arrive(number, child, afterLoss);
        return names[static_cast<std::size_t>(outcome)];
    }

    static SharedWords Words(std::int32_t value)
    {
        return std::make_shared<PacketWords>(PacketWords{{static_cast<Word>(value)}});
    }

    std::optional<SlotPool> m_pool;
};

} // namespace

/**
 * What packets do, one after the other: "2.1 = late" says that packet 2 comes from child 1, and what becomes of it; "2.* X"
 * that it comes from all children, and what becomes of the last; "2.^ X" that its sum, 5555, comes down from above.
 * "!": it was sent after a loss. "sum 2" is the sum of packet 2, "loss 2" whether that tells of a loss, and "open" how many
 * slots are.
 */
TEST_F(SlotPoolTest, DoesWithPacketsWhatTheProtocolSays)
{
    struct Row
    {
        const char* what;
        SlotPoolSpec pool;
        const char* script;
    };

    const Row rows[] = {
        {"the last child completes",
         {1, 3},
         "0.1 = combined; 0.0 = combined; 0.2 = completed; sum 0 = 111"},
        {"an only child completes at once", {2, 1}, "0.0 = completed; sum 0 = 1"},
        {"child 1's packet is lost; its repetition completes the sum, and child 0 waits, too",
         {1, 2},
         "0.0 = combined; 0.0 = duplicate; 0.1 = completed; sum 0 = 11"},
        {"child 0 has the sum and goes on; child 1 lost it, and gets it from the copy",
         {1, 2},
         "0.* = completed; 1.0 = combined; 0.1 = answer; sum 0 = 11; 1.1 = completed; sum 1 = 11"},
        {"a sum that all lost is answered to each",
         {1, 3},
         "0.* = completed; 0.2 = answer; sum 0 = 111; 0.0 = answer; sum 0 = 111; 0.1 = answer; sum "
         "0 = 111"},
        {"a duplicate before completion is not added",
         {1, 3},
         "0.0 = combined; 0.0 = duplicate; 0.1 = combined; 0.0 = duplicate; 0.1 = duplicate; 0.2 = "
         "completed; sum 0 = 111"},
        {"child 0 has gone on, so it has the sum of 0: nothing needs to be sent",
         {1, 2},
         "0.* = completed; 1.0 = combined; 0.0 = late; 1.* = completed; 0.1 = late; sum 0 = 11"},
        {"packet 0 turns up when its copy holds 2, and then 4: it must not be added there",
         {1, 2},
         "0.* = completed; 1.* = completed; 2.1 = combined; 0.0 = late; 2.0 = completed; sum 2 = "
         "11; 3.* = completed; 4.0 = combined; 0.1 = late; 2.1 = late; 1.1 = late"},
        {"slots do not wait for each other: all of slot 1",
         {2, 2},
         "0.0 = combined; 1.* = completed; 3.* = completed; 5.* = completed; 7.* = completed; 0.1 "
         "= completed"},
        {"packet 1 of a window of 2 over a pool of 1 waits for its time, and the sum of 0 stays "
         "whole",
         {1, 2},
         "0.0 = combined; 1.0 = no_slot; 2.0 = no_slot; 0.1 = completed; 2.0 = no_slot; 1.0 = "
         "combined; sum 0 = 11"},
        {"an inner switch waits for the sum from above: its own goes up, that one down",
         {1, 2, false},
         "0.0 = combined; 0.1 = completed; sum 0 = 11; 0.^ = result; sum 0 = 5555"},
        {"what went up, or comes down, is lost: a worker's repetition makes it go up again",
         {1, 2, false},
         "0.* = completed; 0.1 = ask_again; 0.0 = ask_again; sum 0 = 11; 0.^ = result; 0.1 = "
         "answer; sum 0 = 5555"},
        {"a sum comes down once; 2 overwrites the copy of 0",
         {1, 1, false},
         "0.0 = completed; 0.^ = result; 0.^ = late; 1.0 = completed; 1.^ = result; 2.0 = "
         "completed; 0.^ = late; sum 2 = 1"},
        {"a sum that was not asked for, or is not complete here, finds no slot",
         {1, 2, false},
         "0.^ = no_slot; 0.0 = combined; 0.^ = no_slot; 2.^ = no_slot; 0.1 = completed; sum 0 = "
         "11"},
        {"the next round begins below only when the sum has come down",
         {1, 1, false},
         "0.0 = completed; 1.0 = no_slot; 0.^ = result; 1.0 = completed"},
        {"a slot is open from its first packet until its sum is there",
         {1, 2},
         "open = 0; 0.0 = combined; open = 1; 0.1 = completed; open = 0"},
        {"at an inner switch until the sum has come down",
         {1, 2, false},
         "0.0 = combined; 0.1 = completed; open = 1; 0.^ = result; open = 0"},
        {"a sum tells that a packet was lost; the next one does not",
         {1, 2},
         "0.0 = combined; 0.1! = completed; loss 0 = 1; 1.* = completed; loss 1 = 0"},
        {"the first packet of a round, too; but no duplicate",
         {1, 2},
         "0.1 = combined; 0.1! = duplicate; 0.0 = completed; loss 0 = 0; 1.1! = combined; 1.0 = "
         "completed; loss 1 = 1"},
        {"the sum from above tells those below",
         {1, 2, false},
         "0.* = completed; loss 0 = 0; 0.^! = result; loss 0 = 1"},
    };
    for (const auto& row : rows)
    {
        m_pool.emplace(row.pool);
        const auto run = [&](auto& words) { return Do(words, row.pool.children); };
        EXPECT_EQ(Played(row.script, run), row.script) << row.what;
    }
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

/* Child 1's is the owner's: what is added goes to it alone, to the other one only that the slot is free. */
TEST_F(SlotPoolTest, WhatIsScatteredGoesToItsOwner)
{
    Pool(1, 2);
    const auto phase = SumPhase::REDUCE_SCATTER;
    m_pool->Add({{}, 0, 0, 7, 1, Words(3), false, false, phase, false});
    m_pool->Add({{}, 0, 1, 5, 1, Words(4), false, false, phase, true});
    const auto sum = m_pool->Sum(0);
    EXPECT_TRUE(sum.ofOwner);
    EXPECT_EQ(m_pool->PartFor(sum, 1).payload->words.at(0), 7U);
    EXPECT_EQ(m_pool->PartFor(sum, 0).payload, nullptr);
    EXPECT_EQ(m_pool->PartFor(sum, 0).values, 0U);
    EXPECT_EQ(m_pool->PartFor(sum, 0).exponent, 7);
}

/* Child 1's are the only values; it alone does not get them. The others' packets came before and after them. */
TEST_F(SlotPoolTest, WhatIsGatheredComesFromItsOwner)
{
    Pool(1, 3);
    const auto phase = SumPhase::ALL_GATHER;
    const auto wanted = [this, phase](std::uint32_t child) {
        return m_pool->Add({{}, 0, child, NO_EXPONENT, 0, nullptr, false, false, phase, false});
    };
    EXPECT_EQ(wanted(0), SlotOutcome::COMBINED);
    m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, Words(4), false, false, phase, true});
    EXPECT_EQ(wanted(2), SlotOutcome::COMPLETED);
    const auto sum = m_pool->Sum(0);
    EXPECT_EQ(m_pool->PartFor(sum, 0).payload->words.at(0), 4U);
    EXPECT_EQ(m_pool->PartFor(sum, 2).payload->words.at(0), 4U);
    EXPECT_EQ(m_pool->PartFor(sum, 1).payload, nullptr);
    EXPECT_EQ(wanted(2), SlotOutcome::ANSWER);
}

/* Of 3 children two have words for the last one, who has none: before the first words, and after them, come packets without. */
TEST_F(SlotPoolTest, SomeAddToWhatIsScattered)
{
    const auto phase = SumPhase::REDUCE_SCATTER;
    const SlotPacket none{{}, 0, 2, NO_EXPONENT, 0, nullptr, false, false, phase, true};
    const auto words = [phase](std::uint32_t child, Word word) {
        return SlotPacket{{}, 0, child, 5, 1, Words(word), false, false, phase, false};
    };
    for (const auto& packets : {std::vector<SlotPacket>{none, words(0, 3), words(1, 4)},
                                std::vector<SlotPacket>{words(0, 3), none, words(1, 4)}})
    {
        Pool(1, 3);
        for (const auto& packet : packets)
        {
            m_pool->Add(packet);
        }
        const auto sum = m_pool->Sum(0);
        EXPECT_EQ(m_pool->PartFor(sum, 2).payload->words.at(0), 7U);
        EXPECT_EQ(m_pool->PartFor(sum, 1).values, 0U);
    }
}

/* Child 1's words are for child 2 alone. A switch asks its parent for them if someone below does. */
TEST_F(SlotPoolTest, SomeGetWhatIsGathered)
{
    const auto phase = SumPhase::ALL_GATHER;
    const auto packet = [phase](std::uint32_t child, bool asks) {
        return SlotPacket{{}, 0, child, NO_EXPONENT, 0, nullptr, false, false, phase, false, asks};
    };
    Pool(1, 3);
    m_pool->Add(packet(0, false));
    m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, Words(4), false, false, phase, true, false});
    m_pool->Add(packet(2, true));
    const auto sum = m_pool->Sum(0);
    EXPECT_EQ(m_pool->PartFor(sum, 0).values, 0U);
    EXPECT_EQ(m_pool->PartFor(sum, 1).values, 0U);
    EXPECT_EQ(m_pool->PartFor(sum, 2).payload->words.at(0), 4U);
    for (const bool asks : {false, true})
    {
        Pool(1, 2, false);
        m_pool->Add(packet(0, false));
        m_pool->Add(packet(1, asks));
        EXPECT_EQ(m_pool->Sum(0).asks, asks);
    }
}

/* Below the root: a switch without the owner below asks without values, and gets them; the owner's sends them up, and
 * gets word that all is well. */
TEST_F(SlotPoolTest, ASwitchSendsUpWhatItHas)
{
    const auto phase = SumPhase::ALL_GATHER;
    const SlotPacket wanted{{}, 0, 0, NO_EXPONENT, 0, nullptr, false, false, phase, false};
    const SlotPacket owners{{}, 0, 0, NO_EXPONENT, 1, Words(4), false, false, phase, true};
    Pool(1, 1, false);
    m_pool->Add(wanted);
    EXPECT_EQ(m_pool->Sum(0).values, 0U);
    EXPECT_FALSE(m_pool->Sum(0).ofOwner);
    EXPECT_EQ(m_pool->TakeResult(owners), SlotOutcome::RESULT);
    EXPECT_EQ(m_pool->PartFor(m_pool->Sum(0), 0).payload->words.at(0), 4U);
    Pool(1, 1, false);
    m_pool->Add(owners);
    EXPECT_EQ(m_pool->Sum(0).payload->words.at(0), 4U);
    EXPECT_THROW(m_pool->TakeResult(owners), InvariantError); // it is there already
    EXPECT_EQ(m_pool->TakeResult(wanted), SlotOutcome::RESULT);
    EXPECT_EQ(m_pool->Sum(0).payload->words.at(0), 4U);
    EXPECT_EQ(m_pool->PartFor(m_pool->Sum(0), 0).payload, nullptr);
}

TEST_F(SlotPoolTest, RefusesWhatIsOfAnothersPart)
{
    const auto phase = SumPhase::ALL_GATHER;
    Pool(1, 3);
    EXPECT_THROW(m_pool->Add({{}, 0, 0, NO_EXPONENT, 1, Words(1), false, false, phase, false}),
                 InvariantError);
    m_pool->Add({{}, 0, 0, NO_EXPONENT, 1, Words(1), false, false, phase, true});
    EXPECT_THROW(m_pool->Add({{}, 0, 1, NO_EXPONENT, 1, Words(1), false, false, phase, true}),
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
    const auto walk = [&](StateVisitor& step) {
        step.Packet(oldest);
        m_pool->VisitState(step);
    };
    const auto seen = [&walk](std::int64_t nowPs) {
        NetworkState state;
        StateVisitor look(state, nowPs);
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
    StateVisitor skip(before, now, 1);
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
        StateVisitor look(state, 0);
        std::uint64_t oldest = 5;
        look.Packet(oldest);
        m_pool->VisitState(look);
        look.End();
        return state.digest;
    };
    EXPECT_NE(digest(3), digest(8));
}

} // namespace inca
