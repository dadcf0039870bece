/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Programs of switches, and what hosts and switches know of those that run on them.
#include "aggregation/aggregation-catalog.h"
#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"
#include "aggregation/switch-fixture.h"
#include "base/errors.h"
#include "device/frame.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(AggregationCatalog, EveryRowMakesBothSides)
{
    for (const auto& entry : AggregationCatalog().Rows())
    {
        EXPECT_TRUE(AggregationCatalog().Find(entry.name).makeProgram()) << entry.name;
        EXPECT_TRUE(AggregationCatalog().Find(entry.name).makeClient()) << entry.name;
    }
}

TEST(AggregationCatalog, NamesWhatItKnows)
{
    EXPECT_EQ(WhyNot([] { AggregationCatalog().Find("slot"); }),
              "aggregation program: unknown 'slot'; did you mean 'slots'?");
}

/* Both ends choose among all adders, by name. */
TEST(AdderAttribute, KnowsEveryAdder)
{
    for (const auto& entry : AggregationCatalog().Rows())
    {
        const ns3::Ptr<ns3::Object> ends[] = {entry.makeProgram(), entry.makeClient()};
        for (const auto& end : ends)
        {
            for (const auto& name : AdderNames())
            {
                EXPECT_TRUE(end->SetAttributeFailSafe("Adder", ns3::StringValue(name))) << name;
                ns3::StringValue kept;
                end->GetAttribute("Adder", kept);
                EXPECT_EQ(kept.Get(), name);
            }
        }
    }
}

class ProgramsTest : public SwitchFixture
{
  protected:
    /** Of each job one, and no other. */
    template <typename All, typename Made>
    static void ExpectOneOfEachJob(const All& all, const Made& first, const Made& other)
    {
        EXPECT_EQ(all->Find(JobId()), first);
        EXPECT_FALSE(all->Find(JobId(1)));
        EXPECT_THROW(all->Add(JobId(), other), InputError);
        all->Add(JobId(1), other);
        EXPECT_EQ(all->Find(JobId(1)), other);
    }

    /** Worker 0 sends a contribution of @p job to worker 1. */
    void Send(JobId job)
    {
        SlotPacket packet;
        packet.job = job;
        packet.values = VALUES;
        const auto frame = MakeAggregationFrame(packet, VALUES, false);
        frame->destination = ns3::Mac48Address::ConvertFrom(nics[1]->GetAddress());
        nics[0]->SendFrame(frame);
        ns3::Simulator::Run();
    }
};

TEST_F(ProgramsTest, KnowEachJobsOwn)
{
    Star(2);
    const auto onHost = HostClients::Of(nics[0]);
    EXPECT_EQ(HostClients::Of(nics[0]), onHost);
    ExpectOneOfEachJob(onHost, clients[0], ns3::CreateObject<SlotClient>());
    const auto onSwitch = SwitchPrograms::Of(switches[0]);
    EXPECT_EQ(SwitchPrograms::Of(switches[0]), onSwitch);
    ExpectOneOfEachJob(onSwitch, programs[0], ns3::CreateObject<SlotProgram>());
}

/* A sum of another job is not that of this one, though its number is. */
TEST_F(ProgramsTest, DropWhatIsOfNoClient)
{
    Star(2);
    Sum(0, VALUES);
    SlotPacket sum;
    sum.job = JobId(9);
    sum.values = VALUES;
    const auto frame = MakeAggregationFrame(sum, VALUES, true);
    frame->destination = ns3::Mac48Address::ConvertFrom(nics[0]->GetAddress());
    nics[0]->ReceiveFrame(frame);
    EXPECT_EQ(clients[0]->ReceivedBytes(), 0U);
    Sum(1, VALUES);
    RunExact();
}

/* A frame of job 0 is its program's; job 9 has none here, and its frame goes on to worker 1. */
TEST_F(ProgramsTest, ForwardWhatIsOfNoProgram)
{
    Star(2);
    for (const auto& nic : nics)
    {
        switches[0]->Learn(ns3::Mac48Address::ConvertFrom(nic->GetAddress()),
                           nic == nics[0] ? 0U : 1U);
    }
    std::vector<JobId> got;
    const auto note = [&](ns3::Ptr<Frame> frame, std::int64_t) {
        got.push_back(frame->aggregation.packet.job);
    };
    nics[1]->SetFrameReceiver({FrameKind::AGGREGATION}, Nic::FrameReceiver(note));
    Send(JobId());
    EXPECT_TRUE(got.empty());
    EXPECT_EQ(programs[0]->Counters().in, 1U);
    Send(JobId(9));
    EXPECT_EQ(got, std::vector<JobId>{JobId(9)});
    EXPECT_EQ(programs[0]->Counters().in, 1U);
}

