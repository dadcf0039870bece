/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/path-log.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace inca
{

namespace
{

/** Paths are remembered meanwhile. */
class PathLogTest : public testing::Test
{
  protected:
    PathLogTest()
    {
        PathLog::Turn(true);
    }

    ~PathLogTest() override
    {
        PathLog::Turn(false);
    }

    static std::vector<PathPiece> Pieces(const PathEnd& path)
    {
        std::vector<PathPiece> pieces;
        PathLog::Walk(path, [&pieces](const PathPiece& piece) { pieces.push_back(piece); });
        return pieces;
    }

    /** How long a path is, by kind. (ps) */
    static std::map<PathKind, std::int64_t> Lengths(const PathEnd& path)
    {
        std::map<PathKind, std::int64_t> lengths;
        for (const auto& piece : Pieces(path))
        {
            lengths[piece.kind] +=
                (piece.endPs - piece.beginPs) * static_cast<std::int64_t>(piece.times);
        }
        return lengths;
    }
};

} // namespace

/* A frame is ready at 30, when the link is busy with another one until 50: it waits for the link, and not for what it
 * was made of. */
TEST_F(PathLogTest, GoesBackAlongWhatWasAwaitedLast)
{
    PathEnd linkFree;
    {
        const PathLog::Scope scope;
        PathLog::Extend(PathKind::LINK, 1, 50);
        linkFree = PathLog::Now();
    }
    PathLog::Extend(PathKind::SUM, 2, 30, 7);
    const auto summed = PathLog::Now();
    PathLog::Await(linkFree);
    PathLog::Extend(PathKind::LINK, 1, 70);
    PathLog::Propagate(75);

    const auto pieces = Pieces(PathLog::Now());
    ASSERT_EQ(pieces.size(), 2U); // both frames leave one after the other, as one piece
    EXPECT_EQ(pieces[0].kind, PathKind::LATENCY);
    EXPECT_EQ(pieces[0].place, 1U);
    EXPECT_EQ(pieces[0].endPs - pieces[0].beginPs, 5);
    EXPECT_EQ(pieces[1].kind, PathKind::LINK);
    EXPECT_EQ(pieces[1].beginPs, 0);
    EXPECT_EQ(pieces[1].endPs, 70);
    EXPECT_EQ(pieces[1].count, 2U);

    const auto ofSum = Pieces(summed);
    ASSERT_EQ(ofSum.size(), 1U);
    EXPECT_EQ(ofSum[0].detail, 7U);
    EXPECT_EQ(ofSum[0].endPs, 30);
}

/* A sum whose time is the latency's, to the picosecond, has a step of its own: 5 ms do not fit in 32 bits of ps. */
TEST_F(PathLogTest, KeepsLongLatencies)
{
    PathLog::Extend(PathKind::LINK, 1, 10);
    PathLog::Propagate(5'000'000'010);
    PathLog::Extend(PathKind::SUM, 1, 5'000'000'020);
    const auto lengths = Lengths(PathLog::Now());
    EXPECT_EQ(lengths.at(PathKind::LINK), 10);
    EXPECT_EQ(lengths.at(PathKind::LATENCY), 5'000'000'000);
    EXPECT_EQ(lengths.at(PathKind::SUM), 10);
}

/* What nobody waits for any more is forgotten: of 1,000 frames that alternate between two places, the last one's path has
 * 1,000 steps; without it there are none. */
TEST_F(PathLogTest, ForgetsWhatNoPathNeeds)
{
    {
        const PathLog::Scope scope;
        for (std::int64_t i = 1; i <= 1000; ++i)
        {
            PathLog::Extend(PathKind::LINK, static_cast<std::uint32_t>(i % 2), 10 * i);
        }
        EXPECT_EQ(PathLog::Size(), 1000U);
    }
    EXPECT_EQ(PathLog::Size(), 0U);
}

/* In each period of 100 a frame takes the link from host 1 for 60, then that from host 2 for 40; the one from host 1 waits for
 * the one from host 2. Three periods are simulated, and five more are skipped: 8 * 60 and 8 * 40 in all. */
TEST_F(PathLogTest, RepeatsPeriods)
{
    const auto period = [](std::int64_t beginPs) {
        PathLog::Extend(PathKind::LINK, 1, beginPs + 60);
        PathLog::Extend(PathKind::TRUNK, 2, beginPs + 100);
        return PathLog::Now();
    };
    period(0);
    PathLog::BeginEra();
    const auto before = PathLog::Now();
    const PathEnd idle; // of a resource that does nothing
    period(100);
    PathLog::BeginEra();
    const auto now = PathLog::Now();
    const auto moved = PathLog::Repeat({before, idle}, {now, idle}, 100, 100, 5);
    ASSERT_EQ(moved.size(), 2U);
    EXPECT_TRUE(Pieces(moved[1]).empty());
    PathLog::Follow(moved[0]);
    const auto last =
        period(200); // in the simulator's time, which did not go on: 700 as ranks reckon

    const auto lengths = Lengths(last);
    EXPECT_EQ(lengths.at(PathKind::LINK), 8 * 60);
    EXPECT_EQ(lengths.at(PathKind::TRUNK), 8 * 40);
    EXPECT_EQ(lengths.size(), 2U);
    EXPECT_EQ(Pieces(last).front().endPs, 800);
}

/* The same frames. In a period of 500, from 100 on, two of them are simulated, two are skipped, and one is simulated; that period
 * is then skipped three times, and one frame follows: 1 + 5 + 3 * 5 + 1 = 22 in all, and the last ends at 2,200. */
TEST_F(PathLogTest, RepeatsPeriodsThatHoldSkippedOnes)
{
    const auto frame = [](std::int64_t beginPs) {
        PathLog::Extend(PathKind::LINK, 1, beginPs + 60);
        PathLog::Extend(PathKind::TRUNK, 2, beginPs + 100);
        PathLog::BeginEra();
        return PathLog::Now();
    };
    const auto outer = frame(0);
    const auto before = frame(100);
    const auto now = frame(200);
    PathLog::Follow(PathLog::Repeat({before}, {now}, 200, 100, 2).front());
    const auto outerNow = frame(300); // 500 to 600, as ranks reckon
    PathLog::Follow(PathLog::Repeat({outer}, {outerNow}, 100, 500, 3).front());
    const auto last = frame(400);

    const auto lengths = Lengths(last);
    EXPECT_EQ(lengths.at(PathKind::LINK), 22 * 60);
    EXPECT_EQ(lengths.at(PathKind::TRUNK), 22 * 40);
    EXPECT_EQ(lengths.size(), 2U);
    EXPECT_EQ(Pieces(last).front().endPs, 2200);
}

/* Off, it costs nothing and knows nothing. */
TEST(PathLog, IsOffUnlessAskedFor)
{
    EXPECT_FALSE(PathLog::IsOn());
    PathLog::Extend(PathKind::LINK, 1, 50);
    PathLog::Await(PathLog::Now());
    EXPECT_EQ(PathLog::Size(), 0U);
}

} // namespace inca
