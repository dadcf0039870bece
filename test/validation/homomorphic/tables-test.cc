/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/tables.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

namespace
{

/** From 10 to 20 Gb/s, and from 3 s to 1.5 s: gains of 2; a quarter of the bytes are the index's. */
GainPrediction
Twice()
{
    GainPrediction gain;
    gain.plainGbps = 10;
    gain.codedGbps = 20;
    gain.plainSeconds = 3;
    gain.codedSeconds = 1.5;
    gain.exchangeParts.roundsPs = 1;
    gain.iterationParts.computePs = 1;
    gain.sketches.ratio = 7.25;
    gain.sketches.load = 0.5;
    gain.sketches.estimatedShare = 0.00125;
    gain.sketches.values = 200;
    gain.sketches.indexWords = 25;
    gain.sketches.otherWords = 75;
    return gain;
}

/** Two sparsities of one network, the second 4 times as fast as the first. */
std::vector<ModelPrediction>
Predictions()
{
    auto faster = Twice();
    faster.codedGbps = 80;
    faster.codedSeconds = 0.375;
    faster.exchangeParts = {0, 0, 0, 1, 0};
    faster.sketches.ratio.reset();
    const ModelNetwork network{"ncf", "ring", 10};
    return {{network, {{}, false}, Twice()}, {network, {0.05, true}, faster}};
}

TEST(ModelTable, HasALinePerSparsityUnderItsBaseline)
{
    EXPECT_EQ(ModelTable(Predictions()), R"(
ncf (predicted; 4 workers, 1-bit index; largest safe ratio, then ratio 10)
    density  positions     ratio  bytes     Gb/s   gain  limit          ms   gain  limit   estimated
  ring at 10 Gb/s: uncompressed 10.00 Gb/s, 3000.00 ms
    natural  independent    7.25  2.00x    20.00  2.00x  rounds    1500.00  2.00x  compute   0.125 %
    0.05     identical         -  2.00x    80.00  8.00x  density    375.00  8.00x  compute   0.125 %
)");
}

TEST(BestText, PutsTheLargestGainsBesideThePapers)
{
    EXPECT_EQ(BestText(Predictions()), R"(
largest gains above
  throughput 8.00x: ncf, ring at 10 Gb/s, density 0.05, identical
             the paper: up to 6.33x; 1 of 2 are as large or larger
  iteration  8.00x: ncf, ring at 10 Gb/s, density 0.05, identical
             the paper: up to 3.74x; 1 of 2 are as large or larger
  limits of throughput: rounds 1, density 1
  limits of iterations: compute 2
)");
}

TEST(BestText, SaysThatNoneIsAsLarge)
{
    auto predictions = Predictions();
    predictions.pop_back();
    EXPECT_NE(BestText(predictions).find("up to 6.33x; 0 of 1 are as large\n"), std::string::npos);
}

TEST(BenchmarkTable, HasALinePerSetup)
{
    EXPECT_EQ(BenchmarkTable({{{"bits-4", "dependent", 100}, 10, Twice()}}), R"(
benchmark (predicted; 2^27 values, density 0.05, identical, ratio 10, ring, 2 GPUs each)
  index  rounds     rate   plain  bytes     Gb/s   gain  limit    whole ms   gain  limit   estimated
  bits-4 dependent   100   10.00  2.00x    20.00  2.00x  rounds    1500.00  2.00x  compute   0.125 %
)");
}

TEST(RatioTable, TellsReachedFromBest)
{
    const BenchmarkPrediction at{{"bits-1", "overlapped", 25}, 8.5, Twice()};
    const auto text = RatioTable({{true, at, at}, {false, at, at}});
    EXPECT_EQ(text, R"(
ratio (predicted; where the benchmark's throughput gain reaches the paper's 6.33x)
  index  rounds     rate            at ratio    gain   load   estimated  largest at load < 0.78
  bits-1 overlapped   25                8.50   2.00x   0.50     0.125 %      2.00x at 8.5
  bits-1 overlapped   25  not, best     8.50   2.00x   0.50     0.125 %      2.00x at 8.5
)");
}

} // namespace

} // namespace inca
