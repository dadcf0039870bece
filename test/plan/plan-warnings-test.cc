/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a plan warns of, by topic: keys, sizes, the network, sketches.
#include "plan/plan-warnings.h"

#include "plan/plan-maker.h"
#include "plan/planned-sketches.h"
#include "plan/warning.h"
#include "support/settings.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace inca
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

std::vector<std::string>
WarningsOf(const Scenario& scenario)
{
    return TextsOf(MakePlan(scenario).warnings);
}

/** Of sketches whose plans take @p settings. */
std::vector<std::string>
WarningsOf(const std::string& settings, const std::vector<PlannedSketch>& sketches)
{
    Warnings warnings;
    WarnOfSketches(With({}, settings), sketches, warnings);
    return TextsOf(warnings);
}

} // namespace

TEST(Warnings, AreToldByTopicAndInTheirOrder)
{
    const Warnings warnings{{WarningTopic::SIZES, "d"},
                            {WarningTopic::NETWORK, "b"},
                            {WarningTopic::IDLE_KEYS, "a"},
                            {WarningTopic::NETWORK, "c"}};
    EXPECT_THAT(TextsOf(warnings), ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(TextsOf({}), IsEmpty());
}

TEST(PlanWarnings, AreOfWhatIsPlanned)
{
    struct Row
    {
        std::string settings;
        std::vector<std::string> parts; ///< of the warnings, one each
    };

    const std::string tensor = "training.trace=tensor:100kB ";
    const std::string fast = tensor + "cluster.bandwidth=400Gbps ";
    const std::string leaves = "cluster.topology=leaf-spine cluster.hosts_per_leaf=2 ";
    const std::string slots = "cluster.workers=2 exchange.algorithm=switch-slots ";
    const std::string slots40 = "training.trace=tensor:40960B " + slots;
    const std::string tree = "exchange.algorithm=switch-tree cluster.bandwidth=100Gbps " + leaves +
                             "switch.slots=25 training.trace=";
    const Row rows[] = {
        // hdc's 2.6 MB fit one bucket of 25 MiB: there is nothing to overlap, to order or to have in flight.
        {"training.trace=hdc training.overlap=false exchange.order=priority exchange.concurrent=4",
         {"training.overlap: ", "exchange.order: ", "exchange.concurrent: "}},
        {"training.trace=hdc training.overlap=false exchange.order=priority exchange.concurrent=4 "
         "training.send=layer",
         {}},
        // Sizes that stand on one gradient; those of truncated values are the same of every value, as is what is given.
        {"training.trace=hdc codec.name=inceptionn", {"sizes only"}},
        {"training.trace=hdc codec.name=truncate", {}},
        // A ring codes sums again, which are wider than what bits_per_value says of gradients; an aggregator's workers code
        // only their own, and truncate makes 16 bits of all values.
        {"training.trace=hdc codec.name=inceptionn codec.bits_per_value=3", {"sizes only"}},
        {"training.trace=hdc codec.name=inceptionn codec.bits_per_value=3 "
         "exchange.algorithm=worker-aggregator",
         {}},
        {"training.trace=hdc codec.name=truncate codec.bits_per_value=3", {}},
        // gpudirect's message cost is of NCCL, as are the library's.
        {tensor + "exchange.library=nccl", {}},
        {tensor + "exchange.library=nccl host.preset=gpudirect",
         {"exchange.library: what nccl's messages cost hosts comes on top of host.message_cost, "
          "9.600 us, "}},
        {tensor + "exchange.library=gloo host.message_cost=5us", {}},
        // At 400 Gb/s a frame takes 30.76 ns and an acknowledgement 1.68; the round trip is 2 * (2 us + both),
        // 4064.88 ns or 133 frames, and 16 more wait for an acknowledgement: 149.
        {fast, {}},
        {fast + "transport.window=64",
         {"transport.window: 64 frames cannot fill a link of 400.0 Gbps over this latency; it "
          "takes about 149"}},
        {fast + "transport.window=149", {}},
        // Over TCP an acknowledgement takes 1.8 ns, which makes 133 frames, too, and 2 wait for one. A buffer of 100 kB holds
        // 69 segments of 1448 bytes, and a part of one.
        {fast + "transport.name=tcp", {}},
        {fast + "transport.name=tcp transport.send_buffer=100kB",
         {"transport.send_buffer: 70 frames cannot fill a link of 400.0 Gbps over this latency; it "
          "takes about 135"}},
        {fast + "transport.name=tcp transport.receive_buffer=100kB",
         {"transport.receive_buffer: 70"}},
        // Over two leaves and a spine there are four links each way: 8129.76 ns or 265 frames, and 16 more.
        {fast + leaves + "transport.window=64", {"it takes about 281"}},
        {fast + leaves + "transport.window=281", {}},
        // A trunk may be the fastest link: 400 Gb/s between racks of 10 Gb/s.
        {tensor + "cluster.topology=rack-pair", {}},
        {tensor + "cluster.topology=rack-pair cluster.trunk_bandwidth=400Gbps transport.window=64",
         {"cannot fill a link of 400.0 Gbps"}},
        // At 10 Gb/s 64 KiB take 52.43 us, less than a message costs. Twice 60 us are less than what 256 KiB take, 209.7 us.
        {"training.trace=tensor:1MiB exchange.algorithm=tree host.message_cost=60us",
         {"larger chunks may be faster, such as 256KiB"}},
        {"training.trace=tensor:1MiB exchange.algorithm=tree host.message_cost=50us", {}},
        {"training.trace=tensor:64KiB exchange.algorithm=tree host.message_cost=60us", {}},
        // Two buckets: 1 MiB and the rest.
        {"training.trace=hdc training.gradient_type=bf16 exchange.first_bucket_bytes=1000kB", {}},
        {"training.trace=resnet-50 training.gradient_type=bf16",
         {"exchange.first_bucket_bytes=512KiB and exchange.bucket_bytes=12.5MiB cut as for fp32"}},
        // At 100 Gb/s a packet takes 88.48 ns, and the round trip is 2 * (1000 + 88.48) ns: 24.6 packets. In a
        // tree of two levels it is twice as long: 49.2; 40 packets need no more slots.
        {slots40 + "cluster.bandwidth=100Gbps switch.slots=24",
         {"switch.slots: 24 slots cannot fill a link of 100.0 Gbps over this latency; it takes "
          "about 25"}},
        {slots40 + "cluster.bandwidth=100Gbps switch.slots=25", {}},
        // 12 GB/s between GPUs are 96 Gb/s of payloads, 1460 bytes of a frame's 1538: 101.13 Gb/s. A packet takes 87.5 ns,
        // and the round trip over two links each way of half the latency 2 * (500 + 87.5) ns: 13.4 packets.
        {slots40 + "cluster.workers=1 cluster.gpus=4 cluster.gpu_latency=1us switch.slots=13",
         {"switch.slots: 13 slots cannot fill a link of 101.1 Gbps over this latency; it takes "
          "about 14"}},
        {tree + "tensor:102400B", {"it takes about 50"}},
        {tree + "tensor:40960B", {"it takes about 40"}},
        // 128 packets of 1106 bytes are 138.2 KiB.
        {slots40 + "cluster.buffer=128KiB", {"138.2 KiB"}},
    };
    for (const auto& row : rows)
    {
        const auto warnings = WarningsOf(With({}, row.settings));
        ASSERT_EQ(warnings.size(), row.parts.size()) << row.settings;
        for (std::size_t i = 0; i < warnings.size(); ++i)
        {
            EXPECT_THAT(warnings[i], HasSubstr(row.parts[i])) << row.settings;
        }
    }
}

/* Of 100 kB Open MPI makes a ring between 2 workers, and halves and doubles among 4. With 3 GPUs each 6 ranks are 2 workers; 2, 3
 * and 7 are no workers of 3 GPUs, or one. */
TEST(PlanWarnings, SayHowALibraryDidIt)
{
    auto scenario = With({}, "training.trace=tensor:100kB cluster.gpus=3 exchange.library=openmpi");
    const auto why = [&scenario](const std::set<std::uint32_t>& ranks) {
        CalibratedRange seen;
        seen.mostBytes = 1'000'000;
        seen.ranks = ranks;
        scenario.cluster.calibrated = std::make_shared<const CalibratedRange>(seen);
        return WarningsOf(scenario).front();
    };
    EXPECT_THAT(why({2, 3, 6}),
                HasSubstr("openmpi takes halving-doubling now, where it took ring among 6 ranks"));
    EXPECT_THAT(why({2, 3, 7}), HasSubstr("another way"));
}

/* Nothing but the machine and its library: what is trained, coded and exchanged on it is what a preset is asked. */
TEST(PlanWarnings, NameKeysThatAreNotAPresets)
{
    Scenario preset;
    SetKeys(preset, "cluster.bandwidth=100Mbps exchange.library=gloo host.sum_rate=none");
    CalibratedRange seen;
    seen.mostBytes = 1'000'000;
    seen.ranks = {4, 8, 16};
    const auto on = [&](const std::string& settings) {
        auto scenario = With(preset, "training.trace=tensor:100kB");
        scenario.cluster.asFitted = std::make_shared<const Scenario>(preset);
        scenario.cluster.calibrated = std::make_shared<const CalibratedRange>(seen);
        return WarningsOf(With(scenario, settings));
    };
    const auto of = [](const std::string& key, const std::string& fitted, const std::string& now) {
        return HasSubstr(key + ": cluster.preset was fitted with " + fitted + ", and it is " + now +
                         " here");
    };
    EXPECT_THAT(on("cluster.bandwidth=1Gbps cluster.latency=5us"),
                ElementsAre(of("cluster.bandwidth", "100Mbps", "1Gbps"),
                            of("cluster.latency", "1us", "5us")));
    // GPUs' rate was no part of a simulation without them. 300 GB/s are gpudirect's, as are its other keys.
    EXPECT_THAT(on("cluster.gpus=2 cluster.gpu_bandwidth=1GBps cluster.nics=2"),
                ElementsAre(of("cluster.gpus", "1", "2"), of("cluster.nics", "1", "2")));
    EXPECT_THAT(on("host.preset=gpudirect"), ElementsAre(of("host.preset", "none", "gpudirect")));
    EXPECT_THAT(on("host.sum_rate=1GBps exchange.library=openmpi transport.name=tcp"),
                ElementsAre(of("exchange.library", "gloo", "openmpi"),
                            of("host.sum_rate", "none", "1GBps"),
                            of("transport.name", "inca", "tcp")));
    for (const auto* asked :
         {"cluster.bandwidth=100Mbps",
          "cluster.workers=8 training.iterations=2 simulation.warmup=1",
          "exchange.library=none exchange.algorithm=tree tree.chunk_bytes=32KiB",
          "exchange.library=none exchange.algorithm=switch-slots switch.slots=64",
          "codec.name=truncate engine.width=512"})
    {
        EXPECT_THAT(on(asked), IsEmpty()) << asked;
    }
}

/* Safe is up to one value in a thousand: 0.1 of 100. */
TEST(WarnOfSketches, SaysWhichRatioWouldBeSafe)
{
    EXPECT_THAT(WarningsOf("codec.ratio=10", {Sketch(100, 50, 0.5, 100, 0.1)}), IsEmpty());
    EXPECT_THAT(
        WarningsOf("codec.ratio=10", {Sketch(100, 50, 0.5, 100, 0), Sketch(100, 10, 2.5, 100, 50)}),
        ElementsAre(
            AllOf(HasSubstr("codec.ratio: too large for 1 of 2 "),
                  HasSubstr("with 100 rows of 1024 values in 10 counter rows, and 25 % of them "),
                  HasSubstr("load is 2.5, and 50 % of the set values"),
                  HasSubstr("up to 3 is safe"))));
    auto sketch = Sketch(10, 5, 0.5, 100, 50);
    sketch.safeRatio.reset();
    EXPECT_THAT(WarningsOf("codec.ratio=2", {sketch}),
                ElementsAre(HasSubstr("no ratio from 0.5 on is safe")));
}

TEST(WarnOfSketches, SaysWhatSafeRatiosLeaveAlone)
{
    EXPECT_THAT(WarningsOf("codec.ratio=10", {Uncoded()}), IsEmpty());
    EXPECT_THAT(WarningsOf("codec.ratio=safe", {Uncoded(), Sketch(100, 50, 0.5, 100, 0)}),
                ElementsAre(HasSubstr("codec.ratio: 1 of 2 ")));
    EXPECT_THAT(WarningsOf("codec.ratio=safe codec.skip_density=0.5", {Uncoded()}),
                ElementsAre(HasSubstr("codec.skip_density")));
}

/* fp32 additions are rounded: (a + b) + c is not a + (b + c), but a + b is b + a. Hosts and integers do not care. */
TEST(SumOrder, MattersWhereSwitchesRoundAsPacketsArrive)
{
    struct Row
    {
        std::string settings;
        bool matters;
        std::string reason; ///< part of it
    };

    const std::string slots = "exchange.algorithm=switch-slots ";
    const std::string tree = "exchange.algorithm=switch-tree cluster.topology=leaf-spine "
                             "cluster.hosts_per_leaf=2 switch.adder=";
    for (const auto& row : {Row{"", false, "that of the exchange's plan"},
                            Row{"exchange.algorithm=tree", false, "plan"},
                            Row{"exchange.algorithm=worker-aggregator", false, "plan"},
                            Row{"exchange.algorithm=parameter-server exchange.sum=arrival",
                                false,
                                "exchange.sum = \"arrival\" is in times only"},
                            Row{slots + "switch.adder=fp32", true, "switches add fp32 as"},
                            Row{slots + "switch.adder=fp32 cluster.workers=2", false, "two"},
                            Row{slots + "switch.adder=int32", false, "integers"},
                            Row{slots + "switch.adder=int32-saturating", false, "integers"},
                            Row{slots + "switch.adder=int32 codec.name=homomorphic "
                                        "training.density=0.01",
                                false,
                                "integers"},
                            Row{tree + "fp32", true, "switches add fp32 as"},
                            Row{tree + "int32", false, "integers"}})
    {
        const auto order = SumOrderOf(
            *Resolve(With({}, "training.trace=tensor:4kB " + std::string(row.settings))));
        EXPECT_EQ(order.matters, row.matters) << row.settings;
        EXPECT_THAT(order.reason, HasSubstr(row.reason)) << row.settings;
    }
}

} // namespace inca
