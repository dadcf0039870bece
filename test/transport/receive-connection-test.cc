/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/receive-connection.h"

#include <gtest/gtest.h>

namespace inca
{

/** Frames of one message of 6 frames of 8 bytes; an acknowledgement for every 3rd. */
class ReceiveConnectionTest : public testing::Test
{
  protected:
    ReceiveOutcome Arrive(std::uint64_t number)
    {
        auto train = MakeTransportTrain(TrainKind::DATA, 8);
        train->segment.number = number;
        train->segment.transmission = ++transmissions;
        train->segment.messageBytes = 48;
        train->segment.offset = 8 * number;
        train->segment.last = number == 5;
        return connection.Accept(
            train, [this](ReceivedMessage message) { received.push_back(std::move(message)); });
    }

    ReceiveConnection connection{3, 80};
    std::uint64_t transmissions{0};
    std::vector<ReceivedMessage> received;
};

TEST_F(ReceiveConnectionTest, AcknowledgesEveryThirdAndTheLast)
{
    std::vector<bool> acknowledged;
    for (std::uint64_t number = 0; number < 6; ++number)
    {
        acknowledged.push_back(Arrive(number).acknowledge);
    }
    EXPECT_EQ(acknowledged, (std::vector<bool>{false, false, true, false, false, true}));
    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received[0].plainBytes, 48U);
}

/* A sender that may have 2 frames under way waits for the acknowledgement of both. */
TEST_F(ReceiveConnectionTest, AcknowledgesAllThatItHasGranted)
{
    EXPECT_EQ(connection.Receipts().credit, 80U);
    EXPECT_FALSE(connection.IsReceiving());
    connection.SetCredit(2);
    EXPECT_FALSE(Arrive(0).acknowledge);
    EXPECT_TRUE(Arrive(1).acknowledge);
    EXPECT_EQ(connection.Receipts().credit, 2U);
    EXPECT_TRUE(connection.IsReceiving());
}

/* 1 comes before 0: it is held and acknowledged; when 0 comes both are delivered. */
TEST_F(ReceiveConnectionTest, PutsFramesInOrder)
{
    const auto early = Arrive(1);
    EXPECT_TRUE(early.acknowledge);
    EXPECT_EQ(early.deliveredBytes, 0U);
    EXPECT_EQ(connection.Receipts().next, 0U);
    const auto filled = Arrive(0);
    EXPECT_TRUE(filled.acknowledge);
    EXPECT_EQ(filled.deliveredBytes, 16U);
    EXPECT_EQ(connection.Receipts().next, 2U);
}

/* 0 is there, 1 and 3 are missing: 2 and 4 are bits 0 and 2 behind 1, and the third transmission came
 * last. A probe is a transmission, too. */
TEST_F(ReceiveConnectionTest, TellsWhatIsThereBeyondAGap)
{
    Arrive(0);
    Arrive(2);
    Arrive(4);
    const auto receipt = connection.Receipts();
    EXPECT_EQ(receipt.next, 1U);
    EXPECT_EQ(receipt.held, 0b101U);
    EXPECT_EQ(receipt.heard, 3U);
    const auto probe = MakeTransportTrain(TrainKind::PROBE, 0);
    probe->segment.transmission = 7;
    connection.Probed(*probe);
    EXPECT_EQ(connection.Receipts().heard, 7U);
}

/* Frame 0 is missing: 64 is the last that an acknowledgement tells of, as its bit 63. */
TEST_F(ReceiveConnectionTest, TellsOf64FramesBehindAGap)
{
    for (const std::uint64_t number : {1U, 64U, 65U})
    {
        Arrive(number);
    }
    EXPECT_EQ(connection.Receipts().held, 1U | (std::uint64_t{1} << 63U));
}

/* Behind 0 only 62 is near enough, as bit 61. Behind 4, which is next then, 62, 65 and 68 are bits 57, 60 and 63. */
TEST_F(ReceiveConnectionTest, TellsOfMoreWhenAGapIsFilled)
{
    for (const std::uint64_t number : {62U, 65U, 68U})
    {
        Arrive(number);
    }
    EXPECT_EQ(connection.Receipts().held, std::uint64_t{1} << 61U);
    for (std::uint64_t number = 0; number < 4; ++number)
    {
        Arrive(number);
    }
    EXPECT_EQ(connection.Receipts().held,
              std::uint64_t{1} << 57U | std::uint64_t{1} << 60U | std::uint64_t{1} << 63U);
}

TEST_F(ReceiveConnectionTest, DropsDuplicates)
{
    Arrive(0);
    Arrive(2);
    for (const auto number : {0U, 2U})
    {
        const auto again = Arrive(number);
        EXPECT_TRUE(again.duplicate);
        EXPECT_TRUE(again.acknowledge);
        EXPECT_EQ(again.deliveredBytes, 0U);
    }
}

} // namespace inca
