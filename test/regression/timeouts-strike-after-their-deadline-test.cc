/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A timer that was set for a longer timeout, as the one before a round trip is measured, was not brought forward when
// the timeout became shorter: what was lost then was asked for up to 10 ms later.
#include "device/star-fixture.h"

namespace inca
{

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
