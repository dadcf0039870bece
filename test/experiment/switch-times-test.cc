/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exchanges that switches add, end to end, beside their closed forms.
#include "experiment/switch-fixture.h"

namespace inca
{

/**
 * A round trip to the switch: a packet leaves the worker, arrives, its sum leaves, arrives. P packets
 * follow each other without a gap if there are slots enough, so they take (P - 1) packets and a
 * round trip, to the picosecond.
 */
class SwitchTimes : public SwitchFixture
{
  protected:
    static constexpr std::int64_t ROUND_TRIP_PS{2 * (PACKET_PS + LINK_PS)};
    static constexpr std::int64_t FLOW_ROUNDING_PS{20}; ///< each event is at a whole ps
};

TEST_F(SwitchTimes, AreThoseOfPacketsAndLinks)
{
    struct TableRow
    {
        Scenario scenario;
        const char* settings;
        std::int64_t endPs;
    };

    const auto plainPs = 39 * PACKET_PS + ROUND_TRIP_PS;
    const TableRow rows[] = {
        {Slots(40), "", plainPs},
        {Slots(1), "", ROUND_TRIP_PS},
        {Slots(40, 5), "", plainPs}, // however many add
        // A packet's sum lets the one s later go: it is there after n + 2 packets and two links, and packet
        // n + s is due after n + s: 2 us <= (s - 2) 884.8 ns, so from 5 slots on there is no gap. With 4, a
        // round of 4 packets takes a round trip: 10 rounds, and the last one's other 3 packets.
        {Slots(40), "switch.slots=5", plainPs},
        {Slots(40), "switch.slots=4", 10 * ROUND_TRIP_PS + 3 * PACKET_PS},
        {Slots(40), "switch.slots=1", 40 * ROUND_TRIP_PS},
        // The last packet has one value; its frame is as long as all others.
        {Slots(3), "training.trace=tensor:2052B", 2 * PACKET_PS + ROUND_TRIP_PS},
        // 40 packets without values, 2.688 us, tell the exponents; the first sum is there after 2 * 67.2 ns
        // and 2 us, so the values follow without a gap.
        {Slots(40), "switch.scaling=block", 40 * EMPTY_PS + plainPs},
        // The values of one packet wait for its exponent, whose round trip is 2 * 67.2 ns and 2 us.
        {Slots(1), "switch.scaling=block", 2 * (EMPTY_PS + LINK_PS) + ROUND_TRIP_PS},
        // Worker, leaf, spine, leaf, worker: four links, four times serialised.
        {Tree(40), "", plainPs + ROUND_TRIP_PS},
        // fp16 halves the values' bytes: 82 + 512 = 594 bytes, 475.2 ns.
        {Slots(40), "switch.adder=fp16", 39 * 475'200 + 2 * (475'200 + LINK_PS)},
        // In 1 byte a value up, 338 bytes, 270.4 ns, and 2 down: the way back paces.
        {Slots(40), "switch.adder=fp8-fp16", 39 * 475'200 + 270'400 + 475'200 + 2 * LINK_PS},
        // Leaves send sums up.
        {Tree(40), "switch.adder=fp8-fp16", 39 * 475'200 + 270'400 + 3 * 475'200 + 4 * LINK_PS},
        {Slots(40), "switch.adder=int8", 39 * 270'400 + 2 * (270'400 + LINK_PS)},
        // 8 bytes of headers, where 44 are usual: 1070 bytes, 856 ns.
        {Slots(40), "switch.header_bytes=8", 39 * 856'000 + 2 * (856'000 + LINK_PS)},
        // A switch's latency counts once in a star, and three times in a tree of two levels.
        {Slots(40), "switch.latency=300ns", plainPs + 300'000},
        {Tree(40), "switch.latency=300ns", plainPs + ROUND_TRIP_PS + 3 * 300'000},
        // 1 Gb/s between the switches: 8.848 us per packet, up and down at once.
        {Tree(40),
         "cluster.trunk_bandwidth=1Gbps",
         39 * 8'848'000 + 2 * (PACKET_PS + 8'848'000) + 4 * LINK_PS},
    };
    for (const auto& row : rows)
    {
        const auto outcome = Run(With(row.scenario, row.settings));
        EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(), row.endPs) << row.settings;
        // while a worker waits for the network's sum, its time is communication
        EXPECT_EQ(outcome.Job().breakdown.communicationPs, row.endPs) << row.settings;
        const auto flow = Run(With(With(row.scenario, row.settings), "simulation.mode=flow"));
        EXPECT_LE(std::abs(flow.Job().seen->iterationEndPs.back() - row.endPs), FLOW_ROUNDING_PS)
            << row.settings;
    }
}

/*
 * Beside packets, where sums go one behind the other: with less slots than a round trip needs, with exponents ahead, halves of sums up and
 * down a tree beside each other, hosts that work on each sum, and workers that are late.
 */
TEST_F(SwitchTimes, AreThoseOfPacketsAsFlows)
{
    struct TableRow
    {
        Scenario scenario;
        const char* settings;
        double most; ///< share by which it may be off
    };

    const TableRow rows[] = {
        {Slots(400),
         "exchange.chunk_bytes=64KiB exchange.concurrent=4 switch.slots=16 cluster.latency=20us",
         1e-9},
        {Slots(400),
         "exchange.chunk_bytes=4KiB exchange.concurrent=4 host.message_cost=10us",
         1e-9},
        {Slots(400), "exchange.chunk_bytes=4KiB switch.scaling=block", 1e-9},
        {Tree(400), "training.sharding=full", 1e-9},
        {Tree(400), "training.sharding=optimizer training.trace=alexnet", 1e-5},
        {Tree(400),
         "training.trace=alexnet training.jitter=normal training.jitter_sd=0.05 switch.timeout=1s",
         1e-9},
        {Slots(400), "host.byte_rate=1GBps host.frame_cost=100ns", 1e-9},
        // Who sends values has got some of the packet before in half of all packets: the last one's way, of 400, may be either.
        {Slots(400), "cluster.workers=4 exchange.collective=dispatch switch.slots=1", 1.0 / 400},
        {Slots(400), "cluster.workers=4 exchange.collective=combine switch.slots=1", 1.0 / 400},
    };
    for (const auto& [scenario, settings, most] : rows)
    {
        const auto packets = Run(With(With(scenario, settings), "simulation.mode=packet"));
        const auto flows = Run(With(With(scenario, settings), "simulation.mode=flow"));
        const auto endPs = packets.Job().seen->iterationEndPs.back();
        const auto offPs = std::abs(flows.Job().seen->iterationEndPs.back() - endPs);
        EXPECT_LE(static_cast<double>(offPs), most * static_cast<double>(endPs)) << settings;
        const auto links = [](const Outcome& outcome) {
            std::vector<std::uint64_t> bytes;
            for (const auto& link : outcome.links)
            {
                bytes.push_back(link.wireBytesByEnd);
            }
            return bytes;
        };
        EXPECT_EQ(links(flows), links(packets)) << settings;
    }
}

/* 256 million values per second: a packet takes 1 us, those of two workers 2, longer than they take to
 * come. The first is there after a packet and a link, the last sum is a packet and a link from the end. */
TEST_F(SwitchTimes, TheAdderCanBeTheLimit)
{
    const auto outcome = Run(With(Slots(40), "switch.adder_rate=256000000values/s"));
    EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(), 40 * 2'000'000 + ROUND_TRIP_PS);
    EXPECT_EQ(outcome.plan.Job().alone.iterationPs, 40 * 2'000'000);
    const auto flow =
        Run(With(Slots(40), "switch.adder_rate=256000000values/s simulation.mode=flow"));
    EXPECT_LE(std::abs(flow.Job().seen->iterationEndPs.back() - (40 * 2'000'000 + ROUND_TRIP_PS)),
              FLOW_ROUNDING_PS);
}

/* Worker 1 computes until 60 us, worker 0 until 6: what it sends is added, and waits. Together, it begins
 * when worker 1 does. */
TEST_F(SwitchTimes, TogetherStartsWhenAllAreReady)
{
    auto scenario =
        With(Slots(1),
             "training.send=end switch.timeout=10us switch.double_after=0 training.trace=" +
                 TwoLayers());
    scenario.cluster.overrides = {{1, {}, 10.0}};
    EXPECT_GE(Run(scenario).retransmittedFrames, 4U); // after 10, 20, 30, 40 us of 54
    const auto together = Run(With(scenario, "exchange.start=together"));
    EXPECT_EQ(together.retransmittedFrames, 0U);
    EXPECT_EQ(together.Job().seen->chunks[0][0].startPs, 60'000'000);
    EXPECT_EQ(together.Job().seen->chunks[0][0].endPs, 60'000'000 + ROUND_TRIP_PS);
}

} // namespace inca
