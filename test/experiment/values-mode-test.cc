/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace inca
{

using ValuesMode = ScenarioFixture;

namespace
{

/** What an addition may lose, relative to the sum: fp32's half a unit, that of fp16, or that of the type that travels. */
double
AdditionError(const std::string& settings, double ofCodec)
{
    return settings.find("sum=wire") != std::string::npos      ? ofCodec
           : settings.find("quickreduce") != std::string::npos ? 0x1p-11
                                                               : 0x1p-24;
}

/** Codecs that no NIC has. */
bool
IsOfMessages(const std::string& settings)
{
    return settings.find("block") != std::string::npos ||
           settings.find("exponents") != std::string::npos;
}

} // namespace

/*
 * Simulate compares every value of every worker to the bit with a replay, here and in random runs (drawn-runs-test.cc). Beside
 * it the distance from the fp64 sum is bounded: random values have a standard deviation of 2^-6, of 5005 none is beyond six of
 * them (one in 10^5 seeds), so partial sums of N workers lie below 6 N 2^-6. A ring codes a partial sum N - 1 times on its way
 * and its result at most N - 1 times again, each addition may be rounded (sum = "wire"): 3 N. A server gets N coded values and
 * returns a coded sum, which is less. A hierarchy of 4 does as a ring at two levels, and once between: 16. Each passage adds
 * its error, relative to that or absolute, and each addition that of its type. 1001 values, which no N divides, and 3, fewer than most N.
 */
TEST_F(ValuesMode, SumsAreAsNearAsTheirCodecsAre)
{
    struct CodecRow
    {
        const char* settings;
        double relativeError;    ///< of one passage
        double absoluteError{0}; ///< of one passage, of a value below 1
    };

    const CodecRow codecs[]{
        {"codec.name=none", 0},
        {"codec.name=inceptionn", 0, 0x1p-7},               // one-byte class, inceptionn-codec.h
        {"codec.name=truncate codec.drop_bits=16", 0x1p-7}, // 7 bits of mantissa stay
        {"codec.name=truncate codec.drop_bits=22", 0x1p-1}, // 1 bit
        {"codec.name=truncate codec.drop_bits=24", 1.0},    // 7 of 8 bits of exponent stay
        {"codec.name=cast codec.cast_to=bf16 codec.sum=fp32", 0x1p-8}, // to nearest of 8 bits
        {"codec.name=cast codec.cast_to=fp16 codec.sum=fp32", 0x1p-11},
        {"codec.name=cast codec.cast_to=bf16 codec.sum=wire", 0x1p-8},
        {"codec.name=cast codec.cast_to=fp16 codec.sum=wire", 0x1p-11},
        // Of a group's largest, m: half the widest gap between two codes, or what is clipped. MX takes m / 2^s below 512
        // in e4m3, 32 in e3m2, 8 in e2m3 and e2m1, whose largest are 448, 28, 7.5 and 6.
        {"codec.name=block codec.format=mxfp8", 64.0 / 512},
        {"codec.name=block codec.format=mxfp6", 4.0 / 32},
        {"codec.name=block codec.format=mxfp6-e2m3", 0.5 / 8},
        {"codec.name=block codec.format=mxfp4", 2.0 / 8},
        // The scale itself is rounded, by 2^-4 at most: e2m1 ends within 6 of it, and has gaps of 2.
        {"codec.name=block codec.format=nvfp4", 1.0 / 6 + 0x1p-4},
        {"codec.name=block codec.format=loongforge-fp8", 16.0 / 448},
        {"codec.name=block codec.format=torchft-fp8", 16.0 / 448},
        // Integers from -2^(b-1) on: m of the other sign is clipped by a step.
        {"codec.name=block codec.format=quickreduce-q8", 1.0 / 128 + 0x1p-10},
        {"codec.name=block codec.format=quickreduce-q4", 1.0 / 8 + 0x1p-10},
        {"codec.name=block codec.format=zeropp-int4", 1.0 / 8},
        {"codec.name=block codec.format=int4/128/fp32", 0.5 / 7},
        {"codec.name=exponents", 0},
        {"codec.name=netzip", 0},
    };
    const std::tuple<std::string, std::uint32_t, std::uint32_t> exchanges[]{
        {"ring", 2, 6},
        {"ring", 5, 15},
        {"worker-aggregator exchange.broadcast=binomial", 3, 9},
        {"worker-aggregator exchange.broadcast=flat", 5, 15},
        {"parameter-server", 3, 9},
        {"sharded-parameter-server", 5, 15},
        {"hierarchical-aggregator", 4, 16},
        {"hierarchical-ring", 4, 16},
        {"two-shot exchange.group_size=5",
         5,
         2}, // N values, each of 1 / N of the sum's bound, and the sum
        {"two-shot", 4, 4},
    };
    for (const auto& [algorithm, workers, codings] : exchanges)
    {
        for (const auto& codec : codecs)
        {
            for (const std::string more : {"codec.placement=cpu training.trace=tensor:4004B",
                                           "codec.placement=cpu training.trace=tensor:12B",
                                           "codec.placement=nic training.trace=tensor:4004B"})
            {
                if (more.find("nic") != std::string::npos && IsOfMessages(codec.settings))
                {
                    continue;
                }
                SCOPED_TRACE(algorithm + " " + codec.settings + " " + more);
                const auto outcome = Run(With(Bare("", workers),
                                              "training.values=true simulation.mode=packet "
                                              "exchange.group_size=2 exchange.algorithm=" +
                                                  algorithm + " " + codec.settings + " " + more));
                std::uint64_t values = 0;
                for (const auto& chunk : outcome.plan.Job().job->chunks)
                {
                    values += workers * chunk.ValueCount(); // with the zeros that make equal blocks
                }
                EXPECT_EQ(outcome.Job().comparedValues, values);
                ASSERT_TRUE(outcome.Job().errors);
                const double largestSum = 6 * workers * std::ldexp(1.0, -6);
                const auto coding = codec.relativeError * largestSum;
                const auto ofAll =
                    std::max(codings, 2 * workers) * codec.absoluteError; // of one sum
                const auto addition =
                    AdditionError(codec.settings, codec.relativeError) * largestSum;
                EXPECT_LE(outcome.Job().errors->largest,
                          codings * coding + ofAll + workers * addition);
                EXPECT_LE(outcome.Job().errors->Mean(), outcome.Job().errors->largest);
            }
        }
    }
}

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
    const auto exact = Run(Lossy("ring.owner_copy=exact")).Job().errors->replicaDifference;
    EXPECT_GT(exact, 0);
    EXPECT_LE(exact, std::ldexp(1.0, -7));
    EXPECT_EQ(Run(Lossy("ring.owner_copy=coded")).Job().errors->replicaDifference, 0);
    EXPECT_EQ(Run(Lossy("ring.owner_copy=exact codec.name=none")).Job().errors->replicaDifference,
              0);
    for (const std::string algorithm : {"parameter-server", "sharded-parameter-server"})
    {
        for (const std::string codec : {"inceptionn", "truncate"})
        {
            for (const std::string placement : {"nic", "cpu"})
            {
                const auto errors =
                    *Run(Lossy("codec.name=" + codec + " codec.placement=" + placement +
                               " exchange.algorithm=" + algorithm))
                         .Job()
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
            ASSERT_EQ(outcome.Job().seen->steps.size(), steps);
            for (const auto& [step, payload] : outcome.Job().seen->steps)
            {
                EXPECT_EQ(payload.plainBytes, bytes) << step;
                EXPECT_EQ(payload.wireBytes, bytes / 2) << step;
            }
        }
    }
}

/* A ring of 4 codes a value 4 times in series, a server and an aggregator 2 and 1 times, and whoever codes nothing never. What
 * frames carry in 3 iterations, or a replay has once for all of them, is the same. Of 1,001 values all are looked at. */
TEST_F(CodedSums, ErrorsAreTheSameInAllModes)
{
    const std::pair<std::string, std::size_t> rows[] = {
        {"exchange.algorithm=ring codec.name=inceptionn", 4U},
        {"exchange.algorithm=ring codec.name=block codec.encode_rate=1GBps codec.decode_rate=1GBps",
         4U},
        {"exchange.algorithm=parameter-server codec.name=truncate", 2U},
        {"exchange.algorithm=worker-aggregator codec.name=truncate", 1U},
        {"exchange.algorithm=ring codec.name=snappy", 0U},
        {"exchange.algorithm=ring codec.name=netzip", 0U},
        {"exchange.algorithm=switch-slots", 0U}};
    for (const auto& [settings, hops] : rows)
    {
        SCOPED_TRACE(settings);
        auto scenario = With(Of("tensor:4004B", settings), "training.iterations=3");
        const auto packet = RunExperiment(scenario, {});
        scenario.simulation.mode = SimulationMode::AUTO;
        const auto record = RunExperiment(scenario, {});
        EXPECT_EQ(ErrorsCsv(record), ErrorsCsv(packet));
        EXPECT_EQ(record.results.sumVnmse, record.errors.front().vnmse);
        EXPECT_EQ(record.results.sumsDependOnOrder, "no");
        EXPECT_EQ(record.results.sumOrderReason, packet.results.sumOrderReason);
        ASSERT_EQ(record.errors.size(), 1 + hops);
        const auto& sums = record.errors.front();
        EXPECT_EQ(sums.values, 3 * 4 * 1001U);
        if (hops > 0)
        {
            EXPECT_EQ(record.errors.back().values, 4 * 1001U);
            EXPECT_NEAR(record.errors.back().vnmse / sums.vnmse, 1, 1e-3); // beside fp32, and fp64
        }
    }
}

/* Sizes and values take the same path: the same bytes at the same times without a codec, and with block formats, whose streams
 * are as large as the number of values says. Of 10,000 values a block has 2,500, which no atom, group or row divides. */
TEST_F(CodedSums, ValuesCostNoTime)
{
    const std::string block = "codec.name=block codec.placement=gpu codec.encode_rate=1GBps "
                              "codec.decode_rate=1GBps codec.format=";
    for (const auto& settings :
         {std::string(),
          block + "quickreduce-q6 exchange.algorithm=two-shot",
          block + "sdp4bit exchange.algorithm=two-shot exchange.group_size=2",
          block + "loongforge-fp8 exchange.algorithm=parameter-server",
          block + "torchft-fp8 codec.row_values=99",
          block + "nvfp4 exchange.algorithm=tree"})
    {
        SCOPED_TRACE(settings);
        const auto sizes = Run(With(Bare("tensor:40000B", 4), settings));
        const auto values = Run(Of("tensor:40000B", settings));
        EXPECT_EQ(values.Job().seen->iterationEndPs, sizes.Job().seen->iterationEndPs);
        EXPECT_EQ(values.hostWireBytes, sizes.hostWireBytes);
    }
}

} // namespace inca
