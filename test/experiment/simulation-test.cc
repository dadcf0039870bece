/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/interrupt.h"
#include "experiment/scenario-fixture.h"
#include "experiment/simulation.h"
#include "support/end-of.h"
#include "support/why-not.h"

#include <csignal>
#include <cstdint>
#include <string>

namespace inca
{

/**
 * Two workers replay the trace of two layers of 100 elements, each exchanged by itself: X = two hops
 * of 50 elements and an acknowledgement = 2 * 2444.8 + 67.2 = 4956.8 ns. An exchange that follows
 * another one at once stands behind that one's last acknowledgement (K).
 */
class TwoLayerReplay : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t X{4'956'800};
    static constexpr std::int64_t K{ACK_PS};

    /** Both workers are looked at. */
    static Scenario Of(const std::string& settings)
    {
        return With(Bare(TwoLayers()), "training.send=layer simulation.mode=packet " + settings);
    }

    static constexpr std::int64_t END{4'000'000 + 2 * X + K +
                                      1'000'000}; ///< of the first row below
};

TEST_F(TwoLayerReplay, TakesTheTimesOfItsPassesAndExchanges)
{
    struct TableRow
    {
        std::string settings;
        std::int64_t endPs;
        double worker1{1.0}; ///< is slower by so much
    };

    EXPECT_EQ(END, 14'980'800);
    const std::string coded = "codec.name=block codec.placement=gpu codec.encode_rate=200GBps "
                              "codec.decode_rate=200GBps ";
    constexpr std::int64_t codedEnd = END - 4 * 2 * 118'400 + 4 * 2'000 - 3 * 2'000;
    constexpr std::int64_t hidden = END - 500'000;
    constexpr std::int64_t apartPs = 6'000'000 + 2 * X + K + 1'000'000;
    const TableRow rows[] = {
        // Forward 0..2 us, backward of "out" until 4 us, of "in" until 6 us. "out" is exchanged 4 us + X, then
        // "in" K + X, then both are updated, 0.5 us each. The next iteration waits for that, and takes as long again.
        {"", END},
        {"training.iterations=2", 2 * END},
        // As sums come, "out" is updated while "in" is exchanged.
        {"training.update=bucket", hidden},
        {"training.update=bucket training.iterations=2", 2 * hidden},
        // Without overlap both start after backward.
        {"training.overlap=false", apartPs},
        // All at once: after backward, one exchange of 200 elements, two updates one after the other.
        {"training.send=end", 6'000'000 + RingOfTwoPs(200) + 2 * 500'000},
        // Both ready at 6 us, "in" goes first by priority, and its next forward pass begins at 6 us + X + 0.5
        // us = 11456.8 ns under the exchange of "out", whose update ends at 6 us + 2 X + K + 0.5 us = 16480.8
        // ns. The forward pass of "out" waits for that; from there on it is 1 us less than an iteration. With
        // the barrier, "in" waits too. So it does where all is updated at the end, which takes 0.5 us more.
        {"training.overlap=false training.iterations=2 exchange.order=priority "
         "training.update=bucket",
         2 * (apartPs - 500'000) - 1'000'000},
        {"training.overlap=false training.iterations=2 exchange.order=priority "
         "training.update=bucket training.barrier=true",
         2 * (apartPs - 500'000)},
        {"training.overlap=false training.iterations=2 exchange.order=priority", 2 * apartPs},
        // Two micro-batches: one more forward and backward pass, 6 us, and no more exchanges.
        {"training.accumulation=2", END + 6'000'000},
        // 400 bytes at 1 GB/s before each exchange: 0.4 us later, and the second copy is hidden.
        {"host.copy_rate=1GBps", END + 400'000},
        // Each exchange is of 400 bytes: 1 us before it, which the second has while the first is under way, and
        // before each of its 2 messages, of 200 bytes at 1 GB/s, 0.5 + 0.2 us. Acknowledgements leave in that time, which
        // the frames of the 3 later messages waited for. Larger exchanges cost something else.
        {"host.protocol.1kB.start_cost=1us host.protocol.1kB.message_cost=500ns "
         "host.protocol.1kB.message_rate=1GBps host.protocol.1MB.start_cost=9us",
         END + 1'000'000 + 2 * 2 * 700'000 - 3 * K},
        {"host.protocol.399B.start_cost=9us host.protocol.400B.start_cost=0us "
         "host.protocol.401B.message_cost=9us",
         END},
        // The last one is of all beyond, too.
        {"host.protocol.100B.start_cost=9us host.protocol.200B.start_cost=1us", END + 1'000'000},
        // In blocks on the GPU the 50 values of a message are a byte each and 2 scales: 52 bytes, which take 118.4 ns less
        // than 200 on each of two links. Encoding and decoding 200 at 200 GB/s takes 1 ns each, in which, of the 3 later
        // messages, an acknowledgement leaves, too. The 100 values of an exchange are 104 bytes, which decide its protocol.
        // At 52 MB/s a message takes 1 us of work before it leaves, or of each of the two hosts.
        {coded, codedEnd},
        {coded + "host.protocol.103B.start_cost=9us host.protocol.104B.start_cost=1us "
                 "host.protocol.1kB.start_cost=5us",
         codedEnd + 1'000'000},
        {coded + "host.protocol.104B.message_rate=52MBps host.protocol.1kB.start_cost=5us",
         codedEnd + 4 * 1'000'000 - 3 * (K - 2'000)},
        {coded + "host.byte_rate=52MBps", codedEnd + 4 * 2 * 1'000'000 - 3 * (K - 2'000)},
        // A NIC takes 400 bytes from its host. In its two engines, 7 cycles or 70 ns each, acknowledgements leave, and 100
        // bytes take 80 ns less on each link.
        {"codec.name=truncate host.protocol.399B.start_cost=9us host.protocol.400B.start_cost=0us "
         "host.protocol.401B.start_cost=9us",
         END + 4 * 2 * (70'000 - 80'000) - 3 * K},
        // Worker 1 computes half as fast: "out" is ready at 8 us, and then all goes as before; updates take
        // 1 us each.
        {"", 8'000'000 + 2 * X + K + 2'000'000, 2.0},
        {"training.jitter=normal training.jitter_sd=0", END},
        {"training.jitter=lognormal training.jitter_sd=0", END},
    };
    for (const auto& row : rows)
    {
        auto scenario = Of(row.settings);
        scenario.cluster.overrides = {{1, {}, row.worker1}};
        EXPECT_EQ(EndPs(scenario), row.endPs) << row.settings << " " << row.worker1;
    }
}

TEST_F(TwoLayerReplay, NotesWhatHappensInEachIteration)
{
    const auto outcome = Run(Of("training.iterations=2"));
    EXPECT_EQ(outcome.Job().seen->iterationEndPs, (std::vector<std::int64_t>{END, 2 * END}));
    EXPECT_EQ(outcome.Job().seen->layers[0][1].readyPs, END + 4'000'000);
    EXPECT_EQ(outcome.Job().seen->layers[0][1].updatedPs, 2 * END);
    EXPECT_EQ(outcome.Job().seen->layers[0][0].readyPs, END + 6'000'000);
    EXPECT_EQ(outcome.Job().seen->backwardEndPs[1], END + 6'000'000);
    EXPECT_EQ(outcome.Job().seen->chunks[0][1].startPs, END + 4'000'000 + X);
}

/* Of one iteration: forward 2 us, backward 4 us, updates 2 * 0.5 us at the end; the rest is communication. The warm-up's iterations stay out. The copy
 * of "out", at 4..4.4 us, lies under backward, that of "in", at 6..6.4 us, does not. A slower worker is last. Two
 * micro-batches: both workers send each layer once. */
TEST_F(TwoLayerReplay, BreaksItsTimeDown)
{
    const auto outcome = Run(Of(""));
    EXPECT_EQ(outcome.Job().measuredWorker, 0U);
    EXPECT_EQ(outcome.Job().breakdown.Of(Activity::FORWARD), 2'000'000);
    EXPECT_EQ(outcome.Job().breakdown.Of(Activity::BACKWARD), 4'000'000);
    EXPECT_EQ(outcome.Job().breakdown.Of(Activity::UPDATE), 1'000'000);
    EXPECT_EQ(outcome.Job().breakdown.communicationPs, END - 7'000'000);
    EXPECT_EQ(Run(Of("training.iterations=3 simulation.warmup=1")).Job().breakdown.TotalPs(),
              2 * END);
    EXPECT_EQ(Run(Of("host.copy_rate=1GBps")).Job().breakdown.Of(Activity::COPY), 400'000);
    auto slow = Of("");
    slow.cluster.overrides = {{1, {}, 2.0}};
    EXPECT_EQ(Run(slow).Job().measuredWorker, 1U);
    EXPECT_EQ(Run(Of("training.accumulation=2")).Job().seen->GradientPlainBytes(), 2 * 2 * 400U);
}

/* "out" (ready at 4 us) is cut in two chunks of 50 elements, x = 2 hops of 25 and K each. "in" is
 * ready when the first one ends, and by priority its chunks overtake the second one of "out". */
TEST_F(TwoLayerReplay, PriorityOvertakesAtChunkBoundaries)
{
    const auto outcome = Run(Of("exchange.order=priority exchange.chunk_bytes=200B"));
    const auto x = RingOfTwoPs(50) + K;
    ASSERT_GT(4'000'000 + x, 6'000'000);
    const auto& chunks =
        outcome.Job().seen->chunks[0]; // out 0..49, out 50..99, in 0..49, in 50..99
    EXPECT_EQ(chunks[0].startPs, 4'000'000);
    EXPECT_EQ(chunks[2].startPs, 4'000'000 + x - K);
    EXPECT_EQ(chunks[3].startPs, 4'000'000 + 2 * x - K);
    EXPECT_EQ(chunks[1].startPs, 4'000'000 + 3 * x - K);
    EXPECT_EQ(outcome.Job().seen->layers[0][0].updatedPs,
              chunks[1].endPs + 500'000); // all sums are there
}

class OneTensor : public ScenarioFixture
{
};

/* 100 elements in two chunks of 50, blocks of 25 (T = 142.4 ns). One after the other: twice the ring
 * and an acknowledgement between. Both at once: the second block follows the first by T, its second
 * step by T and an acknowledgement more. */
TEST_F(OneTensor, ChunksInFlightOverlap)
{
    const auto scenario = With(Bare("tensor:400B"), "exchange.chunk_bytes=200B");
    EXPECT_EQ(EndPs(scenario), 2 * RingOfTwoPs(50) + ACK_PS);
    EXPECT_EQ(EndPs(With(scenario, "exchange.concurrent=2")),
              2 * HopPs(25) + 2 * ACK_PS + FramePs(25));
}

/* One layer of 100 elements, 3 us of compute, flat: gradients a hop and a frame, 0.4 us to add (1
 * GB/s), 0.7 us to update on the aggregator, the second copy a frame and a hop. Worker 1 is last,
 * and what the aggregator did while it waited counts as sum and update. */
TEST_F(OneTensor, AnAggregatorsWorkIsItsWaitersTime)
{
    const auto outcome = Run(With(Bare(WriteTrace("one-layer",
                                                  "layer,elements,forward_ns,backward_ns,update_ns,"
                                                  "aggregator_update_ns",
                                                  "all,100,1000,2000,500,700\n")),
                                  "exchange.algorithm=worker-aggregator exchange.broadcast=flat "
                                  "host.sum_rate=1GBps"));
    EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(),
              3'000'000 + 2 * (HopPs(100) + FramePs(100)) + 400'000 + 700'000);
    EXPECT_EQ(outcome.Job().measuredWorker, 1U);
    EXPECT_EQ(outcome.Job().breakdown.Of(Activity::SUM), 400'000);
    EXPECT_EQ(outcome.Job().breakdown.Of(Activity::UPDATE), 700'000);
    EXPECT_EQ(outcome.Job().breakdown.communicationPs, 2 * (HopPs(100) + FramePs(100)));
}

/* 3 workers in a ring send 2 * 2 * n = 408 values of 4 bytes, as 100 are padded to 3 * 34; each of the 12 messages is one frame of
 * 78 bytes more, and one acknowledgement of 84. Links count them on the way up and on the way down. */
TEST_F(OneTensor, BytesAreConserved)
{
    const auto outcome = Run(Bare("tensor:400B", 3));
    EXPECT_EQ(outcome.Job().seen->OwnPlainBytes(), 1600U);
    EXPECT_EQ(outcome.Job().seen->GradientPlainBytes(), 1632U);
    EXPECT_EQ(outcome.Job().seen->gradientWireBytes, 1632U);
    EXPECT_EQ(outcome.hostWireBytes, 1632U + 12 * (78 + 84));
    std::uint64_t up = 0;
    std::uint64_t down = 0;
    for (const auto& link : outcome.links)
    {
        (link.ends.kind == LinkKind::FROM_HOST ? up : down) += link.port.out.wireBytes;
    }
    EXPECT_EQ(up, outcome.hostWireBytes);
    EXPECT_EQ(down, outcome.hostWireBytes);
}

/* 64 workers send 1 MB each to one port at the defaults: the window bounds what piles up at 64 * 64
 * frames of 1538 bytes, 6.3 MB of 16 MiB. */
TEST_F(OneTensor, SixtyFourWorkersLoseNothingAtTheDefaults)
{
    auto scenario = Bare("tensor:1MB", 64);
    scenario.exchange.algorithm = "worker-aggregator";
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.retransmittedFrames, 0U);
    for (const auto& link : outcome.links)
    {
        EXPECT_EQ(link.port.drops.Total(), 0U) << link.ends.name;
        EXPECT_LE(link.port.largestQueueBytes, 64U * 64 * 1538) << link.ends.name;
    }
}

/* Links of 1 s keep both workers waiting for longer than a patience of 1 ms; all that they do before, at once, is seen at the
 * first look, after 1 ps. A host that codes for 0.2 s does not stand still; one with a codec of 1 B/s was given up. */
TEST_F(OneTensor, ARunThatStandsStillSaysWhoWaitsForWhom)
{
    const auto why = [](const std::string& settings) {
        return WhyNot<RunError>(
            [&] { Run(With(Bare("tensor:400B"), "simulation.watchdog=1ms " + settings)); });
    };
    EXPECT_THAT(why("cluster.latency=1s"),
                testing::AllOf(
                    testing::HasSubstr("the run stands still: no progress since 1 ps"),
                    testing::HasSubstr("worker 1: iteration 0 (from 0): exchange 0, step 1 of 2, "
                                       "waits for a message from worker 0")));
    EXPECT_THAT(why("cluster.latency=1s host.duplex=half"),
                testing::HasSubstr("waits until it may send to worker 1"));
    EXPECT_EQ(why("codec.name=truncate codec.placement=cpu codec.encode_rate=1kBps "
                  "codec.decode_rate=1kBps"),
              "");
}

/* A worker computes for 10 ms, as long as 10^10 looks of one every picosecond would take; then its links of 1 ms let it wait. */
TEST_F(OneTensor, AShortPatienceTakesNoLongerThanTheRun)
{
    const auto trace = WriteTrace(
        "slow", "layer,elements,forward_ns,backward_ns,update_ns", "in,100,5000000,5000000,500\n");
    const auto why = WhyNot<RunError>(
        [&] { Run(With(Bare(trace), "simulation.watchdog=1ps cluster.latency=1ms")); });
    EXPECT_THAT(why, testing::HasSubstr("the run stands still: no progress since 10"));
    EXPECT_THAT(why, testing::HasSubstr("waits for a message from worker"));
}

/* Whoever looks at the progress, after every 65,536 events, may end the run, and the next run finds nothing of it. */
TEST_F(OneTensor, ARunCanBeEndedFromWithin)
{
    const auto scenario = With(Bare("tensor:100MB"), "simulation.mode=packet");
    const auto wholePs = EndPs(scenario);
    EXPECT_THROW(Simulate(MakePlan(scenario), [](double) { throw Interrupted(SIGINT); }),
                 Interrupted);
    EXPECT_EQ(EndPs(scenario), wholePs);
}

/* In a process of its own, which ends as by an error, though the run has not enough events to look at its progress. */
TEST_F(OneTensor, HearsOfSignalsWhileItIsBuilt)
{
    const auto run = [] { Run(Bare("tensor:400B")); };
    const auto interrupted = [&run] {
        CatchInterrupts();
        ::raise(SIGTERM);
        run();
    };
    EXPECT_EQ(EndOf(run), 0);
    EXPECT_EQ(EndOf(interrupted), 3);
}

/* A worker that waited for a message counted what its sender did, though the message was on its way already, and what
 * that one waited for itself. Here 3 workers have blocks of 1,460 bytes, and the links of the last are 100 times slower.
 * All send at once, and while worker 2 waits for what worker 1 has sent, over its own slow link, and 0 for 2's,
 * worker 1 has 0's block and adds. Those are not what 0 and 2 wait for: who ends last adds 2 blocks in 1 us each (1.46
 * GB/s), and waits for the network all other time. It was 5 us. */
TEST(Breakdown, OfWhatIsUnderWayIsCommunication)
{
    auto scenario =
        With({}, "training.trace=tensor:4380B cluster.workers=3 host.sum_rate=1.46GBps");
    scenario.cluster.overrides.push_back({2, 100'000'000, 1});
    const auto shares = RunExperiment(scenario, {}).results.shares;
    EXPECT_EQ(shares.sumPs, 2'000'000);
    EXPECT_EQ(shares.communicationPs, shares.TotalPs() - 2'000'000);
}

/* 4 hosts that cannot send and receive at once, 4000 values: blocks of 4000 bytes, added at 1 MB/s in
 * 4 ms. A host is one thread, so each adds when both messages of its step have moved: all at the same
 * time, 3 * 4 = 12 ms in all. A worker that added while it sent would let the others wait for its
 * sums as well, 24 ms. The ends of a message are apart by less than 10 us (2 links of 1 us, 3 frames
 * of 1.2 us, an acknowledgement), by which a worker may wait for another one's sum in each of 3 steps. */
TEST(AlternatingHost, AddsWhenItsMessagesHaveMoved)
{
    const auto sumPs =
        RunExperiment(With({}, "training.trace=tensor:16kB host.duplex=half host.sum_rate=1MBps"),
                      {})
            .results.shares.sumPs;
    EXPECT_GE(sumPs, 12'000'000'000);
    EXPECT_LE(sumPs, 12'000'000'000 + 3 * 10'000'000);
}

class Collectives : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t FRAME_PS{1'230'400};   ///< 1538 bytes at 10 Gbit/s: a full frame
    static constexpr std::int64_t LATENCY_PS{2'000'000}; ///< of two links
    static constexpr std::uint64_t FRAME_BYTES{1460};

    /** Nothing but the wire takes time, and a message's end is acknowledged. */
    static Scenario Of(const std::string& exchange, std::uint32_t workers, std::uint64_t bytes)
    {
        return With(Bare("tensor:" + std::to_string(bytes) + "B", workers),
                    "transport.ack_every=64 tree.chunk_bytes=1MB exchange.algorithm=" + exchange);
    }
};

TEST_F(Collectives, TakeTheirClosedForms)
{
    struct TableRow
    {
        const char* exchange;
        std::uint32_t workers;
        std::int64_t endPs;
    };

    const auto ofTwoPs = 2 * (21 * FRAME_PS + LATENCY_PS) + ACK_PS;
    const TableRow rows[] = {
        // 40 frames, 4 workers: each sends and receives 20, 10, 10 and 20 at the same time. F frames arrive
        // after F + 1 frame times (the last one crosses two links) and two latencies; the acknowledgement of
        // what came goes before the next step's first frame. 4 (F + 1) times, F = 20 + 10 + 10 + 20 in all.
        {"halving-doubling", 4, (60 + 4) * FRAME_PS + 4 * LATENCY_PS + 3 * ACK_PS},
        // 5 workers: before that, worker 0 gives all 40 to worker 1, and gets 40 after: 41 frame times each.
        // The members 2 and 3 do not wait for that: the 20 and the 10 that they have for worker 1 come over
        // its link among the 40. Acknowledgements go before the first frames of the 5 steps after.
        {"halving-doubling",
         5,
         (40 + 20 + 10 + 1) * FRAME_PS + (60 + 4) * FRAME_PS + (40 + 1) * FRAME_PS +
             6 * LATENCY_PS + 5 * ACK_PS},
        // Of two workers each adds one half and gets the other, whatever it is called: 2 steps of 20 frames. A
        // tree of two hands its half up and gets the sum down, the other tree the other way round.
        {"ring", 2, ofTwoPs},
        {"halving-doubling", 2, ofTwoPs},
        {"tree", 2, ofTwoPs},
        // 2 steps of all 40 frames each way.
        {"recursive-doubling", 4, 2 * (41 * FRAME_PS + LATENCY_PS) + ACK_PS},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(EndPs(Of(row.exchange, row.workers, 40 * FRAME_BYTES)), row.endPs)
            << row.exchange << " of " << row.workers;
    }
}

/* A value for each tree: 4 levels up and 4 down, where a ring of 16 takes 30 steps. A step takes two
 * smallest frames (84 bytes) and two latencies; beside them a worker's link carries, in a step, at most two
 * frames of its children, one of its parent, one of the other tree, and their acknowledgements: 8 more. */
TEST_F(Collectives, ATreeTakesTheLogarithmOfSteps)
{
    const auto timePs = EndPs(Of("tree", 16, 8));
    EXPECT_GE(timePs, 8 * (2 * ACK_PS + LATENCY_PS));
    EXPECT_LE(timePs, 8 * (2 * ACK_PS + LATENCY_PS + 8 * ACK_PS));
    EXPECT_GE(EndPs(Of("ring", 16, 8)), 30 * (2 * ACK_PS + LATENCY_PS));
}

/* Channels add while others are on the wire: a ring of 8 takes what 7/8 of 10 MB
 * twice take on the wire, at 1538 for 1460 bytes, within 1 %; alone it waits for 7 additions of 1.25 MB
 * more. The window never waits for an acknowledgement. */
TEST_F(Collectives, ChannelsHideAdditions)
{
    Scenario scenario;
    SetKeys(scenario, "training.trace=tensor:10MB cluster.workers=8 host.sum_rate=2GBps");
    const double wirePs = 1e7 * 2 * 7 / 8 * 1538 / 1460 * 800;
    const double addingPs = 7 * 1.25e6 / 2e9 * 1e12;
    EXPECT_GE(static_cast<double>(EndPs(scenario)), wirePs + addingPs);
    SetKeys(scenario, "ring.channels=4");
    const auto results = RunExperiment(scenario, {}).results;
    EXPECT_LE(static_cast<double>(results.iterationTimePs), wirePs * 1.01);
    EXPECT_EQ(results.limitedBy, "link");
    SetKeys(scenario, "ring.chunk_bytes=100kB");
    EXPECT_LE(static_cast<double>(EndPs(scenario)), wirePs * 1.01);
}

/* Where a worker is one host, as its GPUs drop values of their sum, 8 GPUs at 12 GB/s add up, and share, 7/8 of the tensor each,
 * before and after, in 7 steps that take as many latencies. Two NICs at half the rate are a worker's link. */
TEST_F(Collectives, MachinesOfGpusAddUpFirst)
{
    for (const auto* exchange : {"tree", "halving-doubling", "ring"})
    {
        const auto scenario =
            With(Of(exchange, 4, 40 * FRAME_BYTES), "sparsify.method=threshold sparsify.rate=none");
        const auto bytes = 40 * FRAME_BYTES / 8 * 7;
        const auto sharingPs =
            static_cast<std::int64_t>(bytes * 1000 / 12 + (bytes * 1000 % 12 > 0));
        EXPECT_EQ(EndPs(With(scenario, "cluster.gpus=8")) - EndPs(scenario), 2 * sharingPs)
            << exchange;
        EXPECT_EQ(EndPs(With(scenario, "cluster.gpus=8 cluster.gpu_latency=3us")) - EndPs(scenario),
                  2 * (sharingPs + 7 * 3'000'000));
        EXPECT_EQ(EndPs(With(scenario, "cluster.bandwidth=5Gbps cluster.nics=2")), EndPs(scenario));
    }
}

/* Two GPUs of a worker give each other half of a chunk's 400 bytes at 1 GB/s, 200 ns, before and after its exchange X. The second
 * chunk is added up while the first is exchanged, and the first is shared out while the second is. */
TEST_F(OneTensor, ChunksFollowEachOtherThroughGpusAndNetwork)
{
    EXPECT_EQ(EndPs(With(Bare("tensor:800B"),
                         "exchange.chunk_bytes=400B cluster.gpus=2 cluster.gpu_bandwidth=1GBps "
                         "sparsify.method=threshold sparsify.rate=none")),
              200'000 + 2 * RingOfTwoPs(100) + ACK_PS + 200'000);
}

/* A worker adds half of 1,600 bytes, 800 ns at 1 GB/s; 8 GPUs add a share each, where nothing is copied to the host. Meanwhile
 * an acknowledgement leaves, which else the next message would wait for. */
TEST_F(OneTensor, GpusShareSums)
{
    for (const std::uint32_t gpus : {1U, 8U})
    {
        const auto scenario = With(Bare("tensor:1600B"),
                                   "sparsify.method=threshold sparsify.rate=none cluster.gpus=" +
                                       std::to_string(gpus));
        EXPECT_EQ(EndPs(With(scenario, "host.sum_rate=1GBps")) - EndPs(scenario),
                  800'000 / gpus - ACK_PS);
    }
}

/* What losses delayed in the warm-up was taken off the iteration that is measured: runs were below their bound, and their
 * scaling efficiency above 1. */
TEST(MeasuredIterations, AreNoShorterForLossesBefore)
{
    for (const auto* exchange : {"worker-aggregator", "ring", "hierarchical-ring"})
    {
        for (std::uint32_t seed = 1; seed <= 4; ++seed)
        {
            const auto settings =
                std::string("training.trace=hdc training.iterations=3 simulation.warmup=2 "
                            "cluster.loss_rate=0.001 exchange.algorithm=") +
                exchange + " simulation.seed=" + std::to_string(seed);
            const auto results = RunExperiment(With({}, settings), {}).results;
            EXPECT_GE(results.iterationTimePs, *results.lowerBoundPs) << settings;
            EXPECT_LE(*results.scalingEfficiency, 1) << settings;
        }
    }
}

} // namespace inca
