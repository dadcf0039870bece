/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// GPUs of workers as hosts of their own, on a network inside each worker.
#include "base/units.h"
#include "base/wire-format.h"
#include "experiment/scenario-fixture.h"

#include <map>
#include <string>
#include <utility>

namespace inca
{

namespace
{

/** GPUs 1 us from the switch inside their worker, at 1.46 GB/s of payload: 12.304 Gb/s on the wire, as NICs have here. */
class Nodes : public ScenarioFixture
{
  protected:
    static Scenario Of(const std::string& settings)
    {
        return With(Bare("tensor:1600B"),
                    "cluster.gpu_bandwidth=1.46GBps cluster.gpu_latency=2us "
                    "cluster.bandwidth=12.304Gbps cluster.latency=1us " +
                        settings);
    }

    /** A frame of @p elements on a link, or an acknowledgement: of none. */
    static std::int64_t OnWirePs(std::uint64_t elements)
    {
        return SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES + 4 * elements), 12'304'000'000);
    }

    /** The same of a packet of sums. */
    static std::int64_t PacketPs(std::uint64_t elements)
    {
        return SerialisationPs(FrameWireBytes(AGGREGATION_HEADER_BYTES + 4 * elements),
                               12'304'000'000);
    }

    /** By link, its bytes in the first iteration. */
    static std::map<std::string, std::uint64_t> WireBytes(const RunRecord& record)
    {
        std::map<std::string, std::uint64_t> bytes;
        for (const auto& link : record.links)
        {
            bytes[link.ends.name] = link.wireBytesByEnd;
        }
        return bytes;
    }
};

} // namespace

/* Four GPUs of one worker are four workers around one switch. */
TEST_F(Nodes, OneWorkersGpusAreAStar)
{
    for (const std::string what : {"training.trace=tensor:1MB",
                                   "training.trace=tensor:1MB exchange.collective=all-to-all "
                                   "exchange.all_to_all=direct",
                                   "training.trace=tensor:1MB exchange.collective=all-gather",
                                   "training.trace=tensor:1MB exchange.algorithm=switch-slots",
                                   "training.trace=hdc training.sharding=full "
                                   "exchange.algorithm=switch-slots"})
    {
        const auto inside = RunExperiment(Of("cluster.workers=1 cluster.gpus=4 " + what), {});
        const auto star = RunExperiment(Of("cluster.workers=4 " + what), {});
        EXPECT_EQ(inside.results.iterationTimePs, star.results.iterationTimePs) << what;
        EXPECT_EQ(inside.results.busbwGbps, star.results.busbwGbps) << what;
    }
}

/* 400 values in 2 workers of 2 GPUs, each with a NIC. Inside, GPUs give each other half of all, over two links, before and after.
 * Between, each GPU and its peer give each other a quarter, over four links, twice. Every link takes 1 us. Before all but the
 * first of these four messages an acknowledgement leaves. */
TEST_F(Nodes, TakeTheTimesOfTheirStages)
{
    const std::int64_t inside = 2 * (OnWirePs(200) + 1'000'000);
    const std::int64_t between = 4 * (OnWirePs(100) + 1'000'000);
    EXPECT_EQ(EndPs(Of("cluster.workers=2 cluster.gpus=2 cluster.nics=2")),
              2 * inside + 2 * between + 3 * OnWirePs(0));
}

/*
 * The same, but the switch inside each worker adds fp32 in packets of 200 values. Each GPU sends both of its packets; the switch
 * sends the sums of the second one to the second GPU when it has both, so that this one is last. It exchanges as above. It
 * then asks for the first packet with an empty one, and sends the second, which the first GPU gets. An acknowledgement leaves
 * before the second message, and before the empty packet.
 */
TEST_F(Nodes, MayHaveTheirSwitchesAdd)
{
    const auto full = PacketPs(200);
    const auto scattered = 3 * full + 2'000'000;
    const auto between = 4 * (OnWirePs(100) + 1'000'000);
    const auto gathered = PacketPs(0) + 2 * full + 2'000'000;
    EXPECT_EQ(EndPs(Of("cluster.workers=2 cluster.gpus=2 cluster.nics=2 "
                       "group.node.algorithm=switch-slots switch.adder=fp32 "
                       "switch.values_per_packet=200")),
              scattered + 2 * between + gathered + 2 * OnWirePs(0));
}

/*
 * The same, but the switch between workers adds what the first GPUs have, and what the second ones have: a packet of 200
 * values goes up two links, by the switch inside, and comes down two. An acknowledgement leaves before it.
 */
TEST_F(Nodes, MayHaveSwitchesBetweenThemAddByRails)
{
    const auto inside = 2 * (OnWirePs(200) + 1'000'000);
    EXPECT_EQ(EndPs(Of("cluster.workers=2 cluster.gpus=2 cluster.nics=2 "
                       "exchange.algorithm=switch-slots switch.adder=fp32 "
                       "switch.values_per_packet=200")),
              2 * inside + 4 * (PacketPs(200) + 1'000'000) + OnWirePs(0));
}

/* Both: the packets inside as with a ring between them, those between as with a ring inside. There are no acknowledgements. */
TEST_F(Nodes, MayHaveSwitchesInsideAndBetweenThemAdd)
{
    const auto full = PacketPs(200);
    const auto scattered = 3 * full + 2'000'000;
    const auto gathered = PacketPs(0) + 2 * full + 2'000'000;
    EXPECT_EQ(EndPs(Of("cluster.workers=2 cluster.gpus=2 cluster.nics=2 switch.adder=fp32 "
                       "exchange.algorithm=switch-slots group.node.algorithm=switch-slots "
                       "switch.values_per_packet=200")),
              scattered + 4 * (full + 1'000'000) + gathered);
}

/*
 * What switches inside and between workers add is verified: with integers to the bit, with other numbers as some order of additions
 * makes it, also through what a codec between workers makes of integers' sums.
 */
TEST_F(Nodes, VerifyWhatTheirSwitchesAdd)
{
    for (const std::string settings :
         {"exchange.algorithm=switch-tree",
          "exchange.algorithm=switch-tree group.node.codec.name=cast "
          "group.node.codec.placement=gpu group.node.codec.encode_rate=1GBps "
          "group.node.codec.decode_rate=1GBps",
          "exchange.algorithm=switch-slots switch.adder=bf16",
          "group.node.algorithm=switch-slots",
          "group.node.algorithm=switch-slots switch.adder=bf16 training.gradient_type=bf16",
          "group.node.algorithm=switch-slots exchange.algorithm=halving-doubling "
          "exchange.concurrent=2 exchange.part_bytes=1kB",
          "group.node.algorithm=switch-slots codec.name=truncate cluster.nics=1",
          "group.node.algorithm=switch-slots exchange.algorithm=switch-tree exchange.concurrent=2",
          "group.node.algorithm=switch-slots exchange.algorithm=switch-slots switch.adder=fp8-fp16 "
          "exchange.part_bytes=1kB",
          "training.sharding=full exchange.algorithm=switch-slots",
          "training.sharding=full exchange.algorithm=switch-slots exchange.communicators=2 "
          "group.node.algorithm=switch-slots switch.adder=fp32",
          "training.sharding=optimizer exchange.algorithm=switch-slots "
          "group.node.algorithm=switch-slots switch.adder=int16",
          "training.sharding=optimizer group.node.algorithm=switch-slots",
          "training.sharding=full exchange.library=nccl",
          "training.sharding=hybrid training.shard_group=2 exchange.library=nccl",
          // trees of replicas, whose shards are those of gathers
          "cluster.workers=5 training.sharding=hybrid training.shard_group=2 "
          "exchange.library=nccl training.send=layer training.iterations=2",
          "cluster.workers=3 training.sharding=hybrid training.shard_group=2 "
          "exchange.library=nccl training.send=layer training.accumulation=2 "
          "training.replica_sums=update",
          "training.sharding=hybrid training.shard_group=2 group.shard.algorithm=switch-slots",
          "training.sharding=hybrid training.shard_group=2 group.replica.algorithm=switch-slots",
          "training.sharding=hybrid training.shard_group=2 group.replica.algorithm=switch-slots "
          "training.accumulation=2 training.replica_sums=update",
          "training.sharding=hybrid training.shard_group=2 group.replica.algorithm=switch-tree "
          "group.shard.algorithm=switch-slots switch.adder=bf16"})
    {
        SCOPED_TRACE(settings);
        const auto record = RunExperiment(
            Of("training.trace=hdc training.values=true cluster.workers=4 cluster.gpus=2 "
               "cluster.nics=2 simulation.mode=packet " +
               settings),
            {});
        EXPECT_EQ(record.results.valuesInFrames,
                  true); // else the run is refused, or ends in an error
    }
}

/* 32 MB in 2 workers of 2 GPUs, in 8 parts of 4 MB. Inside a GPU sends half of a part before and after, at ten times the rate
 * of a NIC, which sends two quarters between. In one part these times add up. In eight the NIC waits for the first part to be
 * added inside, and the last one is shared inside when all else is done. Both but for latencies, 2 % here. */
TEST_F(Nodes, PartsAreInsideWhileOthersAreBetween)
{
    const auto scenario =
        Of("training.trace=tensor:32MB cluster.workers=2 cluster.gpus=2 cluster.nics=2 "
           "cluster.gpu_bandwidth=14.6GBps");
    const double betweenPs = 16e6 / 1.46e9 * 1e12;
    const double insidePs = 2 * betweenPs / 10;
    const auto inOne = static_cast<double>(EndPs(With(scenario, "exchange.part_bytes=0B")));
    EXPECT_NEAR(inOne, betweenPs + insidePs, 0.02 * inOne);
    const auto inEight = static_cast<double>(EndPs(With(scenario, "exchange.part_bytes=1MB")));
    EXPECT_NEAR(inEight, betweenPs + insidePs / 8, 0.02 * inEight);
}

/* Where each GPU has a NIC, and all do the same, one stands for all; those that share NICs, and those of trees, are simulated for
 * whole workers. */
TEST_F(Nodes, FoldToOneGpuOrWorker)
{
    struct Row
    {
        const char* settings;
        std::uint32_t simulated;
    };

    const Row rows[] = {{"cluster.nics=4", 1},
                        {"cluster.nics=2", 4},
                        {"cluster.nics=1", 4},
                        {"cluster.nics=4 training.sharding=full", 1},
                        {"cluster.nics=4 training.sharding=hybrid training.shard_group=4", 1},
                        {"cluster.nics=4 training.sharding=hybrid training.shard_group=8", 8},
                        {"cluster.nics=4 exchange.algorithm=halving-doubling", 4},
                        {"cluster.nics=4 exchange.algorithm=tree", 32},
                        {"cluster.nics=4 exchange.algorithm=switch-tree", 1},
                        {"cluster.nics=2 exchange.algorithm=switch-tree", 4},
                        {"cluster.nics=4 training.sharding=optimizer "
                         "exchange.algorithm=switch-slots switch.adder=bf16",
                         32},
                        {"cluster.nics=4 group.node.algorithm=switch-slots switch.adder=fp32", 4},
                        {"cluster.nics=4 training.sharding=full training.gradient_type=bf16 "
                         "group.node.algorithm=switch-slots",
                         4},
                        {"cluster.nics=4 training.sharding=hybrid training.shard_group=4 "
                         "group.shard.algorithm=switch-slots",
                         4},
                        {"cluster.nics=4 training.sharding=hybrid training.shard_group=4 "
                         "group.replica.algorithm=switch-slots",
                         1},
                        {"cluster.nics=4 exchange.algorithm=switch-tree "
                         "group.node.algorithm=switch-slots",
                         4},
                        {"cluster.nics=2 training.sharding=hybrid training.shard_group=4 "
                         "group.replica.algorithm=switch-slots group.shard.algorithm=switch-slots",
                         4},
                        {"cluster.nics=4 training.sharding=hybrid training.shard_group=4 "
                         "exchange.library=nccl",
                         1},
                        {"cluster.nics=4 training.sharding=full exchange.library=nccl", 4},
                        {"cluster.workers=1", 1},
                        {"cluster.workers=1 exchange.algorithm=switch-slots", 1}};
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.settings);
        const auto scenario =
            Of(std::string("training.trace=hdc cluster.workers=8 cluster.gpus=4 ") + row.settings);
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(record.results.simulatedRanks, row.simulated);
        ExpectSameRows(record, AtPacketLevel(scenario));
        EXPECT_LE(record.results.lowerBoundPs.value_or(0), record.results.iterationTimePs);
    }
}

