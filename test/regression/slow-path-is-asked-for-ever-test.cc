/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A round trip longer than the timeout was never measured, as each was disturbed by a timeout: a sender went on asking
// what was there, several times in each round trip.
#include "transport/send-connection.h"

#include <gtest/gtest.h>

#include <memory>

namespace inca
{

class SlowPath : public testing::Test
{
  protected:
    void SendFrame(std::int64_t nowPs)
    {
        auto outgoing = std::make_shared<OutgoingMessage>();
        outgoing->message.plainBytes = 8;
        connection.Queue(outgoing);
        connection.Sent(connection.NextFrame(), nowPs);
    }

    /** Frames of 8 bytes; a timeout is at least 1000 ps, and 5000 at first. */
    SendConnection connection{ns3::Mac48Address(), SendLimits{4, 8, 1000, 5000}};
};

/* The frame's own acknowledgement comes after 20,000 ps and two timeouts, and had left before a probe came: of
 * transmission 1. The next timeout is 4 round trips. */
TEST_F(SlowPath, IsMeasuredBesideTimeouts)
{
    SendFrame(0);
    EXPECT_EQ(connection.TimeOut(5000), 2U);
    EXPECT_EQ(connection.TimeOut(15'000), 3U);
    connection.Acknowledge({1, 0, 1}, 20'000);
    SendFrame(20'000);
    EXPECT_EQ(connection.DeadlinePs(), 20'000 + 4 * 20'000);
}

/* Its acknowledgement was lost, and this one answers the probe: it says how long that took, not the path. */
TEST_F(SlowPath, IsNotMeasuredByAnAnswerToAProbe)
{
    SendFrame(0);
    EXPECT_EQ(connection.TimeOut(5000), 2U);
    connection.Acknowledge({1, 0, 2}, 6000);
    SendFrame(6000);
    EXPECT_EQ(connection.DeadlinePs(), 6000 + 5000);
}

} // namespace inca
