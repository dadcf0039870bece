/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "trace/gradient-trace.h"
#include "validation-fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* g_columns =
    "round,org,system,benchmark,nodes,per_node,gpu,network,intra,global_batch,grad_acc,step_ms\n";

/** A step takes what its layers say, and 1 ms for each node but the first. */
RunResults
MadeUpResults(const Scenario& scenario)
{
    constexpr std::int64_t psOfNode = 1'000'000'000;
    std::int64_t ps = (scenario.cluster.workers - 1) * psOfNode;
    for (const auto& layer : scenario.training.readTrace->layers)
    {
        const auto passes = layer.forwardPs + layer.backwardPs;
        ps += passes * scenario.training.accumulation + layer.updatePs;
    }
    RunResults results;
    results.iterationEndsPs = {ps, 2 * ps};
    return results;
}

class MlperfSteps : public testing::Test
{
  protected:
    ~MlperfSteps() override
    {
        std::filesystem::remove(m_path);
    }

    ValidationReport ReportOf(const std::string& text)
    {
        std::ofstream(m_path) << text;
        auto request = fake.Request({});
        request.steps = m_path;
        return Validate(MlperfValidation(), request);
    }

    FakeRuns fake{MadeUpResults};

  private:
    std::string m_path = testing::TempDir() + "mlperf-steps-test.csv";
};

/*
 * 865,910,724 parameters of 28 bytes pass an H100's 3,350 GB/s in 7.2375 ms. One node: 100 ms, so computing takes 92.7625 for 32
 * samples. 2 nodes, 16 samples: half of that, the update and 1 ms are 54.619, not 60 (-9.0 %). 4 nodes, 8 samples in two
 * micro-batches: a quarter, the update and 3 ms are 33.428, not 38 (-12.0 %). P: 50 (16.7 %), 25 (34.2 %). L, by (32, 100) and
 * (16, 60), says 40 of 8 samples (5.3 %). The other family's smallest has a network: 51 - 1 - 7.2375 are 42.7625 for 16 samples,
 * and 4 nodes take 53 ms, as measured; P: 51 (3.8 %).
 */
