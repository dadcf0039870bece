/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/all-sent.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace inca
{

/*
 * Of a window of 100 frames the first and the last have come. An acknowledgement tells of 65 frames, 1 to 65, that they are
 * lost; 66 to 99 were taken to be still under way, which was more than the receiver took, so that nothing was sent again,
 * ever. The last one has come, so they are not: 1 and 2 are, as the receiver takes two, and no more until one of them is there.
 */
TEST(LostFramesWaitForCredit, NoLongerThanOthersAreUnderWay)
{
    SendConnection connection(ns3::Mac48Address(), SendLimits{100, 8, 1000, 5000});
    auto message = std::make_shared<OutgoingMessage>();
    message->message.plainBytes = 800;
    connection.Queue(message);
    EXPECT_EQ(SendAllOf(connection, 0).size(), 100U);
    connection.Acknowledge({1, 0, 100, 2}, 10);
    EXPECT_EQ(SendAllOf(connection, 10), (std::vector<std::uint64_t>{1, 2}));
    connection.Acknowledge({2, 0, 101, 2}, 20); // 1 is there; of 66 is told now, too
    EXPECT_EQ(SendAllOf(connection, 20), std::vector<std::uint64_t>{3});
    // all are there but 98 and 99, of which the last has been there long since
    connection.Acknowledge({98, 1, 103, 2}, 30);
    EXPECT_EQ(SendAllOf(connection, 30), std::vector<std::uint64_t>{98});
    connection.Acknowledge({100, 0, 104, 2}, 40);
    EXPECT_FALSE(connection.HasOutstanding());
}

} // namespace inca
