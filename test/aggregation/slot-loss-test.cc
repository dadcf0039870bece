/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-fixture.h"

#include <tuple>

namespace inca
{

/** Frames are lost by ordinal, and every sum is exact all the same. */
class SlotLossTest : public SwitchFixture
{
  protected:
    static constexpr std::size_t TRUNKS{100}; ///< and above: the link of a switch to the one above
    static constexpr auto UP = LOWER_SIDE;
    static constexpr auto DOWN = UPPER_SIDE;

    /** What is lost of what a side of a link sends. */
    struct Losses
    {
        std::size_t link; ///< a worker's, or TRUNKS + a switch's
        unsigned side;
        std::list<std::uint32_t> ordinals;
    };

    std::int64_t LastDonePs() const
    {
        std::int64_t lastPs = 0;
        for (const auto& ofWorker : results)
        {
            lastPs = std::max(lastPs, ofWorker.back().donePs);
        }
        return lastPs;
    }
};

TEST_F(SlotLossTest, SumsAreExactAndLateByTimeouts)
{
    struct Row
    {
        const char* what;
        std::vector<std::uint32_t> workers; ///< of one switch, or of each leaf of a tree
        std::uint32_t slots;
        std::uint32_t doubleAfter;
        bool byBlock; ///< with exponents ahead
        std::uint64_t values;
        std::vector<Losses> losses;
        std::vector<std::uint64_t> again; ///< by worker, what it sent again; empty: whatever
        std::int64_t endPs;               ///< of the last sum; 0: whenever
        const char* counts; ///< of the first switch: answered, duplicates; "": whatever
    };

    constexpr auto V = std::uint64_t{VALUES};
    constexpr auto F = FRAME_PS;
    constexpr auto T = TIMEOUT_PS;
    constexpr auto RT = ROUND_TRIP_PS;
    // clang-format off
    const Row rows[] = {
        // Both workers time out 1 ms after their packet has left (270.4 ns); worker 0's timer was set first,
        // so its repetition completes the slot, and worker 1's, which comes at the same instant, is
        // answered.
        {"worker 0's only packet", {2}, 128, 100, false, V, {{0, UP, {0}}}, {1, 1}, F + T + RT,
         "1 0"},
        // Worker 0 has it, and sends nothing again. The switch answers 1.
        {"the sum to worker 1", {3}, 128, 100, false, V, {{1, DOWN, {0}}}, {0, 1, 0}, F + T + RT,
         "1 0"},
        // Worker 1 has it and sends packet 21 into the same slot. It left a round trip after 17, so it times
        // out when worker 0, answered a round trip after its own timeout, sends its 21: worker 1's repetition
        // comes first, and is a duplicate. The other slots go on meanwhile.
        {"sum 17 to worker 0", {2}, 4, 100, false, 40 * V, {{0, DOWN, {17}}}, {1, 1}, 0, "1 1"},
        // Each asks, each is answered.
        {"the sum to both", {2}, 128, 100, false, V, {{0, DOWN, {0}}, {1, DOWN, {0}}}, {1, 1}, 0,
         "2 0"},
        // 3 timeouts.
        {"the contribution, its repetition, and the answer to the third one's",
         {1}, 128, 100, false, V, {{0, UP, {0, 1}}, {0, DOWN, {0}}}, {3}, 3 * (F + T) + RT, ""},
        {"several on every link", {3}, 8, 100, false, 30 * V,
         {{0, UP, {0, 3, 4, 5, 20}}, {1, DOWN, {0, 1, 2, 11}}, {1, UP, {7, 8, 30}}, {2, DOWN, {2,
         19, 29}}},
         {}, 0, ""},
        // Packets 0 and 9 are due 9 frames apart.
        {"the first and the last", {2}, 128, 100, false, 9 * V + 5, {{0, UP, {0, 9}}}, {2, 2},
         10 * F + T + RT, ""},
        // Of 4 blocks through 2 slots the first 2 packets carry exponents alone. The first sum to worker 1 is
        // that of packet 1. Worker 0 has it, and sends packet 3, which times out too: worker 0 repeats 0 and 3,
        // worker 1 repeats 0 and 1.
        {"worker 0's packet 0, and the first sum to worker 1",
         {2}, 2, 100, true, 4 * V, {{0, UP, {0}}, {1, DOWN, {0}}}, {2, 2}, 0, ""},
        {"everywhere in a tree", {3, 1, 2}, 8, 100, true, 30 * V + 1,
         {{0, UP, {1, 9, 10}}, {3, DOWN, {0, 5}}, {5, UP, {2, 3, 12}}, {TRUNKS + 1, UP, {0, 4, 20}},
          {TRUNKS + 2, DOWN, {3, 8, 9}}, {TRUNKS + 3, DOWN, {0, 1}}},
         {}, 0, ""},
        // The timeout doubles after 2 timeouts: 1, 1, 2, 2, 4 ms between the departures of the 6 packets.
        {"all 5 times", {1}, 128, 2, false, V, {{0, UP, {0, 1, 2, 3, 4}}}, {5},
         5 * F + 10 * T + RT, ""},
        // What was answered counts as no timeout: of its own the third one is doubled, after 2. It leaves as
        // the 5th frame, and 1, 1 and 2 ms after each departure.
        {"of 5 packets the last, 3 times", {1}, 128, 2, false, 5 * V, {{0, UP, {4, 5, 6}}}, {3},
         7 * F + 4 * T + RT, ""},
        // One slot, 2 packets. The first leaves at 0, 1 and 3 ms after the departure before. Its sum says that
        // packets were lost, so that the second, lost once, is sent again after 1 ms, not after 4.
        {"the first packet twice", {1}, 1, 1, false, 2 * V, {{0, UP, {0, 1, 3}}}, {3},
         3 * F + 4 * T + 2 * RT, ""},
        // The same where sums are lost on their way down: the answer says it.
        {"the first sum twice", {1}, 1, 1, false, 2 * V, {{0, DOWN, {0, 1, 3}}}, {3},
         3 * F + 4 * T + 2 * RT, ""},
        // Every packet goes several times, and is exact all the same.
        {"nothing", {2, 1}, 4, 0, false, 50 * V, {}, {}, 0, ""},
    };
    // clang-format on
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        Clear();
        Slots(row.slots);
        row.byBlock ? ScaleByBlock() : ScaleFixed();
        Client("DoubleAfter", ns3::UintegerValue(row.doubleAfter));
        const bool isImpatient = row.losses.empty(); // less than a round trip
        Client("Timeout", ns3::TimeValue(ns3::PicoSeconds(isImpatient ? 2'000'000 : TIMEOUT_PS)));
        row.workers.size() == 1 ? Star(row.workers.front()) : Tree(row.workers);
        for (const auto& [link, side, ordinals] : row.losses)
        {
            Lose(link < TRUNKS ? links[link] : trunks[link - TRUNKS], side, ordinals);
        }
        SumAll(row.values);
        RunExact();
        std::vector<std::uint64_t> again;
        for (const auto& client : clients)
        {
            again.push_back(client->RetransmittedFrames());
        }
        EXPECT_TRUE(row.again.empty() ? Retransmitted() > 0 : again == row.again);
        EXPECT_TRUE(row.endPs == 0 || LastDonePs() == row.endPs) << LastDonePs();
        for (std::size_t worker = 0; worker < row.again.size(); ++worker)
        {
            // who misses nothing waits for nobody
            EXPECT_TRUE(row.again[worker] > 0 || results[worker][0].donePs == RT);
        }
        // every child's packets are added once, and each sum goes to each child, and as an answer
        const auto blocks = (row.values + V - 1) / V;
        const auto packets =
            blocks + (row.byBlock ? std::min<std::uint64_t>(row.slots, blocks) : 0);
        const auto children = row.workers.size() == 1 ? row.workers.front() : row.workers.size();
        const auto& counters = programs[0]->Counters();
        EXPECT_EQ(counters.combined, packets * children);
        EXPECT_EQ(counters.made, packets * children + counters.answered);
        const auto counts =
            std::to_string(counters.answered) + " " + std::to_string(counters.duplicates);
        EXPECT_TRUE(*row.counts == '\0' || counts == row.counts) << counts;
        ns3::Simulator::Destroy();
    }
}

