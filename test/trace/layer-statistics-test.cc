/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/layer-statistics.h"

#include "base/errors.h"
#include "base/text.h"
#include "support/why-not.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>
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
    statistics.exponents = {{0, 0.2}, {110, 0.4}, {118, 0.3}, {127, 0.1}};
    statistics.widths = {{10, {0.6, 0.3, 0, 0.1}}};
    return statistics;
}

/** "0.25, union 0.5; 0:0.75 127:0.25; 0.75 0.15 0 0.1": its densities, its histogram, its widths at 2^-10. */
std::string
Shown(const LayerStatistics& statistics)
{
    const auto digits = [](double share) {
        std::ostringstream text;
        text << std::round(share * 1e9) / 1e9; // six digits
        return text.str();
    };
    auto text = digits(statistics.density.value());
    text += statistics.unionDensity ? ", union " + digits(*statistics.unionDensity) : "";
    text += ";";
    for (const auto& [exponent, share] : statistics.exponents)
    {
        text += share < 1e-9 ? "" : Text(" ", exponent, ":", digits(share));
    }
    text += ";";
    for (const auto& [bound, shares] : statistics.widths)
    {
        for (const auto share : shares)
        {
            text += " " + digits(share);
        }
    }
    return text;
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

/*
 * Of Layer(), the largest 25 % are all 10 % at 127 and 15 % of the 30 % at 118. Of the largest 60 %, 20 % of the 40 % at 110
 * stay, which take 2 bits as zeros do. A layer that is sparser is left alone, but always has a density: without one, the
 * histogram's 80 % count; without both, 100 %. Printed shares may add up to 0.8: as parts of 1 they are 0.5, 0.25 and 0.25, of
 * which the largest 30 % leave 5 % of the middle, and a histogram without exponent 0 gets one.
 * From 0.8 to 0.4, half of each non-zero share is left, and of the 2-bit class 0.4 are small values; to 1, each is 1.25 times
 * as much. A layer of zeros has no shape: its new values are as small as zeros. Where 0.82 stand above exponent 0, a
 * little more than the density, they become no more than 0.4.
 */
TEST(SparseStatistics, AreThoseOfTheLargestOrHaveTheSameShape)
{
    auto unknown = Layer();
    unknown.density.reset();
    LayerStatistics printed;
    printed.exponents = {{110, 0.4}, {118, 0.2}, {127, 0.2}};
    LayerStatistics zeros;
    zeros.density = 0;
    zeros.exponents = {{0, 1}};
    zeros.widths = {{10, {1, 0, 0, 0}}};
    LayerStatistics digits;
    digits.density = 0.8;
    digits.exponents = {{0, 0.18}, {110, 0.82}};
    const std::tuple<LayerStatistics, const char*> rows[] = {
        {Sparsified(Layer(), 0.25), "0.25; 0:0.75 118:0.15 127:0.1; 0.75 0.15 0 0.1"},
        {Sparsified(Layer(), 0.6), "0.6; 0:0.4 110:0.2 118:0.3 127:0.1; 0.6 0.3 0 0.1"},
        {Sparsified(Layer(), 0.8), "0.8, union 0.9; 0:0.2 110:0.4 118:0.3 127:0.1; 0.6 0.3 0 0.1"},
        {Sparsified(unknown, 0.9), "0.8, union 0.9; 0:0.2 110:0.4 118:0.3 127:0.1; 0.6 0.3 0 0.1"},
        {Sparsified(LayerStatistics{}, 1), "1;;"},
        {Sparsified(LayerStatistics{}, 0.01), "0.01;;"},
        {Sparsified(printed, 0.3), "0.3; 0:0.7 118:0.05 127:0.25;"},
        {WithDensity(Layer(), 0.4), "0.4; 0:0.6 110:0.2 118:0.15 127:0.05; 0.8 0.15 0 0.05"},
        {WithDensity(Layer(), 1), "1; 110:0.5 118:0.375 127:0.125; 0.5 0.375 0 0.125"},
        {WithDensity(zeros, 0.5), "0.5; 0:1; 1 0 0 0"},
        {WithDensity(digits, 0.4), "0.4; 0:0.6 110:0.4;"}};
    for (const auto& [statistics, shown] : rows)
    {
        EXPECT_EQ(Shown(statistics), shown);
        EXPECT_THAT(StatisticsComplaints(statistics, 4), testing::IsEmpty());
    }
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

/* Independent positions: 1 - (1 - 0.1)^2 = 0.19; where they are the same on all, nothing is added. 1 - 1e-300 is 1 in fp64: the
 * union is no smaller than one GPU's density for that. What has no density gets none. */
TEST(GpuUnion, UnitesPositions)
{
    const auto densityOf = [](const GradientTrace& trace, unsigned gpus, std::optional<double> a) {
        return OverGpus(trace, gpus, a).layers[0].statistics.density;
    };
    EXPECT_DOUBLE_EQ(*densityOf(OneLayer(0.1, std::nullopt), 2, std::nullopt), 0.19);
    EXPECT_DOUBLE_EQ(*densityOf(OneLayer(0.1, std::nullopt), 8, 0.0), 0.1);
    EXPECT_EQ(densityOf(OneLayer(1e-300, std::nullopt), 2, std::nullopt), 1e-300);
    auto unknown = OneLayer(0.1, std::nullopt);
    unknown.layers[0].statistics.density.reset();
    EXPECT_FALSE(densityOf(unknown, 2, std::nullopt));
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
    EXPECT_EQ(Shown(OverGpus(trace, 2, std::nullopt).layers[0].statistics),
              "0.19; 0:0.81 117:0.0475 118:0.1425;");
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
 * each other (0.99 > 1 - 0.5^4 = 0.9375), which random values cannot: it counts as independent. */
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

TEST(Densities, NeedStatistics)
{
    auto trace = ThreeLayers();
    trace.layers[1].statistics = {};
    EXPECT_THAT(WhyNot([&] { const Densities densities(trace, std::nullopt); }),
                testing::HasSubstr("trace 't': layer 'b' has no density"));
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
