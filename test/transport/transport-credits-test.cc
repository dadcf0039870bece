/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Many who send to one host share the buffer of the port before it.
#include "device/star-fixture.h"

#include "ns3/boolean.h"

namespace inca
{

namespace
{

constexpr std::uint64_t FRAME_BYTES{1460};
constexpr std::uint64_t WIRE_BYTES{1538};

} // namespace

class TransportCreditsTest : public StarFixture
{
  protected:
    static constexpr std::size_t SENDERS{8};

    /** All but the last of as many hosts send @p frames each to that one, whose port holds @p buffer frames. */
    void Incast(std::uint64_t frames, std::uint64_t buffer, bool credits)
    {
        Hosts(SENDERS + 1, [&](Nic&, SwitchPort& port, Transport& transport) {
            port.SetAttribute("Buffer", ns3::UintegerValue(buffer * WIRE_BYTES));
            transport.SetAttribute("Credits", ns3::BooleanValue(credits));
        });
        transports[SENDERS]->SetRoom(buffer * WIRE_BYTES);
        SendAll(frames);
    }

    void SendAll(std::uint64_t frames)
    {
        for (std::size_t sender = 0; sender < SENDERS; ++sender)
        {
            Send(sender, SENDERS, frames * FRAME_BYTES);
        }
        ns3::Simulator::Run();
        ASSERT_EQ(arrivals.size(), SENDERS);
        EXPECT_EQ(transports[SENDERS]->DeliveredBytes(), SENDERS * frames * FRAME_BYTES);
    }

    /** For another one. */
    void Forget()
    {
        TearDown();
        nics.clear();
        links.clear();
        transports.clear();
        arrivals.clear();
    }

    std::uint64_t RepeatedOf(std::uint64_t frames, bool credits)
    {
        Incast(frames, 200, credits);
        const auto repeated = Retransmitted();
        Forget();
        return repeated;
    }
};

/* 8 windows of 64 frames meet at a port for 200: some of these are lost, and their repetitions; that is over when
 * 4000 frames of each have come. Then each sender has at most 25 under way, and when all but n have ended, each of
 * those at most 200 / n, and together 200. */
TEST_F(TransportCreditsTest, OnlyTheFirstWindowsOverflow)
{
    const auto repeated = RepeatedOf(4000, true);
    EXPECT_GT(repeated, 0U);
    EXPECT_EQ(RepeatedOf(12'000, true), repeated);
}

/* Three times as many frames: at least twice as many are lost. */
TEST_F(TransportCreditsTest, WithoutThemBuffersOverflowAllTheTime)
{
    EXPECT_GT(RepeatedOf(12'000, false), 2 * RepeatedOf(4000, false));
}

/* 8 windows of 64 fit 600 frames: nobody gets less. */
TEST_F(TransportCreditsTest, ChangeNothingWhereWindowsFit)
{
    Incast(400, 600, true);
    const auto withPs = arrivals.back().timePs;
    Forget();
    Incast(400, 600, false);
    EXPECT_EQ(arrivals.back().timePs, withPs);
}

/* Room for no frame: all together get a window of 4, and each of 8 a frame at least, which is
 * acknowledged by itself: nobody waits for a timeout. */
TEST_F(TransportCreditsTest, GrantAFrameAtLeast)
{
    Hosts(SENDERS + 1, [](Nic&, SwitchPort&, Transport& transport) {
        transport.SetAttribute("Window", ns3::UintegerValue(4));
    });
    transports[SENDERS]->SetRoom(0);
    SendAll(100);
    for (const auto& transport : transports)
    {
        EXPECT_EQ(transport->ProbesSent(), 0U);
    }
    EXPECT_EQ(Retransmitted(), 0U);
}

} // namespace inca
