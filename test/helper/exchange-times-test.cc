/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/job-fixture.h"

#include "codec/codec-catalog.h"

namespace inca
{

/** What exchanges of one tensor take, in closed forms; T(n) is a frame of n elements, L a link. */
class ExchangeTimes : public JobFixture
{
  protected:
    static constexpr std::uint64_t BLOCK{50}; ///< elements: 200 bytes, one frame

    /** As RunTensor, with a codec on the host that keeps 16 of 32 bits, by statistics. */
    std::int64_t RunCoded(const ExchangeSpec& spec, std::uint64_t elements)
    {
        const auto job = MakeTensorJob(spec, elements);
        CodecSpec truncate;
        truncate.name = "truncate";
        job->coding = MessageCoding(
            {CodingPlace::HOST, MakeCodec(truncate), 1, [](ElementRange) { return 16.0; }});
        return Run(job);
    }
};

/* A block is 278 bytes on the wire, T = 222.4 ns; a hop of one frame is H(n) = 2 (T(n) + 1000 ns); A is an
 * acknowledgement, 67.2 ns, which a receiver sends before its next message. W workers. */
TEST_F(ExchangeTimes, HaveClosedForms)
{
    struct Row
    {
        ExchangeSpec spec;
        std::uint64_t elements;
        std::int64_t expectedPs;
    };

    const auto whole = HopPs(2 * BLOCK);
    // 2 groups of 2, 100 elements: rings in the groups (2 hops of 50), two frames of 100 elements to the aggregator, two
    // back (the second to leader 0), which passes them on to its member. An A stands before each hop but the first.
    std::vector<Row> rows{{Exchange("hierarchical-aggregator", 4, "flat"),
                           2 * BLOCK,
                           2 * HopPs(BLOCK) + 3 * whole + 2 * FramePs(2 * BLOCK) + 4 * ACK_PS}};
    for (Rank workers = 2; workers <= 8; ++workers) // 2 (W - 1) steps
    {
        const std::int64_t steps = 2 * (workers - 1);
        rows.push_back({Exchange("ring", workers),
                        workers * BLOCK,
                        steps * HopPs(BLOCK) + (steps - 1) * ACK_PS});
    }
    for (Rank workers = 2; workers <= 5; ++workers)
    {
        // All gradients contend for the switch's port to the aggregator: a hop, and T for each but the first. It
        // acknowledges the last, then sends W copies one after the other. The same over one server; over as many as
        // workers, for a block each: in slot k worker i sends to server i + k, and server s later to worker s + k, so
        // that no two frames contend, and a port gets W frames in a row each way.
        const auto flat = 2 * HopPs(BLOCK) + 2 * (workers - 1) * FramePs(BLOCK) + ACK_PS;
        rows.push_back({Exchange("worker-aggregator", workers, "flat"), BLOCK, flat});
        rows.push_back({Exchange("parameter-server", workers), BLOCK, flat});
        rows.push_back({Exchange("sharded-parameter-server", workers), workers * BLOCK, flat});
    }
    // 3 and 7 workers and the aggregator are full trees of depth 2 and 3: the last leaf gets its copy after as many hops.
    for (const auto& [workers, depth] : {std::pair{3U, 2}, std::pair{7U, 3}})
    {
        rows.push_back(
            {Exchange("worker-aggregator", workers, "binomial"),
             BLOCK,
             HopPs(BLOCK) + (workers - 1) * FramePs(BLOCK) + depth * (ACK_PS + HopPs(BLOCK))});
    }
    // In each step all send W - 1 blocks one after the other, and each port gets them in turn: a hop, and T for each but the
    // first. The last one's acknowledgement stands before the second step.
    for (Rank workers = 2; workers <= 8; ++workers)
    {
        rows.push_back({Exchange("two-shot", workers, "flat", workers),
                        workers * BLOCK,
                        2 * (HopPs(BLOCK) + (workers - 2) * FramePs(BLOCK)) + ACK_PS});
    }
    // 2 groups of 2: a hop of 100 in the group, two of 50 between groups, one of 100.
    rows.push_back({Exchange("two-shot", 4, "flat", 2),
                    4 * BLOCK,
                    2 * HopPs(2 * BLOCK) + 2 * HopPs(BLOCK) + 3 * ACK_PS});
    // L groups of 2, 100 L elements: rings in the groups, 2 hops of 50 L; the ring of leaders, 2 (L - 1) hops of 100;
    // scatter and all-gather, a hop of 50 L each.
    for (const Rank groups : {2U, 3U})
    {
        const std::int64_t leaderHops = 2 * (groups - 1);
        rows.push_back(
            {Exchange("hierarchical-ring", 2 * groups),
             100 * groups,
             4 * HopPs(50 * groups) + leaderHops * HopPs(100) + (leaderHops + 3) * ACK_PS});
    }
    for (const auto& [spec, elements, expectedPs] : rows)
    {
        EXPECT_EQ(RunTensor(spec, elements), expectedPs)
            << spec.algorithm << " " << spec.broadcast << " " << spec.workers;
        EXPECT_TRUE(spec.algorithm != "ring" || endsPs[0] == endsPs[1]);
        TearDown();
    }
}

/* 200 bytes at 1 GB/s are 200 ns, longer than the acknowledgement that they hide. N - 1 steps add. */
TEST_F(ExchangeTimes, SumsDelayTheNextStep)
{
    for (const Rank workers : {2U, 5U})
    {
        SetRate("inca::RankApplication::SumRate", 1'000'000'000);
        const std::int64_t adds = workers - 1;
        EXPECT_EQ(RunTensor(Exchange("ring", workers), workers * BLOCK),
                  2 * adds * HopPs(BLOCK) + adds * 200'000 + (adds - 1) * ACK_PS)
            << workers;
        TearDown();
    }
}

/* The same, of W - 1 additions after one step. */
TEST_F(ExchangeTimes, AllSumsOfABlockDelayTheSecondShot)
{
    for (const Rank workers : {2U, 5U})
    {
        SetRate("inca::RankApplication::SumRate", 1'000'000'000);
        const std::int64_t others = workers - 1;
        EXPECT_EQ(RunTensor(Exchange("two-shot", workers, "flat", workers), workers * BLOCK),
                  2 * (HopPs(BLOCK) + (others - 1) * FramePs(BLOCK)) + others * 200'000)
            << workers;
        TearDown();
    }
}

/* 3 gradients of 200 bytes at 1 GB/s. Afterwards, two additions of 200 ns (and the acknowledgement
 * is hidden). On arrival, a frame comes every 222.4 ns, and each but the first is added in 200 ns
 * before the next one comes: only the last addition counts. */
TEST_F(ExchangeTimes, AnAggregatorAddsAfterOrOnArrival)
{
    SetRate("inca::RankApplication::SumRate", 1'000'000'000);
    const auto bare = 2 * HopPs(BLOCK) + 2 * 2 * FramePs(BLOCK);
    const auto spec = Exchange("worker-aggregator", 3, "flat");
    EXPECT_EQ(RunTensor(spec, BLOCK), bare + 2 * 200'000);
    TearDown();
    SetRate("inca::RankApplication::SumRate", 1'000'000'000);
    const auto job = MakeTensorJob(spec, BLOCK);
    job->sumOnArrival = true;
    EXPECT_EQ(Run(job), bare + 200'000);
}

/* Hosts that take 100 ns per message, 50 ns per frame and 1 ns per byte: sending a frame of 200 bytes
 * costs 350 ns before it reaches the NIC, receiving it 250 ns. The acknowledgement goes out
 * meanwhile, and costs nothing. */
TEST_F(ExchangeTimes, HostCostsPrecedeAndFollowEveryFrame)
{
    SetRate("inca::HostPath::ByteRate", 1'000'000'000);
    ns3::Config::SetDefault("inca::HostPath::FrameCost", ns3::TimeValue(ns3::NanoSeconds(50)));
    ns3::Config::SetDefault("inca::HostPath::MessageCost", ns3::TimeValue(ns3::NanoSeconds(100)));
    EXPECT_EQ(RunTensor(Exchange("ring", 2), 2 * BLOCK), 2 * (350'000 + HopPs(BLOCK) + 250'000));
}

/* A block of 50 travels as 100 bytes.
 * Encoding 200 plain bytes takes 200 ns at 1 GB/s, decoding 400 ns at 0.5 GB/s. */
TEST_F(ExchangeTimes, AHostCodecWorksBeforeAndAfterEveryMessage)
{
    SetRate("inca::RankApplication::EncodeRate", 1'000'000'000);
    SetRate("inca::RankApplication::DecodeRate", 500'000'000);
    EXPECT_EQ(RunCoded(Exchange("ring", 2), 2 * BLOCK), 2 * (200'000 + HopPs(BLOCK / 2) + 400'000));
}

/*
 * The same of 4 workers in two shots; a coded block is 178 bytes on the wire, T = 142.4 ns, and 2 L = 2000 ns. (ns) A block is
 * encoded in 0..200, and has left at 342.4; the second at 684.8, the third at 1027.2; the own one is encoded by 1227.2 and
 * decoded by 1627.2. T + 2 L after they have left they are there, the last at 3169.6; decoded one after the other, from 2484.8
 * on, they are at 3684.8. The sum is encoded once, by 3884.8, and for the worker itself decoded by 4284.8. Its copies leave at
 * 4027.2, 4169.6, 4312: they come from 6169.6 on, and the third is decoded at 7369.6.
 */
TEST_F(ExchangeTimes, AHostCodecCodesABlockOfItsOwnAndASumOnce)
{
    SetRate("inca::RankApplication::EncodeRate", 1'000'000'000);
    SetRate("inca::RankApplication::DecodeRate", 500'000'000);
    EXPECT_EQ(RunCoded(Exchange("two-shot", 4, "flat", 4), 4 * BLOCK), 7'369'600);
}

/* 3 gradients of 200 bytes, coded to 100: encoded in 200 ns, decoded in 400 ns each, which is longer
 * than a frame, so the server decodes them end to end. It encodes their sum once, and sends it three
 * times; the last worker decodes it. */
TEST_F(ExchangeTimes, AServerEncodesItsSumOnce)
{
    SetRate("inca::RankApplication::EncodeRate", 1'000'000'000);
    SetRate("inca::RankApplication::DecodeRate", 500'000'000);
    const auto gathered = 200'000 + HopPs(BLOCK / 2) + 3 * 400'000;
    const auto returned = 200'000 + HopPs(BLOCK / 2) + 2 * FramePs(BLOCK / 2) + 400'000;
    EXPECT_EQ(RunCoded(Exchange("parameter-server", 3), BLOCK), gathered + returned);
}

/* Weights are never coded: the gradient leg as above, then a plain hop of 50 elements per copy. */
TEST_F(ExchangeTimes, AHostCodecLeavesWeightsAlone)
{
    EXPECT_EQ(RunCoded(Exchange("worker-aggregator", 2, "flat"), BLOCK),
              HopPs(BLOCK / 2) + FramePs(BLOCK / 2) + ACK_PS + FramePs(BLOCK) + HopPs(BLOCK));
}

/* One frame T of 50 elements per message; G, a grant, is as long as an acknowledgement. Worker 1 lets
 * worker 0 send (a hop of 84 bytes), which then sends, and lets worker 1 send as soon as its frame
 * has left: behind the acknowledgement of the grant, so that the word comes 2 * 67.2 ns after the
 * data. Each of the 4 messages is a hop, and all but the first wait for such a word. */
TEST_F(ExchangeTimes, HalfDuplexHostsTakeTurnsInARingOfTwo)
{
    const auto job = MakeTensorJob(Exchange("ring", 2), 100);
    SetHalfDuplex(true);
    EXPECT_EQ(Run(job), 2 * (ACK_PS + LINK_PS) + 4 * HopPs(50) + 3 * 2 * ACK_PS);
}

} // namespace inca
