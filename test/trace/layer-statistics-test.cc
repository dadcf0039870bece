/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/layer-statistics.h"

#include "base/errors.h"
#include "support/why-not.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

namespace inca
{

namespace
{

LayerStatistics
OfDensities(double one, double all)
{
    LayerStatistics statistics;
    statistics.density = one;
    statistics.unionDensity = all;
    return statistics;
}

/** The columns that StatisticsComplaints names. */
std::vector<std::string>
BadColumns(const LayerStatistics& statistics, std::optional<std::uint32_t> statsWorkers = 4)
{
    std::vector<std::string> columns;
    for (const auto& complaint : StatisticsComplaints(statistics, statsWorkers))
    {
        columns.push_back(complaint.first);
    }
    return columns;
}

/** Layers a: 100 elements, d = 0.1; b: 300, d = 0.5; c: 100, all zeros. */
GradientTrace
ThreeLayers()
{
    GradientTrace trace;
    trace.name = "t";
    trace.statsWorkers = 4;
    trace.layers.resize(3);
    trace.layers[0].name = "a";
    trace.layers[0].elements = 100;
    trace.layers[0].statistics.density = 0.1;
    trace.layers[1].name = "b";
    trace.layers[1].elements = 300;
    trace.layers[1].statistics.density = 0.5;
    trace.layers[2].name = "c";
    trace.layers[2].elements = 100;
    trace.layers[2].statistics.density = 0;
    return trace;
}

using Piece = std::tuple<std::size_t, std::uint64_t, std::uint64_t, std::uint64_t>;

/** Pieces of a model whose layers have 3, 1 and 4 elements. */
std::vector<Piece>
PiecesOf(std::uint64_t begin, std::uint64_t count)
{
    GradientTrace trace;
    for (const std::uint64_t elements : {3, 1, 4})
    {
        trace.layers.emplace_back();
        trace.layers.back().elements = elements;
    }
    std::vector<Piece> pieces;
    LayerOffsets(trace).ForEach(begin, count, [&](auto layer, auto first, auto length, auto at) {
        pieces.emplace_back(layer, first, length, at);
    });
    return pieces;
}

} // namespace

/* d = 0.1: independent (a = 1) 1 - 0.9^4 = 0.3439; same positions (a = 0) 0.1; in between (a = 1/2)
 * 1 - 0.9^2 = 0.19. */
TEST(LayerStatistics, UnionLiesBetweenSameAndIndependentPositions)
{
    EXPECT_NEAR(UnionDensity(0.1, 4, 1), 0.3439, 1e-12);
    EXPECT_NEAR(UnionDensity(0.1, 4, 0), 0.1, 1e-12);
    EXPECT_NEAR(UnionDensity(0.1, 4, 0.5), 0.19, 1e-12);
    EXPECT_EQ(UnionDensity(0, 4, 1), 0);
    EXPECT_EQ(UnionDensity(1, 4, 1), 1);
    EXPECT_NEAR(UnionDensity(0.1, 1, 0.5), 0.1, 1e-12);
}

TEST(LayerStatistics, FitInvertsTheUnion)
{
    for (const double exponent : {0.0, 0.25, 0.5, 1.0})
    {
        const auto statistics = OfDensities(0.02, UnionDensity(0.02, 8, exponent));
        EXPECT_NEAR(FitUnionExponent(statistics, 8).value(), exponent, 1e-9);
    }
    // four workers that avoid each other: 0.4 = 1 - 0.9^(4^a), a = ln(ln 0.6 / ln 0.9) / ln 4
    EXPECT_NEAR(FitUnionExponent(OfDensities(0.1, 0.4), 4).value(), 1.13874, 1e-5);
}

TEST(LayerStatistics, FitNeedsBothDensitiesInsideTheirRange)
{
    EXPECT_FALSE(FitUnionExponent(OfDensities(0.1, 0.3), std::nullopt));
    EXPECT_FALSE(FitUnionExponent(OfDensities(0, 0.3), 4));
    EXPECT_FALSE(FitUnionExponent(OfDensities(0.1, 1), 4));
    EXPECT_FALSE(FitUnionExponent({}, 4));
}

TEST(LayerStatistics, UnionsThatCannotBeAreComplainedOf)
{
    EXPECT_THAT(BadColumns(OfDensities(0.1, 0.3)), testing::IsEmpty());
    EXPECT_THAT(BadColumns(OfDensities(0.1, 0.05)), testing::ElementsAre("union_density"));
    EXPECT_THAT(BadColumns(OfDensities(0.1, 0.5)),
                testing::ElementsAre("union_density")); // > 4 * 0.1
    EXPECT_THAT(BadColumns(OfDensities(0.1, 0.3), std::nullopt),
                testing::ElementsAre("union_density"));
}

TEST(LayerStatistics, WidthsAddUpToOneWithinTheirDigits)
{
    LayerStatistics statistics;
    statistics.widths = {{10, {0.749, 0.039, 0.211, 0.001}}, {8, {0.8, 0.1, 0.1, 0.0049}}};
    EXPECT_THAT(BadColumns(statistics), testing::IsEmpty());
    statistics.widths = {{10, {0.8, 0.1, 0.1, 0.0051}}, {8, {0.8, 0.1, 0.0949, 0}}};
    EXPECT_THAT(BadColumns(statistics), testing::ElementsAre("b8_w2", "b10_w2"));
}

/* 70 % of the values are zero: 60 % at exponent 0, or in the shortest width, contradict that. */
TEST(LayerStatistics, ZerosMustShowInHistogramAndWidths)
{
    LayerStatistics statistics;
    statistics.density = 0.3;
    statistics.exponents = {{0, 0.6}, {117, 0.4}};
    statistics.widths = {{10, {0.6, 0.4, 0, 0}}};
    EXPECT_THAT(BadColumns(statistics), testing::ElementsAre("exponents", "b10_w2"));
    statistics.exponents = {{0, 0.7}, {117, 0.3}};
    statistics.widths = {{10, {0.8, 0.2, 0, 0}}};
    EXPECT_THAT(BadColumns(statistics), testing::IsEmpty());
}

namespace
{

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pair;

constexpr double g_rounding = 1e-12;

auto
Near(double share)
{
    return DoubleNear(share, g_rounding);
}

/** 20 % zeros; others at exponents 110, 118, 127. At 2^-10 (117) small ones take 2 bits, too. */
LayerStatistics
Layer()
{
    LayerStatistics statistics;
    statistics.density = 0.8;
    statistics.unionDensity = 0.9;
    statistics.blockDensity = 1;
    statistics.unionBlockDensity = 1;
    statistics.exponents = {{0, 0.2}, {110, 0.4}, {118, 0.3}, {127, 0.1}};
    statistics.widths = {{10, {0.6, 0.3, 0, 0.1}}};
    return statistics;
}

} // namespace

TEST(NonZeroShare, IsTheDensityElseTheHistograms)
{
    EXPECT_EQ(NonZeroShare(Layer()), 0.8);
    auto statistics = Layer();
    statistics.density.reset();
    statistics.exponents = {{0, 0.2}, {118, 0.2}}; // adds up to 0.4, half of it zeros
    EXPECT_THAT(NonZeroShare(statistics).value(), Near(0.5));
    statistics.exponents = {{118, 0.9}};
    EXPECT_EQ(NonZeroShare(statistics), 1);
    statistics.exponents.clear();
    EXPECT_FALSE(NonZeroShare(statistics));
}

/* The largest 25 %: all 10 % at 127 and 15 % of the 30 % at 118; 75 % are zeros. */
TEST(Sparsified, KeepsTheLargestValues)
{
    const auto sparse = Sparsified(Layer(), 0.25);
    EXPECT_EQ(sparse.density, 0.25);
    EXPECT_THAT(sparse.exponents,
                ElementsAre(Pair(0, Near(0.75)), Pair(118, Near(0.15)), Pair(127, Near(0.1))));
    EXPECT_THAT(sparse.widths.at(10), ElementsAre(Near(0.75), Near(0.15), 0, Near(0.1)));
    EXPECT_FALSE(sparse.unionDensity);
    EXPECT_FALSE(sparse.blockDensity);
    EXPECT_FALSE(sparse.unionBlockDensity);
    EXPECT_THAT(StatisticsComplaints(sparse, 4), testing::IsEmpty());
}

/* The largest 60 %: 20 % of the 40 % at 110 stay, which take 2 bits as zeros do. */
TEST(Sparsified, SmallValuesTakeAsManyBitsAsZeros)
{
    const auto sparse = Sparsified(Layer(), 0.6);
    EXPECT_THAT(
        sparse.exponents,
        ElementsAre(
            Pair(0, Near(0.4)), Pair(110, Near(0.2)), Pair(118, Near(0.3)), Pair(127, Near(0.1))));
    EXPECT_THAT(sparse.widths.at(10), ElementsAre(Near(0.6), Near(0.3), 0, Near(0.1)));
}

TEST(Sparsified, LeavesALayerThatIsSparserAlone)
{
    const auto same = Sparsified(Layer(), 0.8);
    EXPECT_EQ(same.exponents, Layer().exponents);
    EXPECT_EQ(same.widths, Layer().widths);
    EXPECT_EQ(same.density, 0.8);
    EXPECT_EQ(same.unionDensity, 0.9);
}

/* Without a density, the histogram's 80 % count; without both, 100 %. */
TEST(Sparsified, AlwaysGivesADensity)
{
    auto statistics = Layer();
    statistics.density.reset();
    EXPECT_THAT(Sparsified(statistics, 0.9).density.value(), Near(0.8));
    EXPECT_EQ(Sparsified(LayerStatistics{}, 1).density, 1);
    EXPECT_EQ(Sparsified(LayerStatistics{}, 0.01).density, 0.01);
}

/* Printed shares add up to 0.8 here: as parts of 1 they are 0.5, 0.25, 0.25; the largest 30 % leave
 * 5 % of the middle. A histogram without exponent 0 gets one. */
TEST(Sparsified, SharesAddUpToOneAfterwards)
{
    LayerStatistics statistics;
    statistics.exponents = {{110, 0.4}, {118, 0.2}, {127, 0.2}};
    EXPECT_THAT(Sparsified(statistics, 0.3).exponents,
                ElementsAre(Pair(0, Near(0.7)), Pair(118, Near(0.05)), Pair(127, Near(0.25))));
}

/* From 0.8 to 0.4: half of each non-zero share; of the 2-bit class 0.4 are small values. */
TEST(WithDensity, LowersAndKeepsTheShape)
{
    const auto lower = WithDensity(Layer(), 0.4);
    EXPECT_EQ(lower.density, 0.4);
    EXPECT_THAT(lower.exponents,
                ElementsAre(Pair(0, Near(0.6)),
                            Pair(110, Near(0.2)),
                            Pair(118, Near(0.15)),
                            Pair(127, Near(0.05))));
    EXPECT_THAT(lower.widths.at(10), ElementsAre(Near(0.8), Near(0.15), 0, Near(0.05)));
    EXPECT_FALSE(lower.unionDensity);
    EXPECT_FALSE(lower.blockDensity);
}

/* From 0.8 to 1: 1.25 times each non-zero share, and no zeros. */
TEST(WithDensity, RaisesAndKeepsTheShape)
{
    const auto higher = WithDensity(Layer(), 1);
    double sum = 0;
    for (const auto& [exponent, share] : higher.exponents)
    {
        sum += exponent == 0 ? 0 : share;
    }
    EXPECT_THAT(sum, Near(1));
    EXPECT_THAT(higher.exponents.back(), Pair(127, Near(0.125)));
    EXPECT_THAT(higher.widths.at(10), ElementsAre(Near(0.5), Near(0.375), 0, Near(0.125)));
}

/* A layer of zeros has no shape: its new values are as small as zeros. */
TEST(WithDensity, ZerosThatBecomeValuesAreSmall)
{
    LayerStatistics statistics;
    statistics.density = 0;
    statistics.exponents = {{0, 1}};
    statistics.widths = {{10, {1, 0, 0, 0}}};
    const auto higher = WithDensity(statistics, 0.5);
    EXPECT_EQ(higher.density, 0.5);
    EXPECT_THAT(higher.exponents, ElementsAre(Pair(0, 1)));
    EXPECT_THAT(higher.widths.at(10), ElementsAre(1, 0, 0, 0));
}

/* Above exponent 0 stands 0.82, a little more than the density: it becomes no more than 0.4. */
TEST(WithDensity, DigitsOfTheTraceDoNotRaiseIt)
{
    LayerStatistics statistics;
    statistics.density = 0.8;
    statistics.exponents = {{0, 0.18}, {110, 0.82}};
    EXPECT_THAT(WithDensity(statistics, 0.4).exponents,
                ElementsAre(Pair(0, Near(0.6)), Pair(110, Near(0.4))));
}

TEST(SparseStatistics, ATraceIsChangedLayerByLayer)
{
    GradientTrace trace;
    trace.statsWorkers = 4;
    trace.layers.resize(2);
    trace.layers[0].statistics = Layer();
    trace.layers[1].statistics.density = 0.1;
    trace.layers[1].statistics.unionDensity = 0.2;
    const auto sparse = Sparsified(trace, 0.5);
    EXPECT_EQ(sparse.layers[0].statistics.density, 0.5);
    EXPECT_FALSE(sparse.layers[0].statistics.unionDensity);
    EXPECT_EQ(sparse.layers[1].statistics.density, 0.1);
    EXPECT_EQ(sparse.layers[1].statistics.unionDensity, 0.2);
    const auto set = WithDensity(trace, 0.5);
    EXPECT_EQ(set.layers[1].statistics.density, 0.5);
    EXPECT_FALSE(set.layers[1].statistics.unionDensity);
}

TEST(SparseStatistics, RefuseWhatIsNoShare)
{
    for (const double bad : {0.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
    {
        EXPECT_THROW(WithDensity(Layer(), bad), InputError) << bad;
        EXPECT_THROW(Sparsified(Layer(), bad), InputError) << bad;
    }
}

namespace
{

GradientTrace
OneLayer(double density, std::optional<double> unionDensity)
{
    GradientTrace trace;
    trace.statsWorkers = 4;
    LayerRecord layer;
    layer.elements = 100;
    layer.statistics.density = density;
    layer.statistics.unionDensity = unionDensity;
    trace.layers = {layer};
    return trace;
}

/* Independent positions: 1 - (1 - 0.1)^2 = 0.19. */
TEST(GpuUnion, UnitesIndependentPositions)
{
    const auto united = OverGpus(OneLayer(0.1, std::nullopt), 2, std::nullopt);
    EXPECT_DOUBLE_EQ(*united.layers[0].statistics.density, 0.19);
}

/* The same positions on all: nothing is added. */
TEST(GpuUnion, KeepsSamePositions)
{
    const auto united = OverGpus(OneLayer(0.1, std::nullopt), 8, 0.0);
    EXPECT_DOUBLE_EQ(*united.layers[0].statistics.density, 0.1);
}

/* 4 workers of 2 GPUs are 8 GPUs, whatever the overlap: with a published union of 4, `a` is fitted to it. */
TEST(GpuUnion, LeavesTheUnionOfAllGpusAsItIs)
{
    const auto one = OneLayer(0.05, 0.12);
    const auto exponent = *FitUnionExponent(one.layers[0].statistics, 4);
    const auto worker = OverGpus(one, 2, std::nullopt).layers[0].statistics;
    EXPECT_NEAR(*worker.unionDensity, UnionDensity(0.05, 8, exponent), 1e-12);
    EXPECT_NEAR(*FitUnionExponent(worker, 4), exponent, 1e-9);
}

/* Without a density, the histogram has it: d = 0.1, so 1 - 0.9^2 = 0.19; what is not zero is as large. */
TEST(GpuUnion, ScalesTheHistogram)
{
    auto trace = OneLayer(0.1, std::nullopt);
    trace.layers[0].statistics.density.reset();
    trace.layers[0].statistics.exponents = {{0, 0.9}, {117, 0.025}, {118, 0.075}};
    const auto united = OverGpus(trace, 2, std::nullopt).layers[0].statistics;
    EXPECT_DOUBLE_EQ(*united.density, 0.19);
    ASSERT_EQ(united.exponents.size(), 3U);
    EXPECT_NEAR(united.exponents[0].second, 0.81, 1e-12);
    EXPECT_NEAR(united.exponents[1].second, 0.0475, 1e-12);
    EXPECT_NEAR(united.exponents[2].second, 0.1425, 1e-12);
}

/* 1 - 1e-300 is 1 in fp64: the union is no smaller than one GPU's density for that. */
TEST(GpuUnion, NeverLosesValues)
{
    const auto united = OverGpus(OneLayer(1e-300, std::nullopt), 2, std::nullopt);
    EXPECT_EQ(united.layers[0].statistics.density, 1e-300);
}

TEST(GpuUnion, NeedsADensity)
{
    auto trace = OneLayer(0.1, std::nullopt);
    trace.layers[0].statistics.density.reset();
    EXPECT_FALSE(OverGpus(trace, 2, std::nullopt).layers[0].statistics.density.has_value());
}

} // namespace

TEST(Densities, OneWorkerHasTheLayersOwn)
{
    const Densities densities(ThreeLayers(), std::nullopt);
    EXPECT_EQ(densities.Of(0, 100, 1), 0.1);
    EXPECT_EQ(densities.Of(17, 3, 1), 0.1);
    EXPECT_EQ(densities.Of(100, 300, 1), 0.5);
    EXPECT_EQ(densities.Of(499, 1, 1), 0);
}

/* 20 of a and 60 of b: (20 * 0.1 + 60 * 0.5) / 80 = 0.4; all: (10 + 150 + 0) / 500 = 0.32. */
TEST(Densities, LayersCountByTheirElements)
{
    const Densities densities(ThreeLayers(), std::nullopt);
    EXPECT_NEAR(densities.Of(80, 80, 1), 0.4, 1e-12);
    EXPECT_NEAR(densities.Of(0, 500, 1), 0.32, 1e-12);
    EXPECT_EQ(densities.Of(0, 0, 1), 0);
    EXPECT_EQ(densities.Of(500, 0, 1), 0);
}

/* Independent, two workers: 1 - 0.9^2 = 0.19 and 1 - 0.5^2 = 0.75; 100 and 300 of 400: 0.61. Four
 * workers at a = 1/2 are as two independent ones; at a = 0 as one. */
TEST(Densities, WorkersTogetherHaveTheUnion)
{
    EXPECT_NEAR(Densities(ThreeLayers(), std::nullopt).Of(0, 400, 2), 0.61, 1e-12);
    EXPECT_NEAR(Densities(ThreeLayers(), 0.5).Of(0, 400, 4), 0.61, 1e-12);
    EXPECT_NEAR(Densities(ThreeLayers(), 0).Of(0, 400, 64), 0.4, 1e-12);
}

/* Layer a says 0.19 for four workers: a = 1/2, so 16 have 1 - 0.9^4 = 0.3439. Layer b's four avoid
 * each other (0.99 > 1 - 0.5^4 = 0.9375), which drawn values cannot: it counts as independent. */
TEST(Densities, OverlapIsTheTracesUnlessGiven)
{
    auto trace = ThreeLayers();
    trace.layers[0].statistics.unionDensity = 0.19;
    trace.layers[1].statistics.unionDensity = 0.99;
    const Densities densities(trace, std::nullopt);
    EXPECT_NEAR(densities.Of(0, 100, 16), 0.3439, 1e-12);
    EXPECT_NEAR(densities.Of(100, 300, 4), 0.9375, 1e-12);
    EXPECT_NEAR(Densities(trace, 1).Of(0, 100, 2), 0.19, 1e-12);
    // What was measured before sparsifying says nothing of after: independent, 1 - 0.95^2.
    EXPECT_NEAR(Densities(Sparsified(trace, 0.05), std::nullopt).Of(0, 100, 2), 0.0975, 1e-12);
}

TEST(Densities, ATensorIsDenseUnlessSaid)
{
    const auto tensor = MakeTensorTrace(4000);
    EXPECT_EQ(Densities(tensor, std::nullopt).Of(0, 1000, 8), 1);
    EXPECT_NEAR(Densities(WithDensity(tensor, 0.1), std::nullopt).Of(0, 1000, 2), 0.19, 1e-12);
}

TEST(Densities, NeedStatistics)
{
    auto trace = ThreeLayers();
    trace.layers[1].statistics = {};
    EXPECT_EQ(WhyNot([&] { const Densities densities(trace, std::nullopt); }),
              "trace 't': layer 'b' has no density; give training.density");
}

/* Elements 0-2 are layer 0, 3 is layer 1, 4-7 layer 2: (layer, first in it, length, first in range). */
TEST(LayerOffsets, CutAtTheLayersEnds)
{
    EXPECT_THAT(PiecesOf(0, 8),
                testing::ElementsAre(Piece{0, 0, 3, 0}, Piece{1, 0, 1, 3}, Piece{2, 0, 4, 4}));
    EXPECT_THAT(PiecesOf(2, 3),
                testing::ElementsAre(Piece{0, 2, 1, 0}, Piece{1, 0, 1, 1}, Piece{2, 0, 1, 2}));
    EXPECT_THAT(PiecesOf(5, 2), testing::ElementsAre(Piece{2, 1, 2, 0}));
    EXPECT_THAT(PiecesOf(3, 1), testing::ElementsAre(Piece{1, 0, 1, 0}));
    EXPECT_THAT(PiecesOf(8, 0), testing::IsEmpty());
}

} // namespace inca
