/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/star-fixture.h"

namespace inca
{

using TimeoutAfterNews = StarFixture;

/* A frame at 0 sets a timer of 10 ms, as no round trip is known; its acknowledgement tells of 6.6 us, so that
 * timeouts are of 1 ms from then on. A message of one frame at 1 ms is lost. The timeout struck with the timer,
 * at 10 ms, which a run that leaves out periods has set at another time. It strikes at 2 ms: the probe (84 bytes:
 * 67.2 ns) there and its answer back take 2 * 2 * 1,067,200 ps, the frame (1,230,400 ps) 2 * 2,230,400 ps. */
TEST_F(TimeoutAfterNews, StrikesAtItsDeadline)
{
    Hosts(2);
    Lose(0, 0, {1});
    Send(0, 1, 1460);
    ns3::Simulator::Schedule(ns3::MilliSeconds(1), [this] { Send(0, 1, 1460, 1); });
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[1].timePs, 2'000'000'000 + 4 * 1'067'200 + 2 * 2'230'400);
}

} // namespace inca
