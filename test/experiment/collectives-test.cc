/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A lone tensor that is exchanged otherwise than by an all-reduce.
#include "exchange/collectives.h"
#include "experiment/scenario-fixture.h"
#include "scenario/specs.h"

namespace inca
{

namespace
{

class LoneTensors : public ScenarioFixture
{
  protected:
    static Scenario Of(const std::string& collective, std::uint32_t workers = 4)
    {
        return With(Bare("tensor:1200B", workers), "exchange.collective=" + collective);
    }
};

} // namespace

/*
 * Of 300 values among 3 workers, or 2 or 4. An all-to-all: two frames of a third each leave one after the other, and reach
 * their ports in turn. Flat, the root sends two frames of all to two workers. In a binomial tree of four it sends to worker 2,
 * which acknowledges and sends on to worker 3, while the root sends to worker 1. Halves of an all-reduce of two are a hop of
 * half of all. Groups of two of four: first half of all to the other group, then a quarter to the neighbour, twice.
 * Of 4 workers tokens go to 2: each worker has two parts, of 38 values with what makes them equal, of which each other one
 * gets one, or adds to it: three frames one after the other. Blocks of 2, 1 and 0 shares are of 200, 100 and no values: two
 * frames of 200 come to worker 0 at once, and none goes to worker 2. What is added of 4 workers' tokens is a value for each
 * one of both parts, at 4 ns; with one expert each part has one value, so that nothing is added.
 */
TEST_F(LoneTensors, TakeTheTimesOfTheirMessages)
{
    struct Row
    {
        const char* collective;
        std::uint32_t workers;
        std::int64_t ps;
        double passes; ///< of all values over a link, as nccl-tests counts for busbw
    };

    const Row rows[] = {
        {"all-to-all", 3, HopPs(100) + FramePs(100), 2.0 / 3},
        {"all-to-all exchange.all_to_all=direct", 3, HopPs(100) + FramePs(100), 2.0 / 3},
        {"all-to-all exchange.all_to_all=hierarchical exchange.group_size=2",
         4,
         HopPs(150) + 2 * HopPs(75) + 2 * ACK_PS,
         3.0 / 4},
        {"broadcast exchange.broadcast=flat", 3, HopPs(300) + FramePs(300), 1},
        {"broadcast", 4, 2 * HopPs(300) + ACK_PS, 1},
        {"send", 4, HopPs(300), 1},
        {"reduce-scatter", 2, HopPs(150), 1.0 / 2},
        {"all-gather", 2, HopPs(150), 1.0 / 2},
        {"all-reduce", 2, RingOfTwoPs(300), 1},
        {"all-to-all exchange.all_to_all_shares=1,1,1", 3, HopPs(100) + FramePs(100), 2.0 / 3},
        {"all-to-all exchange.all_to_all_shares=2,1,0", 3, HopPs(200) + FramePs(200), 4.0 / 3},
        {"dispatch", 4, HopPs(38) + 2 * FramePs(38), 3.0 / 8},
        {"combine", 4, HopPs(38) + 2 * FramePs(38), 3.0 / 8},
        {"combine host.sum_rate=1GBps", 4, HopPs(38) + 2 * FramePs(38) + 2 * 38 * 4000, 3.0 / 8},
        {"combine exchange.experts_per_token=1 host.sum_rate=1MBps",
         4,
         HopPs(19) + 2 * FramePs(19),
         3.0 / 16},
        {"combine exchange.experts_per_token=4", 4, HopPs(75) + 2 * FramePs(75), 3.0 / 4}};
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.collective);
        const auto results = RunExperiment(Of(row.collective, row.workers), {}).results;
        EXPECT_EQ(results.iterationTimePs, row.ps);
        EXPECT_NEAR(*results.algbwGbps, 1200 * 8 * 1000.0 / static_cast<double>(row.ps), 1e-6);
        EXPECT_NEAR(*results.busbwGbps, *results.algbwGbps * row.passes, 1e-6);
    }
}

/* Every value is where it belongs, and auto is what packet level is, whatever algorithm, codec or type there is. */
TEST_F(LoneTensors, MoveValuesToWhereTheyBelong)
{
    std::size_t runs = 0;
    for (const std::string collective :
         {"reduce-scatter",
          "all-gather",
          "all-to-all",
          "all-to-all exchange.all_to_all_shares=1,2.5,0,5;1,1,1,1;0,0,0,0;7,0,1,0",
          "broadcast",
          "send",
          "dispatch",
          "combine",
          "combine exchange.experts_per_token=1"})
    {
        for (const std::string how :
             {"ring",
              "halving-doubling",
              "two-shot",
              "switch-slots",
              "switch-tree",
              "ring exchange.all_to_all=direct",
              "ring exchange.all_to_all=hierarchical exchange.group_size=3 cluster.workers=6",
              "ring exchange.all_to_all=pairwise exchange.group_size=2 cluster.topology=leaf-spine",
              "ring exchange.broadcast=flat transport.name=tcp"})
        {
            for (const std::string more :
                 {"",
                  "training.gradient_type=bf16",
                  "codec.name=inceptionn",
                  "codec.name=truncate codec.placement=cpu codec.encode_rate=1GBps "
                  "codec.decode_rate=2GBps",
                  "cluster.loss_rate=0.01",
                  "training.iterations=3"})
            {
                const auto settings = collective +
                                      " training.trace=tensor:50kB training.values=true "
                                      "exchange.algorithm=" +
                                      how + " " + more;
                SCOPED_TRACE(settings);
                const auto scenario = Of(settings);
                if (Complaints(scenario).empty())
                {
                    const auto record = RunExperiment(scenario, {});
                    ExpectSameRows(record, AtPacketLevel(scenario));
                    EXPECT_LE(record.results.lowerBoundPs.value_or(0),
                              record.results.iterationTimePs);
                    EXPECT_TRUE(record.results.sumVnmse > 0 || !HasLossyCodec(scenario));
                    ++runs;
                }
            }
        }
    }
    // of 486, more than a third can run: all-to-alls, broadcasts and sends have no algorithm that adds, dispatches and combines
    // switches alone, and codecs are of neither gathers nor switches
    EXPECT_GT(runs, 160U);
}