TEST_F(MlperfSteps, ArePredictedFromTheSmallestOfAFamily)
{
    const auto report =
        ReportOf(std::string(g_columns) +
                 "1.0,A,four,stable_diffusion,4,8,NVIDIA H100-SXM5-80GB,Storage: 2x C 200Gb/s; "
                 "Compute: 8x C NDR 400Gb/s,,256,2,38\n"
                 "1.0,A,two,stable_diffusion,2,8,NVIDIA H100-SXM5-80GB,8x C NDR 400Gb/s,,256,1,60\n"
                 "1.0,A,one,stable_diffusion,1,8,NVIDIA H100-SXM5-80GB,,,256,1,100\n"
                 "1.0,B,two,stable_diffusion,2,8,NVIDIA H100-SXM5-80GB,8 x 400GbE,,256,1,51\n"
                 "1.0,B,four,stable_diffusion,4,8,NVIDIA H100-SXM5-80GB,8 x 400GbE,,512,1,53\n"
                 "1.0,C,one,stable_diffusion,1,8,NVIDIA H100-SXM5-80GB,,,256,1,100\n");
    const auto& figures = report.comparisons;
    ASSERT_EQ(figures.size(), 3 + 3 * 3);
    EXPECT_NEAR(figures[0].predicted, 54.619e-3, 2e-5);
    EXPECT_NEAR(figures[1].predicted, 33.428e-3, 2e-5);
    EXPECT_NEAR(figures[2].predicted, 53e-3, 2e-5);
    EXPECT_EQ(figures[1].published->source, "four");
    EXPECT_EQ(CountMisses(report), 1);
    EXPECT_NEAR(FindFigure(figures, "INCA, 3 steps", "mean error").predicted, 7.0, 0.1);
    EXPECT_NEAR(FindFigure(figures, "INCA, 3 steps", "median error").predicted, 9.0, 0.1);
    EXPECT_NEAR(FindFigure(figures, "P, 3 steps", "median error").predicted, 16.7, 0.1);
    EXPECT_NEAR(FindFigure(figures, "P, 3 steps", "worst error").predicted, 34.2, 0.1);
    EXPECT_NEAR(FindFigure(figures, "L, 1 steps", "worst error").predicted, 5.3, 0.1);
    const auto& four = fake.scenarios.back().cluster;
    EXPECT_EQ(four.workers, 4U);
    EXPECT_EQ(four.gpus, 8U);
    EXPECT_EQ(four.nics, 8U);
    EXPECT_EQ(four.bitsPerSecond, 400'000'000'000U);
}

/* Trays of GB200s without a network are one NVLink domain, of 16 GPUs. */
TEST_F(MlperfSteps, OfOneNvlinkDomainAreOneNode)
{
    ReportOf(std::string(g_columns) +
             "5.0,A,one,bert,1,4,GB200,,,256,1,200\n5.0,A,four,bert,4,4,GB200,,,256,1,60\n");
    EXPECT_EQ(fake.scenarios.back().cluster.workers, 1U);
    EXPECT_EQ(fake.scenarios.back().cluster.gpus, 16U);
}

/** A second line, and what is said of it. */
struct RefusedCase
{
    const char* row;
    std::vector<const char*> message;
};

TEST_F(MlperfSteps, ThatMakeNoSenseAreRefused)
{
    const std::vector<RefusedCase> cases{
        {"1.0,A,s,resnet,1,8,Potato,,,256,1,100", {":2: gpu: nothing is known of 'Potato'"}},
        {"1.0,A,s,resnett,1,8,H200,,,256,1,100", {":2: benchmark: ", "did you mean 'resnet'?"}},
        {"1.0,A,s,resnet,0,8,H200,,,256,1,100", {":2: nodes: must be a number from 1 to 65536"}},
        {"1.0,A,s,resnet,1.5,8,H200,,,256,1,100", {":2: nodes: must be a whole number"}},
        {"1.0,A,s,resnet,1,8,H200,,,15,2,100", {":2: global_batch: must be a number from 16 "}},
        {"1.0,A,s,resnet,1,8,GH200,,,256,1,100", {":2: gpu: nothing is known of 'GH200'"}},
        {"1.0,A,s,resnet,1,8,H200,,,256,1,fast", {":2: step_ms: must be a number"}},
        {"1.0,A,s,resnet,2,8,H200,,,256,1,100", {":2: network: must say links such as"}},
        {"1.0,A,s,resnet,2,8,H200,0x 400Gb/s,,256,1,100",
         {":2: network: must be a whole number of 1..1024, got '0'"}},
        {"1.0,A,s,resnet,3,8,H200,8x 400Gb/s,,256,1,1", {":2: step_ms: its network alone"}}};
    for (const auto& [row, message] : cases)
    {
        const auto text =
            std::string(g_columns) + row + "\n1.0,A,s,resnet,4,8,H200,8x 400Gb/s,,256,1,1\n";
        EXPECT_THAT(
            [&] { ReportOf(text); },
            ThrowsMessage<InputError>(AllOf(HasSubstr(message.front()), HasSubstr(message.back()))))
            << row;
    }
    EXPECT_THAT(
        [&] {
            ReportOf(std::string(g_columns) +
                     "1,A,s,bert,1,8,H200,,,8,1,1000\n1,A,s,bert,2,8,H200,8x 400Gb/s,,1e9,1,1\n");
        },
        ThrowsMessage<InputError>(
            HasSubstr(":3: global_batch: its step takes longer than 100000 s")));
    EXPECT_THAT([&] { ReportOf(std::string(g_columns) + "1,A,s,bert,1,8,H200,,,8,1,1000\n"); },
                ThrowsMessage<InputError>(HasSubstr(": no family (")));
    EXPECT_THAT([&] { ReportOf("round,org\n1.0,A\n"); },
                ThrowsMessage<InputError>(HasSubstr(":1: needs a column 'system'")));
}

} // namespace

} // namespace inca
