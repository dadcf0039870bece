/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exchanges of some of a job's ranks each, at the same time.
#include "exchange/communicators.h"

#include "exchange/exchange-catalog.h"
#include "exchange/listed-plan.h"
#include "exchange/network-reduction.h"
#include "helper/aggregation-helper.h"
#include "helper/job-fixture.h"
#include "job/verifier.h"
#include "support/why-not.h"

#include <gmock/gmock.h>

#include <functional>
#include <utility>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;

/** Four workers whose value e of the model is 1000 w + e, and rings of two of them. */
class CommunicatorsTest : public JobFixture
{
  protected:
    static constexpr std::uint64_t VALUES{100};

    static std::shared_ptr<const StepPlan> RingsOf(std::vector<Communicator> all, Rank ranks = 4)
    {
        return PlanOver(ranks,
                        std::make_shared<const Communicators>(std::move(all)),
                        {MakeStepPlan(Exchange("ring", 2), VALUES)});
    }

    /** A job of an exchange of VALUES values for each plan, one after the other or so many at a time. */
    static std::shared_ptr<TrainingJob> JobOf(
        const std::vector<std::shared_ptr<const StepPlan>>& plans, std::uint32_t concurrent = 1)
    {
        auto job = Layered(Exchange("ring", plans.front()->RankCount()),
                           VALUES,
                           static_cast<std::uint32_t>(plans.size()));
        for (std::size_t i = 0; i < plans.size(); ++i)
        {
            job->chunks[i].rounds.front().plan = plans[i];
        }
        job->concurrent = concurrent;
        job->ownGradient = [](Rank worker, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>(1000 * worker + range.begin + i);
            }
        };
        return job;
    }

    /** Runs it, verifies all sums, and keeps what each worker holds as its first value of each exchange. */
    std::int64_t RunVerified(const std::shared_ptr<TrainingJob>& job,
                             const std::function<void(Cluster&)>& install = {})
    {
        Verifier verifier(job);
        held.assign(job->chunks.size(), std::vector<float>(job->workers, 0));
        auto cluster = StarHelper().Install(job->workers);
        if (install)
        {
            install(cluster);
        }
        const auto endPs =
            Run(job, cluster, [&](Rank worker, std::uint32_t exchange, ExchangeOutcome outcome) {
                Word word{};
                outcome.values->Read({0, 1}, &word);
                held[exchange][worker] = FloatOf(word);
                verifier.Take(worker, exchange, std::move(outcome));
            });
        EXPECT_EQ(verifier.DoneShare(), 1);
        return endPs;
    }

    /** A ring of two with nothing beside it. */
    static std::int64_t RingPs()
    {
        return 2 * HopPs(VALUES / 2) + ACK_PS;
    }

    std::vector<std::vector<float>> held; ///< by exchange, by worker
};

/* Two rings of two are as fast as one. Value 0 is 0 + 1000 in one, and 2000 + 3000 in the other. */
TEST_F(CommunicatorsTest, ExchangeBesideEachOther)
{
    EXPECT_EQ(RunVerified(JobOf({RingsOf({{0, 1}, {2, 3}})})), RingPs());
    EXPECT_THAT(held, ElementsAre(ElementsAre(1000, 1000, 5000, 5000)));
}

/* Ranks 0 and 1 stand for all of three pairs, each of which is as fast as one. */
TEST_F(CommunicatorsTest, MayBeFolded)
{
    const auto job = JobOf({RingsOf({{0, 1}, {2, 3}, {4, 5}}, 6)});
    job->ownGradient = nullptr;
    const auto cluster = StarHelper().Install(2);
    applications = RanksOf(TrainingHelper(job).InstallFolded(cluster, 2, {2}));
    std::int64_t endPs = 0;
    applications[1]->TraceConnectWithoutContext(
        "ExchangeEnd", ns3::Callback<void, Rank, std::uint32_t>([&endPs](Rank, std::uint32_t) {
            endPs = ns3::Simulator::Now().GetPicoSeconds();
        }));
    ns3::Simulator::Run();
    EXPECT_EQ(endPs, RingPs());
}

/*
 * The second exchange, of the first layer, follows the first with an acknowledgement between them, among other ranks. Its first
 * value is number 0, that of the first exchange number 100: 100 + 1100 and 2100 + 3100, then 0 + 2000 and 1000 + 3000.
 */
TEST_F(CommunicatorsTest, DifferFromExchangeToExchange)
{
    EXPECT_EQ(RunVerified(JobOf({RingsOf({{0, 1}, {2, 3}}), RingsOf({{0, 2}, {1, 3}})})),
              2 * RingPs() + ACK_PS);
    EXPECT_THAT(
        held,
        ElementsAre(ElementsAre(1200, 1200, 5200, 5200), ElementsAre(2000, 4000, 2000, 4000)));
}

/*
 * Both at once, each NIC sends the second exchange's frame behind the first one's. So this comes a frame later, and in the second
 * step it waits for an acknowledgement of its own, too.
 */
TEST_F(CommunicatorsTest, ShareTheirPorts)
{
    EXPECT_EQ(RunVerified(JobOf({RingsOf({{0, 1}, {2, 3}}), RingsOf({{0, 2}, {1, 3}})}, 2)),
              RingPs() + FramePs(VALUES / 2) + ACK_PS);
}