/*
 * Tokens that switches hand on are as they were. Only who waits for sums of all cannot do in the warm-up what is measured: worker
 * 0, which gets nothing, ends its sends of both iterations before worker 1 has got the first one's.
 */
TEST_F(LoneTensors, SayWhatIsNotAdded)
{
    const auto handedOn = Of("dispatch exchange.algorithm=switch-slots switch.adder=fp16");
    const auto results = RunExperiment(handedOn, {}).results;
    EXPECT_EQ(results.loses, "none");
    EXPECT_EQ(results.sumsDependOnOrder, "no");
    const auto runsAhead =
        Of("all-to-all exchange.all_to_all_shares=0,1,0 training.iterations=2", 3);
    EXPECT_TRUE(RunExperiment(runsAhead, {}).results.lowerBoundPs);
    EXPECT_FALSE(RunExperiment(With(runsAhead, "simulation.warmup=1"), {}).results.lowerBoundPs);
}

/* All workers do the same, moved in groups. */
TEST_F(LoneTensors, FoldToOneWorker)
{
    for (const std::string collective : {"all-to-all", "dispatch", "combine"})
    {
        for (const std::string how : {"pairwise", "direct", "hierarchical"})
        {
            const auto scenario = With(Of(collective, 16),
                                       "training.trace=tensor:1MB exchange.group_size=4 "
                                       "exchange.all_to_all=" +
                                           how);
            if (Complaints(scenario).empty()) // but for parts in hierarchies
            {
                const auto record = RunExperiment(scenario, {});
                EXPECT_EQ(record.results.simulatedRanks, 1U) << collective << how;
                ExpectSameRows(record, AtPacketLevel(scenario));
            }
        }
    }
}

TEST_F(LoneTensors, AreRefusedWhereTheyMeanNothing)
{
    const std::pair<const char*, const char*> rows[] = {
        {"all-to-all exchange.algorithm=tree", "exchange.algorithm"},
        {"all-to-all exchange.group_size=3", "exchange.group_size"},
        {"all-to-all training.sharding=full", "training.sharding"},
        {"all-to-all exchange.library=nccl", "exchange.library"},
        {"reduce-scatter exchange.algorithm=tree", "exchange.algorithm"},
        {"reduce-scatter codec.name=homomorphic", "codec.name"},
        {"all-gather codec.name=inceptionn", "codec.name"},
        {"broadcast codec.name=inceptionn", "codec.name"},
        {"all-to-all host.duplex=half", "host.duplex"},
        {"combine host.duplex=half", "host.duplex"},
        {"all-to-all exchange.all_to_all_shares=1,1,1", "exchange.all_to_all_shares"},
        {"all-to-all exchange.all_to_all_shares=1,1,1,1;1,1,1,1", "exchange.all_to_all_shares"},
        {"all-to-all exchange.all_to_all_shares=0,0,0,0", "exchange.all_to_all_shares"},
        {"all-to-all exchange.all_to_all_shares=1,1,1,1 exchange.all_to_all=hierarchical",
         "exchange.all_to_all_shares"},
        {"dispatch exchange.experts_per_token=3", "exchange.experts_per_token"},
        {"dispatch exchange.all_to_all=hierarchical", "exchange.all_to_all"},
        {"combine exchange.algorithm=tree", "exchange.algorithm"},
        {"combine exchange.library=nccl", "exchange.library"},
        {"dispatch exchange.algorithm=switch-slots codec.name=inceptionn", "codec.name"},
        {"dispatch exchange.algorithm=switch-slots cluster.gpus=2", "cluster.gpus"}};
    for (const auto& [settings, key] : rows)
    {
        EXPECT_THAT(KeysComplainedOf(Of(settings)), testing::Contains(key)) << settings;
    }
}

/* As NCCL's source and the rule in its comment have them: group distances, d = (d + i) mod 2^k, without those beyond. */
TEST(PairwiseRounds, AreThoseOfNccl)
{
    const std::vector<Rank> of16{0, 1, 3, 6, 10, 15, 5, 12, 4, 13, 7, 2, 14, 11, 9, 8};
    const std::vector<Rank> of8{0, 1, 3, 6, 2, 7, 5, 4};
    const std::vector<Rank> of6{0, 1, 3, 2, 5, 4};
    for (const auto& distances : {of16, of8, of6})
    {
        for (const Rank group : {1U, 4U})
        {
            std::vector<std::pair<Rank, Rank>> expected;
            for (const auto distance : distances)
            {
                for (Rank inGroup = 0; inGroup < group; ++inGroup)
                {
                    expected.emplace_back(distance, inGroup);
                }
            }
            EXPECT_EQ(PairwiseRounds(static_cast<Rank>(distances.size()) * group, group), expected);
        }
    }
    EXPECT_EQ(UsualPairwiseGroup(16), 8U);
    EXPECT_EQ(UsualPairwiseGroup(12), 6U);
    EXPECT_EQ(UsualPairwiseGroup(11), 1U);
}

} // namespace inca
