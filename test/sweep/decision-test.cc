/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/decision.h"

#include "base/errors.h"
#include "sweep/drawn-question.h"

#include <gmock/gmock.h>

#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

/** Candidates with these bounds, and the times that they turn out to take. (ps) */
class FindBestTest : public testing::Test
{
  protected:
    void Add(std::int64_t boundPs, std::int64_t timePs)
    {
        Judged judged;
        judged.boundPs = boundPs;
        all.push_back(judged);
        times.push_back(timePs);
        wanted.push_back(wanted.size());
    }

    std::optional<std::size_t> Find(double within = 0)
    {
        return FindBest(wanted, within, all, [this](Judged& judged) {
            const auto index = static_cast<std::size_t>(&judged - all.data());
            run.push_back(index);
            if (times[index] < 0)
            {
                judged.refusal = "no";
                return;
            }
            judged.record.emplace();
            judged.record->results.iterationTimePs = times[index];
        });
    }

    std::vector<Judged> all;
    std::vector<std::int64_t> times;
    std::vector<std::size_t> wanted;
    std::vector<std::size_t> run;
};

} // namespace

/* 10, 12 and 15 may be better than what is known; when 13 is, 15 cannot be. Nothing is run twice. */
TEST_F(FindBestTest, StopsWhereTheBoundsSayThatNothingIsBetter)
{
    Add(12, 13);
    Add(15, 16);
    Add(10, 20);
    EXPECT_EQ(Find(), 0U);
    EXPECT_THAT(run, ElementsAre(2U, 0U));
    EXPECT_EQ(Find(), 0U);
    EXPECT_EQ(run.size(), 2U);
}

/* 98 may be 1 % better than the 99 that is known, which is within 2 %. */
TEST_F(FindBestTest, IsContentWithAlmostTheBest)
{
    Add(90, 99);
    Add(98, 98);
    EXPECT_EQ(Find(0.02), 0U);
    EXPECT_THAT(run, ElementsAre(0U));
    EXPECT_EQ(Find(0), 1U);
}

TEST_F(FindBestTest, GoesOnWhereARunIsRefused)
{
    Add(10, -1);
    Add(15, 16);
    EXPECT_EQ(Find(), 1U);
    wanted = {0};
    EXPECT_EQ(Find(), std::nullopt);
}

/* Estimates differ from candidate to candidate, and the limit is one. */
TEST(CommonRefusals, TellALimitOnce)
{
    std::vector<Judged> judged(5);
    judged[0].refusal = "cluster.workers: too few";
    judged[1].refusal = "simulation.max_cpu_time: takes 2 hours";
    judged[3].refusal = "simulation.max_cpu_time: takes 3 hours";
    judged[4].refusal = "cluster.workers: too few";
    const auto refusals = CommonRefusals(judged);
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_EQ(refusals[0].text, "cluster.workers: too few");
    EXPECT_EQ(refusals[1].text,
              "simulation.max_cpu_time: takes 2 hours; another candidate is beyond it, too");
    EXPECT_TRUE(refusals[1].ofLimit);
    EXPECT_EQ(refusals[1].first, 1U);
}

class DecisionTest : public testing::Test
{
  protected:
    Decision DecideOn(const std::string& toml, const DecideQuestion& question = {}) const
    {
        const auto path = testing::TempDir() + "inca-decision-" +
                          testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml";
        std::ofstream(path) << toml;
        ScenarioVariants variants(path);
        return Decide(question, variants, RunPoint);
    }
};

/* At 1 Gb/s between hosts that cost nothing, a ring sends 2 (W - 1) / W gradients over each link, servers
 * as many as workers the same, and an aggregator W of them over one; a sketch of values of which
 * one in a hundred is set is much less. */
TEST_F(DecisionTest, ComparesWithHonestBaselines)
{
    const auto decision = DecideOn("[training]\ntrace = \"tensor:8MB\"\ndensity = 0.01\n"
                                   "union_exponent = 0\n[cluster]\nbandwidth = \"1Gbps\"\n"
                                   "[host]\npreset = \"gpudirect\"\n");
    const auto& best = decision.judged[*decision.best];
    EXPECT_EQ(best.candidate.codec, "homomorphic");
    const auto& uncompressed = decision.judged[*decision.bestUncompressed];
    const auto& sixteen = decision.judged[*decision.bestSixteenBits];
    EXPECT_EQ(uncompressed.candidate.codec, "none");
    EXPECT_NEAR(static_cast<double>(sixteen.IterationPs()) /
                    static_cast<double>(uncompressed.IterationPs()),
                0.5,
                0.01);
    EXPECT_LT(best.IterationPs(), sixteen.IterationPs());
    EXPECT_LT(decision.runs, decision.grid);
    ASSERT_TRUE(decision.runnerUp);
    EXPECT_GE(decision.judged[*decision.runnerUp].IterationPs(), best.IterationPs());
}