/*
 * 400 values in 2 workers of 2 GPUs, each with a NIC. Each of the 4 GPUs sends 200 values inside, twice, and 100 between workers,
 * twice: 1,600 and 800 values in all, each of 4 bytes, or as many as its codec makes of it, which keeps 32 bits less what it drops.
 */
TEST_F(Nodes, CodeInsideAsTheySay)
{
    const std::pair<const char*, std::uint64_t> rows[] = {
        {"codec.name=truncate codec.drop_bits=24", 4 * 1600 + 800},
        {"group.node.codec.name=cast", 2 * 1600 + 4 * 800},
        {"group.node.codec.name=cast codec.name=truncate codec.drop_bits=24", 2 * 1600 + 800},
        {"group.node.codec.name=cast codec.name=truncate codec.placement=cpu codec.drop_bits=24 "
         "codec.encode_rate=4GBps codec.decode_rate=3GBps",
         2 * 1600 + 800},
        {"group.node.codec.drop_bits=16 codec.name=truncate codec.drop_bits=24", // without a name
         4 * 1600 + 800}};
    for (const auto& [settings, bytes] : rows)
    {
        for (const std::string values : {"false", "true"})
        {
            const auto scenario =
                Of("cluster.workers=2 cluster.gpus=2 cluster.nics=2 group.node.codec.placement=gpu "
                   "group.node.codec.encode_rate=1GBps group.node.codec.decode_rate=2GBps "
                   "training.values=" +
                   values + " " + settings);
            SCOPED_TRACE(SettingsOf(scenario));
            ASSERT_THAT(KeysComplainedOf(scenario), testing::IsEmpty());
            EXPECT_EQ(Run(scenario).Job().seen->gradientWireBytes, bytes);
            ExpectSameRows(RunExperiment(scenario, {}), AtPacketLevel(scenario));
        }
    }
}

