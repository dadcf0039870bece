/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "record/precision.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

/*
 * A window of 32 frames, of which 16 are ahead of the next acknowledgement: 5.3 us at 100 Gb/s. There and back takes 4.8 us, and
 * an acknowledgement waits for a frame on each link, or a train: senders stand still. Trains were up to 7 % off.
 */
TEST(TrainsWaitForAcknowledgements, AreNearPacketLevelWhateverTheWindow)
{
    for (const auto window : {32U, 36U, 64U})
    {
        Scenario scenario;
        scenario.training.trace = "tensor:8304684B";
        scenario.cluster.workers = 10;
        scenario.cluster.bitsPerSecond = 100'000'000'000;
        scenario.cluster.mtu = 4096;
        scenario.host.byteBytesPerSecond = 50'000'000'000;
        scenario.transport.window = window;
        scenario.simulation.framesPerTrain = 1;
        const auto packetLevel = RunExperiment(scenario, {});
        for (const auto frames : {2U, 8U, 64U})
        {
            scenario.simulation.framesPerTrain = frames;
            const auto precision = PrecisionOf(RunExperiment(scenario, {}), packetLevel);
            EXPECT_LE(std::max(precision.iterationError, precision.communicationError), 0.005)
                << window << ", trains of " << frames;
        }
    }
}

} // namespace inca
