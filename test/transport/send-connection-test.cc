/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Both ends of a connection, without a network.
#include "support/played.h"
#include "transport/all-sent.h"
#include "transport/receive-connection.h"
#include "transport/send-connection.h"

#include <gtest/gtest.h>

#include <iterator>
#include <optional>
#include <sstream>
#include <string>

namespace inca
{

/** Frames of one message of 6 frames of 8 bytes; an acknowledgement for every 3rd. */
class ReceiveConnectionTest : public testing::Test
{
  protected:
    ReceiveOutcome Arrive(std::uint64_t number)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 8);
        frame->segment.number = number;
        frame->segment.transmission = ++transmissions;
        frame->segment.messageBytes = 48;
        frame->segment.offset = 8 * number;
        frame->segment.last = number == 5;
        return connection.Accept(
            frame, [this](ReceivedMessage message) { received.push_back(std::move(message)); });
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
    const auto probe = MakeTransportFrame(FrameKind::PROBE, 0);
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

/** A window of 4 frames of 8 bytes; timeouts of at least 1000 ps, 5000 ps at first. */
class SendConnectionTest : public testing::Test
{
  protected:
    void Queue(std::uint64_t bytes)
    {
        auto message = std::make_shared<OutgoingMessage>();
        message->message.plainBytes = bytes;
        connection.Queue(message);
    }

    std::vector<std::uint64_t> SendAll(std::int64_t nowPs)
    {
        return SendAllOf(connection, nowPs);
    }

    /** Frames below @p next are there, and those behind a gap; transmission @p heard came last. */
    void Acknowledge(std::int64_t nowPs,
                     std::uint64_t next,
                     std::uint64_t heard,
                     const std::vector<std::uint64_t>& beyond = {})
    {
        Receipt receipt{next, 0, heard};
        for (const auto number : beyond)
        {
            receipt.held |= std::uint64_t{1} << (number - next - 1);
        }
        receipt.credit = m_credit.value_or(receipt.credit);
        connection.Acknowledge(receipt, nowPs);
    }

    /** A step of a script. */
    std::string Do(std::istringstream& words)
    {
        std::string command;
        std::int64_t nowPs = 0;
        words >> command >> nowPs;
        if (command == "queue")
        {
            Queue(static_cast<std::uint64_t>(nowPs));
        }
        else if (command == "credit")
        {
            m_credit = static_cast<std::uint32_t>(nowPs);
        }
        else if (command == "take")
        {
            connection.NextFrame();
        }
        else if (command == "ack")
        {
            std::uint64_t next = 0;
            std::uint64_t heard = 0;
            char bar = 0;
            words >> next >> heard >> bar;
            Acknowledge(nowPs, next, heard, {std::istream_iterator<std::uint64_t>(words), {}});
        }
        else if (command == "send")
        {
            std::string all;
            for (const auto number : SendAll(nowPs))
            {
                all += (all.empty() ? "" : " ") + std::to_string(number);
            }
            return all.empty() ? "none" : all;
        }
        else
        {
            return command == "timeout"    ? std::to_string(connection.TimeOut(nowPs))
                   : command == "deadline" ? std::to_string(connection.DeadlinePs())
                   : command == "longest"  ? std::to_string(connection.LongestTimeoutPs())
                                           : (connection.HasOutstanding() ? "yes" : "no");
        }
        return "";
    }

    NetworkState Seen(std::int64_t nowPs)
    {
        NetworkState state;
        StateVisitor visitor(state, nowPs);
        connection.VisitState(visitor, {});
        visitor.End();
        return state;
    }

    using Numbers = std::vector<std::uint64_t>;