/* 16,000 values in 2 workers of 4 GPUs. A GPU sends 3/4 of all twice inside, as hosts add and plain; its part of a quarter goes
 * between workers, half of it twice, at half the bytes if the codec makes 16 bits of 32. A NIC carries what its GPUs have: one
 * each, or all four. Of frames without payload there are 78 bytes each, and acknowledgements beside them: 10 %. */
TEST_F(Nodes, CompressOnlyBetweenWorkers)
{
    for (const std::uint32_t nics : {1U, 4U})
    {
        for (const std::string codec :
             {"none",
              "truncate codec.placement=gpu codec.drop_bits=16 codec.encode_rate=100GBps "
              "codec.decode_rate=100GBps"})
        {
            SCOPED_TRACE(codec + " " + std::to_string(nics));
            const auto record =
                RunExperiment(Of("training.trace=tensor:64kB cluster.workers=2 cluster.gpus=4 "
                                 "cluster.nics=" +
                                 std::to_string(nics) + " codec.name=" + codec),
                              {});
            auto bytes = WireBytes(record);
            const double share = codec == "none" ? 1 : 0.5;
            const auto between = 64e3 / 4 * share;
            const auto ofGpu = 2 * 64e3 * 3 / 4 + between;
            EXPECT_NEAR(static_cast<double>(bytes["worker 0 GPU 1 -> worker 0"]),
                        1.05 * ofGpu,
                        0.05 * ofGpu);
            const auto* nic = nics == 1 ? "worker 0 -> switch" : "worker 0 -> switch #2";
            EXPECT_NEAR(static_cast<double>(bytes[nic]),
                        1.1 * between * 4 / nics,
                        0.1 * between * 4 / nics);
        }
    }
}

