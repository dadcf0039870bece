/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Uneven rings in miniature, beside packet level.
#include "experiment/drawn-ring.h"
#include "experiment/drawn-scenario.h"
#include "experiment/run-experiment.h"
#include "record/precision.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Settings = std::vector<std::pair<std::string, std::string>>;

/** A ring of 64 that is worth a miniature: of 2 MB in chunks, none of which 64 workers have equal shares of. */
Scenario
Ring(const Settings& settings = {})
{
    Scenario scenario;
    scenario.training.trace = "tensor:2000012B";
    scenario.cluster.workers = 64;
    scenario.exchange.chunkBytes = 80'000;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

RunRecord
AtPacketLevel(Scenario scenario)
{
    scenario.simulation.mode = "packet";
    return RunExperiment(scenario, {});
}

/** @return the run, in which so many workers stood for all, beside packet level */
RunRecord
Compare(const Scenario& scenario, std::uint32_t standIns)
{
    auto record = RunExperiment(scenario, {});
    EXPECT_EQ(record.results.simulatedRanks, standIns);
    EXPECT_TRUE(PrecisionOf(record, AtPacketLevel(scenario)).IsSound(record.results.exact));
    return record;
}

/** Bytes and frames of every link are those of packet level. */
void
ExpectSameLinks(const RunRecord& record, const RunRecord& packetLevel)
{
    ASSERT_EQ(record.links.size(), packetLevel.links.size());
    for (std::size_t i = 0; i < record.links.size(); ++i)
    {
        EXPECT_EQ(record.links[i].wireBytes, packetLevel.links[i].wireBytes) << i;
        EXPECT_EQ(record.links[i].frames, packetLevel.links[i].frames) << i;
    }
}

} // namespace

/* Some workers are out of step as all are: times are within their bounds, and counts the same. */
TEST(RingInMiniature, IsNearTheWholeRing)
{
    const auto scenario = Ring();
    const auto record = RunExperiment(scenario, {});
    EXPECT_EQ(record.results.simulatedRanks, 8U);
    EXPECT_EQ(record.results.ranks, 64U);
    EXPECT_FALSE(record.results.exact);
    const auto packetLevel = AtPacketLevel(scenario);
    EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(false));
    ExpectSameLinks(record, packetLevel);
}

/* Blocks of 11,680 values are 32 frames, which are acknowledged twice, and of one more 33 and thrice: each link counts its own. */
TEST(RingInMiniature, CountsFramesOfEveryLink)
{
    const auto scenario = Ring({{"cluster.workers", "32"},
                                {"training.trace", "tensor:62794368B"},
                                {"exchange.chunk_bytes", "1495104B"}, // 32 * 11,680 + 16 values
                                {"host.sum_rate", "none"}});
    const auto record = Compare(scenario, 8);
    ExpectSameLinks(record, AtPacketLevel(scenario));
}

/* 61 is no multiple of 8: the eighth worker is the neighbour of the first, all the same. */
TEST(RingInMiniature, ClosesAnyRing)
{
    Compare(Ring({{"cluster.workers", "61"}, {"host.sum_rate", "none"}}), 8);
}

TEST(RingInMiniature, HasChannelsAndTurns)
{
    Compare(Ring({{"ring.channels", "2"},
                  {"exchange.chunk_bytes", "160kB"}, // of which a channel's blocks are 1250 bytes
                  {"host.sum_rate", "none"}}),
            8);
    Compare(Ring({{"exchange.chunk_bytes", "0"},
                  {"ring.chunk_bytes", "1kB"},
                  {"host.sum_rate", "none"}}),
            8);
}

/* Of drawn rings, whoever is tried in miniature is near, or simulated whole; bytes and frames are always the same. */
TEST(RingInMiniature, IsSoundInDrawnRings)
{
    for (std::uint32_t number = 0; number < 4; ++number)
    {
        const auto scenario = DrawnRing(number, testing::TempDir());
        SCOPED_TRACE(std::to_string(number) + ": " + SettingsOf(scenario));
        const auto record = RunExperiment(scenario, {});
        EXPECT_TRUE(PrecisionOf(record, AtPacketLevel(scenario)).IsSound(record.results.exact));
        EXPECT_LE(*record.results.lowerBoundPs, record.results.iterationTimePs);
    }
}

} // namespace inca
