/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-source.h"

#include "base/errors.h"
#include "base/random.h"
#include "base/word.h"
#include "support/why-not.h"
#include "trace/layer-statistics.h"
#include "trace/trace-catalog.h"

#include <boost/crc.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** Share of the exponents from @p first to before @p end. */
double
ShareOf(const ExponentLaw& law, std::size_t first, std::size_t end)
{
    return std::accumulate(law.begin() + static_cast<std::ptrdiff_t>(first),
                           law.begin() + static_cast<std::ptrdiff_t>(end),
                           0.0);
}

using Trace = std::shared_ptr<const GradientTrace>;

/** A trace of two layers with the same statistics. */
Trace
TraceWith(const LayerStatistics& statistics, std::uint64_t elements = 500'000)
{
    GradientTrace trace;
    trace.name = "t";
    trace.statsWorkers = 4;
    LayerRecord layer;
    layer.elements = elements;
    layer.statistics = statistics;
    for (const auto* name : {"a", "b"})
    {
        layer.name = name;
        trace.layers.push_back(layer);
    }
    return std::make_shared<const GradientTrace>(trace);
}

std::vector<float>
Fill(const ValueSource& source, std::uint32_t worker, std::uint64_t begin, std::uint64_t count)
{
    std::vector<float> values(count);
    source.Fill(worker, begin, count, values.data());
    return values;
}

/** Share of positions where one of @p workers is not zero. */
double
MeasuredUnion(const ValueSource& source, std::uint32_t workers, std::uint64_t count)
{
    std::vector<char> isSet(count);
    for (std::uint32_t worker = 0; worker < workers; ++worker)
    {
        const auto values = Fill(source, worker, 0, count);
        for (std::size_t i = 0; i < count; ++i)
        {
            isSet[i] = isSet[i] != 0 || values[i] != 0 ? 1 : 0;
        }
    }
    return static_cast<double>(std::count(isSet.begin(), isSet.end(), 1)) /
           static_cast<double>(count);
}

std::string
RefusalOf(const LayerStatistics& statistics, const RandomValuesSpec& spec = {})
{
    return WhyNot([&] { MakeRandomValues(TraceWith(statistics), spec); });
}

LayerStatistics
SparseStatistics()
{
    LayerStatistics statistics;
    statistics.density = 0.1;
    statistics.exponents = {{0, 0.9}, {117, 0.1}};
    return statistics;
}

std::uint32_t
ChecksumOf(const std::vector<float>& values)
{
    boost::crc_32_type checksum;
    checksum.process_bytes(values.data(), values.size() * sizeof(float));
    return checksum.checksum();
}

} // namespace

/*
 * Of widths, exponents are uniform in each class. Bound 2^-10: eb = 117, and the 18-bit class begins at 117 + ceil(10 / 2) =
 * 122; zero is one of eleven equally likely outcomes of the shortest width. An odd bound is rounded up, as in the paper: eb =
 * 120, and 120 + ceil(7 / 2) = 124. Bound 2^-1: eb = 126, so no exponent has 18 bits; what is left keeps its proportions.
 * Density says how many are zero. Of 60 % at exponent 0 it leaves 50 %; the rest were denormal, and become the smallest normal.
 * Widths at the bound win, then the histogram, then the nearest bound, the finer of two: at 2^-6, eb = 121, and 10 bits
 * are 121 to 123; at 2^-8, eb = 119, and 18 bits are 123 to 126.
 */
