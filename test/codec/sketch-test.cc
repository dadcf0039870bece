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

constexpr std::uint32_t g_sketchRows = 60;
constexpr std::uint32_t g_counterRows = 13;

const SketchLayout&
Layout()
{
    static const SketchLayout layout(g_sketchRows, g_counterRows);
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
Sketch(const std::vector<float>& values, const IntegerScale* scale = nullptr)
{
    std::vector<std::uint8_t> bytes(g_counterRows * g_sketchLanes * 4);
    BuildSketch(Layout(), values.data(), scale, bytes.data());
    return CountersOf(bytes);
}

} // namespace

TEST(SketchBuilder, AddsInTheOrderOfTheFormat)
{
    const auto values = SparseValues(g_sketchRows * g_sketchLanes, 0.5, 1);
    const auto counters = Sketch(values);
    for (const std::size_t lane : {0U, 1U, 63U, 64U, 500U, 1023U})
    {
        ReferenceLane<float> reference(g_counterRows);
        for (std::uint32_t row = 0; row < g_sketchRows; ++row)
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
    const auto values = SparseValues(g_sketchRows * g_sketchLanes, 0.5, 2);
    const IntegerScale scale(1, LargestExponent(values.data(), values.size()));
    const auto counters = Sketch(values, &scale);
    constexpr std::size_t lane = 77;
    ReferenceLane<std::uint32_t> reference(g_counterRows);
    for (std::uint32_t row = 0; row < g_sketchRows; ++row)
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

/* A counter starts from +0, and +0 + -0 = +0: zeros of either sign leave no trace. */
TEST(SketchBuilder, LosesTheSignOfZeros)
{
    const std::vector<float> zeros(g_sketchRows * g_sketchLanes, -0.0F);
    EXPECT_EQ(Sketch(zeros), std::vector<std::uint32_t>(g_counterRows * g_sketchLanes));
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

} // namespace inca
