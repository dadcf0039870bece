/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/cost.h"

#include "plan/plan-maker.h"
#include "support/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace inca
{

using namespace std::string_literals;

namespace
{

/** A ring of 4 workers with 4 MB at packet level, or what @p settings make of it. */
Scenario
Ring(const std::string& settings = "")
{
    return With({}, "training.trace=tensor:4MB simulation.mode=packet " + settings);
}

} // namespace

TEST(Cost, CountsWhatIsSimulated)
{
    struct Row
    {
        const char* settings;
        double messages; ///< and layers that are computed
        double payloadBytes;
        double frames;
    };

    const std::string server = "exchange.algorithm=parameter-server ";
    const auto servers = server + "simulation.mode=auto";
    const auto manyWorkers = server + "cluster.workers=64";
    const auto inBlocks = [](double blocks) { return blocks * (1e6 / 1460 + 1); };
    const auto whole = 4e6 / 1460 + 1; // a tensor of 4 MB
    const auto inSixteen = 1 - 7.0 / 8 * (1 - 16.0 / 126);
    const Row rows[] = {
        // Each of 4 workers gets 6 blocks of 1 MB, and computes one layer. 1 MB are 684.93 payloads of 1460 bytes, and
        // a last frame is counted for each message.
        {"", 24 + 4, 24e6, inBlocks(24)},
        // Five times as much. A lone tensor has no micro-batches, unless they gather its shards.
        {"training.iterations=5", 5 * 28, 120e6, inBlocks(5 * 24)},
        {"training.accumulation=16", 24 + 4, 24e6, inBlocks(24)},
        {"training.sharding=full training.accumulation=3", 3 * (24 + 4), 72e6, inBlocks(3 * 24)},
        // One of the 4 stands for all. Of each long message three times the 22 frames are simulated that fill the way: 6 for a round
        // trip of 6.6 us, at 1.23 us each, and 16 for an acknowledgement.
        {"simulation.mode=auto", 6 + 1, 6e6, 6 * 3 * 22},
        // 63 steps that add, and 63 that do not: of those that are alike, 16 of 126, as 7 of 8 looks find, the other one
        // being where the first half ends.
        {"simulation.mode=auto cluster.workers=64",
         126 * inSixteen + 1,
         126 * 62'500.0,
         126 * (62'500.0 / 1460 + 1) * inSixteen},
        // 2,000 chunks of each block. They are added and stored in turn, so that no steps in a row are alike.
        {"simulation.mode=auto cluster.workers=2 ring.chunk_bytes=1kB",
         4000 + 1,
         4e6,
         4000 * (1000.0 / 1460 + 1)},
        {servers.c_str(), 8 + 4, 8 * 4e6, 8 * 6 * 64}, // windows of 64
        {server.c_str(), 8 + 4, 8 * 4e6, 8 * whole},
        // 16 of 64 workers are counted, and stand for 4 each. The server gets 64 tensors.
        {manyWorkers.c_str(), 128 + 64, 128 * 4e6, 128 * whole},
        // 1 million values in packets of 256: 3,907, from each of 4 workers.
        {"exchange.algorithm=switch-slots switch.scaling=fixed", 4 + 4, 16e6, 4 * 3907},
    };
    for (const auto& [settings, messages, payloadBytes, frames] : rows)
    {
        const auto cost = CostOf(Ring(settings));
        EXPECT_DOUBLE_EQ(cost.messages, messages) << settings;
        EXPECT_DOUBLE_EQ(cost.payloadBytes, payloadBytes) << settings;
        EXPECT_NEAR(cost.frames, frames, 1e-3) << settings;
        EXPECT_NEAR(cost.cpuSeconds, cost.frames * 2 * 0.15e-6 + cost.messages * 3e-6, 1e-12);
        EXPECT_EQ(cost.valueSeconds, 0);
    }
}

/* Of a ring over leaves of 2 hosts, ranks 0 and 2 get all from the other leaf, over 4 links, and ranks 1 and 3 over 2. */
TEST(Cost, CountsLinksOfTheWay)
{
    const auto cost = CostOf(Ring("cluster.topology=leaf-spine cluster.hosts_per_leaf=2"));
    EXPECT_NEAR(cost.cpuSeconds, cost.frames * 3 * 0.15e-6 + cost.messages * 3e-6, 1e-12);
}

/*
 * Flows have no frames. Over leaves of 8, each of 16 workers gets messages of 15 others at a time in a two-shot, 8 of them from the other
 * leaf; of a ring it gets one at a time.
 */
TEST(Cost, CountsFlows)
{
    const auto leaves =
        "simulation.mode=flow cluster.workers=16 cluster.topology=leaf-spine cluster.hosts_per_leaf=8 "s;
    const auto ring = CostOf(Ring(leaves));
    EXPECT_EQ(ring.frames, 0);
    EXPECT_NEAR(ring.cpuSeconds, ring.messages * 2.2e-6, 1e-12);
    const auto twoShot = CostOf(Ring(leaves + "exchange.algorithm=two-shot"));
    EXPECT_NEAR(twoShot.cpuSeconds, twoShot.messages * (2.2e-6 + 5e-6 * 8 / 15), 1e-12);
}

/* 4 workers' own 1 million values, and the 6 million that a ring moves; carried ones cost more time each, and memory: 5.6
 * bytes of each of the 4 million of all workers. */
TEST(Cost, CountsValues)
{
    const auto with = [](const std::string& values, const std::string& mode) {
        return CostOf(Ring("training.values=" + values + " simulation.mode=" + mode));
    };
    EXPECT_NEAR(with("true", "packet").valueSeconds, 10e6 * 5e-9, 1e-9);
    EXPECT_NEAR(with("true", "auto").valueSeconds, 10e6 * 1.2e-9, 1e-9);
    EXPECT_NEAR(with("true", "auto").memoryBytes - with("false", "auto").memoryBytes, 16e6, 1);
    EXPECT_NEAR(with("true", "packet").memoryBytes - with("false", "packet").memoryBytes,
                16e6 + 5.6 * 4e6,
                1);
}

/* A codec of hosts takes 5 ns for each of 6 million values that arrive, zfp 70 ns, twice: in the exchange and beside it. Six
 * times where all is coded as a whole, in groups of 4, and 8 bytes of each worker's million are kept. Of 4 chunks of 1 MB, the
 * first is replayed. */
TEST(Cost, CountsWhatCodecsTake)
{
    const auto with = [](const std::string& settings) {
        return CostOf(Ring("training.values=true codec.encode_rate=1GBps codec.decode_rate=1GBps "
                           "codec.bits_per_value=32 codec.name=" +
                           settings));
    };
    const auto none = CostOf(Ring("training.values=true"));
    const auto secondsOf = [&](const char* settings) {
        return with(settings).valueSeconds - none.valueSeconds;
    };
    EXPECT_NEAR(secondsOf("snappy"), 6e6 * 2 * 5e-9, 1e-9);
    EXPECT_NEAR(secondsOf("zfp"), 6e6 * 6 * 70e-9, 1e-9);
    EXPECT_NEAR(secondsOf("zfp exchange.chunk_bytes=1MB"), 6e6 * 3 * 70e-9, 1e-9);
    EXPECT_NEAR(with("zfp").memoryBytes - with("snappy").memoryBytes, 8 * 4e6, 1);
}

/* 1,024 servers and as many workers are 8 times the ranks of which caches hold what they need: each hop takes 8^0.5 times as long. */
TEST(Cost, CountsWaitingForMemory)
{
    const auto cost =
        CostOf(Ring("cluster.workers=1024 cluster.servers=1024 training.trace=tensor:4kB "
                    "exchange.algorithm=sharded-parameter-server"));
    EXPECT_NEAR(
        cost.cpuSeconds, cost.frames * 2 * 0.15e-6 * std::sqrt(8.0) + cost.messages * 3e-6, 1e-9);
}

} // namespace inca
