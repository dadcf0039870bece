/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/timeline-writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr TimelineTrack g_track{3, 4};

class TimelineWriterTest : public testing::Test
{
  protected:
    TimelineWriter Writer(std::uint64_t limit)
    {
        return {limit, [this](std::string_view piece) { text += piece; }};
    }

    std::string text;
};

TimelineSpan
SpanAt(std::int64_t beginPs, std::int64_t endPs, TimelineDetail detail = TimelineDetail::HOST)
{
    return {detail, g_track, "a", beginPs, endPs};
}

} // namespace

/* 1 ps is 10^-6 us; 12,345,678,901,234,567 ps have more digits than a double holds. A track's name comes
 * with its first span. */
TEST_F(TimelineWriterTest, WritesPicosecondsExactly)
{
    auto writer = Writer(10);
    writer.NameTrack(g_track, "sums");
    writer.Write(SpanAt(1, 12'345'678'901'234'567));
    writer.Finish({});
    EXPECT_EQ(text,
              "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
              R"({"ph":"M","pid":3,"tid":4,"name":"thread_name","args":{"name":"sums"}},)"
              "\n"
              R"({"ph":"M","pid":3,"tid":4,"name":"thread_sort_index","args":{"sort_index":4}},)"
              "\n"
              R"({"ph":"B","pid":3,"tid":4,"ts":0.000001,"name":"a"},)"
              "\n"
              R"({"ph":"E","pid":3,"tid":4,"ts":12345678901.234567,"name":"a"})"
              "\n],\"otherData\":{}}\n");
}

TEST_F(TimelineWriterTest, WritesCountsAndNotes)
{
    auto writer = Writer(10);
    writer.Write(TimelineCount{5, "queue", "bytes", 2'000'000, 1538});
    writer.Finish({{"note", "x"}});
    EXPECT_THAT(
        text,
        HasSubstr(R"({"ph":"C","pid":5,"ts":2.000000,"name":"queue","args":{"bytes":1538}})"));
    EXPECT_THAT(text, HasSubstr(R"("otherData":{"note":"x"}})"));
}

TEST_F(TimelineWriterTest, EscapesNames)
{
    auto writer = Writer(10);
    writer.NameProcess(1, "a \"layer\"\n\xff");
    writer.Finish({});
    EXPECT_THAT(text,
                HasSubstr(R"("args":{"name":"a \"layer\"\n)"
                          "\xEF\xBF\xBD\"}"));
}

/* A limit of 6: devices get 3 events, so one span of two; the second one begins at 20. Hosts then have room
 * for two. What is left out leaves no room for what is smaller and comes later; a span of no length is none. */
TEST_F(TimelineWriterTest, LeavesOutWhatIsBeyondItsLimit)
{
    auto writer = Writer(6);
    writer.Write(SpanAt(10, 11, TimelineDetail::DEVICE));
    writer.Write(SpanAt(20, 21, TimelineDetail::DEVICE));
    writer.Write(TimelineCount{5, "queue", "bytes", 25, 1});
    writer.Write(SpanAt(30, 31));
    writer.Write(SpanAt(35, 35));
    EXPECT_EQ(writer.LeftOutPs(TimelineDetail::DEVICE), 20);
    EXPECT_FALSE(writer.LeftOutPs(TimelineDetail::HOST));
    writer.Write(SpanAt(40, 70));
    writer.Write(SpanAt(60, 61));
    writer.Write(SpanAt(50, 80));
    writer.Finish({});
    EXPECT_EQ(writer.LeftOutPs(TimelineDetail::HOST), 50);
    EXPECT_THAT(text, HasSubstr("0.000070"));
    EXPECT_THAT(text, Not(HasSubstr("0.000060")));
    EXPECT_THAT(text, Not(HasSubstr("0.000025")));
    EXPECT_THAT(text, Not(HasSubstr("0.000035")));
}

/* Pieces of 64 KiB: a million events never stand in memory. */
TEST_F(TimelineWriterTest, GivesItsTextAwayInPieces)
{
    std::size_t longest = 0;
    TimelineWriter writer(100'000, [&](std::string_view piece) {
        longest = std::max(longest, piece.size());
        text += piece;
    });
    for (int i = 0; i < 10'000; ++i)
    {
        writer.Write(SpanAt(i, i + 1));
    }
    EXPECT_GT(text.size(), 1'000'000U - (1U << 16U));
    EXPECT_LT(longest, (1U << 16U) + 200U);
}

} // namespace inca
