/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/inceptionn/published.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

namespace inca
{

namespace
{

const InceptionnModel&
Model(const std::string& name)
{
    for (const auto& model : InceptionnModels())
    {
        if (model.name == name)
        {
            return model;
        }
    }
    throw std::out_of_range(name);
}

/* Table II is printed in hundredths of a second per 100 iterations: six steps, each off by half of
 * that at most, add up to the total within 3.5e-4 s per iteration. HDC's column adds up to 1.69
 * against the 1.7 of the table. VGG-16's does with 35.25 for forward, not with the printed 32.25. */
TEST(InceptionnPublished, TableTwoAddsUp)
{
    for (const auto& model : InceptionnModels())
    {
        const auto& s = model.steps;
        const double sum = s.forward + s.backward + s.copy + s.sum + s.communication + s.update;
        EXPECT_NEAR(sum, s.total, 3.5e-4) << model.name;
    }
    EXPECT_DOUBLE_EQ(Model("vgg-16").steps.forward, 0.3525);
}

/* Read off the drawing with a quantum of 0.005. */
TEST(InceptionnPublished, BarsOfFigureTwelveAddUp)
{
    for (const auto* name : {"alexnet", "hdc"})
    {
        const auto& bars = *Model(name).bars;
        EXPECT_DOUBLE_EQ(bars[IndexOf(InceptionnSystem::WA)].total, 1);
        for (const auto& bar : bars)
        {
            EXPECT_NEAR(bar.computation + bar.communication, bar.total, 0.005) << name;
        }
    }
}

/* What is not communication in Table II is Fig. 12's computation: AlexNet 0.243 against 0.247, HDC
 * 0.200 against 0.200. */
TEST(InceptionnPublished, FigureTwelveAgreesWithTableTwo)
{
    for (const auto* name : {"alexnet", "hdc"})
    {
        const auto& model = Model(name);
        const double computation = 1 - model.steps.communication / model.steps.total;
        const auto& bar = (*model.bars)[IndexOf(InceptionnSystem::WA)];
        EXPECT_NEAR(computation, bar.computation, 0.005) << name;
    }
}

/* AlexNet: 1 - 0.484 = 51.6 % of 52 %, 1 - 0.337 / 0.753 = 55.2 % of 55 %; HDC: 37.9 % and 38.9 %. */
TEST(InceptionnPublished, PrintedCutsAgreeWithFigureTwelve)
{
    for (const auto* name : {"alexnet", "hdc"})
    {
        const auto& model = Model(name);
        const auto& wa = (*model.bars)[IndexOf(InceptionnSystem::WA)];
        const auto& ring = (*model.bars)[IndexOf(InceptionnSystem::RING)];
        EXPECT_NEAR(100 * (1 - ring.total), model.ringTotalCutPercent, 0.5) << name;
        EXPECT_NEAR(100 * (1 - ring.communication / wa.communication),
                    model.ringCommunicationCutPercent,
                    0.5)
            << name;
    }
}

TEST(InceptionnPublished, WidthsOfTableThreeAddUp)
{
    for (const auto& model : InceptionnModels())
    {
        const auto& shares = model.widthPercent;
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 100, 0.1) << model.name;
    }
}

/* AlexNet: 0.749 * 2 + 0.039 * 10 + 0.211 * 18 + 0.001 * 34 = 5.72 bits; 32 / 5.72 = 5.59. */
TEST(InceptionnPublished, RatiosFollowFromTheWidths)
{
    EXPECT_NEAR(TableThreeRatio(Model("alexnet")), 5.59, 0.005);
    EXPECT_NEAR(TableThreeRatio(Model("hdc")), 11.59, 0.005);
    EXPECT_NEAR(TableThreeRatio(Model("resnet-50")), 9.11, 0.005);
    EXPECT_NEAR(TableThreeRatio(Model("vgg-16")), 11.20, 0.005);
}

/* 2 figures of Table II, and 4 of Fig. 12 for each of two models. */
TEST(InceptionnPublished, JudgesTenFigures)
{
    EXPECT_EQ(Model("alexnet").stepsLimit, 0.05);
    EXPECT_EQ(Model("resnet-50").stepsLimit, 0.05);
    EXPECT_EQ(Model("alexnet").barsLimit, 0.15);
    EXPECT_EQ(Model("hdc").barsLimit, 0.20);
    EXPECT_FALSE(Model("hdc").stepsLimit);
    EXPECT_FALSE(Model("vgg-16").stepsLimit || Model("vgg-16").barsLimit);
    EXPECT_FALSE(Model("resnet-50").barsLimit);
}

TEST(InceptionnSystem, NamesWhatItDoes)
{
    EXPECT_STREQ(SystemName(InceptionnSystem::WA_COMPRESSED), "WA+C");
    EXPECT_STREQ(SystemName(InceptionnSystem::RING), "INC");
    EXPECT_TRUE(IsRing(InceptionnSystem::RING_COMPRESSED));
    EXPECT_FALSE(IsRing(InceptionnSystem::WA_COMPRESSED));
    EXPECT_TRUE(IsCompressed(InceptionnSystem::WA_COMPRESSED));
    EXPECT_FALSE(IsCompressed(InceptionnSystem::RING));
}

} // namespace

} // namespace inca
