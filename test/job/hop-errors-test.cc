/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/hop-errors.h"

#include "codec/cast-codec.h"
#include "job/verifier.h"
#include "support/made-up-codec.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

namespace inca
{

namespace
{

std::shared_ptr<TrainingJob>
JobOf(const std::string& algorithm, Rank workers, std::uint64_t elements)
{
    ExchangeSpec spec;
    spec.algorithm = algorithm;
    spec.workers = workers;
    spec.groupSize = workers;
    return MakeTensorJob(spec, elements);
}

/** Worker w's values are all w + 1. */
std::shared_ptr<TrainingJob>
WholeJob(const std::string& algorithm, Rank workers, std::uint64_t elements)
{
    auto job = JobOf(algorithm, workers, elements);
    job->ownGradient = [](Rank worker, ElementRange range, float* out) {
        std::fill_n(out, range.count, static_cast<float>(worker + 1));
    };
    return job;
}

/** Standard normal ones. */
std::shared_ptr<TrainingJob>
NormalJob(const std::string& algorithm, Rank workers, std::uint64_t elements)
{
    auto job = JobOf(algorithm, workers, elements);
    const auto values = std::make_shared<std::vector<float>>();
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (std::uint64_t i = 0; i < workers * elements; ++i)
    {
        values->push_back(normal(random));
    }
    job->ownGradient = [values, elements](Rank worker, ElementRange range, float* out) {
        std::copy_n(values->data() + worker * elements + range.begin, range.count, out);
    };
    return job;
}

/** Standard normal values, coded as bf16. */
std::shared_ptr<TrainingJob>
Bf16Job(const std::string& algorithm, Rank workers, std::uint64_t elements)
{
    return CodedBy(MakeCastCodec("bf16", "fp32"), NormalJob(algorithm, workers, elements));
}

std::shared_ptr<const Codec>
AddingHalf()
{
    return std::make_shared<MadeUpCodec>([](float* values, std::size_t count) {
        std::for_each(values, values + count, [](float& value) { value += 0.5F; });
    });
}

} // namespace

/*
 * Each coding adds a half. Ring of 2: value 0 goes from worker 0 as 1.5 instead of 1, value 1 from worker 1 as 2.5 instead of
 * 2: squares of 0.25 each over 1 + 4. The owners hold 3.5, and the others get 4, instead of 3: 2 (0.25 + 1) over 4 * 9. With a
 * server: 1.5 and 2.5, each of 2 values; it sends 4 + 0.5 instead of 3: 1.5^2 over 9. The same in two
 * shots, where what stays is coded as well. An aggregator's weights are not coded:
 * all end with 4, after a hop: 1 / 9.
 */
TEST(HopErrors, AreThoseOfWhatArrives)
{
    struct Row
    {
        const char* algorithm;
        std::vector<double> vnmse;
        std::vector<std::uint64_t> values;
        double largest;
    };

    for (const auto& row : {Row{"ring", {0.5 / 5, 2.5 / 36}, {2, 4}, 1},
                            Row{"parameter-server", {0.5 / 5, 0.25}, {4, 4}, 1.5},
                            Row{"two-shot", {0.5 / 5, 0.25}, {4, 4}, 1.5},
                            Row{"worker-aggregator", {1.0 / 9}, {4}, 1}})
    {
        const auto hops =
            MeasureHops(*CodedBy(AddingHalf(), WholeJob(row.algorithm, 2, 2))).front();
        ASSERT_EQ(hops.size(), row.vnmse.size()) << row.algorithm;
        for (std::size_t hop = 0; hop < hops.size(); ++hop)
        {
            EXPECT_DOUBLE_EQ(hops[hop].Vnmse(), row.vnmse[hop]) << row.algorithm << hop;
            EXPECT_EQ(hops[hop].values, row.values[hop]) << row.algorithm << hop;
        }
        EXPECT_EQ(hops.back().largest, row.largest) << row.algorithm;
    }
}

/*
 * A partial sum of h gradients that was coded h times is off by e (1 + 2 + .. + h) of h, with e what one coding loses: (h + 1) / 2
 * times as far as after one. All 8 workers but the owner get the sum after 8 hops, and the owner after 7. 4,096 values of which
 * each is looked at: hops 1 to 7 are of as many values. The last is what the verifier measures beside sums in fp64: sums of fp32
 * are off by 2^-22, where one of bf16 is by 2^-9, so the squares differ by less than 2^-10.
 */
TEST(HopErrors, GrowAlongARing)
{
    const auto job = Bf16Job("ring", 8, 4096);
    const auto hops = MeasureHops(*job).front();
    ASSERT_EQ(hops.size(), 8U);
    double expected = 1;
    for (std::size_t hop = 1; hop < 7; ++hop)
    {
        expected += 0.5;
        EXPECT_EQ(hops[hop].values, 4096U);
        EXPECT_GT(hops[hop].Vnmse(), hops[hop - 1].Vnmse());
        EXPECT_NEAR(hops[hop].Vnmse() / hops.front().Vnmse(), expected, 0.1 * expected);
    }
    Verifier verifier(job);
    verifier.ReplayAll(nullptr);
    EXPECT_EQ(hops.back().values, 8 * 4096U);
    EXPECT_NEAR(hops.back().Vnmse() / verifier.Errors().Vnmse(), 1, 0x1p-10);
    EXPECT_NEAR(hops.back().Cosine(), verifier.Errors().Cosine(), 1e-9);
    EXPECT_EQ(verifier.ErrorsByBucket().front().Vnmse(), verifier.Errors().Vnmse());
}

/* Codecs with groups get whole messages, which is no difference for one without. 65,536 of 200,000 values: every third, of one
 * window; or 16 windows of 4,096. Of all there are as many in each row, so errors are near to each other. */
TEST(HopErrors, AreOfASample)
{
    auto job = Bf16Job("ring", 2, 200'000);
    const auto ofWindows = MeasureHops(*job).front();
    EXPECT_EQ(ofWindows.front().values, 65'536U);
    EXPECT_EQ(ofWindows.back().values, 2 * 65'536U);
    job->coding.groups[0].group = 32;
    const auto ofWhole = MeasureHops(*job).front();
    EXPECT_EQ(ofWhole.front().values, 66'667U); // 0, 3, .. 199'998
    EXPECT_NEAR(ofWhole.back().Vnmse() / ofWindows.back().Vnmse(), 1, 0.05);
}

/* Nobody codes weights, and who sends nothing has no hops. */
TEST(HopErrors, AreNoneWhereNothingIsCoded)
{
    const auto nothing = std::make_shared<MadeUpCodec>([](float*, std::size_t) {});
    const auto hops = MeasureHops(*CodedBy(nothing, NormalJob("ring", 3, 100))).front();
    for (const auto& hop : hops)
    {
        EXPECT_LT(hop.Vnmse(), 1e-12);
    }
}

} // namespace inca
