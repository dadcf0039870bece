/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Jobs on a cluster. Several share one network: each gets its own sums, and hosts are charged for all.
#include "aggregation/aggregation-program.h"
#include "base/errors.h"
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"
#include "support/float-words.h"
#include "support/install.h"
#include "topology/topology-catalog.h"

#include "ns3/string.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace inca
{

class TrainingHelperTest : public JobFixture
{
  protected:
    /** Three exchanges of 100 elements, of layers 0, 1 and 2, made ready one after the other from the
     * last layer down: backward takes 1 us each. */
    static std::shared_ptr<TrainingJob> ThreeLayers()
    {
        auto job = Layered(Exchange("ring", 2), 100, 3);
        job->computePs = [](const ComputeKey& key) {
            return key.phase == ComputePhase::BACKWARD ? 1'000'000 : 0;
        };
        return job;
    }
};

TEST_F(TrainingHelperTest, CountsTheHostsThatAnExchangeNeeds)
{
    const auto hostsNeeded = [](const char* exchange, std::uint32_t workers) {
        TrainingHelper training;
        training.SetAttribute("Exchange", ns3::StringValue(exchange));
        return training.HostsNeeded(workers);
    };
    EXPECT_EQ(hostsNeeded("ring", 5), 5U);
    EXPECT_EQ(hostsNeeded("worker-aggregator", 5), 6U);
    EXPECT_EQ(hostsNeeded("hierarchical-aggregator", 4), 5U);
    EXPECT_EQ(hostsNeeded("parameter-server", 5), 6U);
    EXPECT_EQ(hostsNeeded("sharded-parameter-server", 5), 10U);
}

TEST_F(TrainingHelperTest, RefusesHostsThatAreNotThere)
{
    const auto job = MakeTensorJob(Exchange("worker-aggregator", 2), 10);
    EXPECT_THROW(InstallJob(StarHelper().Install(2), job), InputError);
    const auto cluster = StarHelper().Install(4);
    EXPECT_THROW(InstallJob(cluster, job, {0, 1}), InputError);
    EXPECT_THROW(InstallJob(cluster, job, {0, 1, 4}), InputError);
    EXPECT_THROW(InstallJob(cluster, job, {0, 1, 1}), InputError);
    EXPECT_EQ(InstallJob(cluster, job, {3, 1, 0}).size(), 3U);
}

/* A ring of two exchanges halves of 50 values in two hops, and each worker adds 200 bytes at 1 GB/s: 200 ns more. */
TEST_F(TrainingHelperTest, SetsAttributesOfRanks)
{
    const auto endPs = [](const std::string& rate) {
        TrainingHelper training(MakeTensorJob(Exchange("ring", 2), 100));
        training.SetRankAttribute("SumRate", ns3::StringValue(rate));
        std::int64_t lastPs = 0;
        for (const auto& rank : RanksOf(training.Install(StarHelper().Install(2).hosts)))
        {
            rank->TraceConnectWithoutContext(
                "ExchangeEnd", ns3::Callback<void, Rank, std::uint32_t>([&](Rank, std::uint32_t) {
                    lastPs = ns3::Simulator::Now().GetTimeStep();
                }));
        }
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        return lastPs;
    };
    EXPECT_EQ(endPs("9223372036854775808bps"), 2 * HopPs(50) + ACK_PS);
    EXPECT_EQ(endPs("8Gbps"), 2 * HopPs(50) + 200'000);
}

/* A host would not know whose messages it gets. */
TEST_F(TrainingHelperTest, RefusesTwoJobsOfOneIdOnAHost)
{
    const auto cluster = StarHelper().Install(4);
    const auto job = MakeTensorJob(Exchange("ring", 2), 10);
    InstallJob(cluster, job, {0, 1});
    EXPECT_THROW(InstallJob(cluster, job, {1, 2}), InputError);
    EXPECT_EQ(InstallJob(cluster, job, {2, 3}).size(), 2U); // hosts of their own
    const auto other = MakeTensorJob(Exchange("ring", 2), 10);
    other->id = JobId(1);
    EXPECT_EQ(InstallJob(cluster, other, {1, 2}).size(), 2U);
}

TEST_F(TrainingHelperTest, RefusesAJobThatExchangesNothing)
{
    const auto job = MakeTensorJob(Exchange("ring", 2), 10);
    job->chunks.clear();
    EXPECT_THROW(InstallJob(StarHelper().Install(2), job), InputError);
}

TEST_F(TrainingHelperTest, RefusesAnUnknownExchange)
{
    EXPECT_THROW(MakeTensorJob(Exchange("rign", 2), 10), InputError);
    EXPECT_THROW(MakeTensorJob(Exchange("ring", 1), 10), InputError);
}

/* Of a ring of four, two ranks stand for all, and over TCP hosts find their peers, whatever was built before. */
TEST_F(TrainingHelperTest, ALaterClusterDoesWhatTheFirstDoes)
{
    const auto job = MakeTensorJob(Exchange("ring", 4), 400);
    for (const bool isFolded : {true, false})
    {
        std::set<std::int64_t> ends;
        for (const bool isLater : {false, true})
        {
            if (isLater)
            {
                StarHelper().Install(3);
            }
            StarHelper star;
            star.SetTransport(isFolded ? "inca::Transport" : "inca::TcpTransport");
            const auto cluster = star.Install(isFolded ? 2 : 4);
            const auto ranks = isFolded
                                   ? RanksOf(TrainingHelper(job).InstallFolded(cluster, 2, {2}))
                                   : InstallJob(cluster, job);
            ranks[1]->TraceConnectWithoutContext(
                "ExchangeEnd", ns3::Callback<void, Rank, std::uint32_t>([&](Rank, std::uint32_t) {
                    ends.insert(ns3::Simulator::Now().GetTimeStep());
                }));
            ns3::Simulator::Run();
            ns3::Simulator::Destroy();
        }
        EXPECT_EQ(ends.size(), 1U) << isFolded;
    }
}

/* An exchange takes X = 4956.8 ns; layer 2 is ready at 1 us, the others while it goes on. In the order
 * of readiness layer 1 (exchange 1) is next, by priority layer 0 (exchange 2). */
TEST_F(TrainingHelperTest, OrdersExchangesAsTheJobSays)
{
    Run(ThreeLayers());
    EXPECT_EQ(worker0s, (std::vector<std::uint32_t>{0, 1, 2}));
    TearDown();
    worker0s.clear();
    const auto job = ThreeLayers();
    job->priority = true;
    Run(job);
    EXPECT_EQ(worker0s, (std::vector<std::uint32_t>{0, 2, 1}));
}

/* Nobody sends a message of an exchange that its receiver has ended: that would begin it anew. */
TEST_F(TrainingHelperTest, RefusesAMessageOfAnExchangeThatHasEnded)
{
    const auto cluster = StarHelper().Install(2);
    const auto ranks = InstallJob(cluster, ThreeLayers());
    ranks[0]->TraceConnectWithoutContext(
        "ExchangeEnd", ns3::Callback<void, Rank, std::uint32_t>([&](Rank, std::uint32_t exchange) {
            Message message;
            message.to = ns3::Mac48Address::ConvertFrom(cluster.nics[0]->GetAddress());
            message.tag.round = exchange;
            cluster.transports[1]->Send(message, {});
        }));
    EXPECT_THROW(ns3::Simulator::Run(), InvariantError);
}

/* Aggregators have nothing of their own to be ready with, and follow what workers chose. */
TEST_F(TrainingHelperTest, AggregatorsFollowTheWorkersPriorities)
{
    const auto job = ThreeLayers();
    const std::shared_ptr<const StepPlan> plan =
        MakeTensorJob(Exchange("worker-aggregator", 2), 100)->chunks[0].rounds[0].plan;
    for (auto& chunk : job->chunks)
    {
        chunk.rounds[0].plan = plan;
    }
    job->weightsReturn = true;
    job->priority = true;
    Run(job);
    EXPECT_EQ(worker0s, (std::vector<std::uint32_t>{0, 2, 1}));
}

/* Switches that do not add cannot run an exchange of the network's sums; one that adds for all can. */
TEST_F(TrainingHelperTest, WantsSwitchesThatAddFirst)
{
    const auto job = MakeTensorJob(Exchange("switch-slots", 3), 100);
    auto cluster = StarHelper().Install(3);
    EXPECT_THROW(InstallJob(cluster, job), InputError);
    AggregationHelper().Install(cluster, 3);
    EXPECT_THROW(InstallJob(cluster, job, {2, 1, 0}), InputError); // other workers than its clients
    EXPECT_GT(Run(job, cluster), 0);
}

/* Two stars around the same two nodes: a ring over one, switches add over the other, as if each were alone: 2 hops of 50
 * elements and an acknowledgement, and a packet of 256 values (884.8 ns) up and down. */
TEST_F(TrainingHelperTest, ANodeMayBeInTwoClusters)
{
    AddInFp32();
    ns3::NodeContainer nodes;
    nodes.Create(2);
    const auto first = StarHelper().Install(nodes);
    auto second = StarHelper().Install(nodes);
    const auto other = MakeTensorJob(Exchange("switch-slots", 2), 256);
    other->id = JobId(1);
    AggregationHelper().Install(second, other->id, {0, 1});
    const auto others = InstallJob(second, other);
    EXPECT_EQ(Run(MakeTensorJob(Exchange("ring", 2), 100), first), 2 * HopPs(50) + ACK_PS);
    EXPECT_TRUE(others[0]->IsFinished() && others[1]->IsFinished());
    EXPECT_EQ(second.AggregationOf(other->id).clients[0]->ReceivedBytes(), 1024U);
    EXPECT_EQ(nodes.Get(0)->GetNDevices(), 2U);
    EXPECT_EQ(first.paths[0], second.paths[0]); // one host
}

/* An exchange takes X = 4956.8 ns: at 7 us the second one of ten is under way, and does not end. */
TEST_F(TrainingHelperTest, RanksStopAtTheirTime)
{
    const auto job = MakeTensorJob(Exchange("ring", 2), 100);
    job->iterations = 10;
    applications = InstallJob(StarHelper().Install(2), job);
    std::uint32_t ended = 0;
    for (const auto& application : applications)
    {
        application->SetStopTime(ns3::MicroSeconds(7));
        application->TraceConnectWithoutContext(
            "ExchangeEnd",
            ns3::Callback<void, Rank, std::uint32_t>([&](Rank, std::uint32_t) { ++ended; }));
    }
    ns3::Simulator::Run();
    EXPECT_EQ(ended, 2U);
    EXPECT_FALSE(applications[0]->IsFinished());
}

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
        AddInFp32();
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
            AggregationHelper().Install(cluster, job->id, hosts);
        }
        const auto installed = InstallJob(cluster, job, hosts);
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

    Cluster cluster;
    std::vector<ns3::Ptr<RankApplication>> ranks;
    std::map<std::pair<std::uint32_t, Rank>, std::vector<float>> sums; ///< by job and worker
};

