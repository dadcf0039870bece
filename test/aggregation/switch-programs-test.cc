/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-programs.h"

#include "aggregation/switch-fixture.h"
#include "base/errors.h"
#include "device/aggregation-packet.h"

namespace inca
{

class SwitchProgramsTest : public SwitchFixture
{
  protected:
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

TEST_F(SwitchProgramsTest, KnowEachJobsProgram)
{
    Star(2);
    const auto all = SwitchPrograms::Of(switches[0]);
    EXPECT_EQ(SwitchPrograms::Of(switches[0]), all);
    EXPECT_EQ(all->Find(JobId()), programs[0]);
    EXPECT_FALSE(all->Find(JobId(1)));
    const auto other = ns3::CreateObject<SlotProgram>();
    EXPECT_THROW(all->Add(JobId(), other), InputError);
    all->Add(JobId(1), other);
    EXPECT_EQ(all->Find(JobId(1)), other);
}

/* A frame of job 0 is its program's; job 9 has none here, and its frame goes on to worker 1. */
TEST_F(SwitchProgramsTest, ForwardWhatIsOfNoProgram)
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
