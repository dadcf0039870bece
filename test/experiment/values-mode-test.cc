/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"

#include <cmath>
#include <ostream>
#include <tuple>

namespace inca
{

namespace
{

/** A codec as a scenario sets it, and how far it may move one value of magnitude below 1. */
struct CodecCase
{
    const char* settings;
    double relativeError;    ///< of one passage
    double absoluteError{0}; ///< of one passage
};

std::ostream&
operator<<(std::ostream& out, const CodecCase& codec)
{
    return out << codec.settings;
}

const CodecCase g_codecs[]{
    {"codec.name=none", 0},
    {"codec.name=inceptionn", 0, 0x1p-7},               // one-byte class, inceptionn-codec.h
    {"codec.name=truncate codec.drop_bits=16", 0x1p-7}, // 7 bits of mantissa stay
    {"codec.name=truncate codec.drop_bits=22", 0x1p-1}, // 1 bit
    {"codec.name=truncate codec.drop_bits=24", 1.0},    // 7 of 8 bits of exponent stay
    {"codec.name=cast codec.cast_to=bf16 codec.sum=fp32", 0x1p-8}, // to nearest of 8 bits
    {"codec.name=cast codec.cast_to=fp16 codec.sum=fp32", 0x1p-11},
    {"codec.name=cast codec.cast_to=bf16 codec.sum=wire", 0x1p-8},
    {"codec.name=cast codec.cast_to=fp16 codec.sum=wire", 0x1p-11},
};

struct ExchangeCase
{
    std::string algorithm;
    std::uint32_t workers;
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
    {"ring", 2, "binomial", 6},
    {"ring", 3, "binomial", 9},
    {"ring", 4, "binomial", 12},
    {"ring", 5, "binomial", 15},
    {"worker-aggregator", 2, "flat", 6},
    {"worker-aggregator", 3, "binomial", 9},
    {"worker-aggregator", 5, "chain", 15},
    {"parameter-server", 3, "flat", 9},
    {"sharded-parameter-server", 2, "flat", 6},
    {"sharded-parameter-server", 5, "flat", 15},
    {"hierarchical-aggregator", 4, "binomial", 16},
    {"hierarchical-ring", 4, "binomial", 16},
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
        return With(Bare(trace, exchange.workers),
                    std::string("training.values=true simulation.mode=packet ") +
                        "exchange.group_size=2 exchange.algorithm=" + exchange.algorithm +
                        " exchange.broadcast=" + exchange.broadcast +
                        " codec.placement=" + placement + " " + codec.settings);
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
    /** Of @p bytes of 4 workers, which frames carry. */
    static Scenario Of(const char* trace, const std::string& settings)
    {
        return With(Bare(trace, 4), "training.values=true simulation.mode=packet " + settings);
    }

    static Scenario Lossy(const std::string& settings)
    {
        return Of("tensor:4004B", "codec.name=inceptionn " + settings);
    }
};

/* The owner of a block keeps its exact sum, the others get decode(encode(sum)): a value apart by 2^-7
 * at most (its one-byte class), on the first hop only. With coded copies all are the same. What a server sends is one
 * stream, which all workers decode: equal copies, and no owner among them. */
TEST_F(CodedSums, ReplicasDifferUnlessOwnersKeepWhatTheySend)
{
    const auto exact = Run(Lossy("ring.owner_copy=exact")).errors->replicaDifference;
    EXPECT_GT(exact, 0);
    EXPECT_LE(exact, std::ldexp(1.0, -7));
    EXPECT_EQ(Run(Lossy("ring.owner_copy=coded")).errors->replicaDifference, 0);
    EXPECT_EQ(Run(Lossy("ring.owner_copy=exact codec.name=none")).errors->replicaDifference, 0);
    for (const std::string algorithm : {"parameter-server", "sharded-parameter-server"})
    {
        for (const std::string codec : {"inceptionn", "truncate"})
        {
            for (const std::string placement : {"nic", "cpu"})
            {
                const auto errors =
                    *Run(Lossy("codec.name=" + codec + " codec.placement=" + placement +
                               " exchange.algorithm=" + algorithm))
                         .errors;
                EXPECT_EQ(errors.replicaDifference, 0) << algorithm << " " << codec;
                EXPECT_GT(errors.largest, 0) << algorithm << " " << codec;
            }
        }
    }
}

/* Truncation to 16 bits halves every gradient message: on each of the 6 hops of a ring of 4, 4 blocks of 1000 bytes; with
 * a server, 4 gradients of 4000 bytes up and 4 sums down. */
TEST_F(CodedSums, EveryHopIsCounted)
{
    const std::tuple<std::string, std::size_t, std::uint64_t> rows[] = {
        {"ring", 6U, 4000U}, {"parameter-server", 2U, 16'000U}};
    for (const auto& [algorithm, steps, bytes] : rows)
    {
        for (const std::string placement : {"nic", "cpu"})
        {
            const auto outcome = Run(Of("tensor:4000B",
                                        "codec.name=truncate exchange.algorithm=" + algorithm +
                                            " codec.placement=" + placement));
            ASSERT_EQ(outcome.seen->steps.size(), steps);
            for (const auto& [step, payload] : outcome.seen->steps)
            {
                EXPECT_EQ(payload.plainBytes, bytes) << step;
                EXPECT_EQ(payload.wireBytes, bytes / 2) << step;
            }
        }
    }
}

/* Sizes and values take the same path: without a codec, the same bytes at the same times. */
TEST_F(CodedSums, ValuesCostNoTime)
{
    const auto sizes = Run(Bare("tensor:40000B", 4));
    const auto values = Run(Of("tensor:40000B", ""));
    EXPECT_EQ(values.seen->iterationEndPs, sizes.seen->iterationEndPs);
    EXPECT_EQ(values.hostWireBytes, sizes.hostWireBytes);
}

} // namespace inca
