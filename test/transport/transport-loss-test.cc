/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/byte-rate.h"
#include "device/star-fixture.h"

#include <numeric>

namespace inca
{

namespace
{

/** Every byte tells its place in the message. */
std::uint8_t
ByteAt(std::uint64_t at)
{
    return static_cast<std::uint8_t>(at * 2654435761U >> 11U);
}

std::vector<std::uint8_t>
CountingBytes(std::uint64_t count)
{
    std::vector<std::uint8_t> bytes(count);
    for (std::uint64_t i = 0; i < count; ++i)
    {
        bytes[i] = ByteAt(i);
    }
    return bytes;
}

constexpr std::uint64_t FRAME_BYTES{1460};
constexpr unsigned HOST_SIDE{0};
constexpr unsigned SWITCH_SIDE{1};

} // namespace

class TransportLossTest : public StarFixture
{
  protected:
    void SendCounting(std::uint64_t bytes, std::uint32_t ordinal = 0)
    {
        Message message;
        message.to = Address(1);
        message.tag.ordinal = ordinal;
        message.plainBytes = bytes;
        message.payload = SharedBytes::Of(CountingBytes(bytes));
        StarFixture::Send(0, std::move(message));
    }

    void ExpectWhole(std::size_t messages, std::uint64_t bytes)
    {
        ASSERT_EQ(arrivals.size(), messages);
        for (std::size_t i = 0; i < messages; ++i)
        {
            const auto& message = arrivals[i].message;
            EXPECT_EQ(message.tag.ordinal, i);
            ASSERT_EQ(message.bytes.size(), bytes);
            for (std::uint64_t at = 0; at < bytes; ++at)
            {
                ASSERT_EQ(message.bytes.data()[at], ByteAt(at)) << at;
            }
        }
        EXPECT_EQ(transports[1]->DeliveredBytes(), messages * bytes);
    }
};

TEST_F(TransportLossTest, RepeatsWhatWasLostAndNothingElse)
{
    struct Row
    {
        const char* what;
        std::size_t host; ///< whose link loses
        unsigned side;
        std::list<std::uint32_t> lost;
        std::uint64_t frames;
        std::uint64_t repeated;
        std::uint64_t probes;
        std::int64_t arrivalPs; ///< 0: not looked at
    };

    std::list<std::uint32_t> window(64);
    std::iota(window.begin(), window.end(), 32);
    const Row rows[] = {
        // Frame 3's arrival tells of the hole at 2, the repeated 2 is acknowledged with 5, which tells of the next hole:
        // two repetitions, no timeout.
        {"the sender's link", 0, HOST_SIDE, {2, 5}, 10, 2, 0, 0},
        {"the receiver's link", 1, SWITCH_SIDE, {0, 7}, 10, 2, 0, 0},
        // No later frame asks for another acknowledgement. The timeout's probe does, and nothing needs to be sent again.
        {"the only acknowledgement", 1, HOST_SIDE, {0}, 3, 0, 1, 0},
        // The only frame (1230.4 ns on each of 2 wires, 1 us on each of 2 links) is lost, and so is the probe that the
        // first timeout sends 10 ms later (no round trip was measured). The next timeout is twice as long; its probe of
        // 84 bytes (67.2 ns per wire) is answered as fast, then the frame goes.
        {"a probe",
         0,
         HOST_SIDE,
         {0, 1},
         1,
         1,
         2,
         30'000'000'000 + 2 * 2 * (67'200 + 1'000'000) + 2 * (1'230'400 + 1'000'000)},
        // The 1st of 2 frames, and its repetition (the 3rd on the link). The timeout's answer shows it.
        {"a repetition", 0, HOST_SIDE, {0, 2}, 2, 2, 1, 0},
        // Frames 0..31 are acknowledged, so 32..95 fill the window; all of them are lost. The timeout's probe finds 32
        // missing, and each acknowledgement uncovers the next hole.
        {"a whole window", 0, HOST_SIDE, window, 96, 64, 1, 0},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        Hosts(2);
        Lose(row.host, row.side, row.lost);
        SendCounting(row.frames * FRAME_BYTES);
        ns3::Simulator::Run();
        ExpectWhole(1, row.frames * FRAME_BYTES);
        EXPECT_EQ(transports[0]->RetransmittedFrames(), row.repeated);
        EXPECT_EQ(transports[0]->ProbesSent(), row.probes);
        EXPECT_EQ(transports[1]->DuplicateFrames(), 0U);
        EXPECT_TRUE(row.arrivalPs == 0 || arrivals[0].timePs == row.arrivalPs);
        Forget();
    }
}

