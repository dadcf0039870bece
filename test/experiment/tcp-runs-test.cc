/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs whose messages travel over ns-3's TCP.
#include "experiment/scenario-fixture.h"

#include <cstdint>
#include <string>

namespace inca
{

class TcpRuns : public ScenarioFixture
{
  protected:
    static Scenario OverTcp(const std::string& settings)
    {
        return With(Bare("tensor:400kB", 8), "transport.name=tcp " + settings);
    }
};

/* Ranks that stand for others do what all would have done: what is folded, and what is not. */
TEST_F(TcpRuns, AreTheSameWhereRanksStandForOthers)
{
    const std::pair<const char*, Rank> rows[] = {
        {"", 1},
        {"training.iterations=3 host.duplex=half cluster.mtu=9000", 2},
        {"transport.sockets=3 transport.congestion=newreno host.frame_cost=1us", 1},
        {"transport.congestion=dctcp transport.send_buffer=16KiB host.byte_rate=1GBps", 1},
        {"transport.receive_buffer=20kB cluster.latency=20us host.message_cost=5us", 1},
        {"ring.channels=3 exchange.chunk_bytes=200kB exchange.concurrent=2", 1},
        {"exchange.algorithm=halving-doubling cluster.bandwidth=100Gbps", 1},
        {"exchange.algorithm=sharded-parameter-server host.frame_cost=2us", 2},
        {"exchange.algorithm=hierarchical-ring", 8},
        // below what was the bound: a part of a segment in the buffer, and a buffer that sends while its host receives
        {"cluster.latency=10us cluster.mtu=9000 transport.send_buffer=16KiB", 1},
        {"exchange.algorithm=parameter-server host.duplex=half", 9},
        {"training.trace=fashion-cnn-1 cluster.bandwidth=1Gbps exchange.bucket_bytes=300kB", 1},
    };
    for (const auto& [settings, simulated] : rows)
    {
        SCOPED_TRACE(settings);
        const auto record = RunExperiment(OverTcp(settings), {});
        EXPECT_EQ(record.results.simulatedRanks, simulated);
        EXPECT_TRUE(record.results.exact);
        EXPECT_GE(record.results.iterationTimePs, record.results.lowerBoundPs);
        ExpectSameRows(record, AtPacketLevel(OverTcp(settings)));
    }
}

/* A NIC that holds 13 frames drops: it is done again with all. */
TEST_F(TcpRuns, SimulateAllWhereFramesAreDropped)
{
    auto scenario = OverTcp("");
    scenario.attributes = {{"inca::Nic::Buffer", "20000"}};
    const auto record = RunExperiment(scenario, {});
    EXPECT_GT(record.results.drops, 0U);
    EXPECT_EQ(record.results.simulatedRanks, 8U);
    ExpectSameRows(record, AtPacketLevel(scenario));
}

/* Of 16 hosts each sends 30 blocks of 6.25 MB. Over TCP a host's link carries 1538 bytes for 1448 of payload, and an
 * acknowledgement of 90 bytes for every other segment that it gets: 1583 bytes. Over INCA's transport it carries 1538 bytes for
 * 1460, and 84 for every 16th: 1543.25. So it takes (1583 / 1448) / (1543.25 / 1460) = 1.0343 times as long; but for the
 * handshake, the first windows and the last frames of each block: 30 of up to 10 us, of 165 ms. */
TEST_F(TcpRuns, TakeAsLongAsTheirBytesDo)
{
    const auto scenario = With(Bare("tensor:100MB", 16), "");
    const auto inca = EndPs(scenario);
    const auto tcp = EndPs(With(scenario, "transport.name=tcp"));
    const auto ratio = static_cast<double>(tcp) / static_cast<double>(inca);
    EXPECT_NEAR(ratio, 1583.0 / 1448 / (1543.25 / 1460), 0.002);
}

/* Between two workers each channel of each exchange has two steps of a message of 1 ms, one after the other on its host; what
 * goes on beside that, of a few frames, takes less than 0.1 ms. gloo cuts a small tensor into 4 segments, one for each worker in
 * each of 2 channels. What [[host.protocol]] says each channel has side by side. */
TEST_F(TcpRuns, TakeAsLongAsTheirMessagesCost)
{
    const std::string cost = "cluster.workers=2 host.message_cost=1ms training.trace=tensor:4kB ";
    const std::pair<std::string, std::int64_t> rows[] = {
        {"", 2},
        {"ring.channels=4", 2 * 4},
        {"ring.channels=4 transport.sockets=3", 2 * 4},
        {"exchange.chunk_bytes=400B exchange.concurrent=5", 2 * 10},
        {"exchange.chunk_bytes=400B exchange.concurrent=5 ring.channels=2", 2 * 2 * 10},
        {"exchange.library=gloo", 2 * 2},
        {"host.message_cost=0s ring.channels=4 host.protocol.1MB.message_cost=1ms", 2},
    };
    for (const auto& [settings, messages] : rows)
    {
        SCOPED_TRACE(settings);
        const auto ms = 1'000'000'000;
        const auto endPs = EndPs(OverTcp(cost + settings));
        EXPECT_GE(endPs, messages * ms);
        EXPECT_LT(endPs, messages * ms + ms / 10);
    }
}

TEST_F(TcpRuns, MakeTheRightSums)
{
    for (const auto* const algorithm : {"ring",
                                        "tree",
                                        "halving-doubling",
                                        "parameter-server",
                                        "sharded-parameter-server",
                                        "worker-aggregator",
                                        "hierarchical-ring",
                                        "hierarchical-aggregator"})
    {
        SCOPED_TRACE(algorithm);
        auto scenario = OverTcp("cluster.workers=4 exchange.group_size=2 training.values=true "
                                "training.trace=tensor:80kB simulation.mode=packet "
                                "exchange.algorithm=" +
                                std::string(algorithm));
        const auto results = RunExperiment(scenario, {}).results;
        ASSERT_TRUE(results.sumErrorMax);
        EXPECT_LT(*results.sumErrorMax, 1e-6); // of sums of normal values of 2^-6, in fp32
        EXPECT_TRUE(results.valuesInFrames);
    }
}

/* Codecs on hosts make messages shorter. */
TEST_F(TcpRuns, CodeWholeMessages)
{
    const std::string codec = "codec.name=truncate codec.drop_bits=16 codec.placement=gpu "
                              "codec.encode_rate=100GBps codec.decode_rate=100GBps";
    const auto plain = RunExperiment(OverTcp(""), {}).results;
    const auto coded = RunExperiment(OverTcp(codec), {}).results;
    EXPECT_DOUBLE_EQ(*coded.achievedRatio, 2);
    EXPECT_LT(coded.wireBytes, plain.wireBytes * 6 / 10);
}

/* Over several switches, too. What is lost is sent again, but for acknowledgements and handshakes. */
TEST_F(TcpRuns, EndThoughFramesAreLost)
{
    for (const auto* const where : {"", "cluster.topology=leaf-spine"})
    {
        SCOPED_TRACE(where);
        auto scenario = OverTcp(std::string("cluster.loss_rate=0.01 ") + where);
        for (scenario.simulation.seed = 1; scenario.simulation.seed <= 3;
             ++scenario.simulation.seed)
        {
            const auto results = RunExperiment(scenario, {}).results;
            EXPECT_GT(results.drops, 0U);
            EXPECT_GT(results.retransmitted, 0U);
        }
    }
}

/* A link that loses half of all frames, each way: a round trip over two of them succeeds with 1 of 16. Connections fail. */
TEST_F(TcpRuns, SayWhereTheyStandStill)
{
    EXPECT_THROW(Run(OverTcp("cluster.loss_rate=0.5")), RunError);
}

} // namespace inca
