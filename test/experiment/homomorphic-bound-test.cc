/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The lower bound of exchanges that are compressed homomorphically.
#include "exchange/slot-scheme.h"
#include "experiment/drawn-scenario.h"
#include "experiment/sketch-fixture.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "support/draw.h"

#include <string>

namespace inca
{

class HomomorphicBound : public SketchFixture
{
  protected:
    static std::string Layers()
    {
        return WriteTrace("bound",
                          "layer,elements,forward_ns,backward_ns,update_ns,density",
                          "a,3000,1000,2000,500,0.1\nb,5000,4000,6000,900,0.9\n"
                          "c,2000,10,20,30,0.02\n");
    }

    static void DrawCodec(Draw& draw, Scenario& scenario)
    {
        const bool inNetwork = SumsInNetwork(scenario);
        auto& codec = scenario.codec;
        codec.index = draw.Of({"bits-1", "bits-4", "bloom"});
        codec.rounds = draw.Of({"dependent", "overlapped"});
        codec.ratio = draw.Of<std::optional<double>>({1, 4, std::nullopt});
        codec.skipDensity = draw.Of<std::optional<double>>({0.5, std::nullopt});
        codec.encodeBytesPerSecond = draw.Of({0ULL, 2'000'000'000ULL});
        SetKey(scenario, "switch.adder", draw.Of({"int32", "int32-saturating", "fp32"}));
        if (inNetwork && codec.index == "bits-4")
        {
            codec.index = "bits-1";
        }
        if (inNetwork && ReadSlotSettings(scenario.aggregation).adder != "fp32")
        {
            codec.rounds = "dependent";
        }
        scenario.exchange.concurrent = inNetwork ? 1 : draw.Of({1U, 3U});
        scenario.host.duplex =
            codec.rounds == "overlapped" ? "full" : draw.Of({"half", "half", "full"});
    }

    static Scenario Drawn(std::uint32_t number)
    {
        Draw draw(number);
        const auto trace = draw.Of<std::string>({Layers(), "tensor:40000B"});
        const auto* algorithm = draw.Of({"ring",
                                         "hierarchical-ring",
                                         "parameter-server",
                                         "sharded-parameter-server",
                                         "switch-slots",
                                         "switch-tree"});
        const auto workers = algorithm == std::string("hierarchical-ring") ? 4 : draw.Of({2, 3, 5});
        auto scenario = Compressed(trace, algorithm, static_cast<std::uint32_t>(workers));
        DrawCodec(draw, scenario);
        scenario.training.density = draw.Of({0.05, 0.5});
        scenario.training.send = draw.Of({"bucket", "layer", "end"});
        scenario.training.iterations = draw.Of({1U, 3U});
        scenario.training.overlap = draw.Of({true, false});
        scenario.exchange.chunkBytes = draw.Of({0ULL, 8000ULL, 20'000ULL});
        scenario.cluster.gpus = draw.Of({1U, 4U});
        scenario.cluster.bitsPerSecond = draw.Of({1'000'000'000ULL, 100'000'000'000ULL});
        scenario.sparsify.method = draw.Of({"none", "top-k", "threshold"});
        scenario.gpu.memoryBytesPerSecond = draw.Of({1'000'000'000ULL, 900'000'000'000ULL});
        scenario.gpu.roundCheckPs = draw.Of<std::int64_t>({0, 1'000'000});
        scenario.host.sumBytesPerSecond = draw.Of({0ULL, 1'000'000'000ULL});
        scenario.host.copyBytesPerSecond = draw.Of({0ULL, 3'000'000'000ULL});
        scenario.host.messageCostPs = draw.Of<std::int64_t>({0, 500'000});
        return scenario;
    }

    /** What share of an iteration the bound is. */
    static double Share(const Scenario& scenario)
    {
        const auto outcome = Run(scenario);
        const auto meanPs =
            static_cast<double>(outcome.breakdown.TotalPs()) / scenario.training.iterations;
        return static_cast<double>(outcome.plan.lowerBound.iterationPs) / meanPs;
    }
};

TEST_F(HomomorphicBound, HoldsWhateverIsDrawn)
{
    for (std::uint32_t number = 0; number < 100; ++number)
    {
        const auto scenario = Drawn(number);
        EXPECT_LE(Share(scenario), 1) << number << ": " << SettingsOf(scenario);
    }
}

/* 2 million values in 2 MB of counters and 250 kB of index: rings of 2 take half of that twice, servers all
 * of it, in and out, switches once: 1.8 ms and more. Latencies of both rounds, four hops each of some us, and
 * acknowledgements, 44 per 685 frames where both directions are busy, are 1 % each. That of a server does not
 * know what workers code beside it: 5 rounds of 20 us of peeling, in 3.8 ms. */
TEST_F(HomomorphicBound, IsNearWhereLinksLimit)
{
    for (const auto* algorithm :
         {"ring", "parameter-server", "sharded-parameter-server", "switch-slots", "switch-tree"})
    {
        auto scenario =
            Compressed("tensor:8MB", algorithm, algorithm == std::string("ring") ? 2 : 4);
        scenario.training.density = 0.01;
        scenario.codec.ratio = 4;
        EXPECT_GT(Share(scenario), 0.9) << algorithm;
    }
}

/* Codecs of 100 MB/s: 80 ms each way beside 1.8 ms of network, of which hardly anything is missed. */
TEST_F(HomomorphicBound, IsNearWhereCodingLimits)
{
    for (const auto* algorithm : {"ring", "switch-slots"})
    {
        auto scenario = Compressed("tensor:8MB", algorithm, 2);
        scenario.training.density = 0.01;
        scenario.codec.placement = "cpu";
        scenario.codec.encodeBytesPerSecond = 100'000'000;
        scenario.codec.decodeBytesPerSecond = 100'000'000;
        EXPECT_GT(Share(scenario), 0.95) << algorithm;
        EXPECT_EQ(Run(scenario).plan.lowerBound.limitedBy, "host") << algorithm;
    }
}

} // namespace inca
