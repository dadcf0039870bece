/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sketch-layout.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

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

} // namespace inca
