/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-source.h"

#include "base/errors.h"
#include "trace/layer-statistics.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace inca
{

namespace
{

using testing::ElementsAre;

constexpr float g_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float g_infinity = std::numeric_limits<float>::infinity();

/** Values from lists, one per worker; counts what is asked for. */
class ListedValues : public ValueSource
{
  public:
    explicit ListedValues(std::vector<std::vector<float>> workers)
        : m_workers(std::move(workers))
    {
    }

    std::uint64_t Asked() const
    {
        return m_asked;
    }

  private:
    void DoFill(std::uint32_t worker,
                std::uint64_t begin,
                std::uint64_t count,
                float* out) const override
    {
        const auto from = m_workers.at(worker).begin() + static_cast<std::ptrdiff_t>(begin);
        std::copy_n(from, count, out);
        m_asked += count;
    }

    std::vector<std::vector<float>> m_workers;
    mutable std::uint64_t m_asked{0};
};

std::shared_ptr<const GradientTrace>
TraceOf(const std::vector<std::uint64_t>& elements)
{
    GradientTrace trace;
    for (const auto count : elements)
    {
        trace.layers.emplace_back();
        trace.layers.back().elements = count;
    }
    return std::make_shared<const GradientTrace>(trace);
}

std::vector<float>
Filled(const ValueSource& source, std::uint32_t worker, std::uint64_t begin, std::uint64_t count)
{
    std::vector<float> values(count);
    source.Fill(worker, begin, count, values.data());
    return values;
}

/** One layer of one worker, sparsified. */
std::vector<float>
Kept(const std::vector<float>& values, const std::string& method, double density)
{
    const auto listed =
        std::make_shared<const ListedValues>(std::vector<std::vector<float>>{values});
    return Filled(*MakeSparsifiedValues(listed, TraceOf({values.size()}), {method, density}),
                  0,
                  0,
                  values.size());
}

std::ptrdiff_t
NonZeros(const std::vector<float>& values)
{
    return std::count_if(values.begin(), values.end(), [](float value) { return value != 0; });
}

/** 0, 1, ... */
std::vector<float>
Ascending(std::size_t count)
{
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
    {
        values.push_back(static_cast<float>(i));
    }
    return values;
}

} // namespace

/*
 * Of top-k, k = ceil(0.5 * 5) = 3: 9, -7, 5. Of equal ones those of lower index: k = ceil(0.25 * 6) = 2, one of which is 3,
 * and of 2, -2, 2 the first. Fewer only where fewer are not zero; the smallest number is one. Small layers are their own
 * sample, of which a threshold of rank 3 keeps all that are equal.
 */
TEST(SparsifiedValues, AreTheLargest)
{
    const float least = std::numeric_limits<float>::denorm_min();
    const std::tuple<const char*, double, std::vector<float>, std::vector<float>> rows[] = {
        {"none", 0.1, {1, 0, 3}, {1, 0, 3}},
        {"top-k", 0.5, {1, -7, 5, -2, 9}, {0, -7, 5, 0, 9}},
        {"top-k", 1, {1, -7, 5, -2, 9}, {1, -7, 5, -2, 9}},
        {"top-k", 0.25, {1, 2, -2, 3, 2, 1}, {0, 2, 0, 3, 0, 0}},
        {"top-k", 0.75, {4, 4, 4, 4}, {4, 4, 4, 0}},
        {"top-k", 0.75, {0, 3, -0.0F, 0}, {0, 3, 0, 0}},
        {"top-k", 0.5, {0, 0, 0}, {0, 0, 0}},
        {"top-k", 1, {0, least}, {0, least}},
        {"threshold", 0.5, {1, -7, 5, -2, 9}, {0, -7, 5, 0, 9}},
        {"threshold", 0.25, {1, 2, -2, 3, 2, 1}, {0, 2, -2, 3, 2, 0}},
        {"threshold", 0.75, {0, 3, -0.0F, 0}, {0, 3, 0, 0}}};
    for (const auto& [method, density, values, kept] : rows)
    {
        const auto found = Kept(values, method, density);
        EXPECT_EQ(found, kept) << method << " " << density;
        EXPECT_TRUE(std::none_of(found.begin(), found.end(), [](float value) {
            return value == 0 && std::signbit(value);
        }));
    }
}

/* k = 2 of five: the NaNs, whatever their sign; k = 3: infinity as well. */
TEST(TopK, NansAreLargest)
{
    const auto two = Kept({g_infinity, -g_nan, 1, g_nan, 2}, "top-k", 0.4);
    EXPECT_EQ(two[0], 0);
    EXPECT_TRUE(std::isnan(two[1]) && std::isnan(two[3]));
    const auto three = Kept({g_infinity, -g_nan, 1, g_nan, 2}, "top-k", 0.6);
    EXPECT_EQ(three[0], g_infinity);
    EXPECT_EQ(three[2], 0);
}

/* 0.07 * 100 is 7.000000000000001 in a double; 7 are kept. 0.071 * 100 = 7.1 keeps 8. */
TEST(TopK, KeepsWhatThePercentageSays)
{
    EXPECT_EQ(NonZeros(Kept(Ascending(100), "top-k", 0.07)), 7);
    EXPECT_EQ(NonZeros(Kept(Ascending(100), "top-k", 0.071)), 8);
    EXPECT_EQ(NonZeros(Kept(Ascending(100), "top-k", 1e-9)), 1);
}

/* 1, 2, 1, 2, ...: of 50,000 twos the first k = 2000 stay, the last of them at index 3999. And with a 3 at the end,
 * the first 1999. */
TEST(TopK, OfEqualMagnitudesKeepsTheLowerIndexInALargeLayer)
{
    std::vector<float> values(100'000, 1);
    for (std::size_t i = 1; i < values.size(); i += 2)
    {
        values[i] = 2;
    }
    const auto kept = Kept(values, "top-k", 0.02);
    EXPECT_EQ(NonZeros(kept), 2000);
    EXPECT_EQ(kept[3999], 2);
    values.back() = 3;
    const auto with3 = Kept(values, "top-k", 0.02);
    EXPECT_EQ(NonZeros(with3), 2000);
    EXPECT_EQ(with3[3997], 2);
    EXPECT_EQ(with3[3999], 0);
    EXPECT_EQ(with3.back(), 3);
}

/* Layers of 2 and 4, half of each: of worker 0 the 5; 8 and 7; of worker 1 the 2; 6 and 4. */
TEST(TopK, IsByWorkerAndLayer)
{
    const auto listed = std::make_shared<const ListedValues>(
        std::vector<std::vector<float>>{{1, 5, 8, 7, 6, 5}, {2, 1, 1, 4, 2, 6}});
    const auto source = MakeSparsifiedValues(listed, TraceOf({2, 4}), {"top-k", 0.5});
    EXPECT_THAT(Filled(*source, 1, 0, 6), ElementsAre(2, 0, 0, 4, 0, 6));
    EXPECT_THAT(Filled(*source, 0, 0, 6), ElementsAre(0, 5, 8, 7, 0, 0));
}

/* A first question in the middle of a layer gives the same as the whole. */
TEST(SparsifiedValues, AreTheSameInAnyOrder)
{
    const auto tensor = std::make_shared<const GradientTrace>(MakeTensorTrace(40'000));
    const std::shared_ptr<const ValueSource> drawn = MakeRandomValues(tensor, {});
    for (const auto* method : {"top-k", "threshold"})
    {
        const auto whole =
            Filled(*MakeSparsifiedValues(drawn, tensor, {method, 0.1}), 3, 0, 10'000);
        const auto source = MakeSparsifiedValues(drawn, tensor, {method, 0.1});
        const auto part = Filled(*source, 3, 4'321, 1'000);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 4'321)) << method;
        EXPECT_EQ(Filled(*source, 3, 9'999, 1).at(0), whole.back()) << method;
    }
}

/* 8 values are asked for twice, for the cut, which has no ties; then to fill, once. */
TEST(SparsifiedValues, FindTheirCutOnce)
{
    const auto listed =
        std::make_shared<const ListedValues>(std::vector<std::vector<float>>{Ascending(8)});
    const auto source = MakeSparsifiedValues(listed, TraceOf({8}), {"top-k", 0.25});
    EXPECT_THAT(Filled(*source, 0, 5, 3), ElementsAre(0, 6, 7));
    EXPECT_EQ(listed->Asked(), 16U + 3U);
    Filled(*source, 0, 0, 4);
    EXPECT_EQ(listed->Asked(), 16U + 3U + 4U);
}

/* 0 ... 4095: m = 1024 at stride 4: 0, 4, ... 4092. Rank ceil(0.01 * 1024) = 11: t = 4092 - 40 =
 * 4052, so 4095 - 4052 + 1 = 44 are kept, where 0.01 * 4096 = 41 were asked for. */
TEST(Threshold, ComesFromASampleAtAFixedStride)
{
    const auto kept = Kept(Ascending(4096), "threshold", 0.01);
    EXPECT_EQ(NonZeros(kept), 44);
    EXPECT_EQ(kept[4051], 0);
    EXPECT_EQ(kept[4052], 4052);
}

/* n = 200,000: m = 2000 at stride 100, 0 ... 199,900. Rank 20: t = 199,900 - 1900 = 198,000; 2000
 * stay. */
TEST(Threshold, SamplesAHundredthOfALargeLayer)
{
    EXPECT_EQ(NonZeros(Kept(Ascending(200'000), "threshold", 0.01)), 2000);
}

/* The exponents of the largest 5 % of n = 200,000 random values are those that the statistics say:
 * a share of at most d has an sd of sqrt(d (1 - d) / n) = 0.00049; the bound is 5 sd. */
TEST(TopK, IsWhatSparsifiedStatisticsSay)
{
    constexpr std::uint64_t count = 200'000;
    const auto tensor = std::make_shared<const GradientTrace>(MakeTensorTrace(4 * count));
    const std::shared_ptr<const ValueSource> drawn = MakeRandomValues(tensor, {});
    const auto kept = Filled(*MakeSparsifiedValues(drawn, tensor, {"top-k", 0.05}), 0, 0, count);
    const auto sparse = Sparsified(*tensor, 0.05).layers.front().statistics;
    EXPECT_EQ(NonZeros(kept), 10'000);
    for (const auto& [exponent, share] : sparse.exponents)
    {
        const int power = static_cast<int>(exponent) - 127;
        const auto has = [power, isZero = exponent == 0](float value) {
            return isZero ? value == 0 : value != 0 && std::ilogb(value) == power;
        };
        const auto measured = std::count_if(kept.begin(), kept.end(), has);
        EXPECT_NEAR(static_cast<double>(measured) / count, share, 0.0025) << exponent;
    }
}

TEST(SparsifiedValues, RefuseWhatTheyDoNotKnow)
{
    EXPECT_THROW(Kept({1}, "top-n", 0.5), InputError);
    EXPECT_THROW(SparsifyBytesPerValue("top-n"), InputError);
    for (const double bad : {0.0, -0.5, 1.01, std::numeric_limits<double>::quiet_NaN()})
    {
        EXPECT_THROW(Kept({1}, "top-k", bad), InputError) << bad;
    }
}

/* Threshold reads and writes 4 bytes; top-k reads them four times more. */
TEST(SparsifiedValues, SayWhatTheyMove)
{
    EXPECT_EQ(SparsifyBytesPerValue("none"), 0);
    EXPECT_EQ(SparsifyBytesPerValue("threshold"), 8);
    EXPECT_EQ(SparsifyBytesPerValue("top-k"), 24);
}

} // namespace inca
