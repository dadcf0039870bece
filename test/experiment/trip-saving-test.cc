/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/trip-saving.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace inca
{

namespace
{

constexpr double ABOUT{1e-4}; // of what many messages in a row save, as no window ends with them

struct WindowRow
{
    std::uint32_t message; ///< frames; 0: of flows
    std::uint32_t window;
    std::uint32_t ackEvery;
    TripTimes times;
    double savedPs;
    double idlePs;
};

class WindowSavingTest : public testing::TestWithParam<WindowRow>
{
};

TEST_P(WindowSavingTest, OfAQuarterMore)
{
    const auto& row = GetParam();
    Resolved resolved;
    resolved.window = row.window;
    resolved.scenario.transport.ackEvery = row.ackEvery;
    const auto saving = SavingOf(PathKind::WINDOW, row.message, row.times, resolved);
    EXPECT_NEAR(saving.savedPs, row.savedPs, ABOUT * static_cast<double>(row.times.allPs));
    EXPECT_DOUBLE_EQ(saving.idlePs, row.idlePs);
}

/* Two round trips of 100 ps, in each of which a link works for 16 ps on 16 frames; 60 ps of each are latency. */
constexpr TripTimes TWO{2, 200, 120, 32, 32};

INSTANTIATE_TEST_SUITE_P(
    Messages,
    WindowSavingTest,
    testing::Values(
        // 35 frames wait twice behind the first 16. Of 20, with answers for 16, the other 15 wait once, and its answer
        // comes 4 frames earlier: 200 - (200 - 2 * 4) / 2.
        WindowRow{35, 16, 16, TWO, 104, 168},
        // Of 33 frames 17 wait behind the first 16, twice; 13 of them behind the first 20, once.
        WindowRow{33, 16, 16, TWO, 104, 168},
        // Of 40 frames, 24 wait twice; with 20, 20 wait twice, as there are still answers for 16: 2 * 4 are saved.
        WindowRow{40, 16, 16, TWO, 8, 168},
        // A message of 20 frames fits.
        WindowRow{20, 16, 16, TWO, 200, 168},
        // Messages in a row: answers for 16 frames let 16 more go, whatever else a window has.
        WindowRow{16, 16, 16, TWO, 8, 168},
        // 64 frames have 4 answers, 80 have 5: a fifth. 64 frames take the link 64 ps in each trip.
        WindowRow{16, 64, 16, TWO, 40, 72},
        // As flows: 1 - 16 / 20, beside what a link works.
        WindowRow{0, 16, 16, TWO, 40, 168},
        // Of one frame each, every frame has an answer: 4 and 5 in a trip.
        WindowRow{1, 4, 16, TWO, 40, 168},
        // A link that works all the time has nothing to save, as 16 frames take it 160 ps.
        WindowRow{35, 16, 16, {1, 160, 0, 160, 16}, 160 - 0.5 * (160 - 40), 0},
        // Nothing but latency.
        WindowRow{35, 16, 16, {2, 200, 200, 0, 0}, 100, 200}));

struct SlotsRow
{
    std::uint32_t stream; ///< twice its packets, and 1 if others go ahead
    std::uint64_t slots;
    std::uint32_t concurrent;
    double savedPs;
    double idlePs;
};

class SlotsSavingTest : public testing::TestWithParam<SlotsRow>
{
};

TEST_P(SlotsSavingTest, OfAQuarterMore)
{
    const auto& row = GetParam();
    Resolved resolved;
    resolved.concurrent = row.concurrent;
    resolved.scenario.rowSettings["switch.slots"] = std::to_string(row.slots);
    const TripTimes times{2, 200, 120, 4, 4}; // one packet works for 1 ps
    const auto saving = SavingOf(PathKind::SLOTS, row.stream, times, resolved);
    EXPECT_NEAR(saving.savedPs, row.savedPs, 1e-9);
    EXPECT_DOUBLE_EQ(saving.idlePs, row.idlePs);
}

INSTANTIATE_TEST_SUITE_P(
    Streams,
    SlotsSavingTest,
    testing::Values(
        SlotsRow{0, 16, 1, 40, 196},  // as flows: a fifth, beside 4 ps of work
        SlotsRow{64, 16, 3, 40, 168}, // 32 packets among others: a fifth of their trips
        // 16 packets go ahead: (32 + 16) / 16 = 3 trips; of 20 slots (32 + 20) / 20 = 2.6, so 0.4 / 3 are saved.
        SlotsRow{65, 16, 3, 200 * 0.4 / 3, 168},
        SlotsRow{80, 16, 1, 100, 168},  // 40 packets alone use slots three times, and twice
        SlotsRow{65, 16, 1, 0, 168},    // 3 and 2.6 times: both wait twice
        SlotsRow{40, 16, 1, 200, 168},  // all 20 packets have slots
        SlotsRow{600, 128, 3, 40, 0})); // 128 packets work for 2 * 128 ps, which is longer

} // namespace

} // namespace inca
