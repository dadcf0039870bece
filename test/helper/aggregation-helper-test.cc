/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/aggregation-helper.h"

#include "aggregation/aggregation-client.h"
#include "base/errors.h"
#include "helper/job-fixture.h"
#include "topology/topology-catalog.h"

namespace inca
{

/** Who adds for whom; aggregation-loss-test.cc knows that sums are right. */
using AggregationHelperTest = JobFixture;

/* Of 6 hosts in two racks 5 work: the last has no client, and nobody waits for it. */
TEST_F(AggregationHelperTest, LeavesOutHostsThatDoNotWork)
{
    TopologySpec spec;
    spec.name = "rack-pair";
    spec.hosts = 6;
    auto cluster = TopologyHelper().Install(MakeTopology(spec));
    AggregationHelper().Install(cluster, 5);
    ASSERT_EQ(cluster.AggregationOf().clients.size(), 5U);
    EXPECT_FALSE(cluster.nics[5]->GetObject<HostClients>());
    EXPECT_EQ(cluster.nics[4]->GetObject<HostClients>()->Find(JobId()),
              cluster.AggregationOf().clients[4]);
    std::uint32_t done = 0;
    for (const auto& client : cluster.AggregationOf().clients)
    {
        ReductionRequest request;
        request.size = 10;
        request.done = [&done] { ++done; };
        client->Sum(std::move(request));
    }
    ns3::Simulator::Run();
    EXPECT_EQ(done, 5U);
}

/* 8 hosts on 2 leaves below 2 spines: leaf 1's program says for whom it waits, and who waits for it; spine 1 has none. */
TEST_F(AggregationHelperTest, NamesWhoIsWaitedFor)
{
    TopologySpec spec;
    spec.name = "leaf-spine";
    spec.hosts = 8;
    auto cluster = TopologyHelper().Install(MakeTopology(spec));
    AggregationHelper().Install(cluster, 8);
    const auto& [hosts, clients, programs] = cluster.AggregationOf();
    for (std::size_t worker = 0; worker < 7; ++worker)
    {
        ReductionRequest request;
        request.size = 10;
        request.done = [] { FAIL() << "worker 7 has not asked"; };
        clients[worker]->Sum(std::move(request));
    }
    ns3::Simulator::Stop(ns3::MicroSeconds(500)); // before the first timeout
    ns3::Simulator::Run();
    const std::string waits = "slot 0 (packet 0) waits for ";
    EXPECT_EQ(programs[0]->State(), waits + "its sum from spine 0");
    EXPECT_EQ(programs[1]->State(), waits + "worker 7");
    EXPECT_EQ(programs[2]->State(), waits + "leaf 1");
    EXPECT_FALSE(programs[3]);
}

TEST_F(AggregationHelperTest, RefusesWhatItCannotInstall)
{
    auto cluster = StarHelper().Install(2);
    EXPECT_THROW(AggregationHelper("slot").Install(cluster, 2), InputError);
    EXPECT_THROW(AggregationHelper().Install(cluster, 3), InputError);
    EXPECT_THROW(AggregationHelper().Install(cluster, 0), InputError);
    EXPECT_THROW(AggregationHelper().Install(cluster, JobId(1), {0, 0}), InputError);
    EXPECT_THROW(AggregationHelper().Install(cluster, JobId(1), {0, 2}), InputError);
    AggregationHelper().Install(cluster, 2);
    EXPECT_THROW(AggregationHelper().Install(cluster, 2), InputError); // it is there already
}

} // namespace inca
