/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sketch.h"

#include "base/errors.h"
#include "codec-test-values.h"
#include "codec/little-endian.h"
#include "codec/sketch.h"
#include "homomorphic-reference.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::uint32_t g_rows = 60;
constexpr std::uint32_t g_counterRows = 13;

const SketchLayout&
Layout()
{
    static const SketchLayout layout(g_rows, g_counterRows);
    return layout;
}

std::vector<std::uint32_t>
CountersOf(const std::vector<std::uint8_t>& bytes)
{
    std::vector<std::uint32_t> counters;
    for (std::size_t at = 0; at < bytes.size(); at += 4)
    {
        counters.push_back(LoadLittle<std::uint32_t>(bytes.data() + at));
    }
    return counters;
}

std::vector<std::uint32_t>
Sketch(const std::vector<float>& values, std::size_t tileLanes = g_tileLanes)
{
    std::vector<std::uint8_t> bytes(g_counterRows * g_sketchLanes * 4);
    BuildSketch(Layout(), values.data(), nullptr, bytes.data(), tileLanes);
    return CountersOf(bytes);
}

std::vector<std::uint32_t>
Sketch(const std::vector<float>& values,
       const IntegerScale& scale,
       std::size_t tileLanes = g_tileLanes)
{
    std::vector<std::uint8_t> bytes(g_counterRows * g_sketchLanes * 4);
    BuildSketch(Layout(), values.data(), &scale, bytes.data(), tileLanes);
    return CountersOf(bytes);
}

} // namespace

TEST(SketchBuilder, AddsInTheOrderOfTheFormat)
{
    const auto values = SparseValues(g_rows * g_sketchLanes, 0.5, 1);
    const auto counters = Sketch(values);
    for (const std::size_t lane : {0U, 1U, 63U, 64U, 500U, 1023U})
    {
        ReferenceLane<float> reference(g_counterRows);
        for (std::uint32_t row = 0; row < g_rows; ++row)
        {
            if (const auto value = values[row * g_sketchLanes + lane]; value != 0)
            {
                reference.Add(row, value);
            }
        }
        for (std::uint32_t row = 0; row < g_counterRows; ++row)
        {
            EXPECT_EQ(counters[row * g_sketchLanes + lane], ToBits(reference.Counters()[row]))
                << row << ' ' << lane;
        }
    }
}

TEST(SketchBuilder, AddsRoundedValuesModulo2To32)
{
    const auto values = SparseValues(g_rows * g_sketchLanes, 0.5, 2);
    const IntegerScale scale(1, LargestExponent(values.data(), values.size()));
    const auto counters = Sketch(values, scale);
    constexpr std::size_t lane = 77;
    ReferenceLane<std::uint32_t> reference(g_counterRows);
    for (std::uint32_t row = 0; row < g_rows; ++row)
    {
        std::uint32_t rounded = 0;
        scale.Round(&values[row * g_sketchLanes + lane], 1, &rounded);
        reference.Add(row, rounded);
    }
    for (std::uint32_t row = 0; row < g_counterRows; ++row)
    {
        EXPECT_EQ(counters[row * g_sketchLanes + lane], reference.Counters()[row]) << row;
    }
}

TEST(SketchBuilder, GivesTheSameBitsWithTilesOfAnySize)
{
    const auto values = SparseValues(g_rows * g_sketchLanes, 0.3, 3);
    const IntegerScale scale(4, 3);
    const auto sketch = Sketch(values);
    const auto rounded = Sketch(values, scale);
    for (const std::size_t lanes : {16U, 32U, 128U, 1024U})
    {
        EXPECT_EQ(Sketch(values, lanes), sketch) << lanes;
        EXPECT_EQ(Sketch(values, scale, lanes), rounded) << lanes;
    }
}

/* A counter starts from +0, and +0 + -0 = +0: zeros of either sign leave no trace. */
TEST(SketchBuilder, LosesTheSignOfZeros)
{
    const std::vector<float> zeros(g_rows * g_sketchLanes, -0.0F);
    EXPECT_EQ(Sketch(zeros), std::vector<std::uint32_t>(g_counterRows * g_sketchLanes));
}

