/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Exchanges of several rounds, with coding around them that takes a known time.
#include "device/transport-header.h"
#include "exchange/exchange-catalog.h"
#include "helper/job-fixture.h"
#include "job/part-coding.h"
#include "support/float-words.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

constexpr std::int64_t US{1'000'000};

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

    /** Worker r's value i of the whole model is (r + 1) (i mod 10 + 1). */
    static void SetValues(TrainingJob& job)
    {
        job.ownGradient = [](Rank rank, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>((rank + 1) * ((range.begin + i) % 10 + 1));
            }
        };
    }

    /** What all workers must hold: sums, times the first one in the second round. */
    static std::vector<float> Expected(const TrainingJob& job,
                                       const PartCoding& coding,
                                       std::uint32_t chunk)
    {
        std::vector<float> sums;
        const auto shares = static_cast<float>(job.workers * (job.workers + 1) / 2);
        const auto range = job.chunks[chunk].range;
        for (auto i = range.begin; i < range.End(); ++i)
        {
            const auto sum = shares * static_cast<float>(i % 10 + 1);
            const bool again = !coding.overlaps && sums.size() >= coding.words[0];
            sums.push_back(again ? sum * sums.front() : sum);
        }
        return sums;
    }

    /** Runs @p job, and expects its values on every worker at the end of every exchange. */
    void ExpectValues(const std::shared_ptr<TrainingJob>& job, const PartCoding& coding)
    {
        SetValues(*job);
        std::uint32_t taken = 0;
        const auto cluster = StarHelper().Install(job->RankCount());
        Run(job, cluster, [&](Rank rank, std::uint32_t exchange, ExchangeOutcome outcome) {
            if (rank >= job->workers)
            {
                return;
            }
            const auto chunk = exchange % static_cast<std::uint32_t>(job->chunks.size());
            std::vector<Word> words(job->chunks[chunk].range.count);
            outcome.values->Read({0, words.size()}, words.data());
            EXPECT_EQ(ToFloats(words), Expected(*job, coding, chunk)) << rank << " " << exchange;
            EXPECT_EQ(outcome.report.estimated, 3U);
            ++taken;
        });
        EXPECT_EQ(taken, job->workers * job->chunks.size() * job->iterations);
        applications.clear();
    }

    /** Data frames of worker 0 in two iterations of two chunks, as a capture shows them. */
    std::map<unsigned, unsigned> FramesByNumber()
    {
        std::map<unsigned, unsigned> frames;
        const auto count = [&frames](ns3::Ptr<const ns3::Packet> captured) {
            const auto packet = captured->Copy();
            ns3::EthernetHeader ethernet(false);
            ns3::Ipv4Header ipv4;
            TransportHeader header;
            packet->RemoveHeader(ethernet);
            packet->RemoveHeader(ipv4);
            packet->RemoveHeader(header);
            constexpr std::uint8_t data = 1;
            const bool isWorker0s = ipv4.GetSource() == ns3::Ipv4Address("10.0.0.1");
            frames[header.Round()] += isWorker0s && header.Kind() == data ? 1 : 0;
        };
        const auto cluster = StarHelper().Install(2);
        cluster.nics[0]->TraceConnectWithoutContext(
            "PromiscSniffer", ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(count));
        const auto job = Coded(Exchange("ring", 2), Coding({100, 60}), 2);
        job->iterations = 2;
        Run(job, cluster);
        return frames;
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

/* Worker 1 comes 50 us late, to messages of both exchanges in flight; and worker 0 begins a round when its
 * last message has come, before worker 1 has its own: codings of no time make that early, too. */
TEST_F(ChunkRounds, TakeMessagesBeforeTheyStart)
{
    for (const auto* algorithm : {"ring", "hierarchical-ring", "sharded-parameter-server"})
    {
        for (const bool overlaps : {false, true})
        {
            SCOPED_TRACE(algorithm);
            const auto coding = Coding({100, 61}, overlaps);
            coding->encodePs = {0, 0};
            const auto job = Coded(Exchange(algorithm, 4), coding, 3);
            job->concurrent = 2;
            job->iterations = 2;
            job->computePs = [](const ComputeKey& key) {
                return key.worker == 1 && key.phase == ComputePhase::BACKWARD ? 50 * US : US;
            };
            ExpectValues(job, *coding);
            TearDown();
        }
    }
}

TEST_F(ChunkRounds, GiveEveryHostTheSameValues)
{
    for (const auto* algorithm : {"ring", "hierarchical-ring", "parameter-server"})
    {
        for (const auto& words : {std::vector<std::uint64_t>{3, 0}, {1, 1}, {1000, 7}})
        {
            for (const bool halfDuplex : {true, false})
            {
                const auto coding = Coding(words);
                const auto job = Coded(Exchange(algorithm, 4), coding, 2);
                SetHalfDuplex(halfDuplex);
                ExpectValues(job, *coding);
                TearDown();
            }
        }
    }
}

/* Round r of exchange e is number 2 e + r: 2 iterations of 2 chunks are exchanges 0 to 3. Each has two
 * data frames out of worker 0. */
TEST_F(ChunkRounds, NumberTheirMessages)
{
    const std::map<unsigned, unsigned> expected{
        {0, 2}, {1, 2}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2}, {7, 2}};
    EXPECT_EQ(FramesByNumber(), expected);
}

/* Encoding until 5 us, the first round until 9.96, encoding until 16.96, the second until 21.73. */
TEST_F(ChunkRounds, SayWhatTheyWaitFor)
{
    const auto job = Coded(Exchange("ring", 2), Coding({100, 60}), 1);
    applications = InstallJob(job, StarHelper().Install(2));
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
    applications = InstallJob(Coded(Exchange("ring", 2), coding), StarHelper().Install(2));
    EXPECT_THAT(StateAt(6 * US + US / 2),
                testing::AllOf(testing::HasSubstr("exchange 0, round 1, step 1 of 2, waits"),
                               testing::HasSubstr("; exchange 0, round 2, step 1 of 2, waits")));
}

} // namespace inca