TEST(ExponentLaw, FollowsTheStatistics)
{
    const auto make = [](std::map<unsigned, std::array<double, 4>> widths,
                         std::optional<double> density = std::nullopt,
                         std::vector<std::pair<unsigned, double>> exponents = {}) {
        LayerStatistics statistics;
        statistics.widths = std::move(widths);
        statistics.density = density;
        statistics.exponents = std::move(exponents);
        return statistics;
    };
    const auto ten = make({{10, {0.66, 0.2, 0.1, 0.04}}});
    const auto sparse = make({{10, {0.6, 0.4, 0, 0}}}, 0.5);
    const auto two = make({{6, {0, 1, 0, 0}}, {8, {0, 0, 1, 0}}});
    const auto all = make({{6, {0, 1, 0, 0}}, {8, {0, 0, 1, 0}}}, {}, {{100, 1}});
    const auto denormal = make({}, 0.5, {{0, 0.6}, {117, 0.4}});

    struct Row
    {
        LayerStatistics statistics;
        unsigned bound;
        std::size_t first; ///< exponents that have this share together
        std::size_t end;
        double share;
    };

    const Row rows[] = {{ten, 10, 0, 1, 0.06},
                        {ten, 10, 1, 107, 0},
                        {ten, 10, 107, 108, 0.06},
                        {ten, 10, 116, 117, 0.06},
                        {ten, 10, 117, 118, 0.04},
                        {ten, 10, 121, 122, 0.04},
                        {ten, 10, 122, 123, 0.02},
                        {ten, 10, 126, 127, 0.02},
                        {ten, 10, 127, 128, 0.02},
                        {ten, 10, 128, 129, 0.02},
                        {ten, 10, 0, 256, 1},
                        {make({{7, {0, 0.5, 0.5, 0}}}), 7, 120, 124, 0.5},
                        {make({{7, {0, 0.5, 0.5, 0}}}), 7, 124, 127, 0.5},
                        {make({{1, {0, 0.6, 0.2, 0.2}}}), 1, 126, 127, 0.75},
                        {make({{1, {0, 0.6, 0.2, 0.2}}}), 1, 127, 129, 0.25},
                        {sparse, 10, 0, 1, 0.5},
                        {sparse, 10, 107, 117, 0.1},
                        {denormal, 10, 0, 1, 0.5},
                        {denormal, 10, 1, 2, 0.1},
                        {denormal, 10, 117, 118, 0.4},
                        {two, 6, 121, 124, 1},
                        {two, 10, 123, 127, 1},
                        {two, 7, 123, 127, 1},
                        {all, 10, 100, 101, 1},
                        {all, 8, 123, 127, 1}};
    for (const auto& [statistics, bound, first, end, share] : rows)
    {
        EXPECT_NEAR(ShareOf(MakeExponentLaw(statistics, bound).value(), first, end), share, 1e-12)
            << bound << " " << first;
    }
}

TEST(ExponentLaw, DensityAloneIsNoLaw)
{
    LayerStatistics statistics;
    statistics.density = 0.5;
    EXPECT_FALSE(MakeExponentLaw(statistics, 10));
}

/* Table III, AlexNet at 2^-10, of n = 10^6 values: a share has an sd of at most sqrt(0.211 * 0.789
 * / n) = 0.0004; the bound is 4 sd and the table's rounding. eb = 117, middle 122. */
TEST(RandomValues, HaveTheWidthsOfTheTrace)
{
    const auto source =
        MakeRandomValues(std::make_shared<const GradientTrace>(FindTrace("alexnet")), {});
    std::array<double, 4> shares{};
    constexpr std::size_t count = 1'000'000;
    for (const float value : Fill(*source, 3, 5'000'000, count))
    {
        const auto exponent = BitsOf(value) >> 23U & 0xffU;
        shares[exponent < 117 ? 0 : exponent < 122 ? 1 : exponent < 127 ? 2 : 3] += 1.0 / count;
    }
    EXPECT_NEAR(shares[0], 0.749, 0.0018);
    EXPECT_NEAR(shares[1], 0.039, 0.0018);
    EXPECT_NEAR(shares[2], 0.211, 0.0018);
    EXPECT_NEAR(shares[3], 0.001, 0.0003);
}

/* Any way of asking gives the same values, across the end of a layer as well. */
TEST(RandomValues, AreAFunctionOfWorkerAndElementAlone)
{
    for (const auto& spec : {RandomValuesSpec{}, RandomValuesSpec{1, 10, 0.5}})
    {
        const auto source = MakeRandomValues(TraceWith(SparseStatistics(), 1000), spec);
        const auto whole = Fill(*source, 1, 0, 2000);
        const auto part = Fill(*source, 1, 900, 200);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 900));
        EXPECT_EQ(Fill(*source, 1, 1999, 1).at(0), whole.back());
    }
}

TEST(RandomValues, DifferByWorkerLayerAndSeed)
{
    LayerStatistics statistics;
    statistics.exponents = {{117, 1}};
    const auto source = MakeRandomValues(TraceWith(statistics, 100), {});
    const auto first = Fill(*source, 0, 0, 100);
    EXPECT_NE(first, Fill(*source, 1, 0, 100));
    EXPECT_NE(first, Fill(*source, 0, 100, 100)); // layer b
    RandomValuesSpec other;
    other.seed = 2;
    EXPECT_NE(first, Fill(*MakeRandomValues(TraceWith(statistics, 100), other), 0, 0, 100));
}

