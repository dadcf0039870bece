/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rank-work.h"

#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "job/part-coding.h"
#include "job/tensor-job.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

std::shared_ptr<TrainingJob>
Job(const char* algorithm, std::uint64_t elements)
{
    ExchangeSpec spec;
    spec.algorithm = algorithm;
    spec.workers = 4;
    spec.broadcast = "flat";
    return MakeTensorJob(spec, elements);
}

} // namespace

/* 4 workers, 100 elements: 6 messages of 25 each way, 3 blocks of 25 added. */
TEST(RankWork, CountsARingWorker)
{
    const auto work = WorkOf(*Job("ring", 100), 2);
    EXPECT_EQ(work.sent.messages, 6U);
    EXPECT_EQ(work.sent.elements, 150U);
    EXPECT_EQ(work.sent.plainBytes, 600);
    EXPECT_EQ(work.sent.markedBytes, 0);
    EXPECT_EQ(work.sent.wireBytes, 600);
    EXPECT_EQ(work.received.plainBytes, 600);
    EXPECT_EQ(work.addedBytes, 300U);
    EXPECT_EQ(work.encodedBytes, 0U);
}

/* With engines at 8 bits a value, the aggregator's 4 gradients of 400 bytes come as 100 each; its
 * weights go out as they are. */
TEST(RankWork, CodesGradientsOnly)
{
    const auto job = Job("worker-aggregator", 100);
    job->engines = true;
    job->meanBits = [](ElementRange) { return 8.0; };
    const auto work = WorkOf(*job, 4);
    EXPECT_EQ(work.received.plainBytes, 1600);
    EXPECT_EQ(work.received.markedBytes, 1600);
    EXPECT_EQ(work.received.wireBytes, 400);
    EXPECT_EQ(work.sent.wireBytes, 1600);
    EXPECT_EQ(work.sent.markedBytes, 0);
    EXPECT_EQ(work.addedBytes, 1200U);
}

/* A codec on the host makes the plain message itself smaller. */
TEST(RankWork, AHostCodecShrinksWhatHostsMove)
{
    const auto job = Job("worker-aggregator", 100);
    job->hostCodec = MakeCodec({});
    job->meanBits = [](ElementRange) { return 8.0; };
    const auto work = WorkOf(*job, 0);
    EXPECT_EQ(work.sent.plainBytes, 100);
    EXPECT_EQ(work.sent.wireBytes, 100);
    EXPECT_EQ(work.encodedBytes, 400U);
    EXPECT_EQ(work.decodedBytes, 0U);
    EXPECT_EQ(WorkOf(*job, 4).decodedBytes, 1600U);
}

/* 4 workers, 4 servers of 25 values: server 1 decodes 4 gradients of its block, and encodes its sum
 * once, however often it is sent. */
TEST(RankWork, AServerEncodesItsSumOnce)
{
    const auto job = Job("sharded-parameter-server", 100);
    job->hostCodec = MakeCodec({});
    job->meanBits = [](ElementRange) { return 8.0; };
    const auto work = WorkOf(*job, 5);
    EXPECT_EQ(work.decodedBytes, 400U);
    EXPECT_EQ(work.encodedBytes, 100U);
    EXPECT_EQ(work.sent.plainBytes, 100); // 4 copies of 25 bytes
    EXPECT_EQ(work.addedBytes, 300U);
}

/* A second chunk of the same plan counts again. */
TEST(RankWork, AddsChunksUp)
{
    const auto job = Job("ring", 100);
    job->chunks.push_back(job->chunks.front());
    EXPECT_EQ(WorkOf(*job, 0).sent.elements, 300U);
    EXPECT_EQ(WorkOf(*job, 0).sent.messages, 12U);
}

/** Two rounds of 100 words and of @p second, of 1000 values: 5 and 7 ps to encode, 3 to decode. */
class CodedRankWork : public testing::Test
{
  protected:
    static std::shared_ptr<TrainingJob> Coded(const char* algorithm,
                                              std::uint64_t second,
                                              bool overlaps)
    {
        ExchangeSpec spec;
        spec.algorithm = algorithm;
        spec.workers = 4;
        auto job = MakeTensorJob(spec, 1000);
        const auto coding = std::make_shared<PartCoding>();
        coding->encodePs = {5, 7};
        coding->decodePs = 3;
        coding->overlaps = overlaps;
        const std::shared_ptr<const StepPlan> first = MakeStepPlan(spec, 100);
        job->chunks.front().coding = coding;
        job->chunks.front().rounds = {{first, {}},
                                      {second == 100 ? first : MakeStepPlan(spec, second), {}}};
        return job;
    }
};

/* 6 messages of 25 words, and as many of 50. */
TEST_F(CodedRankWork, CountsTheWordsOfAllRounds)
{
    const auto work = WorkOf(*Coded("ring", 200, false), 0);
    EXPECT_EQ(work.sent.elements, 150 + 300U);
    EXPECT_EQ(work.sent.messages, 12U);
    EXPECT_EQ(work.sent.wireBytes, 1800);
    EXPECT_EQ(work.addedBytes, 300 + 600U);
}

TEST_F(CodedRankWork, CountsOneProgramOfTwoRoundsTwice)
{
    EXPECT_EQ(WorkOf(*Coded("ring", 100, false), 0).sent.elements, 300U);
}

TEST_F(CodedRankWork, PassesOverRoundsWithoutWords)
{
    const auto work = WorkOf(*Coded("ring", 0, false), 0);
    EXPECT_EQ(work.sent.messages, 6U);
    EXPECT_EQ(work.codedPs, 15); // what is not there is encoded all the same
}

/* What is encoded beside the first round may be hidden by it. A server codes nothing. */
TEST_F(CodedRankWork, CountsCodingThatNothingHides)
{
    EXPECT_EQ(WorkOf(*Coded("ring", 200, false), 0).codedPs, 15);
    EXPECT_EQ(WorkOf(*Coded("ring", 200, true), 0).codedPs, 8);
    EXPECT_EQ(WorkOf(*Coded("parameter-server", 200, false), 3).codedPs, 15);
    EXPECT_EQ(WorkOf(*Coded("parameter-server", 200, false), 4).codedPs, 0);
}

/* The network adds 100 words once, and 200. */
TEST_F(CodedRankWork, CountsSumsOfTheNetworkByTheirWords)
{
    const NetworkSums expected{{100, 1}, {200, 1}};
    EXPECT_EQ(WorkOf(*Coded("switch-slots", 200, false), 0).networkSums, expected);
}

} // namespace inca