TEST_F(SeveralJobs, EachGetsItsSums)
{
    struct Job
    {
        std::uint32_t number;
        const char* exchange;
        Hosts hosts;
        std::vector<std::uint64_t> combined; ///< packets, by switch
    };

    struct Row
    {
        const char* what;
        const char* topology;
        std::uint32_t hosts;
        std::vector<Job> jobs;
    };

    const Row rows[] = {
        // Hosts 0, 1 and 2 have a worker of each: job 0's in order, job 1's turned by one.
        {"a ring beside a switch",
         "star",
         3,
         {{0, "ring", {0, 1, 2}, {}}, {1, "switch-slots", {2, 0, 1}, {3 * PACKETS}}}},
        {"two rings with tags that differ in the job alone",
         "star",
         4,
         {{0, "ring", {0, 1, 2, 3}, {}}, {5, "ring", {2, 0, 3}, {}}}},
        // Packets that differ in the job alone, in pools of their own: 3 and 2 contributions to each packet.
        {"two pools on one switch",
         "star",
         3,
         {{0, "switch-slots", {0, 1, 2}, {3 * PACKETS}},
          {1, "switch-slots", {2, 1}, {2 * PACKETS}}}},
        // Leaves of 2 hosts. Job 0 needs both leaves and the spine above them; job 1 leaf 0 alone, which both workers
        // are below; job 2 crosses with a worker in each.
        {"three trees in one network",
         "leaf-spine",
         4,
         {{0, "switch-tree", {0, 1, 2, 3}, {2 * PACKETS, 2 * PACKETS}},
          {1, "switch-tree", {1, 0}, {2 * PACKETS, 0}},
          {2, "switch-tree", {3, 0}, {PACKETS, PACKETS}}}},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        AddInFp32();
        Build(row.topology, row.hosts);
        for (const auto& job : row.jobs)
        {
            Add(job.number, job.exchange, job.hosts);
        }
        Run();
        for (const auto& job : row.jobs)
        {
            ExpectSums(job.number, job.hosts.size());
            const auto& [on, clients, programs] = cluster.AggregationOf(JobId(job.number));
            EXPECT_EQ(clients.size(), job.combined.empty() ? 0 : job.hosts.size());
            for (std::size_t i = 0; i < job.combined.size(); ++i)
            {
                EXPECT_EQ(programs[i] ? programs[i]->Counters().combined : 0, job.combined[i]) << i;
            }
        }
        TearDown();
        sums.clear();
    }
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
    AggregationHelper().Install(cluster, 2);
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
        ReductionRequest request;
        request.size = 256;
        request.done = [&, worker] { sumPs[worker] = now(); };
        cluster.AggregationOf().clients[worker]->Sum(std::move(request));
    }
    ns3::Simulator::Run();
    EXPECT_EQ(messagePs, 24'460'800);
    EXPECT_EQ(sumPs, (std::vector<std::int64_t>{33'769'600, 34'460'800}));
}

} // namespace inca
