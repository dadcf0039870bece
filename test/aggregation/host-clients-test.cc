/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/host-clients.h"

#include "aggregation/switch-fixture.h"
#include "base/errors.h"
#include "device/aggregation-packet.h"

namespace inca
{

class HostClientsTest : public SwitchFixture
{
};

TEST_F(HostClientsTest, KnowEachJobsClient)
{
    Star(2);
    const auto all = HostClients::Of(nics[0]);
    EXPECT_EQ(HostClients::Of(nics[0]), all);
    EXPECT_EQ(all->Find(JobId()), clients[0]);
    EXPECT_FALSE(all->Find(JobId(1)));
    const auto other = ns3::CreateObject<SlotClient>();
    EXPECT_THROW(all->Add(JobId(), other), InputError);
    all->Add(JobId(1), other);
    EXPECT_EQ(all->Find(JobId(1)), other);
}

/* A sum of another job is not that of this one, though its number is. */
TEST_F(HostClientsTest, DropWhatIsOfNoClient)
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

} // namespace inca
