/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"

#include "base/errors.h"

#include <cmath>
#include <ostream>
#include <tuple>

namespace inca
{

namespace
{

/** A codec as a scenario names it, and how far it may move one value of magnitude below 1. */
struct CodecCase
{
    std::string name;
    unsigned dropBits;
    std::string castTo;
    std::string sum;
    double relativeError;    ///< of one passage
    double absoluteError{0}; ///< of one passage
};

std::ostream&
operator<<(std::ostream& out, const CodecCase& codec)
{
    return out << codec.name << " " << codec.dropBits << " " << codec.castTo << " " << codec.sum;
}

const CodecCase g_codecs[]{
    {"none", 16, "bf16", "fp32", 0},
    {"inceptionn",
     16,
     "bf16",
     "fp32",
     0,
     std::ldexp(1.0, -7)},                                 // one-byte class, inceptionn-codec.h
    {"truncate", 16, "bf16", "fp32", std::ldexp(1.0, -7)}, // 7 bits of mantissa stay
    {"truncate", 22, "bf16", "fp32", std::ldexp(1.0, -1)}, // 1 bit
    {"truncate", 24, "bf16", "fp32", 1.0},                 // 7 of 8 bits of exponent stay
    {"cast", 16, "bf16", "fp32", std::ldexp(1.0, -8)},     // to nearest of 8 bits
    {"cast", 16, "fp16", "fp32", std::ldexp(1.0, -11)},
    {"cast", 16, "bf16", "wire", std::ldexp(1.0, -8)},
    {"cast", 16, "fp16", "wire", std::ldexp(1.0, -11)},
};

struct ExchangeCase
{
    std::string algorithm;
    std::uint32_t workers;
    std::uint32_t groupSize;
    std::string broadcast;
    std::uint32_t codings; ///< passages through the codec, and roundings, of a value at most
};

std::ostream&
operator<<(std::ostream& out, const ExchangeCase& exchange)
{
    return out << exchange.algorithm << " of " << exchange.workers << ", " << exchange.broadcast;
}

/* A ring codes a partial sum N - 1 times on its way and its result at most N - 1 times again, each
 * addition may be rounded (sum = "wire"): 3 N. A server gets N coded values and returns a coded sum,
 * which is less. A hierarchy does as a ring at two levels, and once between. */
const ExchangeCase g_exchanges[]{
    {"ring", 2, 2, "binomial", 6},
    {"ring", 3, 2, "binomial", 9},
    {"ring", 4, 2, "binomial", 12},
    {"ring", 5, 2, "binomial", 15},
    {"worker-aggregator", 2, 2, "flat", 6},
    {"worker-aggregator", 3, 2, "binomial", 9},
    {"worker-aggregator", 5, 2, "chain", 15},
    {"parameter-server", 3, 2, "flat", 9},
    {"sharded-parameter-server", 2, 2, "flat", 6},
    {"sharded-parameter-server", 5, 2, "flat", 15},
    {"hierarchical-aggregator", 4, 2, "binomial", 16},
    {"hierarchical-ring", 4, 2, "binomial", 16},
};

} // namespace

using ValuesCase = std::tuple<ExchangeCase, CodecCase, const char*>;

/** Every exchange with every codec in every place: Simulate compares every value to the bit. */
class ValuesMode : public ScenarioFixture, public testing::WithParamInterface<ValuesCase>
{
  protected:
    static Scenario WithValues(const ValuesCase& parameters, const std::string& trace)
    {
        const auto& [exchange, codec, placement] = parameters;
        auto scenario = Bare(trace, exchange.workers);
        scenario.training.values = true;
        scenario.simulation.mode = "packet"; // frames carry them
        scenario.exchange.algorithm = exchange.algorithm;
        scenario.exchange.groupSize = exchange.groupSize;
        scenario.exchange.broadcast = exchange.broadcast;
        scenario.codec.name = codec.name;
        scenario.codec.dropBits = codec.dropBits;
        scenario.codec.castTo = codec.castTo;
        scenario.codec.sum = codec.sum;
        scenario.codec.placement = placement;
        return scenario;
    }
};

/** Those of all workers' buckets in an iteration, and the zeros that make equal blocks of them. */
std::uint64_t
ExchangedValues(const Outcome& outcome)
{
    const auto& job = *outcome.plan.Job().prepared.job;
    std::uint64_t values = 0;
    for (const auto& chunk : job.chunks)
    {
        values += job.workers * chunk.ValueCount();
    }
    return values;
}

/* 1001 values, which no N divides, and 3, fewer than most N. Every value is compared to the bit with
 * the replay; beside it the distance from the fp64 sum is bounded: drawn values have a standard
 * deviation of 2^-6, of 5005 none is beyond six of them (one in 10^5 seeds), so partial sums lie below
 * 6 N 2^-6. Each passage adds its error, relative to that or absolute, and fp32 2^-24 of it. (Sums
 * reach about 3 sqrt(N) 2^-6 themselves, 0.1: for all but truncate 22 and 24, and inceptionn of more
 * than 13 passages, losing them would be noticed.) */
TEST_P(ValuesMode, EveryValueOfEveryWorkerIsRight)
{
    const auto& [exchange, codec, placement] = GetParam();
    for (const auto& [trace, elements] :
         {std::pair{"tensor:4004B", 1001U}, std::pair{"tensor:12B", 3U}})
    {
        const auto outcome = Run(WithValues(GetParam(), trace));
        EXPECT_EQ(outcome.comparedValues, ExchangedValues(outcome));
        EXPECT_GE(outcome.comparedValues, elements * exchange.workers);
        ASSERT_TRUE(outcome.errors);
        const double largestSum = 6 * exchange.workers * std::ldexp(1.0, -6);
        const auto relative = (codec.relativeError + std::ldexp(1.0, -24)) * largestSum;
        EXPECT_LE(outcome.errors->largest, exchange.codings * (relative + codec.absoluteError));
        EXPECT_LE(outcome.errors->mean, outcome.errors->largest);
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         ValuesMode,
                         testing::Combine(testing::ValuesIn(g_exchanges),
                                          testing::ValuesIn(g_codecs),
                                          testing::Values("nic", "cpu")));

class CodedSums : public ScenarioFixture
{
  protected:
    static Scenario Lossy(const std::string& ownerCopy)
    {
        auto scenario = Bare("tensor:4004B", 4);
        scenario.training.values = true;
        scenario.simulation.mode = "packet"; // frames carry them
        scenario.codec.name = "inceptionn";
        scenario.ring.ownerCopy = ownerCopy;
        return scenario;
    }
};

/* The owner of a block keeps its exact sum, the others get decode(encode(sum)): a value apart by 2^-7
 * at most (its one-byte class), on the first hop only. With coded copies all are the same. */
TEST_F(CodedSums, ReplicasDifferUnlessOwnersKeepWhatTheySend)
{
    const auto exact = Run(Lossy("exact")).errors->replicaDifference;
    EXPECT_GT(exact, 0);
    EXPECT_LE(exact, std::ldexp(1.0, -7));
    EXPECT_EQ(Run(Lossy("coded")).errors->replicaDifference, 0);
}

TEST_F(CodedSums, ALosslessCodecLeavesNoDifference)
{
    auto scenario = Lossy("exact");
    scenario.codec.name = "none";
    EXPECT_EQ(Run(scenario).errors->replicaDifference, 0);
}

/* What a server sends is one stream, which all workers decode: equal copies, and no owner among them. */
TEST_F(CodedSums, AServersSumLeavesNoDifference)
{
    for (const auto* algorithm : {"parameter-server", "sharded-parameter-server"})
    {
        for (const auto* codec : {"inceptionn", "truncate"})
        {
            for (const auto* placement : {"nic", "cpu"})
            {
                auto scenario = Lossy("exact");
                scenario.exchange.algorithm = algorithm;
                scenario.codec.name = codec;
                scenario.codec.placement = placement;
                const auto errors = *Run(scenario).errors;
                EXPECT_EQ(errors.replicaDifference, 0) << algorithm << " " << codec;
                EXPECT_GT(errors.largest, 0) << algorithm << " " << codec;
            }
        }
    }
}

/* 4 gradients of 4000 bytes up, 4 sums down, of half the bytes each. */
TEST_F(CodedSums, ServersGetAndReturnCodedMessages)
{
    auto scenario = Bare("tensor:4000B", 4);
    scenario.training.values = true;
    scenario.simulation.mode = "packet"; // frames carry them
    scenario.codec.name = "truncate";
    scenario.exchange.algorithm = "parameter-server";
    for (const auto* placement : {"nic", "cpu"})
    {
        scenario.codec.placement = placement;
        const auto outcome = Run(scenario);
        ASSERT_EQ(outcome.seen->steps.size(), 2U);
        for (const auto& [step, payload] : outcome.seen->steps)
        {
            EXPECT_EQ(payload.plainBytes, 16'000U) << step;
            EXPECT_EQ(payload.wireBytes, 8'000U) << step;
        }
    }
}

/* Truncation to 16 bits halves every gradient message, on each of the 6 hops of a ring of 4. */
TEST_F(CodedSums, EveryHopIsCounted)
{
    auto scenario = Bare("tensor:4000B", 4);
    scenario.training.values = true;
    scenario.simulation.mode = "packet"; // frames carry them
    scenario.codec.name = "truncate";
    for (const auto* placement : {"nic", "cpu"})
    {
        scenario.codec.placement = placement;
        const auto outcome = Run(scenario);
        ASSERT_EQ(outcome.seen->steps.size(), 6U);
        for (const auto& [step, payload] : outcome.seen->steps)
        {
            EXPECT_EQ(payload.plainBytes, 4000U) << step; // 4 blocks of 1000 bytes
            EXPECT_EQ(payload.wireBytes, 2000U) << step;
        }
    }
}

/* Sizes and values take the same path: without a codec, the same bytes at the same times. */
TEST_F(CodedSums, ValuesCostNoTime)
{
    auto scenario = Bare("tensor:40000B", 4);
    const auto sizes = Run(scenario);
    scenario.training.values = true;
    scenario.simulation.mode = "packet"; // frames carry them
    const auto values = Run(scenario);
    EXPECT_EQ(values.seen->iterationEndPs, sizes.seen->iterationEndPs);
    EXPECT_EQ(values.hostWireBytes, sizes.hostWireBytes);
}

/* Chunks, several in flight, over two iterations: 1001 values of 4 workers each time. */
TEST_F(CodedSums, ChunksInFlightAreCheckedToo)
{
    auto scenario = Lossy("coded");
    scenario.exchange.chunkBytes = 200;
    scenario.exchange.concurrent = 3;
    scenario.training.iterations = 2;
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.comparedValues, 2 * ExchangedValues(outcome));
    EXPECT_GE(outcome.comparedValues, 2 * 4 * 1001U);
}

/* Half-duplex hosts send and receive in another order, and must get the same values. */
TEST_F(CodedSums, HalfDuplexHostsGetTheSameValues)
{
    auto scenario = Lossy("coded");
    const auto full = Run(scenario);
    scenario.host.duplex = "half";
    const auto half = Run(scenario);
    EXPECT_EQ(half.comparedValues, full.comparedValues);
    EXPECT_EQ(half.errors->largest, full.errors->largest);
    EXPECT_GT(half.seen->iterationEndPs.back(), full.seen->iterationEndPs.back());
}

} // namespace inca