/* Worker 2 takes part in the second exchange alone, with worker 0, and worker 1 in the first alone. */
TEST_F(CommunicatorsTest, LeaveRanksOut)
{
    RunVerified(JobOf({RingsOf({{0, 1}}, 3), RingsOf({{2, 0}}, 3), RingsOf({{0, 1}}, 3)}));
    EXPECT_THAT(held,
                ElementsAre(ElementsAre(1400, 1400, 0),
                            ElementsAre(2200, 0, 2200),
                            ElementsAre(1000, 1000, 0)));
}

/*
 * The switch adds for each pair by itself, whose clients and program are those of a group of the job. A packet, of 256 values as
 * all are, goes up, and one comes down: with headers of 44 bytes in place of 40, as long as frames of 257 values.
 */
TEST_F(CommunicatorsTest, MayEachHaveTheSwitchAdd)
{
    const std::vector<Communicator> pairs{{1, 4}, {2, 3}}; // worker 0 takes no part
    const auto job = JobOf({PlanOver(5,
                                     std::make_shared<const Communicators>(pairs),
                                     {MakeStepPlan(Exchange("switch-slots", 2), VALUES)})});
    ReductionSpec spec;
    spec.adder = WordSum::FP32;
    job->chunks.front().rounds.front().hooks.network = MakeNetworkReduction(spec);
    const auto install = [&](Cluster& cluster) {
        AggregationHelper helper;
        helper.SetAttribute("Adder", ns3::StringValue("fp32"));
        for (std::uint32_t pair = 0; pair < pairs.size(); ++pair)
        {
            helper.Install(cluster, job->id.Group(pair + 1), pairs[pair]);
        }
    };
    EXPECT_EQ(RunVerified(job, install), 2 * (FramePs(257) + LINK_PS));
    EXPECT_THAT(held, ElementsAre(ElementsAre(0, 5000, 5000, 5000, 5000)));
}

/* A message from worker 3 to worker 1 and, in a plan of its own kind, nothing between the others. */
TEST_F(CommunicatorsTest, MaySendFromOneRankToAnother)
{
    Step sends;
    sends.sends = {{1, {0, VALUES}}};
    Step receives;
    receives.receives = {{0, {0, VALUES}}};
    const auto send = std::make_shared<ListedPlan>(
        VALUES, std::vector<std::vector<Step>>{{sends}, {receives}}, Meaning::SEND);
    const auto plan = PlanOver(
        4, std::make_shared<const Communicators>(std::vector<Communicator>{{3, 1}}), {send});
    EXPECT_EQ(RunVerified(JobOf({plan})), HopPs(VALUES));
    EXPECT_THAT(held, ElementsAre(ElementsAre(0, 3000, 0, 3000)));
}

/* Ranks of one color, in their order. */
TEST_F(CommunicatorsTest, AreSplitByColor)
{
    const auto split =
        SplitRanks(5, [](Rank rank) { return rank == 4 ? std::nullopt : std::optional(rank % 2); });
    EXPECT_THAT(split->All(), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3)));
    EXPECT_EQ(split->Of(3)->communicator, 1U);
    EXPECT_EQ(split->Of(3)->member, 1U);
    EXPECT_FALSE(split->Of(4));
}

TEST_F(CommunicatorsTest, AreLookedAt)
{
    const auto whyNot = [](std::vector<Communicator> all,
                           std::vector<std::shared_ptr<const StepPlan>> plans = {}) {
        return WhyNot<InvariantError>([&] {
            plans.empty() ? RingsOf(all)
                          : PlanOver(4,
                                     std::make_shared<const Communicators>(std::move(all)),
                                     std::move(plans));
        });
    };
    const std::shared_ptr<const StepPlan> ring = MakeStepPlan(Exchange("ring", 2), VALUES);
    const std::shared_ptr<const StepPlan> longer = MakeStepPlan(Exchange("ring", 2), 2 * VALUES);
    EXPECT_EQ(whyNot({{0, 1}, {3, 2}}), "");
    EXPECT_EQ(whyNot({}), "communicators: there is none");
    EXPECT_EQ(whyNot({{0, 1}, {}}), "communicators: one has no member");
    EXPECT_EQ(whyNot({{0, 1}, {2, 0}}), "communicators: rank 0 has two places");
    EXPECT_EQ(whyNot({{0, 1}, {2, 4}}), "communicators: there is no rank 4");
    EXPECT_THAT(whyNot({{0, 1, 2}}), HasSubstr("one of 3 ranks has a plan of 2"));
    EXPECT_THAT(whyNot({{0, 1}, {2, 3}}, {ring, longer}), HasSubstr("plans differ"));
    EXPECT_THAT(whyNot({{0, 1}, {2, 3}}, {ring, ring, ring}),
                HasSubstr("one plan, or one for each"));
}

/* A job whose second exchange has other ranks. */
TEST_F(CommunicatorsTest, AreOfOneJob)
{
    const auto job = JobOf({RingsOf({{0, 1}, {2, 3}}), RingsOf({{0, 1}}, 3)});
    const auto cluster = StarHelper().Install(4);
    EXPECT_EQ(WhyNot([&] { InstallJob(cluster, job); }),
              "exchanges of one job are plans of different numbers of ranks");
}

} // namespace inca
