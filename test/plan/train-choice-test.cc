/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/train-choice.h"

#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace inca
{

namespace
{

TrainChoice
Choice(const std::vector<std::pair<std::string, std::string>>& settings)
{
    Scenario scenario;
    scenario.simulation.framesPerTrain = 8;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return ChooseTrains(scenario);
}

} // namespace

TEST(TrainChoice, BearsNoMeetingsInARing)
{
    const auto choice = Choice({{"exchange.algorithm", "ring"}});
    EXPECT_EQ(choice.frames, 8U);
    EXPECT_EQ(choice.perMessage, TRAINS_PER_MESSAGE);
    EXPECT_FALSE(choice.Bears(1e6));
}

TEST(TrainChoice, BearsMeetingsOfLongMessagesToOneOverOneSwitch)
{
    for (const auto* algorithm : {"parameter-server", "worker-aggregator"})
    {
        const auto choice = Choice({{"exchange.algorithm", algorithm}});
        EXPECT_EQ(choice.frames, 8U);
        EXPECT_TRUE(choice.Bears(TRAINS_PER_MET_MESSAGE));
        EXPECT_FALSE(choice.Bears(TRAINS_PER_MET_MESSAGE - 1));
    }
    EXPECT_FALSE(
        Choice({{"exchange.algorithm", "parameter-server"}, {"cluster.topology", "leaf-spine"}})
            .Bears(1e6));
    EXPECT_FALSE(Choice({{"exchange.algorithm", "hierarchical-aggregator"}}).Bears(1e6));
}

/* 84 bytes for every 16 frames of 1538 are 0.34 %, for every 8 0.68 %, of frames of 9038 bytes 0.12 %. */
TEST(TrainChoice, AreNotMadeWhereAcknowledgementsAreMany)
{
    EXPECT_EQ(Choice({{"transport.ack_every", "16"}}).frames, 8U);
    EXPECT_EQ(Choice({{"transport.ack_every", "8"}}).frames, 1U);
    EXPECT_EQ(Choice({{"transport.ack_every", "8"}, {"cluster.mtu", "9000"}}).frames, 8U);
}

/*
 * Beyond 16 frames, of 1.2304 us each, a window of 32 has 19.7 us left. There and back over 6 links of 1 us takes 12 us, a
 * frame on each of them 7.4 us, and an acknowledgement 0.4 us. Over 4 links it is 13.2 us, and 6.5 us are left: each frame of
 * a train takes five frames' time of that, or 6.2 us, but for the first one's own. A window of 64 leaves 45.9 us: 7 frames.
 */
TEST(TrainChoice, AreNotMadeWhereSendersWaitForAcknowledgements)
{
    EXPECT_EQ(Choice({{"transport.window", "32"}, {"cluster.topology", "fat-tree"}}).frames, 1U);
    EXPECT_EQ(Choice({{"transport.window", "32"}, {"cluster.topology", "leaf-spine"}}).frames, 1U);
    EXPECT_EQ(Choice({{"transport.window", "64"}, {"cluster.topology", "leaf-spine"}}).frames, 7U);
}

TEST(TrainChoice, AreOfOneFrameAtPacketLevelAndWithAuto)
{
    Scenario scenario;
    EXPECT_EQ(ChooseTrains(scenario).frames, 1U);
    scenario.simulation.framesPerTrain = 1;
    EXPECT_EQ(ChooseTrains(scenario).frames, 1U);
}

} // namespace inca