TEST(SketchBuilder, IsLinear)
{
    // Small integers add exactly in fp32, so the sketch of a sum is the sum of the sketches.
    std::vector<float> a(g_rows * g_sketchLanes);
    std::vector<float> b(a.size());
    std::vector<float> sum(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        a[i] = static_cast<float>(i % 7);
        b[i] = -static_cast<float>(i % 11);
        sum[i] = a[i] + b[i];
    }
    const auto sketchA = Sketch(a);
    const auto sketchB = Sketch(b);
    const auto sketchSum = Sketch(sum);
    for (std::size_t i = 0; i < sketchSum.size(); ++i)
    {
        EXPECT_EQ(FromBits(sketchA[i]) + FromBits(sketchB[i]), FromBits(sketchSum[i])) << i;
    }
}

/* Row 1023 hashes to A3B5C58C, 935815AD and 390E9B30 (murmur-hash-test.cc): modulo 103 that is 75, 88
 * and 28, and the first two have their top bit set. Row 0: 2362F9DE, 78ED212D, 06DFADFC.          */
TEST(SketchLayout, TakesTheCounterRowAndTheSignFromEachHash)
{
    const SketchLayout layout(1024, 103);
    EXPECT_EQ(layout.Rows(), 1024U);
    EXPECT_EQ(layout.CounterRows(), 103U);
    EXPECT_EQ(layout.PlacesOf(1023),
              (SketchPlaces{75 | g_negativePlace, 88 | g_negativePlace, 28}));
    EXPECT_EQ(layout.PlacesOf(0), (SketchPlaces{41, 98, 62}));
    EXPECT_EQ(CounterRowOf(layout.PlacesOf(1023)[1]), 88U);
}

TEST(SketchLayout, LetsPlacesCoincide)
{
    // 2362F9DE and 06DFADFC are even, 78ED212D is odd.
    EXPECT_EQ(SketchLayout(1, 2).PlacesOf(0), (SketchPlaces{0, 1, 0}));
    EXPECT_EQ(SketchLayout(1, 1).PlacesOf(0), (SketchPlaces{0, 0, 0}));
}

TEST(SketchLayout, NeedsACounterRowUnlessThereAreNoRows)
{
    EXPECT_EQ(SketchLayout(0, 0).Rows(), 0U);
    EXPECT_THROW(SketchLayout(1, 0), InputError);
    EXPECT_THROW(SketchLayout(1, g_negativePlace), InputError);
}

/* Published test vectors of MurmurHash3_x86_32 whose data are four bytes: FF FF FF FF, 21 43 65 87
 * and 00 00 00 00.                                                                               */
TEST(MurmurHash3, GivesThePublishedHashesOfFourBytes)
{
    EXPECT_EQ(MurmurHash3(0xFFFFFFFF, 0), 0x76293B50U);
    EXPECT_EQ(MurmurHash3(0x87654321, 0), 0xF55B516BU);
    EXPECT_EQ(MurmurHash3(0x87654321, 0x5082EDEE), 0x2362F9DEU);
    EXPECT_EQ(MurmurHash3(0, 0), 0x2362F9DEU);
    EXPECT_EQ(MurmurHash3(0x74736574, 0), 0xBA6BD213U); // "test"
    EXPECT_EQ(MurmurHash3(0x74736574, 0x9747B28C), 0x704B81DCU);
}

/* From an implementation of our own in Python that gives the published hashes of 0 to 13 bytes. */
TEST(MurmurHash3, HashesRowsWithTheSketchsSeeds)
{
    EXPECT_EQ(MurmurHash3(0, 1), 0x78ED212DU);
    EXPECT_EQ(MurmurHash3(0, 2), 0x06DFADFCU);
    EXPECT_EQ(MurmurHash3(1023, 0), 0xA3B5C58CU);
    EXPECT_EQ(MurmurHash3(1023, 1), 0x935815ADU);
    EXPECT_EQ(MurmurHash3(1023, 2), 0x390E9B30U);
    EXPECT_EQ(MurmurHash3(123456, 0), 0xB2D97CD0U);
    EXPECT_EQ(MurmurHash3(123456, 1), 0x50DB174FU);
    EXPECT_EQ(MurmurHash3(123456, 2), 0x9756FD4FU);
}

} // namespace inca