/* Leaf 0's packet 0 to the root is lost, and all 4 workers time out. Both leaves' slots are
 * complete, so each passes both of its workers' repetitions up, beside 5 sums down. At the root
 * leaf 0's first one completes; the other 3 are answered, or dropped if they came before it.
 * What is answered is late at the leaf: the sum is there. */
TEST_F(SlotLossTest, AContributionIsLostBetweenSwitches)
{
    Tree({2, 2});
    Lose(trunks[1], LOWER_SIDE, {0});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 4U);
    EXPECT_EQ(programs[1]->Counters().forwarded, 7U);
    EXPECT_EQ(programs[2]->Counters().forwarded, 7U);
    EXPECT_EQ(programs[0]->Counters().combined, 10U);
    const auto answered = programs[0]->Counters().answered;
    EXPECT_EQ(answered + programs[0]->Counters().duplicates, 3U);
    EXPECT_EQ(programs[1]->Counters().late + programs[2]->Counters().late, answered);
}

/* The root's sum 0 to leaf 1 is lost; leaf 0's workers have it. Leaf 1 passes the repetitions of
 * its two workers up, and the root answers both; the second answer is late. */
TEST_F(SlotLossTest, ASumIsLostBetweenSwitches)
{
    Tree({2, 2});
    Lose(trunks[2], UPPER_SIDE, {0});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames() + clients[1]->RetransmittedFrames(), 0U);
    EXPECT_EQ(clients[2]->RetransmittedFrames(), 1U);
    EXPECT_EQ(clients[3]->RetransmittedFrames(), 1U);
    EXPECT_EQ(programs[0]->Counters().answered, 2U);
    EXPECT_EQ(programs[2]->Counters().forwarded, 7U);
    EXPECT_EQ(programs[2]->Counters().late, 1U);
}

