/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Jobs that share one network: each gets its own sums, and hosts are charged for all.
#include "aggregation/switch-programs.h"
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"
#include "support/float-words.h"
#include "topology/topology-catalog.h"

#include "ns3/string.h"

#include <map>
#include <utility>
#include <vector>

namespace inca
{

/**
 * In job j worker w's value at position p is 1000 j + 100 w + p: integers, which fp32 adds exactly.
 * W workers come to 1000 j W + 100 (W - 1) W / 2 + W p.
 */
class SeveralJobs : public JobFixture
{
  protected:
    static constexpr std::uint64_t ELEMENTS{1000};
    static constexpr std::uint64_t PACKETS{4}; ///< of 256 values
    using Hosts = std::vector<std::uint32_t>;

    SeveralJobs()
    {
        for (const auto* side : {"inca::SlotProgram::", "inca::SlotClient::"})
        {
            ns3::Config::SetDefault(side + std::string("Adder"), ns3::StringValue("fp32"));
        }
    }

    void TearDown() override
    {
        ranks.clear();
        cluster = {};
        JobFixture::TearDown();
    }

    void Build(const std::string& topology, std::uint32_t hosts)
    {
        TopologySpec spec;
        spec.name = topology;
        spec.hosts = hosts;
        spec.hostsPerLeaf = 2;
        cluster = TopologyHelper().Install(MakeTopology(spec));
    }

    /** Puts a job on these hosts, rank by rank. */
    void Add(std::uint32_t number, const std::string& exchange, const Hosts& hosts)
    {
        const auto workers = static_cast<Rank>(hosts.size());
        const auto job = MakeTensorJob(Exchange(exchange, workers), ELEMENTS);
        job->id = JobId(number);
        job->ownGradient = [number](Rank rank, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>(1000 * number + 100 * rank + range.begin + i);
            }
        };
        if (exchange != "ring")
        {
            InstallAggregation(cluster, "slots", job->id, hosts);
        }
        const auto installed = InstallJob(job, cluster, hosts);
        for (Rank rank = 0; rank < installed.size(); ++rank)
        {
            auto& sum = sums[{number, rank}];
            sum.assign(ELEMENTS, 0);
            installed[rank]->SetValueSink([&sum](Rank, std::uint32_t, ExchangeOutcome outcome) {
                std::vector<Word> words(ELEMENTS);
                outcome.values->Read({0, ELEMENTS}, words.data());
                sum = ToFloats(words);
            });
            ranks.push_back(installed[rank]);
        }
    }

    void Run()
    {
        ns3::Simulator::Run();
        for (const auto& rank : ranks)
        {
            EXPECT_TRUE(rank->IsFinished()) << rank->State();
        }
    }

    /** Every worker of the job has every sum. */
    void ExpectSums(std::uint32_t number, std::uint64_t workers) const
    {
        const auto fixed = 1000 * number * workers + 100 * (workers - 1) * workers / 2;
        for (Rank worker = 0; worker < workers; ++worker)
        {
            const auto& sum = sums.at({number, worker});
            for (std::uint64_t p = 0; p < ELEMENTS; ++p)
            {
                ASSERT_EQ(sum[p], static_cast<float>(fixed + workers * p))
                    << "job " << number << " worker " << worker << " at " << p;
            }
        }
    }

    const AggregationCounters& Counters(std::uint32_t number, std::size_t onSwitch) const
    {
        return cluster.AggregationOf(JobId(number)).programs[onSwitch]->Counters();
    }

    Cluster cluster;
    std::vector<ns3::Ptr<RankApplication>> ranks;
    std::map<std::pair<std::uint32_t, Rank>, std::vector<float>> sums; ///< by job and worker
};

/* Hosts 0, 1 and 2 have a worker of each: job 0's in order, job 1's turned by one. */
TEST_F(SeveralJobs, ARingBesideASwitch)
{
    Build("star", 3);
    Add(0, "ring", {0, 1, 2});
    Add(1, "switch-slots", {2, 0, 1});
    Run();
    ExpectSums(0, 3);
    ExpectSums(1, 3);
    EXPECT_EQ(Counters(1, 0).combined, 3 * PACKETS);
    EXPECT_EQ(cluster.AggregationOf(JobId(0)).clients.size(), 0U);
}

