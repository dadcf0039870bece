/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exchanges of several rounds, with coding around them that takes a known time.
#include "exchange/exchange-catalog.h"
#include "helper/job-fixture.h"
#include "job/part-coding.h"

#include <gmock/gmock.h>

#include <numeric>
#include <utility>

namespace inca
{

namespace
{

std::shared_ptr<PartCoding>
Coding(std::vector<std::uint64_t> words, bool overlaps = false)
{
    auto coding = std::make_shared<PartCoding>();
    coding->words = std::move(words);
    coding->encodePs = {5 * US, 7 * US};
    coding->decodePs = 3 * US;
    coding->estimated = 3;
    coding->overlaps = overlaps;
    return coding;
}

} // namespace

class ChunkRounds : public JobFixture
{
  protected:
    /** A job of @p chunks exchanges. */
    static std::shared_ptr<TrainingJob> Coded(const ExchangeSpec& spec,
                                              const std::shared_ptr<const PartCoding>& coding,
                                              std::uint32_t chunks = 1)
    {
        const auto values = std::accumulate(coding->words.begin(), coding->words.end(), 0ULL);
        auto job = Layered(spec, values, chunks);
        for (auto& chunk : job->chunks)
        {
            chunk.coding = coding;
            chunk.rounds.clear();
            for (const auto words : coding->words)
            {
                chunk.rounds.push_back({MakeStepPlan(spec, words), {}});
            }
        }
        return job;
    }

    /** An exchange of @p words by two workers in a ring, alone: HopPs, acknowledgement, HopPs. */
    static std::int64_t RingPs(std::uint64_t words)
    {
        return 2 * HopPs(words / 2) + ACK_PS;
    }

    /** The same over one server (ServersTakeAndReturnTheirBlocksWithoutCollisions). */
    static std::int64_t ServerPs(std::uint64_t words)
    {
        return 2 * HopPs(words) + 2 * FramePs(words) + ACK_PS;
    }

    std::string StateAt(std::int64_t ps)
    {
        ns3::Simulator::Stop(ns3::PicoSeconds(static_cast<std::uint64_t>(ps)) -
                             ns3::Simulator::Now());
        ns3::Simulator::Run();
        return applications[0]->State();
    }
};

/* 5 us + ring of 100 words + 7 us + ring of 60 + 3 us; acknowledgements are over before 7 us are. */
TEST_F(ChunkRounds, FollowEachOther)
{
    EXPECT_EQ(Run(Coded(Exchange("ring", 2), Coding({100, 60}))),
              15 * US + RingPs(100) + RingPs(60));
}

/* Two words of 2 us each on the way at once: the second round's frames follow 2 us behind the first
 * one's, which are 222 ns long, and are answered by 67 ns. */
TEST_F(ChunkRounds, OverlapOnTheWire)
{
    const auto coding = Coding({100, 100}, true);
    coding->encodePs = {5 * US, 2 * US};
    EXPECT_EQ(Run(Coded(Exchange("ring", 2), coding)), 10 * US + RingPs(100));
}

/* The second round is over at 6 us, the first one is not before decoding begins. */
TEST_F(ChunkRounds, DecodingWaitsForTheSlowestRound)
{
    const auto coding = Coding({100, 0}, true);
    coding->encodePs = {5 * US, 1 * US};
    EXPECT_EQ(Run(Coded(Exchange("ring", 2), coding)), 8 * US + RingPs(100));
}

/* Whichever round it is: 5 + 7 + 3 us of coding, of which 7 are beside the first round if they overlap. */
TEST_F(ChunkRounds, WithoutWordsTakeNoTime)
{
    for (const auto& words : {std::vector<std::uint64_t>{0, 100}, {100, 0}})
    {
        for (const bool overlaps : {false, true})
        {
            const bool hidden = overlaps && words[1] == 0;
            // The ring of 4.96 us is over before the 7 us of encoding what is not there.
            EXPECT_EQ(Run(Coded(Exchange("ring", 2), Coding(words, overlaps))),
                      15 * US + (hidden ? 0 : RingPs(100)))
                << words[0] << overlaps;
            TearDown();
            EXPECT_EQ(Run(Coded(Exchange("parameter-server", 2), Coding(words, overlaps))),
                      15 * US + (hidden ? 0 : ServerPs(100)))
                << words[0] << overlaps;
            TearDown();
        }
    }
}

/* The server's first copy is worker 0's: it has its sum a frame earlier than worker 1, and its words of the
 * second round, of shorter frames, have come when worker 1's come. */
TEST_F(ChunkRounds, ServersEncodeNothing)
{
    EXPECT_EQ(Run(Coded(Exchange("parameter-server", 2), Coding({100, 60}))),
              15 * US + ServerPs(100) + ServerPs(60) - FramePs(60));
    EXPECT_TRUE(applications[2]->GetTimeline().Spans(Activity::CODEC).empty());
    const auto& spans = applications[0]->GetTimeline().Spans(Activity::CODEC);
    ASSERT_EQ(spans.size(), 3U);
    EXPECT_EQ(spans[0].endPs - spans[0].beginPs, 5 * US);
    EXPECT_EQ(spans[1].beginPs, 5 * US + ServerPs(100) - FramePs(100));
    EXPECT_EQ(spans[1].endPs - spans[1].beginPs, 7 * US);
    EXPECT_EQ(spans[2].endPs - spans[2].beginPs, 3 * US);
}

/* Two chunks in flight share one codec: indices until 5 and 10 us. The first one's rounds are back at 9.96
 * and 14.96, so counters are encoded until 17 and 24 us; a decoding of the first chunk, until 27, comes
 * before that of the second, whose words are back at 24 us + 4.7. */
TEST_F(ChunkRounds, ChunksInFlightShareTheCodec)
{
    const auto job = Coded(Exchange("ring", 2), Coding({100, 60}), 2);
    job->concurrent = 2;
    EXPECT_EQ(Run(job), 27 * US + RingPs(60));
}

/* Encoding until 5 us, the first round until 9.96, encoding until 16.96, the second until 21.73. */
TEST_F(ChunkRounds, SayWhatTheyWaitFor)
{
    const auto job = Coded(Exchange("ring", 2), Coding({100, 60}), 1);
    applications = InstallJob(StarHelper().Install(2), job);
    const std::string prefix = "iteration 0 (from 0): ";
    EXPECT_EQ(StateAt(1 * US), prefix + "is encoding");
    EXPECT_EQ(StateAt(6 * US),
              prefix + "exchange 0, round 1, step 1 of 2, waits for a message from worker 1");
    EXPECT_EQ(StateAt(10 * US), prefix + "is encoding");
    EXPECT_EQ(StateAt(21 * US),
              prefix + "exchange 0, round 2, step 2 of 2, waits for a message from worker 1");
    EXPECT_EQ(StateAt(22 * US), prefix + "is decoding");
    EXPECT_EQ(StateAt(30 * US), prefix + "no exchange is running");
}

TEST_F(ChunkRounds, SayWhatAllRoundsWaitFor)
{
    const auto coding = Coding({100, 100}, true);
    coding->encodePs = {5 * US, 1 * US};
    applications = InstallJob(StarHelper().Install(2), Coded(Exchange("ring", 2), coding));
    EXPECT_THAT(StateAt(6 * US + US / 2),
                testing::AllOf(testing::HasSubstr("exchange 0, round 1, step 1 of 2, waits"),
                               testing::HasSubstr("; exchange 0, round 2, step 1 of 2, waits")));
}

} // namespace inca