/* Losses on every link and direction, by a fixed pattern, while messages go both ways. */
TEST_F(TransportLossTest, DeliversOnceUnderLossEverywhere)
{
    Hosts(2);
    HostPaths("ByteRate", ns3::DataRateValue(ByteRate(2'500'000'000)));
    std::list<std::uint32_t> every7th;
    std::list<std::uint32_t> every11th;
    for (std::uint32_t i = 1; i < 2000; ++i)
    {
        every7th.push_back(7 * i);
        every11th.push_back(11 * i);
    }
    Lose(0, HOST_SIDE, every7th);
    Lose(0, SWITCH_SIDE, every11th);
    Lose(1, HOST_SIDE, every7th);
    Lose(1, SWITCH_SIDE, every11th);
    for (std::uint32_t ordinal = 0; ordinal < 20; ++ordinal)
    {
        SendCounting(100 * FRAME_BYTES + 4, ordinal);
    }
    ns3::Simulator::Run();
    ExpectWhole(20, 100 * FRAME_BYTES + 4);
    EXPECT_GT(transports[0]->RetransmittedFrames(), 0U);
    EXPECT_EQ(transports[1]->DuplicateFrames(), 0U);
    // some 100 timeouts of about 10 ms, which must not lengthen the next ones by what they waited
    EXPECT_LT(arrivals.back().timePs, 10'000'000'000'000);
    EXPECT_EQ(leftPs.size(), 20U);
}

/* The port to host 1 holds 10 full frames (15380 bytes), and two hosts send 40 each: 10 Gb/s come
 * in twice and leave once, so the buffer overflows. Each drop is repeated once, and nothing else is. */
TEST_F(TransportLossTest, CountsAndRepeatsWhatAFullBufferDropped)
{
    Hosts(3, [](Nic&, SwitchPort& port, Transport&) {
        port.SetAttribute("Buffer", ns3::UintegerValue(10 * 1538));
    });
    Send(0, 1, 40 * FRAME_BYTES);
    Send(2, 1, 40 * FRAME_BYTES);
    ns3::Simulator::Run();
    const auto& counters = hub->GetPort(1)->Counters();
    EXPECT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(transports[1]->DeliveredBytes(), 80 * FRAME_BYTES);
    EXPECT_GT(counters.drops.Of(DropReason::BUFFER_FULL), 0U);
    EXPECT_EQ(counters.drops.Total(), Retransmitted());
    EXPECT_EQ(transports[1]->DuplicateFrames(), 0U);
    EXPECT_LE(counters.largestQueueBytes, 10U * 1538);
    EXPECT_EQ(counters.in.wireBytes,
              counters.out.wireBytes + counters.held.wireBytes + counters.dropped.wireBytes);
}

/* A short message first, so that the round trip seems short: the next ones' first acknowledgement
 * comes after 64 * 16 frames, 1.26 ms, later than a timeout. Nothing is lost, so nothing is repeated. */
TEST_F(TransportLossTest, RepeatsNothingWhenManySendersMeet)
{
    Hosts(65);
    for (std::size_t host = 1; host < 65; ++host)
    {
        Send(host, 0, FRAME_BYTES, 0);
        Send(host, 0, 200 * FRAME_BYTES, 1);
    }
    ns3::Simulator::Run();
    EXPECT_EQ(arrivals.size(), 128U);
    EXPECT_EQ(Retransmitted(), 0U);
}

} // namespace inca