TEST_F(DecisionTest, AdmitsIntegerSumsOnlyIfAsked)
{
    const std::string toml = "[training]\ntrace = \"tensor:4MB\"\n";
    const auto exchangesOf = [](const Decision& decision) {
        std::string text;
        for (const auto& judged : decision.judged)
        {
            text += judged.CanWin() && judged.candidate.codec == "none"
                        ? judged.candidate.exchange + " "
                        : "";
        }
        return text;
    };
    EXPECT_THAT(exchangesOf(DecideOn(toml)), testing::Not(HasSubstr("switch-slots")));
    DecideQuestion question;
    question.losses = ParseLosses("int32");
    const auto decision = DecideOn(toml, question);
    EXPECT_THAT(exchangesOf(decision), HasSubstr("switch-slots"));
    for (const auto& judged : decision.judged)
    {
        if (judged.candidate.exchange == "switch-slots" && judged.candidate.uncompressed)
        {
            ASSERT_EQ(judged.losses.size(), 1U);
            EXPECT_EQ(judged.losses[0].text, "2^-30 of a block's largest"); // 4 workers: 2^2 / 2^32
        }
    }
}

/* Who asks for gradients of 16 bits has admitted what they lose. */
TEST_F(DecisionTest, TakesTheScenariosTypeOfGradients)
{
    const auto decision =
        DecideOn("[training]\ntrace = \"tensor:4MB\"\ngradient_type = \"bf16\"\n");
    const auto& best = decision.judged[*decision.best];
    EXPECT_EQ(best.candidate.codec, "none");
    EXPECT_EQ(best.losses.front().kind, "16-bit");
    EXPECT_EQ(decision.bestUncompressed, decision.best);
    EXPECT_EQ(decision.bestSixteenBits, decision.best);
}

/* 3 workers make no groups; of values that are all set, no sketch is smaller: it would be the ring without a codec once more. */
TEST_F(DecisionTest, KeepsWhatIsRefusedWithItsReason)
{
    const auto decision = DecideOn("[training]\ntrace = \"tensor:4MB\"\n[cluster]\nworkers = 3\n");
    std::string refusals;
    for (const auto& judged : decision.judged)
    {
        const auto& candidate = judged.candidate;
        refusals += candidate.exchange + ", " + candidate.codec + ": " + judged.refusal + "\n";
    }
    EXPECT_THAT(refusals, HasSubstr("do not make two or more equal groups"));
    EXPECT_THAT(refusals, HasSubstr("ring, homomorphic: codes nothing"));
    EXPECT_NE(decision.judged[*decision.runnerUp].candidate.exchange,
              decision.judged[*decision.best].candidate.exchange);
}

TEST_F(DecisionTest, RefusesAScenarioThatIsRefused)
{
    EXPECT_THROW(DecideOn("[training]\ntrace = \"hdcc\"\n"), InputError);
}

/* None can be run in a picosecond: that is said once, and not of each candidate. */
TEST_F(DecisionTest, TellsALimitOfAllOnce)
{
    DecideQuestion question;
    question.settings = {"simulation.max_cpu_time=1ps"};
    try
    {
        DecideOn("[training]\ntrace = \"tensor:4MB\"\n", question);
        FAIL();
    }
    catch (const InputError& error)
    {
        int ofLimit = 0;
        for (const auto& complaint : error.Complaints())
        {
            ofLimit += complaint.find("simulation.max_cpu_time: ") == 0 ? 1 : 0;
        }
        EXPECT_EQ(ofLimit, 1);
        EXPECT_THAT(error.what(), HasSubstr("other candidates are beyond it, too"));
    }
}

/* A limit that nobody has set is less for one of many runs. */
TEST(ScenarioVariants, LimitWhatNobodyHasLimited)
{
    const auto path = testing::TempDir() + "inca-decision-limit.toml";
    std::ofstream(path) << "[training]\ntrace = \"tensor:4MB\"\n";
    ScenarioVariants variants(path);
    const auto limitOf = [&variants](const std::vector<std::string>& settings) {
        return variants.Make(settings).scenario.simulation.maxCpuPs;
    };
    const auto ofRun = Scenario().simulation.maxCpuPs;
    EXPECT_EQ(limitOf({}), ofRun);
    variants.LimitCpuTime(5);
    EXPECT_EQ(limitOf({}), 5U);
    EXPECT_EQ(limitOf({"simulation.max_cpu_time=3600s"}), ofRun);
}

/* The bounds say what need not be run: no better than 2 % may be missed. */
TEST(Decide, AgreesWithTheWholeGrid)
{
    const auto traces = WriteSmallTraces(testing::TempDir());
    for (std::uint32_t number = 0; number < 6; ++number)
    {
        const auto drawn = DrawQuestion(number, traces, 4);
        const auto study = StudyDecision(drawn, testing::TempDir());
        EXPECT_LE(study.regret, 0.02) << study.best << " is better than " << study.found << "\n"
                                      << drawn.toml;
        EXPECT_EQ(study.exceptions, 0U) << drawn.toml;
        EXPECT_LT(study.share, 1) << drawn.toml;
    }
}

} // namespace inca
