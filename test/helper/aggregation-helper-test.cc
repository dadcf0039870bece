/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/aggregation-helper.h"

#include "aggregation/aggregation-client.h"
#include "base/errors.h"
#include "helper/job-fixture.h"
#include "topology/topology-catalog.h"

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

/** Workers whose values the switches add: worker w's value i is w + i, in fp32, which is exact. */
class AggregationHelperTest : public JobFixture
{
  protected:
    static constexpr std::uint32_t VALUES{10};

    AggregationHelperTest()
    {
        AddInFp32();
    }

    void Build(const std::string& topology, std::uint32_t workers, std::uint32_t hosts)
    {
        TopologySpec spec;
        spec.name = topology;
        spec.hosts = hosts;
        cluster = TopologyHelper().Install(MakeTopology(spec));
        InstallAggregation(cluster, "slots", workers);
        sums.assign(workers, std::vector<float>(VALUES, 0));
    }

    void TearDown() override
    {
        cluster = {};
        JobFixture::TearDown();
    }

    void Ask(std::uint32_t worker)
    {
        ReductionRequest request;
        request.values = VALUES;
        request.read = [worker](ElementRange range, Word* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = BitsOf(static_cast<float>(worker + range.begin + i));
            }
        };
        request.write = [this, worker](ElementRange range, const Word* sum) {
            CopyFloats(sum, range.count, &sums[worker][range.begin]);
        };
        request.done = [this] { ++done; };
        cluster.AggregationOf().clients[worker]->Sum(request);
    }

    /** Runs until everything is added, or, if it never is, for a while. */
    void Run(std::uint32_t askingWorkers)
    {
        for (std::uint32_t worker = 0; worker < askingWorkers; ++worker)
        {
            Ask(worker);
        }
        ns3::Simulator::Stop(ns3::MicroSeconds(500)); // before the first timeout
        ns3::Simulator::Run();
    }

    /** What every worker must have: over W workers, W i + W (W - 1) / 2. */
    void ExpectSums(std::uint32_t workers) const
    {
        EXPECT_EQ(done, workers);
        for (const auto& sum : sums)
        {
            for (std::uint32_t i = 0; i < VALUES; ++i)
            {
                EXPECT_EQ(sum[i], static_cast<float>(workers * i + workers * (workers - 1) / 2));
            }
        }
    }

    Cluster cluster;
    std::vector<std::vector<float>> sums; ///< by worker
    std::uint32_t done{0};
};

TEST_F(AggregationHelperTest, AddsOnEveryTopology)
{
    for (const auto& topology : TopologyNames())
    {
        SCOPED_TRACE(topology);
        done = 0;
        Build(topology, 16, 16);
        Run(16);
        ExpectSums(16);
        for (const auto& program : cluster.AggregationOf().programs)
        {
            EXPECT_TRUE(!program || program->Counters().foreign == 0);
        }
        cluster = {};
        ns3::Simulator::Destroy();
    }
}

/* 8 workers on 2 leaves, one packet each. A leaf takes 4 contributions and the sum from above, and
 * makes one contribution and 4 sums; spine 0 takes 2 and makes 2; spine 1 has no part in it. */
TEST_F(AggregationHelperTest, WiresATree)
{
    Build("leaf-spine", 8, 8);
    Run(8);
    ExpectSums(8);
    ASSERT_EQ(cluster.AggregationOf().programs.size(), 4U);
    for (const std::size_t leaf : {0U, 1U})
    {
        const auto& counters = cluster.AggregationOf().programs[leaf]->Counters();
        EXPECT_EQ(counters.in, 5U);
        EXPECT_EQ(counters.combined, 4U);
        EXPECT_EQ(counters.forwarded, 1U);
        EXPECT_EQ(counters.made, 5U);
    }
    EXPECT_EQ(cluster.AggregationOf().programs[2]->Counters().combined, 2U);
    EXPECT_EQ(cluster.AggregationOf().programs[2]->Counters().made, 2U);
    EXPECT_FALSE(cluster.AggregationOf().programs[3]);
}

/* Worker 7, the last of leaf 1, never asks: leaf 1 waits for it, and the spine for leaf 1. */
TEST_F(AggregationHelperTest, NamesWhoIsWaitedFor)
{
    Build("leaf-spine", 8, 8);
    Run(7);
    EXPECT_EQ(done, 0U);
    EXPECT_NE(cluster.AggregationOf().programs[1]->State().find("worker 7"), std::string::npos);
    EXPECT_EQ(cluster.AggregationOf().programs[1]->State().find("worker 6"), std::string::npos);
    EXPECT_NE(cluster.AggregationOf().programs[2]->State().find("leaf 1"), std::string::npos);
    EXPECT_NE(cluster.AggregationOf().programs[0]->State().find("spine 0"), std::string::npos);
}

/* Of 6 hosts 5 work: the last has no client, and nobody waits for it. */
TEST_F(AggregationHelperTest, LeavesOutHostsThatDoNotWork)
{
    Build("rack-pair", 5, 6);
    ASSERT_EQ(cluster.AggregationOf().clients.size(), 5U);
    EXPECT_FALSE(cluster.hosts.Get(5)->GetObject<HostClients>());
    EXPECT_EQ(cluster.hosts.Get(4)->GetObject<HostClients>()->Find(JobId()),
              cluster.AggregationOf().clients[4]);
    Run(5);
    ExpectSums(5);
}

TEST_F(AggregationHelperTest, RefusesWhatItCannotInstall)
{
    Build("star", 2, 2);
    EXPECT_THROW(InstallAggregation(cluster, "slots", 2), InputError); // it is there already
    auto other = StarHelper().Install(2);
    EXPECT_THROW(InstallAggregation(other, "slot", 2), InputError);
    EXPECT_THROW(InstallAggregation(other, "slots", 3), InputError);
    EXPECT_THROW(InstallAggregation(other, "slots", 0), InputError);
    EXPECT_THROW(InstallAggregation(other, "slots", JobId(1), {0, 0}), InputError);
    EXPECT_THROW(InstallAggregation(other, "slots", JobId(1), {0, 2}), InputError);
}

} // namespace inca