/* Worker 1 begins 3.5 ms late, and nothing is lost: the timeout of worker 0, whose packet was sent
 * at 0, 1 and 3 ms, was too short, and stays at 4 ms. Its 2nd packet is lost, and is sent again then. */
TEST_F(SlotLossTest, TheTimeoutStaysAfterAWait)
{
    Client("DoubleAfter", ns3::UintegerValue(1));
    Slots(1);
    Star(2);
    Lose(links[0], LOWER_SIDE, {3});
    Sum(0, 2 * VALUES);
    constexpr std::int64_t beginPs = 3'500'000'000;
    ns3::Simulator::Schedule(ns3::PicoSeconds(beginPs), [this] { Sum(1, 2 * VALUES); });
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 3U);
    EXPECT_EQ(results[0][0].donePs,
              beginPs + ROUND_TRIP_PS + FRAME_PS + 4 * TIMEOUT_PS + ROUND_TRIP_PS);
}

TEST_F(SlotLossTest, TheTimeoutIsTheFirstAgainForTheNextSum)
{
    Client("DoubleAfter", ns3::UintegerValue(1));
    Star(1);
    Lose(links[0], LOWER_SIDE, {0, 1, 3});
    SumAll(VALUES); // departures 0, 1 ms, 3 ms
    ns3::Simulator::Run();
    const auto beginPs = results[0][0].donePs;
    SumAll(VALUES); // 1 ms again
    const auto restPs = ns3::Simulator::Now().GetTimeStep();
    RunExact();
    EXPECT_GE(restPs, beginPs);
    EXPECT_EQ(results[0][1].donePs, restPs + FRAME_PS + TIMEOUT_PS + ROUND_TRIP_PS);
}

/* The NIC's buffer holds 4 frames, and 10 are handed to it at once: of the first, 6 are dropped, and
 * are due a timeout after the 4th has left; of their repetitions 2, and again. So the last packet
 * leaves 2 bursts of 4 frames and 2 timeouts later, as the second of its burst. */
