/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/listed-plan.h"
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"
#include "job/data-parallel.h"
#include "rank/worker-application.h"
#include "support/why-not.h"

#include "base/errors.h"

#include "ns3/error-model.h"

#include <gmock/gmock.h>
#include <list>

namespace inca
{

namespace
{

constexpr Rank WORKERS{3};

/** The network adds the second half of the elements, then the first. */
std::shared_ptr<const StepPlan>
PhasesPlan(std::uint64_t elements)
{
    const std::vector<Step> halves{SumOf({elements / 2, elements / 2}), SumOf({0, elements / 2})};
    return std::make_shared<ListedPlan>(elements, std::vector<std::vector<Step>>(WORKERS, halves));
}

} // namespace

/** Exchanges that switches add for, on a star; packets carry 256 values (1106 bytes, 884.8 ns). */
class NetworkReductionTest : public JobFixture
{
  protected:
    static constexpr std::uint64_t VALUES{256};
    static constexpr std::int64_t ROUND_TRIP_PS{2 * (884'800 + LINK_PS)};

    NetworkReductionTest()
    {
        AddInFp32();
    }

    void BuildStar()
    {
        cluster = StarHelper().Install(WORKERS);
        AggregationHelper().Install(cluster, WORKERS);
    }

    std::int64_t RunOnStar(const std::shared_ptr<TrainingJob>& job)
    {
        BuildStar();
        return Run(job, cluster);
    }

    /**
     * Runs @p job on a star with losses, worker w's value at position p of the model being 1000 w + p,
     * and expects every worker to get every sum, 3000 + 3 p.
     */
    void ExpectExactSums(const std::shared_ptr<TrainingJob>& job)
    {
        job->ownGradient = [](Rank rank, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>(1000 * rank + range.begin + i);
            }
        };
        BuildStar();
        Lose();
        unsigned seen = 0;
        Run(job, cluster, [&](Rank, std::uint32_t exchange, const ExchangeOutcome& outcome) {
            ExpectExact(job->chunks[exchange % job->chunks.size()].range, *outcome.values);
            ++seen;
        });
        EXPECT_EQ(seen, WORKERS * job->chunks.size() * job->iterations);
        EXPECT_EQ(cluster.AggregationOf().programs[0]->State(), "");
    }

    static std::shared_ptr<TrainingJob> MakeJob(std::uint64_t elements)
    {
        return MakeTensorJob(Exchange("switch-slots", WORKERS), elements);
    }

    /**
     * Three exchanges of a packet each, of layers 2, 1 and 0; worker w's backward takes (9 w + 1)
     * us each.
     */
    static std::shared_ptr<TrainingJob> ThreeLayers()
    {
        auto job = Layered(Exchange("switch-slots", WORKERS), VALUES, 3);
        job->computePs = [](const ComputeKey& key) {
            return key.phase == ComputePhase::BACKWARD ? (9 * key.worker + 1) * US : 0;
        };
        return job;
    }

    /** Frames to lose, by ordinal. */
    struct Loss
    {
        std::uint32_t worker;
        unsigned side; ///< of its link: 0 its own, 1 the switch's
        std::list<std::uint32_t> ordinals;
    };

    Cluster cluster;
    std::vector<Loss> losses;

  private:
    void Lose() const
    {
        for (const auto& loss : losses)
        {
            auto model = ns3::CreateObject<ns3::ReceiveListErrorModel>();
            model->SetList(loss.ordinals);
            cluster.links[loss.worker]->SetErrorModel(loss.side, model);
        }
    }

    static void ExpectExact(ElementRange range, const RankValues& values)
    {
        std::vector<Word> sum(range.count);
        values.Read({0, range.count}, sum.data());
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            ASSERT_EQ(FloatOf(sum[i]), static_cast<float>(3000 + 3 * (range.begin + i))) << i;
        }
    }
};

/* Two steps of one packet each, one after the other: worker w's value i is 1000 w + i. */
TEST_F(NetworkReductionTest, AStepMayAddAPart)
{
    const auto job = MakeJob(2 * VALUES);
    job->chunks[0].rounds[0].plan = PhasesPlan(2 * VALUES);
    ExpectExactSums(job);
    EXPECT_EQ(endsPs[0], 2 * ROUND_TRIP_PS);
}

/* Second steps begin when first ones end: in another order on each worker. */
TEST_F(NetworkReductionTest, OnlyFirstStepsMayAddWhereExchangesGoAtTheSameTime)
{
    const auto job = MakeJob(2 * VALUES);
    job->chunks[0].rounds[0].plan = PhasesPlan(2 * VALUES);
    job->concurrent = 2;
    EXPECT_THROW(RunOnStar(job), InvariantError);
}

TEST_F(NetworkReductionTest, ASumIsAHopOfItsOwnBytes)
{
    std::vector<StepMessage> hops;
    const auto job = MakeJob(2 * VALUES + 1);
    BuildStar();
    applications = InstallJob(cluster, job);
    applications[1]->TraceConnectWithoutContext(
        "StepMessage",
        ns3::MakeBoundCallback(
            +[](std::vector<StepMessage>* all, Rank, std::uint32_t, const StepMessage& hop) {
                all->push_back(hop);
            },
            &hops));
    ns3::Simulator::Run();
    ASSERT_EQ(hops.size(), 1U);
    EXPECT_EQ(hops[0].plainBytes, (2 * VALUES + 1) * 4);
    EXPECT_EQ(hops[0].wireBytes, hops[0].plainBytes);
}

/* Worker 0 is ready at 1, 2 and 3 us, worker 2 at 19, 38 and 57 us, so those are the times at which
 * exchanges begin together; a sum takes a round trip, and only the last one's counts. */
TEST_F(NetworkReductionTest, StartingTogetherWaitsForTheSlowest)
{
    const auto job = ThreeLayers();
    job->startTogether = true;
    std::vector<std::int64_t> startsPs;
    BuildStar();
    applications = InstallJob(cluster, job);
    applications[0]->TraceConnectWithoutContext(
        "ExchangeStart",
        ns3::MakeBoundCallback(
            +[](std::vector<std::int64_t>* starts, Rank, std::uint32_t) {
                starts->push_back(ns3::Simulator::Now().GetTimeStep());
            },
            &startsPs));
    ns3::Simulator::Run();
    EXPECT_EQ(startsPs, (std::vector<std::int64_t>{19 * US, 38 * US, 57 * US}));
}

/* By priority, each for itself: worker 0 has layers 1 and 0 ready when its first exchange ends, and
 * takes layer 0 (exchange 2) for all. Together, layer 1 (exchange 1) is ready everywhere first. */
TEST_F(NetworkReductionTest, PrioritiesChooseAmongWhatAllAreReadyFor)
{
    const auto job = ThreeLayers();
    job->priority = true;
    RunOnStar(job);
    EXPECT_EQ(worker0s, (std::vector<std::uint32_t>{0, 2, 1}));
    TearDown();
    worker0s.clear();
    const auto together = ThreeLayers();
    together->priority = true;
    together->startTogether = true;
    RunOnStar(together);
    EXPECT_EQ(worker0s, (std::vector<std::uint32_t>{0, 1, 2}));
}

/* Three exchanges at a time, by priority and each worker for itself, over links that lose frames. */
TEST_F(NetworkReductionTest, ExchangesAtTheSameTimeKeepTheirSums)
{
    const auto job = ThreeLayers();
    job->priority = true;
    job->concurrent = 3;
    job->iterations = 4;
    losses = {{0, 0, {0, 4}}, {1, 1, {1, 2, 7}}, {2, 0, {3}}};
    ExpectExactSums(job);
    EXPECT_GT(cluster.AggregationOf().programs[0]->Counters().answered, 0U);
}

/* Worker 2 computes for a second; the others wait for its share of packet 0. */
TEST_F(NetworkReductionTest, SaysThatItWaitsForTheNetwork)
{
    const auto job = MakeJob(VALUES);
    job->computePs = [](const ComputeKey& key) { return key.worker == 2 ? US * US : 0; };
    BuildStar();
    applications = InstallJob(cluster, job);
    ns3::Simulator::Stop(ns3::MicroSeconds(10));
    ns3::Simulator::Run();
    EXPECT_EQ(
        applications[0]->State(),
        "iteration 0 (from 0): exchange 0, step 1 of 1, waits for the network's sum: 1 packet "
        "is on the way, the oldest, 0, was sent 1 time");
    EXPECT_EQ(cluster.AggregationOf().programs[0]->State(), "slot 0 (packet 0) waits for worker 2");
}

/* Installed by hand, without a program, and without a client on its node. */
TEST_F(NetworkReductionTest, NeedsAProgramAndAClient)
{
    const auto whyNot = [this](const std::shared_ptr<const TrainingJob>& job) {
        cluster = StarHelper().Install(WORKERS);
        auto worker = ns3::CreateObject<WorkerApplication>();
        const auto addresses = std::make_shared<const RankAddresses>(std::vector<ns3::Mac48Address>{
            cluster.Address(0), cluster.Address(1), cluster.Address(2)});
        worker->SetJob(job, addresses, std::make_shared<ExchangeOrder>(1), 0);
        worker->SetNetwork(cluster.transports[0], cluster.nics[0]);
        cluster.hosts.Get(0)->AddApplication(worker);
        const auto why = WhyNot<InvariantError>([] { ns3::Simulator::Run(); });
        TearDown();
        return why;
    };
    const auto job = MakeJob(VALUES);
    EXPECT_EQ(whyNot(job), "worker 0 has no program; TrainingHelper gives it one");
    job->programs = {MakeDataParallelProgram(*job)};
    EXPECT_THAT(whyNot(job), testing::HasSubstr("aggregation client"));
}

} // namespace inca
