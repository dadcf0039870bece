/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a host and a switch know of the programs that run on them.
#include "aggregation/aggregation-catalog.h"
#include "aggregation/host-clients.h"
#include "aggregation/switch-fixture.h"
#include "aggregation/switch-programs.h"
#include "base/errors.h"
#include "device/aggregation-packet.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(AggregationCatalog, EveryRowMakesBothSides)
{
    for (const auto& entry : AggregationCatalog())
    {
        EXPECT_TRUE(FindAggregation(entry.name).makeProgram()) << entry.name;
        EXPECT_TRUE(FindAggregation(entry.name).makeClient()) << entry.name;
    }
}

TEST(AggregationCatalog, NamesWhatItKnows)
{
    EXPECT_EQ(WhyNot([] { FindAggregation("slot"); }),
              "aggregation program: unknown 'slot'; did you mean 'slots'?");
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
        const auto train = MakeAggregationTrain(packet, VALUES, false);
        train->destination = ns3::Mac48Address::ConvertFrom(nics[1]->GetAddress());
        nics[0]->SendTrain(train);
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
    const auto train = MakeAggregationTrain(sum, VALUES, true);
    train->destination = ns3::Mac48Address::ConvertFrom(nics[0]->GetAddress());
    nics[0]->ReceiveTrain(train);
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
    const auto note = [&](ns3::Ptr<Train> train, std::int64_t) {
        got.push_back(train->aggregation.packet.job);
    };
    nics[1]->SetTrainReceiver({TrainKind::AGGREGATION}, Nic::TrainReceiver(note));
    Send(JobId());
    EXPECT_TRUE(got.empty());
    EXPECT_EQ(programs[0]->Counters().in, 1U);
    Send(JobId(9));
    EXPECT_EQ(got, std::vector<JobId>{JobId(9)});
    EXPECT_EQ(programs[0]->Counters().in, 1U);
}

} // namespace inca