    SendConnection connection{ns3::Mac48Address(), SendLimits{4, 8, 1000, 5000}};
    std::optional<std::uint32_t> m_credit; ///< that scripts grant
};

/* 20 bytes are frames of 8, 8 and 4. */
TEST_F(SendConnectionTest, CutsMessages)
{
    Queue(20);
    const auto first = connection.NextFrame();
    const auto second = connection.NextFrame();
    const auto third = connection.NextFrame();
    EXPECT_TRUE(first.first);
    EXPECT_EQ(second.offset, 8U);
    EXPECT_EQ(third.bytes, 4U);
    EXPECT_FALSE(third.first);
    EXPECT_FALSE(connection.HasFrame());
}

/**
 * "send 10 = 4 5": all that may go at 10 ps; "ack 20 3 5 | 6 7": at 20 ps frames below 3 are there, and 6 and 7 behind a gap,
 * and transmission 5 came last; "credit 2" is what the next acknowledgements grant; "timeout 5000 = 2": the probe's
 * transmission, 0 where none is sent; "deadline", "longest": the next and the longest timeout.
 */
TEST_F(SendConnectionTest, SendsRepeatsAndAsksAsItIsTold)
{
    struct Row
    {
        const char* what;
        const char* script;
    };

    const Row rows[] = {
        {"it stops at its window", "queue 80; send 0 = 0 1 2 3; ack 10 2 2; send 10 = 4 5"},
        // The receiver takes 2 at a time, and later more than the window.
        {"it sends what its receiver grants",
         "queue 160; send 0 = 0 1 2 3; credit 2; ack 10 2 2; send 10 = none; ack 11 3 3; send 11 = "
         "4; "
         "credit 9; ack 20 5 5; send 20 = 5 6 7 8"},
        // Frames 0 to 3 are transmissions 1 to 4. 2's arrival tells that 0 and 1 are lost, once.
        {"it repeats a gap once",
         "queue 32; send 0 = 0 1 2 3; ack 10 0 3 | 2; ack 11 0 4 | 2 3; send 12 = 0 1; send 12 = "
         "none"},
        // 3 came, so 0, 1 and 2 are lost. The receiver takes 2 at a time: 0 and 1, and 2 when one of them is
        // there.
        {"it repeats what its receiver grants",
         "queue 32; send 0 = 0 1 2 3; credit 2; ack 10 0 4 | 3; send 10 = 0 1; ack 20 1 5 | 3; "
         "send 20 = 2; send 20 = none"},
        // As above, but 0 and 1 are lost again, transmissions 5 and 6: nothing follows them, and a probe asks.
        {"it asks after repetitions that nothing follows",
         "queue 32; send 0 = 0 1 2 3; credit 2; ack 10 0 4 | 3; send 10 = 0 1; timeout 5010 = 7; "
         "ack 5020 0 7 | 3; send 5020 = 2 0"},
        // 1 is there, so 0 is lost; of 2 and 3, sent later, nothing is known yet. Then 3 is there, not 2. The
        // repeated 0 says nothing about the repeated 2.
        {"it repeats every gap as it is told",
         "queue 32; send 0 = 0 1 2 3; ack 10 0 2 | 1; send 10 = 0; ack 11 0 4 | 1 3; send 11 = 2; "
         "ack 20 2 5 | 3; send 20 = none; ack 21 4 6; outstanding = no"},
        // 0 is repeated as transmission 4, and 3 goes as transmission 5 when 0 is still missing: 5 came, 4 did
        // not, so the repetition is lost, too.
        {"it repeats a lost repetition",
         "queue 24; send 0 = 0 1 2; ack 10 0 2 | 1; send 10 = 0; queue 8; send 11 = 3; "
         "ack 12 0 3 | 1 2; send 12 = none; ack 20 0 5 | 1 2 3; send 20 = 0"},
        // The first timeout is 5000 ps after the last frame was sent, the next one twice as long. The probe is
        // the second transmission.
        {"it backs off",
         "queue 8; send 100 = 0; deadline = 5100; timeout 5100 = 2; deadline = 15100"},
        // 5000 ps, doubled 6 times at most where nothing was lost.
        {"it backs off to the longest timeout",
         "queue 8; longest = 0; send 0 = 0; deadline = 5000; timeout 5000 = 2; deadline = 15000; "
         "timeout 15000 = 3; deadline = 35000; timeout 35000 = 4; deadline = 75000; timeout 75000 "
         "= 5; "
         "deadline = 155000; timeout 155000 = 6; deadline = 315000; timeout 315000 = 7; "
         "deadline = 635000; timeout 635000 = 8; deadline = 955000; timeout 955000 = 9; "
         "deadline = 1275000; longest = 320000"},
        // A frame was lost: 3 times at most.
        {"it backs off less on a lossy path",
         "queue 8; send 0 = 0; timeout 5 = 2; ack 10 0 2; send 10 = 0; deadline = 5010; "
         "timeout 5010 = 4; deadline = 15010; timeout 15010 = 5; deadline = 35010; timeout 35010 = "
         "6; "
         "deadline = 75010; timeout 75010 = 7; deadline = 115010; longest = 40000"},
        // The probe is answered: the frame is lost, which is news. Its repetition waits for the first timeout
        // again, not for the doubled one.
        {"news end backing off",
         "queue 8; send 0 = 0; timeout 5000 = 2; ack 5100 0 2; send 5100 = 0; deadline = 10100"},
        // A round trip of 800 ps was measured: 4 of them are more than the least timeout.
        {"it times out after four round trips",
         "queue 16; send 0 = 0 1; ack 800 1 1; deadline = 4000"},
        // 1 waited for the repeated 0: what it took says how long the loss took to find; nothing is measured
        // yet.
        {"it measures no round trip across a gap",
         "queue 16; send 0 = 0 1; ack 800 0 2 | 1; send 800 = 0; ack 1600 2 3; queue 8; send 1600 "
         "= 2; "
         "deadline = 6600"},
        // The probe was sent when only frame 0 was out. Its answer comes after frame 0 was acknowledged, and
        // says nothing about frame 1, which was sent later.
        {"a probe says nothing about later frames",
         "queue 8; send 0 = 0; timeout 5000 = 2; ack 5050 1 1; queue 8; send 5060 = 1; ack 5100 1 "
         "2; "
         "send 5100 = none"},
        // Taken, and not with the NIC yet.
        {"it asks nothing while the host is at work", "queue 8; take; timeout 5000 = 0"},
    };
    for (const auto& row : rows)
    {
        connection = SendConnection(ns3::Mac48Address(), SendLimits{4, 8, 1000, 5000});
        m_credit.reset();
        const auto run = [this](auto& words) { return Do(words); };
        EXPECT_EQ(Played(row.script, run), row.script) << row.what;
    }
}

/* An acknowledgement tells of 64 frames behind the first gap. Of those beyond nothing is known. */
TEST_F(SendConnectionTest, KnowsNothingBeyondWhatIsTold)
{
    connection = SendConnection(ns3::Mac48Address(), SendLimits{80, 8, 1000, 5000});
    Queue(80 * 8);
    SendAll(0);
    Receipt receipt{0, ~std::uint64_t{0}, 80};
    connection.Acknowledge(receipt, 10); // 1 to 64 are there
    EXPECT_EQ(SendAll(10), Numbers{0});
    Acknowledge(20, 65, 81);
    EXPECT_EQ(SendAll(20).size(), 15U); // 65 to 79
}

/* Two acknowledgements, 100 ps and two frames apart, find the same state: 16 bytes further. */
TEST_F(SendConnectionTest, RepeatsItselfWhileItGoesOn)
{
    Queue(800);
    SendAll(0);
    Acknowledge(100, 2, 2);
    SendAll(100);
    const auto before = Seen(100);
    Acknowledge(200, 4, 4);
    SendAll(200);
    const auto now = Seen(200);
    EXPECT_EQ(now.digest, before.digest);
    // 64 of 800 bytes were taken; what is left are 46 periods of 16 bytes, less one
    EXPECT_EQ(TimesToRepeat(before, now), 45U);

    StateVisitor visitor(before, now, 40);
    connection.VisitState(visitor, {});
    Acknowledge(300, 6, 6);
    EXPECT_EQ(connection.NextFrame().offset, 64U + 40 * 16);
}

/* A round trip of 2000 ps was measured, and then they take 4000 ps: the smoothed one comes nearer by an eighth with each.
 * Whether 20 of them are sent or lived through, the timeout is four of the same smoothed ones. */
TEST_F(SendConnectionTest, SmoothsTheRoundTripsThatItLivesThrough)
{
    const auto begin = [this](std::int64_t periods) {
        connection = SendConnection(ns3::Mac48Address(), SendLimits{4, 8, 1000, 5000});
        Queue(80'000);
        SendAll(0);
        Acknowledge(2000, 4, 4);
        for (std::int64_t i = 0; i < periods; ++i)
        {
            SendAll(2000 + i * 4000);
            const auto next = static_cast<std::uint64_t>(8 + 4 * i);
            Acknowledge(6000 + i * 4000, next, next);
        }
        SendAll(2000 + periods * 4000);
    };
    begin(23);
    const auto deadlinePs = connection.DeadlinePs() - 23 * 4000;

    begin(2);
    const auto before = Seen(2000 + 2 * 4000);
    Acknowledge(14'000, 16, 16);
    SendAll(14'000);
    const auto now = Seen(14'000);
    EXPECT_EQ(now.digest, before.digest);
    EXPECT_GE(TimesToRepeat(before, now), 20U);
    StateVisitor visitor(before, now, 20);
    connection.VisitState(visitor, {});
    EXPECT_EQ(connection.DeadlinePs() - 3 * 4000, deadlinePs);
}

/* 4 of the smoothed round trip, which was 100 ps and is nearer by an eighth, and the least timeout are shorter than
 * what is measured now: whether a timeout strikes is to be seen. */
TEST_F(SendConnectionTest, DoesNotRepeatItselfNearATimeout)
{
    Queue(800);
    SendAll(0);
    Acknowledge(100, 2, 2);
    SendAll(100);
    EXPECT_TRUE(Seen(100).repeats);
    Acknowledge(1100, 4, 4);
    SendAll(1100);
    EXPECT_FALSE(Seen(1100).repeats);
}

/* Who hears nothing comes nearer to a timeout, which is no state to repeat. */
TEST_F(SendConnectionTest, DoesNotRepeatItselfWhileItWaits)
{
    Queue(800);
    SendAll(0);
    const auto before = Seen(100);
    EXPECT_EQ(TimesToRepeat(before, Seen(200)), 0U);
}

} // namespace inca
