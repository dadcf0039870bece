/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

using testing::DoubleNear;
using testing::Optional;

constexpr double g_tolerance = 1e-12;

/** Round numbers: 15 s of computation in Table II, 40 % and 30 % of 25 s in Fig. 12. */
InceptionnModel
RoundModel()
{
    InceptionnModel model;
    model.name = "round";
    model.steps = {1, 2, 3, 4, 10, 5, 25};
    model.bars = {{{.4, .6, 1}, {.4, .4, .8}, {.3, .3, .6}, {.3, .1, .4}}};
    model.ringTotalCutPercent = 40;
    model.ringCommunicationCutPercent = 50;
    model.widthPercent = {75, 0, 25, 0}; // 6 bits: ratio 16 / 3
    model.ratio = 5;
    model.stepsLimit = 0.05;
    model.barsLimit = 0.15;
    return model;
}

const PerSystem<SystemPrediction> g_predictions{{{12, {}}, {8, 5.5}, {6, {}}, {3, 5.5}}};

class InceptionnFiguresTest : public testing::Test
{
  protected:
    const Comparison& Find(const std::string& system,
                           const std::string& figure,
                           const std::string& source = "") const
    {
        const auto found =
            std::find_if(m_figures.begin(), m_figures.end(), [&](const Comparison& comparison) {
                return comparison.system == system && comparison.figure == figure &&
                       (source.empty() ||
                        (comparison.published && comparison.published->source == source));
            });
        if (found == m_figures.end())
        {
            throw std::out_of_range(system + " " + figure + " " + source);
        }
        return *found;
    }

    InceptionnModel m_model = RoundModel();
    std::vector<Comparison> m_figures = CompareInceptionn(m_model, g_predictions);
};

/* 12 s instead of Table II's 10 s: +20 %, judged within 5 %. */
TEST_F(InceptionnFiguresTest, WaStandsBesideTableTwo)
{
    const auto& wa = Find("WA", "communication", "Table II");
    EXPECT_DOUBLE_EQ(wa.published->from, 10);
    EXPECT_DOUBLE_EQ(wa.published->to, 10);
    EXPECT_EQ(wa.published->publishedClass, PublishedClass::PRINTED);
    EXPECT_THAT(ErrorOf(wa), Optional(DoubleNear(0.2, g_tolerance)));
    EXPECT_EQ(wa.limit, 0.05);
}

/* INC's bar: 0.3 of 25 s is 7.5 s; 6 s are 20 % less. */
TEST_F(InceptionnFiguresTest, EverySystemStandsBesideFigureTwelve)
{
    const auto& ring = Find("INC", "communication", "Fig. 12 x Table II's total");
    EXPECT_DOUBLE_EQ(ring.predicted, 6);
    EXPECT_DOUBLE_EQ(ring.published->from, 7.5);
    EXPECT_EQ(ring.published->publishedClass, PublishedClass::DERIVED);
    EXPECT_EQ(ring.limit, 0.15);
    for (const auto* system : {"WA", "WA+C", "INC+C"})
    {
        EXPECT_TRUE(IsJudged(Find(system, "communication", "Fig. 12 x Table II's total")));
    }
}

/* 1 - 6 / 12 = 50 %; Fig. 12: 1 - 0.3 / 0.6 = 50 %, INC+C 1 - 0.1 / 0.6 = 83.3 %. */
TEST_F(InceptionnFiguresTest, CutsAreAgainstWa)
{
    EXPECT_DOUBLE_EQ(Find("INC", "communication cut", "text").predicted, 50);
    EXPECT_DOUBLE_EQ(Find("INC", "communication cut", "text").published->from, 50);
    EXPECT_DOUBLE_EQ(Find("INC+C", "communication cut").predicted, 75);
    EXPECT_NEAR(
        Find("INC+C", "communication cut", "Fig. 12").published->from, 100 * 5.0 / 6, g_tolerance);
    EXPECT_DOUBLE_EQ(Find("INC+C", "communication cut", "text (all models)").published->to, 80.7);
}

