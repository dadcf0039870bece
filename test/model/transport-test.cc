/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/transport.h"

#include "model/star-fixture.h"

namespace inca
{

class TransportTest : public StarFixture
{
  protected:
    static constexpr std::int64_t FRAME_PS{1'230'400}; ///< 1538 bytes at 10 Gb/s
    static constexpr std::int64_t ACK_PS{67'200};      ///< 84 bytes
    static constexpr std::int64_t LINK_PS{1'000'000};
};

/* One full frame: serialised by the NIC and again by the switch, 1 us on each link
 * => left at 1230.4 ns, delivered at 2 * (1230.4 + 1000) = 4460.8 ns. */
TEST_F(TransportTest, DeliversOneFrame)
{
    Hosts(2);
    Send(0, 1, 1460);
    ns3::Simulator::Run();
    EXPECT_EQ(leftPs, std::vector<std::int64_t>{FRAME_PS});
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(arrivals[0].timePs, 2 * (FRAME_PS + LINK_PS));
    EXPECT_EQ(arrivals[0].message.plainBytes, 1460U);
    EXPECT_EQ(arrivals[0].message.wirePayloadBytes, 1460U);
}

/* 1000 frames keep the first wire busy from 0 on, the window never closes (the round trip of
 * 2 * (1230.4 + 1000) + 2 * (67.2 + 1000) ns and 15 more frames is less than 64 frames): the last
 * is delivered at 1000 frames + 1 frame of the switch + 2 links. */
TEST_F(TransportTest, FillsTheWire)
{
    Hosts(2);
    Send(0, 1, 1000 * 1460);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(leftPs, std::vector<std::int64_t>{1000 * FRAME_PS});
    EXPECT_EQ(arrivals[0].timePs, 1001 * FRAME_PS + 2 * LINK_PS);
    EXPECT_EQ(transports[0]->SentFrames(), 1000U);
    EXPECT_EQ(transports[1]->DeliveredBytes(), 1'460'000U);
    EXPECT_EQ(transports[1]->AcksSent(), 1000U / 16 + 1); // 62 and the message's end
    EXPECT_EQ(Retransmitted(), 0U);
}

} // namespace inca