TEST_F(SlotLossTest, TheNicsBufferIsBelowTheWindow)
{
    Star(1);
    nics[0]->SetAttribute("Buffer", ns3::UintegerValue(4 * 338));
    SumAll(10 * VALUES);
    RunExact();
    EXPECT_EQ(nics[0]->Counters().drops.Of(DropReason::BUFFER_FULL), 8U);
    EXPECT_EQ(clients[0]->SentFrames(), 10U);
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 8U);
    EXPECT_EQ(LastDonePs(), 2 * (4 * FRAME_PS + TIMEOUT_PS) + FRAME_PS + ROUND_TRIP_PS);
}

/** Workers whose windows are not as large as their switch's pool. */
class SlotWindowTest : public SwitchFixture
{
  protected:
    /** Sums that are whole. */
    unsigned DoneCount() const
    {
        unsigned count = 0;
        for (const auto& ofWorker : results)
        {
            count += ofWorker.front().doneCount;
        }
        return count;
    }

    /** What has been written of the first sums so far is right. */
    void ExpectNothingWrong() const
    {
        for (const auto& ofWorker : results)
        {
            const auto& result = ofWorker.front();
            const auto expected = ExpectedSum(result.words, result.sum.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
            {
                EXPECT_TRUE(result.written[i] == 0 || result.sum[i] == expected[i]) << i;
            }
        }
    }
};

/* A window of 4 over a pool of 2, and worker 1 asks 5 us later: what found no slot meanwhile, packets
 * 2 and 3 of worker 0, goes in when its timeout has passed. */
TEST_F(SlotWindowTest, APoolBelowTheWindowOnlyCostsTime)
{
    Client("Slots", ns3::UintegerValue(4));
    Program("Slots", ns3::UintegerValue(2));
    Star(2);
    Sum(0, 12 * VALUES);
    ns3::Simulator::Schedule(ns3::MicroSeconds(5), [this] { Sum(1, 12 * VALUES); });
    RunExact();
    EXPECT_GE(programs[0]->Counters().noSlot, 2U);
    EXPECT_GE(clients[0]->RetransmittedFrames(), 2U);
}

/* Windows of 4 over a pool of 2, and sum 0 to worker 0 is lost. Worker 1 has it, and its packet 4
 * overwrites copy 0 of slot 0, because packet 2 is done meanwhile. So what worker 0 asks for is gone,
 * while packet 4 waits for it for ever: who looks is told who waits for whom, and that packets were
 * late. What was written is right. Windows of 2 over a pool of 3: packets 0, 2, 4, ... follow each other, and 1, 3, 5, ....
 * Sum 2 to worker 0 is lost; its 5, in the same slot as 2, goes on with the odd ones, and clears its bit. */
TEST_F(SlotWindowTest, ALostSumMayStarveAWorkerWhoseWindowIsNotThePools)
{
    const std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> rows[] = {{4, 2, 0}, {2, 3, 2}};
    for (const auto& [window, pool, lost] : rows)
    {
        Clear();
        Client("Slots", ns3::UintegerValue(window));
        Program("Slots", ns3::UintegerValue(pool));
        Star(2);
        Lose(links[0], UPPER_SIDE, {lost});
        SumAll(12 * VALUES);
        RunFor(ns3::MilliSeconds(20));
        EXPECT_EQ(DoneCount(), 0U);
        ExpectNothingWrong();
        EXPECT_GT(programs[0]->Counters().late, 0U);
        const auto state = programs[0]->State();
        EXPECT_TRUE(window == 2 || state.find("slot 0 (packet 4) waits for worker 0") == 0)
            << state;
        EXPECT_NE(state.find(" late"), std::string::npos) << state;
        const auto oldest = "the oldest, " + std::to_string(lost) + ", was sent";
        EXPECT_NE(clients[0]->State().find(oldest), std::string::npos);
        ns3::Simulator::Destroy();
    }
}

} // namespace inca