/* WA: 1 + 2 + 3 + 4 + 5 = 15 s; INC: a quarter of the 4 s of sum, 12 s. */
TEST_F(InceptionnFiguresTest, TableTwosComputationHasAQuarterOfTheSumInARing)
{
    EXPECT_DOUBLE_EQ(TableTwoComputation(m_model, InceptionnSystem::WA), 15);
    EXPECT_DOUBLE_EQ(TableTwoComputation(m_model, InceptionnSystem::WA_COMPRESSED), 15);
    EXPECT_DOUBLE_EQ(TableTwoComputation(m_model, InceptionnSystem::RING), 12);
    EXPECT_DOUBLE_EQ(TableTwoComputation(m_model, InceptionnSystem::RING_COMPRESSED), 12);
}

/* WA 15 + 12 = 27 s, INC 12 + 6 = 18 s, INC+C 12 + 3 = 15 s: a third less, 1.8 times as fast. */
TEST_F(InceptionnFiguresTest, TotalsAddTableTwosComputation)
{
    const std::string total = "total with Table II's computation";
    EXPECT_DOUBLE_EQ(Find("WA", total).predicted, 27);
    EXPECT_DOUBLE_EQ(Find("WA", total).published->from, 25);
    EXPECT_DOUBLE_EQ(Find("INC", total).predicted, 18);
    EXPECT_DOUBLE_EQ(Find("INC", total).published->from, 15);
    EXPECT_NEAR(
        Find("INC", "total cut with Table II's computation").predicted, 100.0 / 3, g_tolerance);
    EXPECT_DOUBLE_EQ(Find("INC+C", "speed-up with Table II's computation").predicted, 1.8);
}

/* WA 10 + 12 = 22 s, INC+C 7.5 + 3 = 10.5 s; Fig. 12's own speed-up is 1 / 0.4. */
TEST_F(InceptionnFiguresTest, TotalsAddFigureTwelvesComputation)
{
    const std::string total = "total with Fig. 12's computation";
    EXPECT_DOUBLE_EQ(Find("WA", total).predicted, 22);
    EXPECT_DOUBLE_EQ(Find("INC+C", total).predicted, 10.5);
    const auto& speedUp = Find("INC+C", "speed-up with Fig. 12's computation", "Fig. 12");
    EXPECT_DOUBLE_EQ(speedUp.predicted, 22 / 10.5);
    EXPECT_DOUBLE_EQ(speedUp.published->from, 2.5);
}

/* WA: 12 s of communication and 40 % of 25 s, 22 s, are 88 % of 25 s; INC+C: 3 s and 30 % of 25 s are 42 %. */
TEST_F(InceptionnFiguresTest, BarsAreRelativeToWaAsPublished)
{
    const auto& wa = Find("WA", "time relative to published WA", "Fig. 12");
    EXPECT_DOUBLE_EQ(wa.predicted, 88);
    EXPECT_DOUBLE_EQ(wa.published->from, 100);
    EXPECT_EQ(wa.published->publishedClass, PublishedClass::MEASURED);
    const auto& compressed = Find("INC+C", "time relative to published WA");
    EXPECT_DOUBLE_EQ(compressed.predicted, 42);
    EXPECT_DOUBLE_EQ(compressed.published->from, 40);
}

TEST_F(InceptionnFiguresTest, JudgesOnlyCommunication)
{
    for (const auto& comparison : m_figures)
    {
        EXPECT_EQ(IsJudged(comparison), comparison.figure == "communication") << comparison.figure;
    }
}

TEST_F(InceptionnFiguresTest, RatiosStandBesideTheirTwoSources)
{
    EXPECT_DOUBLE_EQ(Find("INC+C", "compression ratio", "Fig. 14(a)").published->from, 5);
    EXPECT_DOUBLE_EQ(Find("WA+C", "compression ratio", "Table III").published->from, 16.0 / 3);
    EXPECT_THROW(Find("INC", "compression ratio"), std::out_of_range);
}

TEST_F(InceptionnFiguresTest, WithoutBarsPredictsAllTheSame)
{
    m_model.bars.reset();
    m_figures = CompareInceptionn(m_model, g_predictions);
    EXPECT_FALSE(Find("INC", "communication").published);
    EXPECT_FALSE(Find("INC+C", "total with Table II's computation").published);
    EXPECT_TRUE(Find("WA", "total with Table II's computation").published);
    EXPECT_THROW(Find("WA", "total with Fig. 12's computation"), std::out_of_range);
    EXPECT_FALSE(FigureTwelveComputation(m_model, InceptionnSystem::WA));
}

} // namespace

} // namespace inca