/* The values themselves: another compiler or machine must not change one. */
TEST(RandomValues, ArePinned)
{
    const auto independent =
        MakeRandomValues(std::make_shared<const GradientTrace>(FindTrace("alexnet")), {});
    auto values = Fill(*independent, 2, 1'000'000, 1000);
    EXPECT_EQ(ChecksumOf(values), 173119989U);
    const auto tensor =
        MakeRandomValues(std::make_shared<const GradientTrace>(MakeTensorTrace(4000)), {});
    values = Fill(*tensor, 0, 0, 1000);
    EXPECT_EQ(ChecksumOf(values), 2517315984U);
    const auto overlapping = MakeRandomValues(TraceWith(SparseStatistics()), {1, 10, 0.5});
    values = Fill(*overlapping, 0, 0, 1000);
    EXPECT_EQ(ChecksumOf(values), 1327391935U);
}

/* Published: four workers together have 0.19, so a = 1/2, and eight have 1 - 0.9^(8^(1/2)) = 0.2577. n = 5 * 10^5: a
 * share's sd is at most 0.0007, the bound 4 sd. */
TEST(RandomValues, OverlapAsTheTracesUnionSays)
{
    auto statistics = SparseStatistics();
    statistics.unionDensity = 0.19;
    const auto source = MakeRandomValues(TraceWith(statistics), {});
    EXPECT_NEAR(MeasuredUnion(*source, 4, 500'000), 0.19, 0.0028);
    EXPECT_NEAR(MeasuredUnion(*source, 8, 500'000), 0.2577, 0.0028);
}

/* A tensor of n = 5 * 10^5 at d = 0.05, alone and with three more workers: a share p has an sd of
 * sqrt(p (1 - p) / n); the bound is 5 sd, and for 0 < a < 1 the 10^-4 of trace/random-values.cc for
 * each of the W^a workers that count. */
TEST(RandomValues, OfATensorAreAsSparseAsSaid)
{
    constexpr std::uint64_t count = 500'000;
    const auto tensor =
        std::make_shared<const GradientTrace>(WithDensity(MakeTensorTrace(4 * count), 0.05));
    for (const double exponent : {0.0, 0.5, 1.0})
    {
        const auto source = MakeRandomValues(tensor, {1, 10, exponent});
        for (const std::uint32_t workers : {1U, 4U})
        {
            const double share = UnionDensity(0.05, workers, exponent);
            const double sd = std::sqrt(share * (1 - share) / count);
            const double table = exponent > 0 && exponent < 1 ? 1e-4 * workers : 0;
            EXPECT_NEAR(MeasuredUnion(*source, workers, count), share, 5 * sd + table)
                << exponent << " " << workers;
        }
    }
}

/* What is not zero is as large as before: of exponent e, uniform from 2^(e-127) to twice that, with a
 * mean square of 7/3 of 4^(e-127). The square of a normal value has an sd of sqrt 2 of its mean, a
 * little more with uniform mantissas; of 10^4 values 5 sd are 7 %, the bound is 10 %. Sparsified,
 * only large ones are left: the largest 5 % of normal values are beyond 1.96 sd, so none is below
 * the power of two under it, 2^-6. */
TEST(RandomValues, FollowTheChangedStatistics)
{
    constexpr std::uint64_t count = 200'000;
    const auto tensor = MakeTensorTrace(4 * count);
    const auto scaled =
        MakeRandomValues(std::make_shared<const GradientTrace>(WithDensity(tensor, 0.05)), {});
    const auto largest =
        MakeRandomValues(std::make_shared<const GradientTrace>(Sparsified(tensor, 0.05)), {});
    double expected = 0;
    for (const auto& [exponent, share] : tensor.layers.front().statistics.exponents)
    {
        expected += share * 7 / 3 * std::ldexp(1.0, 2 * (static_cast<int>(exponent) - 127));
    }
    double squares = 0;
    for (const float value : Fill(*scaled, 0, 0, count))
    {
        squares += static_cast<double>(value) * value;
    }
    EXPECT_NEAR(squares / (0.05 * count) / expected, 1, 0.1);
    const auto values = Fill(*largest, 0, 0, count);
    EXPECT_TRUE(std::none_of(values.begin(), values.end(), [](float value) {
        return value != 0 && std::fabs(value) < 0x1p-6F;
    }));
}

TEST(RandomValues, NeedStatistics)
{
    EXPECT_THAT(RefusalOf({}), testing::HasSubstr("t: layer a: has no statistics"));
    LayerStatistics infinite;
    infinite.exponents = {{117, 0.9}, {255, 0.1}};
    EXPECT_THAT(RefusalOf(infinite), testing::HasSubstr("t: layer a: has infinities or NaNs"));
    LayerStatistics widths;
    widths.widths[10] = {1, 0, 0, 0};
    EXPECT_EQ(RefusalOf(widths), "");
    EXPECT_THAT(RefusalOf(widths, {1, 10, 0.5}),
                testing::HasSubstr("t: layer a: has no column density"));
}

} // namespace inca
