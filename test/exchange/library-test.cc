/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/library.h"

#include "exchange/exchange-catalog.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <string>

using namespace inca;

namespace
{

constexpr std::uint64_t KIB{1024};
constexpr std::uint64_t MIB{KIB * KIB};

ExchangeSpec
Spec(const std::string& library, Rank workers)
{
    ExchangeSpec spec;
    spec.library = library;
    spec.workers = workers;
    spec.linkBytesPerSecond = 25'000'000'000; // 200 Gb/s
    return spec;
}

LibraryPick
Pick(const ExchangeSpec& spec, std::uint64_t bytes)
{
    return PickExchange(spec, bytes / spec.bytesPerElement);
}

} // namespace

/* Rows and columns of coll_tuned_decision_fixed.c, on both sides of their borders. */
TEST(Library, PicksAsOpenMpiDoes)
{
    struct Row
    {
        Rank workers;
        std::uint64_t bytes;
        const char* algorithm;
    };

    for (const auto& row : {Row{2, 4, "ring"},
                            Row{3, 8, "recursive-doubling"},
                            Row{3, 4 * KIB, "ring"},
                            Row{3, 8 * KIB, "recursive-doubling"},
                            Row{3, 16 * KIB, "ring"},
                            Row{3, 256 * KIB, "halving-doubling"},
                            Row{4, 8, "ring"},
                            Row{7, 8 * KIB - 4, "recursive-doubling"},
                            Row{7, 8 * KIB, "halving-doubling"},
                            Row{15, 4, "recursive-doubling"},
                            Row{16, 60, "ring"},
                            Row{31, 4 * KIB, "halving-doubling"},
                            Row{32, 124, "ring"},
                            Row{64, 256 * KIB - 4, "recursive-doubling"},
                            Row{128, 128 * KIB - 4, "tree"},
                            Row{255, 128 * KIB, "recursive-doubling"},
                            Row{256, 4 * KIB, "halving-doubling"},
                            Row{512, 2 * KIB, "recursive-doubling"},
                            Row{2048, 2 * KIB, "ring"},
                            Row{4096, 16 * KIB, "recursive-doubling"},
                            Row{60'000, MIB, "halving-doubling"}})
    {
        EXPECT_EQ(Pick(Spec("openmpi", row.workers), row.bytes).spec.algorithm, row.algorithm)
            << row.workers << " ranks, " << row.bytes << " bytes";
    }
}

/* 64 KiB are eager. What is longer waits for a round trip, and, among pairs, for what the peer sends: 34,464 bytes more at
 * 1448 / 1538 of 25 GB/s take 1.464 us. Neighbours in a ring of 3 or more are no pairs; 100 kB are a ring's there. */
TEST(Library, HasARendezvousInOpenMpi)
{
    auto costs = Pick(Spec("openmpi", 4), MIB).costs;
    costs.roundTripPs = 7;
    EXPECT_EQ(costs.MessagePs(64 * KIB), 0);
    EXPECT_EQ(costs.MessagePs(100'000), 7 + 1'464'244);
    costs = Pick(Spec("openmpi", 3), 100'000).costs;
    EXPECT_EQ(costs.MessagePs(100'000), 0); // the round trip's time is not known here
}

/* 1 MiB on 4 ranks: 2 segments for each are 8, of 128 KiB. 100 MiB: 100 segments of 1 MiB. 99 MiB on 4: 100 of
 * 0.99 MiB. 10 values on 4: 8 segments of 2 values. */
TEST(Library, CutsSegmentsAsGlooDoes)
{
    for (const auto& [bytes, segment] :
         std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{
             {MIB, 128 * KIB}, {100 * MIB, MIB}, {99 * MIB, 99 * MIB / 100 + 4}, {40, 8}})
    {
        const auto pick = Pick(Spec("gloo", 4), bytes);
        EXPECT_EQ(pick.spec.algorithm, "ring");
        EXPECT_EQ(pick.spec.ringChannels, 2U); // under way
        EXPECT_EQ(pick.spec.ringChunkElements, segment / 4) << bytes;
    }
}

/*
 * Of the smallest size, in us. 2 workers with 4 GPUs: a tree with LL: 6.8 + 2 (3 * 0.6 + 5) = 20.4; a ring: 6.6 +
 * (14 - 2) * 0.6 + 2 * 2.7 = 19.2. 8 of 1 GPU: a tree 6.8 + 2 * 3 * 5 = 36.8; a ring 6.6 + 14 * 5 = 76.6.
 * 1 GiB, 2 workers of 4: rings with Simple have all of 25 GB/s, with LL128 0.92 of it, trees less. A ring's messages
 * between workers are 2 (2 - 1), and 12 more go between GPUs: 14 + 12 / 2 * 3.4 = 34.4 us with each.
 */
TEST(Library, ExpectsWhatNcclDoes)
{
    struct Row
    {
        Rank workers;
        Rank gpus;
        std::uint64_t bytes;
        const char* algorithm;
        const char* protocol;
        std::int64_t startPs;
        std::int64_t messagePs;
    };

    for (const auto& row : {Row{2, 4, 8, "ring", "LL", 6'600'000, 6'300'000},
                            Row{8, 1, 8, "tree", "LL", 6'800'000, 5'000'000},
                            Row{2, 4, 1024 * MIB, "ring", "Simple", 8'400'000, 34'400'000}})
    {
        auto spec = Spec("nccl", row.workers);
        spec.gpus = row.gpus;
        const auto pick = Pick(spec, row.bytes);
        EXPECT_EQ(pick.spec.algorithm, row.algorithm);
        EXPECT_EQ(pick.protocol, row.protocol);
        EXPECT_EQ(pick.costs.startPs, row.startPs);
        EXPECT_EQ(pick.costs.messagePs, row.messagePs);
    }
}

/*
 * Of 8 bytes again, now of 8 workers of 1 GPU a ring, whose messages take 5 us, as no tree shares sums out. Of groups of 4 GPUs in 2
 * nodes one ring goes over NVLink, at 0.6 us a message; of each shard the 2 replicas have a ring, 6.6 + 2 * 5 us, as a tree
 * takes 6.8 + 2 * 5. What is gathered stays in the groups.
 */
TEST(Library, PicksOfNcclForShards)
{
    auto spec = Spec("nccl", 8);
    spec.sharded = true;
    spec.phase = SumPhase::REDUCE_SCATTER;
    const auto whole = Pick(spec, 8);
    EXPECT_EQ(whole.spec.algorithm + " " + whole.protocol, "ring LL");
    EXPECT_EQ(whole.costs.messagePs, 5'000'000);
    EXPECT_FALSE(whole.costsBetween);
    spec.nodeSize = 4;
    spec.shardGroup = 4;
    spec.gpuBytesPerSecond = 100'000'000'000;
    const auto inGroups = Pick(spec, 8);
    EXPECT_EQ(inGroups.protocol, "LL; ring (LL) of shards");
    EXPECT_EQ(inGroups.costs.messagePs, 600'000);
    ASSERT_TRUE(inGroups.costsBetween);
    EXPECT_EQ(inGroups.costsBetween->startPs, 6'600'000);
    EXPECT_EQ(inGroups.costsBetween->messagePs, 5'000'000);
    // LL's flags, as many bytes as the data, at the links' rates: of one channel
    EXPECT_EQ(inGroups.costs.bytesPerSecond, spec.gpuBytesPerSecond);
    EXPECT_EQ(inGroups.costsBetween->bytesPerSecond, spec.linkBytesPerSecond);
    spec.phase = SumPhase::ALL_GATHER;
    EXPECT_FALSE(Pick(spec, 8).costsBetween);
}

/*
 * 4 Mi values of 8.25 bits are 4.125 MiB: 5 segments of gloo's, and 2 for each of 2 ranks are a multiple of 2, 6; plain ones
 * are 16 MiB. 100,000 values are a ring's up to 256 KiB of Open MPI's table. A chunk of Simple is 2 MiB.
 */
TEST(Library, SeesCodedBytes)
{
    constexpr std::uint64_t values = 4 * MIB;
    constexpr std::uint64_t coded = values * 33 / 32;
    const auto gloo = Spec("gloo", 2);
    EXPECT_EQ(PickExchange(gloo, values, coded).spec.ringChunkElements, values / 6 + 1);
    EXPECT_EQ(PickExchange(gloo, values).spec.ringChunkElements, values / 16);
    const auto openMpi = Spec("openmpi", 2);
    EXPECT_EQ(PickExchange(openMpi, 100'000, 103'125).spec.algorithm, "ring");
    EXPECT_EQ(PickExchange(openMpi, 100'000).spec.algorithm, "halving-doubling");
    const auto nccl = PickExchange(Spec("nccl", 2), 256 * MIB, 256 * MIB);
    EXPECT_EQ(nccl.protocol, "Simple");
    EXPECT_EQ(nccl.spec.ringChunkElements, 2 * MIB);
}

TEST(Library, LeavesItToTheSpecIfThereIsNone)
{
    auto spec = Spec("none", 4);
    spec.algorithm = "tree";
    const auto pick = Pick(spec, MIB);
    EXPECT_EQ(pick.spec.algorithm, "tree");
    EXPECT_EQ(pick.costs.MessagePs(MIB), 0);
}

/* Every pick can be made, of any number of workers and values. */
TEST(Library, PicksWhatRuns)
{
    for (const auto& library : LibraryNames())
    {
        for (const Rank workers : {2U, 3U, 8U, 63U, 500U})
        {
            for (const std::uint64_t elements : {1U, 7U, 5000U, 30'000'000U})
            {
                const auto pick = PickExchange(Spec(library, workers), elements);
                const auto padded = PaddedElements(pick.spec, elements);
                EXPECT_GT(MakeStepPlan(pick.spec, padded)->StepCount(0), 0U)
                    << library << " " << workers << " " << elements;
            }
        }
    }
}
