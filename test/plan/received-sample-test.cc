/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/received-sample.h"

#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "support/own-path.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <memory>
#include <string>

namespace inca
{

namespace
{

constexpr FramesOfMessages FRAMES{1460, std::numeric_limits<double>::infinity()};

std::shared_ptr<const TrainingJob>
JobOf(const std::string& trace, const std::string& algorithm, const char* send = "layer")
{
    Scenario scenario;
    scenario.training.trace = trace;
    SetKey(scenario, "training.send", send);
    SetKey(scenario, "exchange.algorithm", algorithm);
    SetKey(scenario, "simulation.frames_per_train", "1");
    return MakePlan(scenario).simulated;
}

/** @param count layers of 1, 2, 3, ... elements, each an exchange of its own size */
std::string
Layers(std::uint32_t count)
{
    const auto path = OwnPath() + ".csv";
    std::ofstream file(path);
    file << "#inca-trace v1\n# model: layers\n# source: none\n# class: assumed\n# device: none\n# "
            "batch: 1\n"
            "# gradient_type: fp32\nlayer,elements,forward_ns,backward_ns,update_ns\n";
    for (std::uint32_t layer = 1; layer <= count; ++layer)
    {
        file << 'l' << layer << ',' << layer << ",1,1,1\n";
    }
    return path;
}

} // namespace

/*
 * A ring of 4 in 1,000 exchanges of 1 to 1,000 values: 6 messages each, of a quarter of them 6 times: 1.5 times
 * 4 bytes of 500,500 values. Of about 4 that are alike, one stands for all.
 */
TEST(ReceivedSample, LetsExchangesStandForThoseOfAboutTheirSize)
{
    const auto job = JobOf(Layers(1000), "ring");
    const auto received = ReceivedSample(*job, 4, FRAMES).Of(0);
    EXPECT_DOUBLE_EQ(received.messages, 6000);
    EXPECT_NEAR(received.payloadBytes, 1.5 * 4 * 500'500, 0.01 * 1.5 * 4 * 500'500);
    EXPECT_EQ(received.peers, 1);
}

/* 400 kB and 4 B: 275 full frames, of which 6 are simulated, and one. */
TEST(ReceivedSample, CountsFramesOfEachMessage)
{
    const FramesOfMessages frames{1460, 6};
    EXPECT_DOUBLE_EQ(frames.Of(400'000, 1), 6);
    EXPECT_DOUBLE_EQ(frames.Of(1460, 1), 2);
}

} // namespace inca
