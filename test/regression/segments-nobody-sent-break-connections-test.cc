/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "transport/receive-connection.h"
#include "transport/send-connection.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace inca
{

/** A sender with a window of 4 frames of 8 bytes. */
class ReceiptsNobodySent : public testing::Test
{
  protected:
    static SendConnection With(std::int64_t timeoutPs)
    {
        SendConnection connection(ns3::Mac48Address(), SendLimits{4, 8, 1000, timeoutPs});
        auto message = std::make_shared<OutgoingMessage>();
        message->message.plainBytes = 32;
        connection.Queue(message);
        return connection;
    }

    static std::vector<std::uint64_t> SendAll(SendConnection& connection)
    {
        std::vector<std::uint64_t> numbers;
        while (connection.HasFrame())
        {
            const auto frame = connection.NextFrame();
            connection.Sent(frame, 0);
            numbers.push_back(frame.number);
        }
        return numbers;
    }

    using Numbers = std::vector<std::uint64_t>;
};

/* What was never sent was taken from a queue that was empty: memory was read that is nobody's. */
TEST_F(ReceiptsNobodySent, AreDropped)
{
    auto connection = With(5000);
    connection.Acknowledge({1, 0, 0}, 10); // a frame that was not sent
    connection.Acknowledge({0, 0, 1}, 10); // a transmission that was not sent
    EXPECT_EQ(SendAll(connection), (Numbers{0, 1, 2, 3}));
    connection.Acknowledge({5, 0, 4}, 10);
    EXPECT_TRUE(connection.HasOutstanding());
}

/* On a path that does not keep order 2 comes before 0 and 1, which are taken for lost, and then come. To
 * send them again, frames were sought that were forgotten. */
TEST_F(ReceiptsNobodySent, TellOfFramesThatWereTakenForLost)
{
    auto connection = With(5000);
    SendAll(connection);
    connection.Acknowledge({0, 0b10, 3}, 10);
    connection.Acknowledge({1, 0b1, 1}, 11);
    EXPECT_EQ(SendAll(connection), Numbers{1});
    connection.Acknowledge({0, 0b110, 5}, 12); // sent before the last one
    EXPECT_FALSE(connection.HasFrame());
}

/* The receipt says that 1 is there. It was read as one of frame 3, which was lost, and never sent again. */
TEST_F(ReceiptsNobodySent, AreOlderThanTheLast)
{
    auto connection = With(5000);
    SendAll(connection);
    connection.Acknowledge({2, 0, 2}, 10);
    connection.Acknowledge({0, 0b1, 2}, 11);
    connection.Acknowledge({2, 0, connection.TimeOut(6000)}, 6100);
    EXPECT_EQ(SendAll(connection), (Numbers{2, 3}));
}

/* 2 * 10^17 ps, doubled 6 times, are beyond 2^63 ps: that became a time below 0. */
TEST_F(ReceiptsNobodySent, AreAwaitedNoLongerThanTimeLasts)
{
    auto connection = With(200'000'000'000'000'000);
    SendAll(connection);
    constexpr auto end = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(connection.LongestTimeoutPs(), end);
    for (int i = 0; i < 7; ++i)
    {
        connection.TimeOut(1000);
    }
    EXPECT_EQ(connection.DeadlinePs(), end);
}

/** A receiver of a window of 4. */
class FramesNobodySent : public testing::Test
{
  protected:
    struct Part
    {
        std::uint64_t offset;
        std::uint64_t bytes;
        std::uint64_t messageBytes;
        bool last;
    };

    ReceiveOutcome Arrive(std::uint64_t number, const Part& part)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, part.bytes);
        frame->segment.number = number;
        frame->segment.messageBytes = part.messageBytes;
        frame->segment.offset = part.offset;
        frame->segment.last = part.last;
        frame->bytes = SharedBytes::Of(std::vector<std::uint8_t>(part.bytes));
        return connection.Accept(frame, [this](const ReceivedMessage&) { ++messages; });
    }

    ReceiveConnection connection{16, 4};
    int messages{0};
};

/* 0 is missing. Its sender cannot send 4 before it hears of 0; it was kept, and so was any other. */
TEST_F(FramesNobodySent, AreNotKept)
{
    for (const std::uint64_t number : {3ULL, 4ULL, 1'000'000ULL, ~0ULL})
    {
        const auto outcome = Arrive(number, {8, 8, 16, true});
        EXPECT_TRUE(outcome.acknowledge);
        EXPECT_FALSE(outcome.duplicate);
    }
    EXPECT_EQ(connection.Receipts().held, 0b100U); // 3
}

/* A message was handed over with as many bytes as there were, whatever it was to have. */
TEST_F(FramesNobodySent, DoNotMakeAMessage)
{
    Arrive(0, {0, 8, 24, false});
    const std::vector<Part> wrong{
        {8, 8, 24, true},   // 16 of 24 bytes are not all
        {8, 16, 24, false}, // 24 are
        {16, 8, 24, true},  // 8 to 16 are missing
        {8, 8, 16, true},   // another message
        {8, 64, 24, true},  // more than it has
    };
    const auto begun = connection;
    for (const auto& part : wrong)
    {
        connection = begun;
        EXPECT_THROW(Arrive(1, part), InvariantError) << part.offset << " " << part.bytes;
    }
    EXPECT_EQ(messages, 0);
}

/* A first frame says how large its message is; memory for all of it was taken at once. */
TEST_F(FramesNobodySent, DoNotTakeMemoryAhead)
{
    EXPECT_NO_THROW(Arrive(0, {0, 8, std::uint64_t{1} << 60U, false}));
}

} // namespace inca
