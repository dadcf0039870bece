/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What once went wrong in transport/.
#include "base/errors.h"
#include "device/star-fixture.h"
#include "transport/all-sent.h"
#include "transport/receive-connection.h"
#include "transport/send-connection.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace inca
{

// -- lost frames wait for credit for ever
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

// -- repetitions overflow a buffer again
// Who had lost frames sent all of them again at once, whatever its receiver granted, and lost most of them again: of n
// senders each frame was lost n times.
namespace
{

constexpr std::uint64_t BUFFER_BYTES{128 * 1538};

} // namespace

class RepetitionsOverflowABufferAgain : public StarFixture
{
};

/*
 * 64 windows of 64 frames meet at a port for 128. Of these 4,096 all but 128, and those that leave meanwhile, are
 * lost once. Who is told so while others are not yet heard of is granted more than its 2 of 128, so that some are
 * lost twice; but no more than that, in the mean.
 */
TEST_F(RepetitionsOverflowABufferAgain, LoseFewTwice)
{
    constexpr std::size_t senders = 64;
    constexpr std::uint64_t payloadBytes = 1460;
    Hosts(senders + 1, [](Nic&, SwitchPort& port, Transport&) {
        port.SetAttribute("Buffer", ns3::UintegerValue(BUFFER_BYTES));
    });
    transports[senders]->SetRoom(BUFFER_BYTES);
    for (std::size_t sender = 0; sender < senders; ++sender)
    {
        Send(sender, senders, 200 * payloadBytes);
    }
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), senders);
    EXPECT_LE(Retransmitted(), 2 * 64 * senders);
}

// -- segments nobody sent break connections
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

// -- slow path is asked for ever
// A round trip longer than the timeout was never measured, as each was disturbed by a timeout: a sender went on asking
// what was there, several times in each round trip.
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

// -- timeouts strike after their deadline
// A timer that was set for a longer timeout, as the one before a round trip is measured, was not brought forward when
// the timeout became shorter: what was lost then was asked for up to 10 ms later.
class TimeoutsStrike : public StarFixture
{
};

/* The first message takes 4.5 us and sets a timer for 10 ms, before its round trip is known. The second one, a frame
 * too, leaves at 2 ms and is lost. The timeout is 1 ms then: the probe leaves at 3 ms; it and its answer take 67.2 ns
 * and 1 us on each of 4 wires, and then the frame 1230.4 ns and 1 us on each of 2. */
TEST_F(TimeoutsStrike, AtTheirDeadline)
{
    constexpr std::uint64_t frameBytes = 1460;
    Hosts(2);
    Lose(0, 0, {1});
    Send(0, 1, frameBytes, 0);
    ns3::Simulator::Schedule(ns3::MilliSeconds(2), [this] { Send(0, 1, frameBytes, 1); });
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[1].timePs,
              3'000'000'000 + 4 * (67'200 + 1'000'000) + 2 * (1'230'400 + 1'000'000));
}

} // namespace inca
