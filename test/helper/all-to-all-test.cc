/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// An exchange whose values change their places, on simulated ranks, and what verifies it.
#include "exchange/all-to-all.h"
#include "exchange/listed-plan.h"
#include "helper/job-fixture.h"
#include "job/verifier.h"
#include "support/why-not.h"

#include <gmock/gmock.h>

#include <utility>

namespace inca
{

/** Three workers with two values for each: worker w's element e is 10 w + e. */
class AllToAllTest : public JobFixture
{
  protected:
    static std::shared_ptr<TrainingJob> JobOf(std::shared_ptr<const StepPlan> plan)
    {
        auto job = MakeTensorJob(Exchange("ring", 3), 6);
        job->chunks.front().rounds.front().plan = std::move(plan);
        job->ownGradient = [](Rank worker, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>(10 * worker + range.begin + i);
            }
        };
        return job;
    }

    static std::vector<float> ValuesOf(const ExchangeOutcome& outcome)
    {
        std::vector<Word> words(6);
        outcome.values->Read({0, 6}, words.data());
        std::vector<float> values(6);
        CopyFloats(words.data(), 6, values.data());
        return values;
    }
};

/*
 * Worker 1 ends with elements 2 and 3 of worker 0, with its own, and with those of worker 2. All send two messages one after the
 * other, and each port gets them in turn: a hop, and a frame behind it.
 */
TEST_F(AllToAllTest, TransposesOnSimulatedRanks)
{
    const auto job = JobOf(std::make_shared<AllToAll>(3, 6));
    Verifier verifier(job);
    std::vector<std::vector<float>> held(3);
    const auto cluster = StarHelper().Install(3);
    const auto endPs =
        Run(job, cluster, [&](Rank worker, std::uint32_t exchange, ExchangeOutcome outcome) {
            held[worker] = ValuesOf(outcome);
            verifier.Take(worker, exchange, std::move(outcome));
        });
    EXPECT_THAT(held,
                testing::ElementsAre(testing::ElementsAre(0, 1, 10, 11, 20, 21),
                                     testing::ElementsAre(2, 3, 12, 13, 22, 23),
                                     testing::ElementsAre(4, 5, 14, 15, 24, 25)));
    EXPECT_EQ(endPs, HopPs(2) + FramePs(2));
    EXPECT_EQ(verifier.Compared(), 18U);
    EXPECT_EQ(verifier.DoneShare(), 1);
}

/* Of a plan that moves nothing, worker 0's block 1 is 2 and 3, but should be 10 and 11, or worker 1's: 12 and 13. */
TEST_F(AllToAllTest, IsVerifiedByWhatItMeans)
{
    Verifier right(JobOf(std::make_shared<AllToAll>(3, 6)));
    right.Replay(0, 1);
    EXPECT_EQ(right.DoneShare(), 1);
    const std::vector<std::vector<Step>> nothing(3);
    Verifier wrong(JobOf(std::make_shared<ListedPlan>(6, nothing, Meaning::TRANSPOSE)));
    EXPECT_EQ(WhyNot<InvariantError>([&] { wrong.Replay(0, 1); }),
              "exchange 0, worker 0: value 2 is 2 but what was sent gives 10");
    Verifier undispatched(JobOf(std::make_shared<ListedPlan>(6, nothing, Meaning::DISPATCH)));
    EXPECT_EQ(WhyNot<InvariantError>([&] { undispatched.Replay(0, 1); }),
              "exchange 0, worker 0: value 2 is 2 but what was sent gives 12");
}

} // namespace inca
