/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Who had lost frames sent all of them again at once, whatever its receiver granted, and lost most of them again: of n
// senders each frame was lost n times.
#include "device/star-fixture.h"

namespace inca
{

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

} // namespace inca
