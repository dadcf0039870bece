/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-fixture.h"

#include <gtest/gtest.h>

namespace inca
{

/** Hosts that cannot send and receive at once. */
class HalfDuplexHosts : public JobFixture
{
  protected:
    static constexpr std::int64_t FRAMES{100};
    static constexpr std::int64_t MESSAGE_PS{FRAMES * FULL_FRAME_PS};

    /** A ring with blocks of 100 full frames. */
    std::int64_t RunRing(Rank workers)
    {
        const auto job =
            MakeTensorJob(Exchange("ring", workers), workers * FRAMES * FULL_FRAME_ELEMENTS);
        SetHalfDuplex(true);
        return Run(job);
    }

    /**
     * What a turn from receiving to sending may cost beside the message itself: its last frame
     * crosses the switch (1 F + 2 L); the grant waits for a frame at the NIC and one at the switch (2
     * F), and takes 2 (ACK + L); acknowledgements of 100 frames, 7, at the NIC and at the switch.
     */
    static constexpr std::int64_t TURN_PS{3 * FULL_FRAME_PS + 4 * LINK_PS + 2 * ACK_PS +
                                          2 * (FRAMES / 16 + 1) * ACK_PS};
};

/* One frame T of 50 elements per message; G, a grant, is as long as an acknowledgement. Worker 1 lets
 * worker 0 send (a hop of 84 bytes), which then sends, and lets worker 1 send as soon as its frame
 * has left: behind the acknowledgement of the grant, so that the word comes 2 * 67.2 ns after the
 * data. Each of the 4 messages is a hop, and all but the first wait for such a word. */
TEST_F(HalfDuplexHosts, TakeTurnsInARingOfTwo)
{
    const auto job = MakeTensorJob(Exchange("ring", 2), 100);
    SetHalfDuplex(true);
    EXPECT_EQ(Run(job), 2 * (ACK_PS + LINK_PS) + 4 * HopPs(50) + 3 * 2 * ACK_PS);
}

/* Even N: 2 message times per step, 2 (N - 1) steps, each with two turns. Odd N: 4 N message times, because at most (N - 1) / 2
 * of the 2 N (N - 1) messages travel at a time. */
TEST_F(HalfDuplexHosts, NeedAsManyMessageTimesAsARingHas)
{
    for (const Rank workers : {2U, 3U, 4U, 5U, 6U})
    {
        const std::int64_t messages = 4 * (workers % 2 == 0 ? workers - 1 : workers);
        const auto endPs = RunRing(workers);
        EXPECT_GE(endPs, messages * MESSAGE_PS) << workers;
        EXPECT_LE(endPs, messages * (MESSAGE_PS + TURN_PS)) << workers;
        TearDown();
    }
}

} // namespace inca
