/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sums that switches make of real values: exact whatever happens.
#include "experiment/network-seen.h"
#include "experiment/switch-fixture.h"

#include <cmath>

namespace inca
{

class SwitchValues : public SwitchFixture
{
  protected:
    static constexpr std::uint64_t PACKETS{40};
    static constexpr std::uint64_t ELEMENTS{PACKETS * 256};

    /** Values that frames carry; a round trip of a tree is 8 us. */
    static Scenario WithValues(const Scenario& scenario, const std::string& settings)
    {
        return With(scenario,
                    "training.values=true simulation.mode=packet switch.timeout=50us " + settings);
    }

    /** Runs what Install has built, and compares. @return values that were compared */
    std::uint64_t Verify()
    {
        Verifier verifier(plan.Job().job);
        for (const auto& rank : ranks)
        {
            rank->SetValueSink([&](Rank from, std::uint32_t exchange, ExchangeOutcome outcome) {
                verifier.Take(from, exchange, std::move(outcome));
            });
        }
        ns3::Simulator::Run();
        CheckConservation(LinksOf(cluster));
        CheckSwitches(cluster, *plan.Job().job);
        for (const auto& rank : ranks)
        {
            rank->SetValueSink(nullptr);
        }
        return verifier.Compared();
    }
};

/* Of drawn values with a standard deviation of 2^-6, nearly all below 2^-4: with blocks of 256, whose
 * largest is well above 2^-6, a sum of 4 is off by at most 4 * 2^-4 * 4 / (2 * 2^31) = 2^-28, and by its
 * rounding to fp32, at most 2^-24 of 2^-2. */
TEST_F(SwitchValues, BlocksKeepTheError)
{
    const auto outcome = Run(WithValues(Tree(PACKETS), "switch.scaling=block"));
    EXPECT_EQ(outcome.Job().comparedValues, 4 * ELEMENTS);
    EXPECT_GT(outcome.Job().errors->largest, 0);
    EXPECT_LE(outcome.Job().errors->largest, std::ldexp(1.0, -26) + std::ldexp(1.0, -28));
    EXPECT_EQ(outcome.Job().clampedValues, 0U);
}

/* Values of about 2^-6 do not lie within 2^-20: they are clamped, the same way everywhere. */
TEST_F(SwitchValues, AFixedScaleMayClamp)
{
    const auto outcome = Run(WithValues(Slots(PACKETS), "switch.fixed_exponent=-20"));
    EXPECT_EQ(outcome.Job().comparedValues, 2 * ELEMENTS);
    EXPECT_GT(outcome.Job().clampedValues, ELEMENTS);
    EXPECT_GT(outcome.Job().errors->largest, std::ldexp(1.0, -7));
}

/* 3 additions of fp32, each off by at most 2^-24 of what is below 4 * 2^-3. */
TEST_F(SwitchValues, Fp32AddersRound)
{
    const auto outcome = Run(WithValues(Tree(PACKETS), "switch.adder=fp32"));
    EXPECT_EQ(outcome.Job().comparedValues, 4 * ELEMENTS);
    EXPECT_EQ(outcome.Job().errors->replicaDifference, 0);
    EXPECT_GT(outcome.Job().errors->largest, 0);
    EXPECT_LE(outcome.Job().errors->largest, 3 * std::ldexp(1.0, -25));
}

/* 3 additions of 4 workers' values, and the rounding of each, are off by at most 2^-11 (fp16, or 2^-8, bf16) of what is below
 * 4 * 2^-3 each; of e4m3, its own roundings by 2^-4. Integers of 8 bits have 127 / 4 = 31 steps up to 2^-3, those of 16
 * 8191; each of 4 is off by half a step. */
TEST_F(SwitchValues, NarrowAddersRound)
{
    struct AdderRow
    {
        const char* adder;
        double most;
    };

    const AdderRow rows[] = {{"fp16", 4 * 0x1p-12},
                             {"bf16", 4 * 0x1p-9},
                             {"fp8-fp16", 0x1p-5 + 3 * 0x1p-12},
                             {"int8", 2 * 0x1p-3 / 31},
                             {"int16", 2 * 0x1p-3 / 8191}};
    for (const auto& [adder, most] : rows)
    {
        SCOPED_TRACE(adder);
        const auto outcome = Run(
            WithValues(Tree(PACKETS), "switch.scaling=block switch.adder=" + std::string(adder)));
        EXPECT_EQ(outcome.Job().comparedValues, 4 * ELEMENTS);
        EXPECT_EQ(outcome.Job().errors->replicaDifference, 0);
        EXPECT_GT(outcome.Job().errors->largest, most / 100);
        EXPECT_LE(outcome.Job().errors->largest, most);
        EXPECT_EQ(outcome.Job().clampedValues, 0U);
    }
}

/* 2 to 16 workers under leaves of 2, of which every link loses a tenth of its frames; gradients of each type, some of several
 * GPUs: the verifier finds every value among the sums that rounding allows, or, of integers, that of the replay. */
TEST_F(SwitchValues, NarrowAddersSurviveLoss)
{
    const std::vector<std::string> more{"",
                                        "training.gradient_type=bf16",
                                        "training.gradient_type=fp16 cluster.gpus=3",
                                        "training.gradient_type=bf16 cluster.gpus=2"};
    std::size_t number = 0;
    for (const std::string adder : {"fp16", "bf16", "fp8-fp16", "int8", "int16"})
    {
        for (const auto workers : {2U, 4U, 7U, 16U})
        {
            const auto settings = more[number++ % more.size()] + " cluster.loss_rate=0.1 " +
                                  "switch.scaling=block switch.adder=" + adder;
            SCOPED_TRACE(settings + " " + std::to_string(workers));
            const auto outcome = Run(WithValues(Tree(8, workers), settings));
            EXPECT_GT(outcome.Job().comparedValues, 0U);
            EXPECT_EQ(outcome.Job().comparedValues % workers, 0U);
            EXPECT_GT(outcome.retransmittedFrames, 0U);
        }
    }
}

/* 40 packets come to each leaf's trunk at 10 Gb/s and leave at 1: its port holds 8, so 28 and more are
 * dropped, of what a leaf has added up. */
TEST_F(SwitchValues, SurviveFullBuffers)
{
    const auto outcome =
        Run(WithValues(Tree(PACKETS), "cluster.buffer=8848B cluster.trunk_bandwidth=1Gbps"));
    EXPECT_EQ(outcome.Job().comparedValues, 4 * ELEMENTS);
    EXPECT_GE(DroppedFrames(outcome.links), 2 * 20U);
    EXPECT_GE(outcome.retransmittedFrames, 20U);
}

/* On the way from and to a worker, and from and to the root: contributions of a worker and of a leaf, and
 * sums for one worker and for a leaf. Packets 0 and 1 are lost twice. */
TEST_F(SwitchValues, SurviveLossOnEveryKindOfLink)
{
    for (const auto& [onTrunk, side] :
         {std::pair{false, 0U}, std::pair{false, 1U}, std::pair{true, 0U}, std::pair{true, 1U}})
    {
        for (const std::string adder : {"int32", "fp32"})
        {
            Install(WithValues(Tree(PACKETS), "switch.scaling=block switch.adder=" + adder));
            Lose(onTrunk ? cluster.trunks[0].link : cluster.links[1], side, {0, 1, 7, 8, 40, 41});
            EXPECT_EQ(Verify(), 4 * ELEMENTS) << adder << onTrunk << side;
            EXPECT_GE(ClientsOf(cluster, JobId()).retransmittedFrames, 6U)
                << adder << onTrunk << side;
            ns3::Simulator::Destroy();
        }
    }
}

/* Every link loses 2 % of its frames, each way. The number lost is binomial: within 5 standard deviations
 * of its mean, n p, with a variance below n p. What is lost is sent again, or answered; acknowledgements and
 * sums for nobody else need not be, so that there may be fewer repetitions than losses, but not none. */
TEST_F(SwitchValues, SurviveLossOnAllLinks)
{
    for (const std::string algorithm : {"switch-tree", "ring", "sharded-parameter-server"})
    {
        const auto outcome = Run(
            WithValues(Tree(PACKETS), "cluster.loss_rate=0.02 exchange.algorithm=" + algorithm));
        EXPECT_EQ(outcome.Job().comparedValues, 4 * ELEMENTS) << algorithm;
        double frames = 0;
        for (const auto& link : outcome.links)
        {
            frames += static_cast<double>(link.port.frames);
        }
        const auto mean = 0.02 * frames;
        EXPECT_NEAR(static_cast<double>(DroppedFrames(outcome.links)), mean, 5 * std::sqrt(mean))
            << algorithm;
        EXPECT_GT(outcome.retransmittedFrames, 0U) << algorithm;
    }
}

/* The seed alone decides what is lost. */
TEST_F(SwitchValues, LossesFollowTheSeed)
{
    auto scenario = WithValues(Tree(PACKETS), "cluster.loss_rate=0.02");
    const auto first = Run(scenario);
    const auto same = Run(scenario);
    scenario.simulation.seed += 1;
    const auto other = Run(scenario);
    EXPECT_EQ(same.Job().seen->iterationEndPs, first.Job().seen->iterationEndPs);
    EXPECT_NE(other.Job().seen->iterationEndPs, first.Job().seen->iterationEndPs);
}

} // namespace inca