/* A table of a worker is of its NICs, and of the compute times of all its GPUs; GPUs that share a NIC take as much longer as there
 * are of them. 4 MB among 2 workers of 4 GPUs: a NIC at 1 Gb/s is what all wait for, and carries a quarter of all, or all. */
TEST_F(Nodes, HaveTheNicsThatWorkersSay)
{
    const auto one = Of("training.trace=tensor:4MB cluster.workers=2 cluster.gpus=4 cluster.nics=4 "
                        "cluster.gpu_bandwidth=400GBps");
    auto slow = one;
    slow.cluster.overrides = {{1, 1'000'000'000, 1}};
    const double quarterPs = 1e6 * 1538 / 1460 * 8 / 1e9 * 1e12;
    EXPECT_NEAR(static_cast<double>(EndPs(slow)), quarterPs, 0.05 * quarterPs);
    slow = With(slow, "cluster.nics=1");
    EXPECT_NEAR(static_cast<double>(EndPs(slow)), 4 * quarterPs, 0.05 * 4 * quarterPs);
    auto late = With(one, "training.trace=hdc");
    const auto before = RunExperiment(late, {}).results;
    late.cluster.overrides = {{1, {}, 2}};
    EXPECT_GT(RunExperiment(late, {}).results.iterationTimePs, before.iterationTimePs);
}

/* Hosts' costs are of what goes between workers: a message of 5 us, and sums at 1 GB/s of the 100 values that a GPU adds there. */
TEST_F(Nodes, HostsTakeNoPartInside)
{
    const auto inside = Of("cluster.workers=1 cluster.gpus=4");
    const auto* costs = "host.message_cost=5us host.sum_rate=1GBps host.frame_cost=1us";
    EXPECT_EQ(EndPs(With(inside, costs)), EndPs(inside));
    const auto between = Of("cluster.workers=2 cluster.gpus=2 cluster.nics=2");
    // an acknowledgement, for which the next message else waits, leaves meanwhile
    EXPECT_EQ(EndPs(With(between, "host.message_cost=5us")),
              EndPs(between) + 2 * (5'000'000 - OnWirePs(0)));
    EXPECT_EQ(EndPs(With(between, "host.sum_rate=1GBps")), EndPs(between) + 400'000 - OnWirePs(0));
}

/* What a run takes is as many times as keys say: of one tensor, all of it follows rates and latencies. */
TEST_F(Nodes, AreExplainedByKeysOfTheirLinks)
{
    const auto record =
        RunExperiment(Of("training.trace=tensor:64kB cluster.workers=2 cluster.gpus=2 "
                         "cluster.nics=2"),
                      {});
    std::map<std::string, std::int64_t> effects;
    std::int64_t all = 0;
    for (const auto& effect : record.effects)
    {
        const bool isTime = effect.key.rfind("cluster.", 0) == 0;
        effects[effect.key] = effect.ps;
        all += isTime ? effect.ps : 0;
    }
    EXPECT_EQ(all, record.results.iterationTimePs);
    // links of each kind: 2 inside, before and after; 2 and 2 between, twice
    EXPECT_EQ(effects["cluster.latency"], 2 * 2 * 1'000'000);
    EXPECT_EQ(effects["cluster.gpu_latency"], (2 * 2 + 2 * 2) * 1'000'000);
}

/* One worker alone has nobody to exchange with, if its GPUs are not simulated. */
TEST_F(Nodes, OneWorkerIsRefusedWithoutGpus)
{
    for (const std::string settings : {"cluster.workers=1",
                                       "cluster.workers=1 cluster.gpus=4 transport.name=tcp",
                                       "cluster.workers=1 cluster.gpus=4 sparsify.method=top-k"})
    {
        const auto complaints = Complaints(Of(settings));
        ASSERT_EQ(complaints.size(), 1U) << settings;
        EXPECT_EQ(complaints.front().key, "cluster.workers");
        EXPECT_THAT(complaints.front().text, testing::HasSubstr("must be at least 2"));
    }
}

} // namespace inca
