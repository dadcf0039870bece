/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-catalog.h"

#include "base/errors.h"
#include "support/why-not.h"
#include "trace/native-trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

std::string
RefusalOf(const std::string& name)
{
    return WhyNot([&] { FindTrace(name); });
}

GradientTrace
Small()
{
    return ParseTrace("#inca-trace v1\n# class: measured\n# batch: 32\n# gradient_type: fp32\n"
                      "layer,elements,forward_ns,backward_ns,update_ns\nfc,1000,100,200,50\n",
                      "small.csv");
}

} // namespace

TEST(TraceCatalog, FindsByNameByPathAndNeverByGuess)
{
    const auto byName = FindTrace("alexnet");
    EXPECT_EQ(byName.name, "alexnet");
    EXPECT_EQ(byName.Elements(), 61'100'840U);
    const auto path = TracesDirectory() + "/alexnet.csv";
    EXPECT_EQ(FindTrace(path).checksum, byName.checksum);
    EXPECT_THAT(RefusalOf("./alexnet"),
                testing::StartsWith("./alexnet: ")); // a path: not the shipped one
}

TEST(TraceCatalog, DirectoryCanBeSet)
{
    const auto folder = testing::TempDir() + "trace-catalog-test";
    std::filesystem::create_directory(folder);
    WriteTrace(MakeTensorTrace(4), folder + "/mine.csv");
    setenv("INCA_TRACES", folder.c_str(), 1);
    EXPECT_EQ(FindTrace("mine").Elements(), 1U);
    EXPECT_THAT(ShippedTraceNames(TracesDirectory()), testing::ElementsAre("mine"));
    std::filesystem::remove_all(folder);
    EXPECT_THAT(RefusalOf("mine"), testing::HasSubstr("the traces are not there"));
    unsetenv("INCA_TRACES");
    EXPECT_EQ(TracesDirectory(), std::string(INCA_SOURCE_DIR) + "/traces");
}

TEST(TraceCatalog, TensorIsOneLayerWithoutCompute)
{
    const auto trace = FindTrace("tensor:100MB");
    EXPECT_EQ(trace.name, "tensor:100MB");
    EXPECT_EQ(trace.Bytes(), 100'000'000U);
    EXPECT_EQ(trace.valueClass, "assumed");
    ASSERT_EQ(trace.layers.size(), 1U);
    EXPECT_EQ(trace.layers[0].forwardPs + trace.layers[0].backwardPs + trace.layers[0].updatePs, 0);
}

TEST(TraceCatalog, TensorHasWholeValuesAndASaneSize)
{
    for (const auto* name : {"tensor:0B",
                             "tensor:6B",
                             "tensor:100",
                             "tensor:1025GiB",
                             "tensor:",
                             "tensor:-4",
                             "tensor:4x"})
    {
        EXPECT_THAT(RefusalOf(name), testing::StartsWith("tensor:")) << name;
    }
    EXPECT_EQ(MakeTensorTrace(1ULL << 40U).Elements(), 1ULL << 38U);
}

TEST(TraceCatalog, TellsWhyThereIsNoTraceWithoutReadingIt)
{
    EXPECT_EQ(WhyNoTrace("alexnet"), "");
    EXPECT_EQ(WhyNoTrace("tensor:4B"), "");
    for (const auto* name : {"alexnett", "no/such.csv", "./", "tensor:100"})
    {
        EXPECT_NE(WhyNoTrace(name), "") << name;
    }
    const auto broken = testing::TempDir() + "trace-catalog-test-broken.csv";
    std::ofstream(broken) << "no trace";
    EXPECT_EQ(WhyNoTrace(broken), "");
}

/* Standard deviation s = 2^-6: exponent 121 is |x| in [s, 2 s), i.e. P = erf(2/sqrt 2) - erf(1/sqrt 2);
 * its lower neighbors alike. Values below 2^-30 all count as exponent 97. */
TEST(TraceCatalog, TensorHasNormalExponents)
{
    const auto histogram = MakeTensorTrace(4).layers[0].statistics.exponents;
    const auto within = [](double x) { return std::erf(x / std::sqrt(2)); };
    double sum = 0;
    for (const auto& [exponent, share] : histogram)
    {
        const double lower = std::ldexp(1, static_cast<int>(exponent) - 121);
        const double expected = within(2 * lower) - (exponent == 97 ? 0 : within(lower));
        EXPECT_NEAR(share, expected, 1e-14) << exponent;
        sum += share;
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_EQ(histogram.front().first, 97U);
    EXPECT_EQ(histogram.back().first, 123U);
}

/* A made trace is a trace like any other: it can be written and read. */
TEST(TraceCatalog, TensorRoundTrips)
{
    const auto text = FormatTrace(MakeTensorTrace(1000));
    EXPECT_EQ(FormatTrace(ParseTrace(text, "t.csv")), text);
}

/* Twice the batch on a GPU that is twice as fast: passes as long as before, the update half as long. */
TEST(ScaledTrace, ScalesTimes)
{
    const auto scaled = Scaled(Small(), {64, 0.5, "bf16"});
    EXPECT_EQ(scaled.layers[0].forwardPs, 100'000);
    EXPECT_EQ(scaled.layers[0].backwardPs, 200'000);
    EXPECT_EQ(scaled.layers[0].updatePs, 25'000);
    EXPECT_EQ(scaled.batch, 64U);
    EXPECT_EQ(scaled.Bytes(), 2000U);
    EXPECT_EQ(scaled.valueClass, "derived");
    EXPECT_THAT(scaled.notes,
                testing::ElementsAre(testing::Pair(
                    "scaled",
                    "batch 32 to 64 (forward and backward times in proportion), all times by 0.5, "
                    "gradient_type fp32 to bf16, of small")));
    EXPECT_EQ(FormatTrace(ParseTrace(FormatTrace(scaled), "small.csv")), FormatTrace(scaled));
}

TEST(ScaledTrace, LeavesAloneWhatIsNotAskedFor)
{
    EXPECT_EQ(FormatTrace(Scaled(Small(), {})), FormatTrace(Small()));
    EXPECT_EQ(FormatTrace(Scaled(Small(), {32, 1, "fp32"})), FormatTrace(Small()));
}

TEST(ScaledTrace, RefusesWhatIsNoScale)
{
    EXPECT_THROW(Scaled(Small(), {0, 1, ""}), InputError);
    EXPECT_THROW(Scaled(Small(), {{}, 0, ""}), InputError);
    EXPECT_THROW(Scaled(Small(), {{}, 1, "fp8"}), InputError);
    auto unknown = Small();
    unknown.batch.reset();
    EXPECT_THROW(Scaled(unknown, {64, 1, ""}), InputError);
}

} // namespace inca
