/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/candidates.h"

#include "base/errors.h"
#include "scenario/keys.h"
#include "trace/gradient-trace.h"

#include <gmock/gmock.h>

#include <set>

namespace inca
{

namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

/** Three layers of 8 MiB each. */
Scenario
ThreeLayers()
{
    auto trace = std::make_shared<GradientTrace>();
    for (const auto* name : {"a", "b", "c"})
    {
        LayerRecord layer;
        layer.name = name;
        layer.elements = 2U << 20U;
        trace->layers.push_back(layer);
    }
    Scenario scenario;
    scenario.training.trace = "three.csv";
    scenario.training.readTrace = trace;
    return scenario;
}

std::set<std::string>
CodecsOf(const std::vector<Candidate>& candidates)
{
    std::set<std::string> codecs;
    for (const auto& candidate : candidates)
    {
        codecs.insert(candidate.codec);
    }
    return codecs;
}

/** Sizes that are chosen from. */
std::vector<std::string>
BucketsOf(const Scenario& base)
{
    std::vector<std::string> buckets;
    for (const auto& candidate : Candidates(base, {false, false, true}, {}))
    {
        if (candidate.uncompressed)
        {
            buckets.push_back(candidate.bucket);
            EXPECT_EQ(candidate.exchange, "ring");
        }
    }
    return buckets;
}

std::string
Refusal(const std::function<void()>& parse)
{
    try
    {
        parse();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

/* The last layer passes the first bucket's 1 MiB, the other two are 16 MiB: of 16, 25 and 64 MiB they are one
 * bucket, of 1 and 4 MiB two. Fused, 25 and 64 MiB hold all three, 16 MiB two of them. */
TEST(Candidates, HaveEverySizeThatMakesOtherBuckets)
{
    auto scenario = ThreeLayers();
    EXPECT_THAT(BucketsOf(scenario), ElementsAre("25MiB", "1MiB"));
    scenario.training.send = "fused";
    EXPECT_THAT(BucketsOf(scenario), ElementsAre("25MiB", "1MiB", "16MiB"));
}

TEST(Candidates, AreLosslessUnlessMoreIsAdmitted)
{
    const DecideOver codecs{false, true, false};
    EXPECT_THAT(CodecsOf(Candidates(ThreeLayers(), codecs, {})),
                ElementsAre("homomorphic", "none", "none, 16 bits"));
    EXPECT_THAT(
        CodecsOf(Candidates(ThreeLayers(), codecs, ParseLosses("2^-8,truncate"))),
        ElementsAre("homomorphic", "inceptionn 2^-8", "none", "none, 16 bits", "truncate 16"));
}

/* Gradients of 16 bits are there to compare with, unless they are admitted; the trace may have them itself. */
TEST(Candidates, KnowTheBaselines)
{
    const auto sixteen = [](const Scenario& base, const std::vector<AdmittedLoss>& losses) {
        std::string text;
        for (const auto& candidate : Candidates(base, {false, false, false}, losses))
        {
            text += candidate.sixteenBits ? candidate.mayWin ? "wins " : "baseline " : "";
        }
        return text;
    };
    auto base = ThreeLayers();
    EXPECT_EQ(sixteen(base, {}), "baseline ");
    EXPECT_EQ(sixteen(base, ParseLosses("16-bit")), "wins ");
    base.training.gradientType = "fp16"; // then what is uncompressed is both
    EXPECT_EQ(sixteen(base, {}), "wins ");
}

/* What is not chosen over stays as it is, beside what it is compared with. */
TEST(Candidates, KeepTheScenariosCodec)
{
    auto base = ThreeLayers();
    base.codec.name = "inceptionn";
    const auto candidates = Candidates(base, {true, false, false}, {});
    EXPECT_THAT(CodecsOf(candidates), ElementsAre("inceptionn", "none", "none, 16 bits"));
    for (const auto& candidate : candidates)
    {
        EXPECT_EQ(candidate.mayWin, candidate.codec == "inceptionn");
        EXPECT_EQ(candidate.uncompressed, candidate.codec == "none");
    }
}

/* homomorphic cannot run where the scenario's codec does. */
TEST(Candidates, RunWhereTheirCodecCan)
{
    auto base = ThreeLayers();
    SetKey(base, "codec.name", "inceptionn");
    SetKey(base, "codec.placement", "nic");
    for (const auto& candidate : Candidates(base, {false, true, false}, ParseLosses("inceptionn")))
    {
        if (candidate.codec == "homomorphic")
        {
            EXPECT_THAT(candidate.settings, Contains("codec.placement=gpu"));
        }
        if (candidate.codec == "inceptionn 2^-10")
        {
            EXPECT_THAT(candidate.settings, Not(Contains("codec.placement=gpu")));
        }
    }
}

TEST(ParseLosses, RefusesWhatLosesNothing)
{
    const auto refusal = [](const char* text) { return Refusal([text] { ParseLosses(text); }); };
    EXPECT_EQ(refusal("int31"), "--lossy: unknown 'int31'; did you mean 'int32'?");
    EXPECT_THAT(refusal("homomorphic"), testing::HasSubstr("unknown 'homomorphic'"));
    EXPECT_THAT(refusal("inceptionn:2^-99"), testing::HasSubstr("--lossy inceptionn: "));
    EXPECT_THAT(refusal("int32:8"), testing::HasSubstr("takes nothing behind it, got '8'"));
    EXPECT_EQ(Refusal([] { ParseDecideOver("codec,buckets"); }),
              "--over: unknown 'buckets'; did you mean 'bucket'?");
}

} // namespace inca
