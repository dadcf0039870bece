/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/run-estimate.h"

#include "base/errors.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

using testing::HasSubstr;
using testing::Not;

namespace
{

/** A ring of 4 workers with 4 MB at packet level, or what @p settings make of it. */
Scenario
Ring(const std::vector<std::pair<std::string, std::string>>& settings = {})
{
    Scenario scenario;
    scenario.training.trace = "tensor:4MB";
    scenario.simulation.mode = "packet";
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

std::string
ComplaintOf(const Scenario& scenario)
{
    try
    {
        MakePlan(scenario);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

/* Each of 4 workers gets 6 blocks of 1 MB: 24 messages, 24 MB. 1 MB are 684.93 payloads of 1460 bytes,
 * and a last frame is counted for each message: 24 * 685.93 frames. */
TEST(RunEstimate, CountsWhatTravels)
{
    const auto estimate = MakePlan(Ring()).estimate;
    EXPECT_DOUBLE_EQ(estimate.messages, 24);
    EXPECT_DOUBLE_EQ(estimate.payloadBytes, 24e6);
    EXPECT_NEAR(estimate.frames, 24 * (1e6 / 1460 + 1), 1e-6);
}

/* 24 messages of 1 MB: what one costs, 24 times, is what all do: all of it is done in the end. */
TEST(RunEstimate, IsTheSumOfWhatMessagesCost)
{
    const auto estimate = MakePlan(Ring()).estimate;
    EXPECT_EQ(estimate.work.added, 0);
    EXPECT_GT(estimate.work.stored, 0);
    EXPECT_NEAR(estimate.work.stored, 24 * estimate.cost.Of(1e6, true), 1e-12);
    EXPECT_GE(estimate.cpuSeconds, estimate.work.OfMessages());
}

/* Values cost where they are added: the same ring with them, 12 MB of 24. Stored ones stay where they are. */
TEST(RunEstimate, TellsAddedValuesFromStoredOnes)
{
    const auto plain = MakePlan(Ring()).estimate;
    const auto estimate = MakePlan(Ring({{"training.values", "true"}})).estimate;
    EXPECT_DOUBLE_EQ(estimate.addedBytes, 12e6);
    EXPECT_DOUBLE_EQ(estimate.work.stored, plain.work.stored / 2);
    EXPECT_NEAR(estimate.work.stored, 12 * estimate.cost.Of(1e6, false), 1e-12);
    EXPECT_NEAR(estimate.work.added, 12 * estimate.cost.Of(1e6, true), 1e-12);
    EXPECT_NEAR(estimate.cpuSeconds,
                plain.cpuSeconds + estimate.work.OfMessages() - plain.work.stored +
                    estimate.work.verified,
                1e-12);
}

/* One of the 4 stands for all; 5 iterations are 5 times as much. */
TEST(RunEstimate, CountsWhoIsSimulated)
{
    const auto folded = MakePlan(Ring({{"simulation.mode", "auto"}})).estimate;
    EXPECT_DOUBLE_EQ(folded.messages, 6);
    const auto longer = MakePlan(Ring({{"training.iterations", "5"}})).estimate;
    EXPECT_DOUBLE_EQ(longer.messages, 120);
}

/* Two workers, each half of 4 GB twice: 4 messages of 1.4 million frames, of which 6 windows of 64 are
 * expected to be simulated, and of one worker only. */
TEST(RunEstimate, ExpectsLongMessagesToRepeatThemselves)
{
    const auto settings = [](const char* mode) {
        return Ring({{"training.trace", "tensor:4GB"},
                     {"cluster.workers", "2"},
                     {"simulation.mode", mode}});
    };
    EXPECT_DOUBLE_EQ(MakePlan(settings("auto")).estimate.frames, 2 * 6 * 64);
    EXPECT_NEAR(MakePlan(settings("packet")).estimate.frames, 4 * (2e9 / 1460 + 1), 1e-3);
}

/* 64 workers: 16 of them are counted, and stand for 4 each. The server gets 64 tensors of 4 MB. */
TEST(RunEstimate, LetsSomeRanksStandForOthers)
{
    const auto estimate =
        MakePlan(Ring({{"exchange.algorithm", "parameter-server"}, {"cluster.workers", "64"}}))
            .estimate;
    EXPECT_DOUBLE_EQ(estimate.messages, 128);
    EXPECT_DOUBLE_EQ(estimate.payloadBytes, 128 * 4e6);
}

/*
 * 64 windows of 64 frames come at a port for 128 (of 1538 bytes), once; 6 windows of each message are simulated, to the server and back:
 * 2 * 64 * 6 * 64, in each iteration.
 */
TEST(RunEstimate, CountsFramesThatAreDropped)
{
    const auto of = [](const char* buffer, const char* iterations) {
        return MakePlan(Ring({{"exchange.algorithm", "parameter-server"},
                              {"cluster.workers", "64"},
                              {"cluster.buffer", buffer},
                              {"training.iterations", iterations},
                              {"simulation.mode", "auto"}}))
            .estimate.frames;
    };
    EXPECT_DOUBLE_EQ(of("16MiB", "1"), 2 * 64 * 6 * 64);
    EXPECT_DOUBLE_EQ(of("196864B", "1"), 2 * 64 * 6 * 64 + 64 * 64 - 128);
    EXPECT_DOUBLE_EQ(of("196864B", "2"), 2 * 2 * 64 * 6 * 64 + 64 * 64 - 128);
}

namespace
{

/** 128 workers' 4 MB to a server whose port has room for @p frames. */
Scenario
Crowd(std::uint64_t frames, const char* most = "3600s")
{
    return Ring({{"exchange.algorithm", "parameter-server"},
                 {"cluster.workers", "128"},
                 {"cluster.buffer", std::to_string(1538 * frames) + "B"},
                 {"simulation.max_cpu_time", most},
                 {"simulation.mode", "auto"}});
}

} // namespace

/* A frame of each of 128 does not fit 127: frames are dropped all the time, and nothing repeats itself, of 4e6 / 1460 + 1
 * frames of each. Of answers, which go to one worker each, 6 windows are simulated. A buffer for 128 helps. */
TEST(RunEstimate, ExpectsNoRepetitionWhereAFrameOfEachDoesNotFit)
{
    EXPECT_GT(MakePlan(Crowd(127)).estimate.frames, 128 * (4e6 / 1460 + 1 + 6 * 64));
    EXPECT_LT(MakePlan(Crowd(128)).estimate.frames, 2 * 128 * 6 * 64 + 128 * 64);
    EXPECT_THAT(ComplaintOf(Crowd(127, "1ms")),
                HasSubstr("room for a frame of each of 128 hosts that send to one"));
    EXPECT_THAT(ComplaintOf(Crowd(128, "1ms")), Not(HasSubstr("cluster.buffer")));
}

/* A gather and sums, of 3 steps each, are an all-reduce's 24 messages, in every micro-batch. */
TEST(RunEstimate, CountsExchangedMicroBatches)
{
    const auto of = [](const char* accumulation) {
        return MakePlan(
                   Ring({{"training.sharding", "full"}, {"training.accumulation", accumulation}}))
            .estimate.messages;
    };
    EXPECT_DOUBLE_EQ(of("1"), 24);
    EXPECT_DOUBLE_EQ(of("3"), 72);
}

/* What stands for weights is kept twice where it travels, by its owner and to verify it: 2 * 4 MB. */
TEST(RunEstimate, KeepsWeights)
{
    const auto memoryOf = [](const char* sharding, const char* values) {
        return MakePlan(Ring({{"training.sharding", sharding}, {"training.values", values}}))
            .estimate.memoryBytes;
    };
    const auto ofValues = [memoryOf](const char* sharding) {
        return memoryOf(sharding, "true") - memoryOf(sharding, "false");
    };
    EXPECT_NEAR(ofValues("full") - ofValues("optimizer"), 2 * 4e6, 1);
}

/*
 * 4 MB and 4 workers, where one copy of the sum is for all. Workers of a ring hold a quarter each when they add, 4 MB
 * together, a server all four gradients; who halves adds half a tensor, then a quarter to a part of that. In groups of
 * two, members add a half each, and leaders add a half again, to the one that they added or to the one that they got:
 * 2 * 2 + 2 * 4 MB. 1.05 times as much is in memory, and where a codec makes others of the values, three more sums are.
 */
TEST(RunEstimate, KeepsWhatFramesBring)
{
    using Settings = std::vector<std::pair<std::string, std::string>>;
    const auto memoryOf = [](Settings settings, const char* values) {
        settings.emplace_back("training.values", values);
        return MakePlan(Ring(settings)).estimate.memoryBytes;
    };
    const auto ofValues = [memoryOf](const char* exchange, Settings settings = {}) {
        settings.emplace_back("exchange.algorithm", exchange);
        return memoryOf(settings, "true") - memoryOf(settings, "false");
    };
    const double window = 4 * 65'536 * 4; // four copies of its fp32 values, of each rank
    EXPECT_NEAR(ofValues("ring"), 1.05 * 4e6 + 4 * window, 1);
    EXPECT_NEAR(ofValues("parameter-server"), 1.05 * 16e6 + 5 * window, 1);
    EXPECT_NEAR(ofValues("halving-doubling"), 1.05 * 4 * 3e6 + 4 * window, 1);
    EXPECT_NEAR(
        ofValues("hierarchical-ring", {{"exchange.group_size", "2"}}), 1.05 * 12e6 + 4 * window, 1);
    EXPECT_NEAR(ofValues("tree"), 1.05 * 4e6 + 4 * window, 1);
    EXPECT_NEAR(ofValues("switch-slots"), 1.05 * 4e6 + 4 * window, 1);
    EXPECT_NEAR(ofValues("ring", {{"codec.name", "truncate"}}), 1.05 * 4e6 + 12e6 + 4 * window, 1);
}

/* Of a gradient of 1 million values, a host encodes a few bits each, but it is values that take it time: those of a ring
 * of 4, 6 blocks of a quarter each, of which it adds 3. */
TEST(RunEstimate, CountsValuesThatHostsEncode)
{
    const auto estimate =
        MakePlan(Ring({{"codec.name", "inceptionn"}, {"codec.placement", "cpu"}})).estimate;
    EXPECT_LT(estimate.payloadBytes, 12e6);
    EXPECT_DOUBLE_EQ(estimate.values, 6e6);
    EXPECT_DOUBLE_EQ(estimate.addedValues, 3e6);
}

/* 4 MB, of which each of 4 workers has two copies of its sketch; what is decoded is kept twice, and by no worker again. */
TEST(RunEstimate, KeepsSketches)
{
    const auto memoryOf = [](const char* frames, const char* values) {
        return MakePlan(Ring({{"codec.name", "homomorphic"},
                              {"training.density", "0.05"},
                              {"simulation.mode", frames},
                              {"training.values", values}}))
            .estimate.memoryBytes;
    };
    const auto ofValues = [memoryOf](const char* frames) {
        return memoryOf(frames, "true") - memoryOf(frames, "false");
    };
    const double window = 4 * 65'536 * 4;
    EXPECT_NEAR(ofValues("auto"), 2 * 4e6 + 4 * window, 1);
    EXPECT_GT(ofValues("packet"), ofValues("auto"));
    EXPECT_LT(ofValues("packet"), ofValues("auto") + 4 * 2 * 4e6);
}

/* 1 million values in packets of 256: 3,907, from each of 4 workers. */
TEST(RunEstimate, CountsSumsOfSwitches)
{
    const auto estimate =
        MakePlan(Ring({{"exchange.algorithm", "switch-slots"}, {"switch.scaling", "fixed"}}))
            .estimate;
    EXPECT_DOUBLE_EQ(estimate.payloadBytes, 16e6);
    EXPECT_GE(estimate.frames, 4 * 3907);
}

/* 3 of 1,024 workers are simulated, who each take part in two sums of shards: of either, 6 times the 512 slots of a pool
 * and 10 turns of 1,024 packets, of 10 GB as of 1 TB. */
TEST(RunEstimate, ExpectsTurnsOfShardsToRepeatThemselves)
{
    const auto of = [](const char* trace) {
        return MakePlan(Ring({{"exchange.algorithm", "switch-slots"},
                              {"training.trace", trace},
                              {"training.sharding", "optimizer"},
                              {"cluster.workers", "1024"},
                              {"simulation.mode", "auto"}}))
            .estimate.frames;
    };
    EXPECT_DOUBLE_EQ(of("tensor:10GB"), 3 * 2 * (6 * 512 + 10 * 1024));
    EXPECT_DOUBLE_EQ(of("tensor:1TB"), of("tensor:10GB"));
}

TEST(RunEstimate, RefusesWhatTakesTooLong)
{
    EXPECT_THAT(ComplaintOf(Ring({{"simulation.max_cpu_time", "1ms"}})),
                HasSubstr("simulation.max_cpu_time: this run has about"));
    EXPECT_THAT(ComplaintOf(Ring({{"simulation.max_memory", "1kB"}})),
                HasSubstr("simulation.max_memory: this run has about"));
    EXPECT_THAT(ComplaintOf(Ring({{"simulation.max_cpu_time", "1ms"}})),
                HasSubstr("simulation.mode = \"auto\""));
    EXPECT_EQ(ComplaintOf(Ring()), "");
}

/* One iteration cannot be fewer, and frames of 9000 bytes are the longest. */
TEST(RunEstimate, NamesWhatThereIsLessOf)
{
    const auto of = [](const char* iterations, const char* mtu) {
        return ComplaintOf(Ring({{"simulation.max_cpu_time", "1ms"},
                                 {"training.iterations", iterations},
                                 {"cluster.mtu", mtu}}));
    };
    EXPECT_THAT(of("2", "1500"), HasSubstr("fewer iterations, a smaller tensor or longer frames"));
    EXPECT_THAT(of("1", "1500"), Not(HasSubstr("fewer iterations")));
    EXPECT_THAT(of("1", "9000"), HasSubstr("; a smaller tensor helps"));
}

/* 8 ranks' 200 bytes are one bucket, which cannot be larger; 200 kB are 200 chunks. */
TEST(RunEstimate, NamesBucketsWhereThereAreSeveral)
{
    const auto of = [](const char* trace) {
        return ComplaintOf(Ring({{"simulation.max_cpu_time", "1us"},
                                 {"training.trace", trace},
                                 {"exchange.chunk_bytes", "1kB"},
                                 {"cluster.workers", "8"}}));
    };
    EXPECT_THAT(of("tensor:200B"), HasSubstr("; fewer workers help"));
    EXPECT_THAT(of("tensor:200kB"),
                HasSubstr("; fewer workers, and larger buckets or chunks, help"));
}

/* 6 windows of 64 frames of each message are simulated, of 1 TB as of 1 GB: only fewer messages are less. */
TEST(RunEstimate, DoesNotNameATensorOfWhichWindowsAreSimulated)
{
    const auto complaint = ComplaintOf(Ring({{"simulation.max_cpu_time", "1ms"},
                                             {"exchange.algorithm", "parameter-server"},
                                             {"training.trace", "tensor:1GB"},
                                             {"simulation.mode", "auto"}}));
    EXPECT_THAT(complaint, HasSubstr("; fewer workers help"));
}

/* 65,536 workers send 8.6 billion messages round a ring: refused at once. */
TEST(RunEstimate, RefusesWhatGrowsWithTheSquare)
{
    EXPECT_THAT(ComplaintOf(Ring({{"cluster.workers", "65536"}})),
                HasSubstr("simulation.max_cpu_time"));
}

} // namespace inca
