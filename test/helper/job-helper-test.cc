/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-helper.h"

#include "base/errors.h"
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"

namespace inca
{

class JobHelperTest : public JobFixture
{
  protected:
    /** Three exchanges of 100 elements, of layers 0, 1 and 2, made ready one after the other from the
     * last layer down: backward takes 1 us each. */
    static std::shared_ptr<TrainingJob> ThreeLayers()
    {
        auto job = MakeTensorJob(Exchange("ring", 2), 100);
        const auto plan = job->chunks[0].rounds[0].plan;
        job->layers.clear();
        job->buckets.clear();
        job->chunks.clear();
        for (std::uint32_t i = 0; i < 3; ++i)
        {
            const std::uint32_t layer = 2 - i;
            job->layers.push_back({{i * 100, 100}, 0});
            job->buckets.push_back({layer, layer, {i}});
            job->chunks.push_back({{layer * 100, 100}, layer, layer, {{plan, {}}}, nullptr, 0});
        }
        job->computePs = [](const ComputeKey& key) {
            return key.phase == ComputePhase::BACKWARD ? 1'000'000 : 0;
        };
        return job;
    }
};

TEST_F(JobHelperTest, CountsTheHostsThatAnExchangeNeeds)
{
    EXPECT_EQ(HostsNeeded(Exchange("ring", 5)), 5U);
    EXPECT_EQ(HostsNeeded(Exchange("worker-aggregator", 5)), 6U);
    EXPECT_EQ(HostsNeeded(Exchange("hierarchical-aggregator", 4)), 5U);
    EXPECT_EQ(HostsNeeded(Exchange("parameter-server", 5)), 6U);
    EXPECT_EQ(HostsNeeded(Exchange("sharded-parameter-server", 5)), 10U);
}

/* Aggregators return weights; servers, though they are hosts of their own, sums. */
TEST_F(JobHelperTest, KnowsWhatReturns)
{
    EXPECT_TRUE(MakeTensorJob(Exchange("worker-aggregator", 2), 10)->weightsReturn);
    EXPECT_FALSE(MakeTensorJob(Exchange("parameter-server", 2), 10)->weightsReturn);
    EXPECT_FALSE(MakeTensorJob(Exchange("ring", 2), 10)->weightsReturn);
}

TEST_F(JobHelperTest, RefusesHostsThatAreNotThere)
{
    const auto job = MakeTensorJob(Exchange("worker-aggregator", 2), 10);
    EXPECT_THROW(InstallJob(job, StarHelper().Install(2)), InputError);
    const auto cluster = StarHelper().Install(4);
    EXPECT_THROW(InstallJob(job, cluster, {0, 1}), InputError);
    EXPECT_THROW(InstallJob(job, cluster, {0, 1, 4}), InputError);
    EXPECT_THROW(InstallJob(job, cluster, {0, 1, 1}), InputError);
    EXPECT_EQ(InstallJob(job, cluster, {3, 1, 0}).size(), 3U);
}

/* A host would not know whose messages it gets. */
TEST_F(JobHelperTest, RefusesTwoJobsOfOneIdOnAHost)
{
    const auto cluster = StarHelper().Install(4);
    const auto job = MakeTensorJob(Exchange("ring", 2), 10);
    InstallJob(job, cluster, {0, 1});
    EXPECT_THROW(InstallJob(job, cluster, {1, 2}), InputError);
    EXPECT_EQ(InstallJob(job, cluster, {2, 3}).size(), 2U); // hosts of their own
    const auto other = MakeTensorJob(Exchange("ring", 2), 10);
    other->id = JobId(1);
    EXPECT_EQ(InstallJob(other, cluster, {1, 2}).size(), 2U);
}

TEST_F(JobHelperTest, RefusesAJobThatExchangesNothing)
{
    const auto job = MakeTensorJob(Exchange("ring", 2), 10);
    job->chunks.clear();
    EXPECT_THROW(InstallJob(job, StarHelper().Install(2)), InputError);
}

TEST_F(JobHelperTest, RefusesAnUnknownExchange)
{
    EXPECT_THROW(MakeTensorJob(Exchange("rign", 2), 10), InputError);
    EXPECT_THROW(MakeTensorJob(Exchange("ring", 1), 10), InputError);
}

/* An exchange takes X = 4956.8 ns; layer 2 is ready at 1 us, the others while it goes on. In the order
 * of readiness layer 1 (exchange 1) is next, by priority layer 0 (exchange 2). */
TEST_F(JobHelperTest, OrdersExchangesAsTheJobSays)
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

/* Aggregators have nothing of their own to be ready with, and follow what workers chose. */
TEST_F(JobHelperTest, AggregatorsFollowTheWorkersPriorities)
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

/* All exchanges in flight at once finish, in every exchange and with hosts of either duplex. */
TEST_F(JobHelperTest, ManyExchangesInFlightFinish)
{
    for (const bool halfDuplex : {true, false})
    {
        for (const auto* algorithm : {"ring",
                                      "worker-aggregator",
                                      "hierarchical-aggregator",
                                      "hierarchical-ring",
                                      "parameter-server",
                                      "sharded-parameter-server"})
        {
            const auto job = MakeTensorJob(Exchange(algorithm, 4), 1000);
            const auto chunk = job->chunks[0];
            job->layers.assign(1, {{0, 8000}, 0});
            job->chunks.clear();
            job->buckets[0].chunks.clear();
            for (std::uint32_t i = 0; i < 8; ++i)
            {
                job->chunks.push_back({{i * 1000, 1000}, 0, 0, chunk.rounds, nullptr, 0});
                job->buckets[0].chunks.push_back(i);
            }
            job->concurrent = 3;
            SetHalfDuplex(halfDuplex);
            job->iterations = 2;
            worker0s.clear();
            Run(job); // which expects that every rank has finished
            EXPECT_EQ(worker0s.size(), 16U) << algorithm << " " << halfDuplex;
            TearDown();
        }
    }
}

/* Switches that do not add cannot run an exchange of the network's sums; one that adds for all can. */
TEST_F(JobHelperTest, WantsSwitchesThatAddFirst)
{
    const auto job = MakeTensorJob(Exchange("switch-slots", 3), 100);
    auto cluster = StarHelper().Install(3);
    EXPECT_THROW(InstallJob(job, cluster), InputError);
    InstallAggregation(cluster, "slots", 3);
    EXPECT_THROW(InstallJob(job, cluster, {2, 1, 0}), InputError); // other workers than its clients
    EXPECT_GT(Run(job, cluster), 0);
}

} // namespace inca