class SlotProgramTest : public SwitchFixture
{
  protected:
    void Watch(const ns3::Ptr<SlotProgram>& program)
    {
        const auto connect = [&program](const char* source, auto callback) {
            program->TraceConnectWithoutContext(source, callback);
        };
        connect("Slots", ns3::Callback<void, std::uint32_t, std::uint32_t>([this](auto, auto now) {
                    slots.push_back(now);
                }));
        connect("Combined", ns3::Callback<void, ns3::Ptr<const Frame>>([this](const auto& frame) {
                    combined.push_back(frame->aggregation.packet.child);
                }));
        connect("Completed", ns3::Callback<void, std::uint64_t>([this](auto number) {
                    completed.push_back(number);
                }));
        connect("Dropped",
                ns3::Callback<void, ns3::Ptr<const Frame>, AggregationOutcome>(
                    [this](const auto&, auto why) { dropped.push_back(why); }));
    }

    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> combined; ///< children
    std::vector<std::uint64_t> completed;
    std::vector<AggregationOutcome> dropped;
};

/* 3 workers, 5 packets: 15 come in and are added, 5 complete, 15 sums go out. The packets of a slot
 * arrive at the same instant, so one slot is in use at a time. */
TEST_F(SlotProgramTest, CountsAndTellsWhatItDoes)
{
    Star(3);
    Watch(programs[0]);
    SumAll(5 * VALUES);
    RunExact();
    const auto& counters = programs[0]->Counters();
    EXPECT_EQ(counters.in, 15U);
    EXPECT_EQ(counters.combined, 15U);
    EXPECT_EQ(counters.made, 15U);
    EXPECT_EQ(counters.Dropped(), 0U);
    EXPECT_EQ(programs[0]->SlotsPeak(), 1U);
    EXPECT_EQ(slots, (std::vector<std::uint32_t>{1, 0, 1, 0, 1, 0, 1, 0, 1, 0}));
    EXPECT_EQ(completed, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(combined.size(), 15U);
    EXPECT_EQ(programs[0]->State(), "");
}

/* Two levels, 2 x 2 workers: leaves take 2 contributions and 1 sum per packet and make 1 + 2;
 * the root takes 2 and makes 2. One packet takes two links and frames each way. */
TEST_F(SlotProgramTest, SwitchesPassOnePacketUpPerSum)
{
    Tree({2, 2});
    SumAll(3 * VALUES);
    RunExact();
    for (const auto leaf : {1, 2})
    {
        EXPECT_EQ(programs[leaf]->Counters().combined, 6U);
        EXPECT_EQ(programs[leaf]->Counters().forwarded, 3U);
        EXPECT_EQ(programs[leaf]->Counters().made, 9U);
    }
    EXPECT_EQ(programs[0]->Counters().in, 6U);
    EXPECT_EQ(programs[0]->Counters().made, 6U);
    EXPECT_EQ(results[0][0].donePs, 2 * FRAME_PS + 2 * ROUND_TRIP_PS);
    // a leaf's slot is in use for a round trip to the root, 9.4 frames
    EXPECT_EQ(programs[1]->SlotsPeak(), 3U);
}

/* The adder needs 640 us per packet and worker, and worker 0 asks again after 1 ms, before the
 * sum of 2 is there (1.28 ms): its answer leaves when the sum does. */
TEST_F(SlotProgramTest, AnAnswerWaitsForTheAddition)
{
    Program("AdderRate", ns3::UintegerValue(100'000));
    Star(2);
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(results[0][0].donePs, 2 * 640'000'000 + ROUND_TRIP_PS);
    EXPECT_EQ(programs[0]->Counters().answered, 2U);
}

/* A leaf adds 2 contributions in 1280 us. Its workers ask again after 1 ms; what it passes up for them
 * leaves with its sum, not before. The root adds that in 640 us. */
TEST_F(SlotProgramTest, WhatIsPassedUpAgainWaitsForTheAddition)
{
    Program("AdderRate", ns3::UintegerValue(100'000));
    Tree({2});
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 2U);
    EXPECT_EQ(programs[1]->Counters().forwarded, 3U); // 2 requests, and the sum
    EXPECT_EQ(results[0][0].donePs, 3 * 640'000'000 + 2 * ROUND_TRIP_PS);
}

/* 8 slots x 2 copies x 64 values x 4 bytes = 4096 bytes. */
TEST_F(SlotProgramTest, ItsSlotsMustFitItsMemory)
{
    Slots(8);
    Program("Memory", ns3::UintegerValue(4096));
    Star(2);
    EXPECT_EQ(programs[0]->MemoryBytes(), 4096U);
    Clear();
    Program("Memory", ns3::UintegerValue(3072));
    EXPECT_EQ(WhyNot([this] { Star(2); }),
              "8 slots of 2 copies of 64 values need 4KiB, but the switch has 3KiB for them: 6 "
              "slots would fit");
}

/* Worker 1 never asks: worker 0's 6 packets wait for it. */
TEST_F(SlotProgramTest, SaysWhoseContributionsAreMissing)
{
    Star(2);
    Sum(0, 6 * VALUES);
    RunFor(ns3::MicroSeconds(100));
    EXPECT_EQ(programs[0]->State(),
              "slot 0 (packet 0) waits for worker 1; slot 1 (packet 1) waits for worker 1; slot 2 "
              "(packet 2) waits for worker 1; slot 3 (packet 3) waits for worker 1; and 2 more");
    EXPECT_EQ(programs[0]->SlotsPeak(), 6U);
}

/* Of 7 workers only one asks; leaf 0's own sum is complete and waits for the root. */
TEST_F(SlotProgramTest, SaysThatItWaitsForTheSwitchAbove)
{
    Tree({1, 6});
    Sum(0, VALUES);
    RunFor(ns3::MicroSeconds(100));
    EXPECT_EQ(programs[1]->State(), "slot 0 (packet 0) waits for its sum from root");
    EXPECT_EQ(programs[0]->State(), "slot 0 (packet 0) waits for leaf 1");
    Sum(1, VALUES);
    RunFor(ns3::MicroSeconds(100));
    EXPECT_EQ(programs[2]->State(),
              "slot 0 (packet 0) waits for worker 2, worker 3, worker 4, worker 5 and 1 more");
}

/* Workers with a window of 4 over a pool of 2: packets 2 and 3 find their slots in use, and are
 * sent again when the timeout has passed. */
TEST_F(SlotProgramTest, DropsWhatThePoolHasNoSlotFor)
{
    Client("Slots", ns3::UintegerValue(4));
    Program("Slots", ns3::UintegerValue(2));
    Star(2);
    Watch(programs[0]);
    Sum(0, 4 * VALUES);
    RunFor(ns3::MicroSeconds(100));
    EXPECT_EQ(programs[0]->Counters().noSlot, 2U);
    EXPECT_EQ(dropped, (std::vector<AggregationOutcome>(2, AggregationOutcome::NO_SLOT)));
    EXPECT_STREQ(AggregationOutcomeName(dropped[0]), "no-slot");
    EXPECT_EQ(programs[0]->State(),
              "slot 0 (packet 0) waits for worker 1; slot 1 (packet 1) waits for worker 1; dropped "
              "so far: 2 no-slot");
    ExpectConserved();
}

/* Packets of 64 values to a pool of copies of 32. */
TEST_F(SlotProgramTest, DropsPacketsThatAreLargerThanItsSlots)
{
    Program("ValuesPerPacket", ns3::UintegerValue(32));
    Star(1);
    Sum(0, VALUES);
    RunFor(ns3::MicroSeconds(100));
    EXPECT_EQ(programs[0]->Counters().noSlot, 1U);
}

/* A packet that names worker 1 but comes in at worker 0's port, one of a child that does not
 * exist, and a sum for the root, which has nobody above. */
TEST_F(SlotProgramTest, DropsWhatIsNotFromItsChildren)
{
    Star(2);
    Watch(programs[0]);
    SlotPacket packet;
    packet.values = VALUES;
    for (const std::uint32_t child : {1, 2})
    {
        packet.child = child;
        programs[0]->Take(MakeAggregationFrame(packet, VALUES, false), 0);
    }
    programs[0]->Take(MakeAggregationFrame(packet, VALUES, true), 0);
    EXPECT_EQ(programs[0]->Counters().foreign, 3U);
    EXPECT_EQ(programs[0]->Counters().in, 3U);
    EXPECT_EQ(dropped, (std::vector<AggregationOutcome>(3, AggregationOutcome::FOREIGN)));
}

/* A sum that comes in at a leaf from one of its workers. */
TEST_F(SlotProgramTest, TakesSumsFromItsParentAlone)
{
    Tree({2, 2});
    SlotPacket packet;
    packet.values = VALUES;
    for (std::size_t port = 0; port < 3; ++port)
    {
        programs[1]->Take(MakeAggregationFrame(packet, VALUES, true), port);
    }
    EXPECT_EQ(programs[1]->Counters().foreign, 2U);
    EXPECT_EQ(programs[1]->Counters().noSlot, 1U); // the parent's, which was not asked for
}

} // namespace inca