/* Two rings with tags alike in all but the job. */
TEST_F(SeveralJobs, TwoRings)
{
    Build("star", 4);
    Add(0, "ring", {0, 1, 2, 3});
    Add(5, "ring", {2, 0, 3});
    Run();
    ExpectSums(0, 4);
    ExpectSums(5, 3);
}

/* Packets alike in all but the job, in pools of their own: 3 and 2 contributions to each packet. */
TEST_F(SeveralJobs, TwoPoolsOnOneSwitch)
{
    Build("star", 3);
    Add(0, "switch-slots", {0, 1, 2});
    Add(1, "switch-slots", {2, 1});
    Run();
    ExpectSums(0, 3);
    ExpectSums(1, 2);
    EXPECT_EQ(Counters(0, 0).combined, 3 * PACKETS);
    EXPECT_EQ(Counters(1, 0).combined, 2 * PACKETS);
    EXPECT_NE(Counters(0, 0).made, Counters(1, 0).made);
}

/* Leaves of 2 hosts. Job 0 needs both leaves and the spine above them; job 1 leaf 0 alone, which both
 * workers are below; job 2 crosses with a worker in each. */
TEST_F(SeveralJobs, ThreeTreesInOneNetwork)
{
    Build("leaf-spine", 4);
    Add(0, "switch-tree", {0, 1, 2, 3});
    Add(1, "switch-tree", {1, 0});
    Add(2, "switch-tree", {3, 0});
    Run();
    ExpectSums(0, 4);
    ExpectSums(1, 2);
    ExpectSums(2, 2);
    EXPECT_EQ(Counters(0, 0).combined, 2 * PACKETS);
    EXPECT_EQ(Counters(1, 0).combined, 2 * PACKETS);
    EXPECT_EQ(Counters(2, 0).combined, PACKETS);
    EXPECT_FALSE(cluster.AggregationOf(JobId(1)).programs[1]); // leaf 1
}

/* Every frame costs its host 10 us. At 0, host 0 has a message of one frame (1538 bytes, F = 1230.4
 * ns) for host 1, and both want a packet of 256 values added (1106 bytes, P = 884.8 ns); links take L
 * = 1 us.
 * Sending: host 0 the message until 10 us, the packet until 20; host 1 its packet until 10.
 * The message comes to host 1 at 10 + 2 (F + L) = 14.4608 us, and is done at 24.4608.
 * The sums come at 20 + 2 (P + L) = 23.7696 us: done at 33.7696 by host 0; by host 1, which is at
 * work on the message, at 24.4608 + 10 = 34.4608. */
TEST_F(SeveralJobs, AHostIsChargedForMessagesAndSumsInSequence)
{
    ns3::Config::SetDefault("inca::HostPath::FrameCost", ns3::TimeValue(ns3::MicroSeconds(10)));
    Build("star", 2);
    InstallAggregation(cluster, "slots", 2);
    const auto now = [] { return ns3::Simulator::Now().GetTimeStep(); };
    std::int64_t messagePs = 0;
    std::vector<std::int64_t> sumPs(2, 0);
    cluster.transports[1]->SetReceiver(JobId(), [&](const ReceivedMessage&) { messagePs = now(); });
    Message message;
    message.to = cluster.Address(1);
    message.plainBytes = 1460;
    cluster.transports[0]->Send(message, {});
    for (const auto worker : {0U, 1U})
    {
        NetworkSumRequest request;
        request.values = 256;
        request.done = [&, worker] { sumPs[worker] = now(); };
        cluster.AggregationOf().clients[worker]->Sum(std::move(request));
    }
    ns3::Simulator::Run();
    EXPECT_EQ(messagePs, 24'460'800);
    EXPECT_EQ(sumPs, (std::vector<std::int64_t>{33'769'600, 34'460'800}));
}

} // namespace inca
