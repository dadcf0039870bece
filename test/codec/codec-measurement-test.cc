/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-measurement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

/* Eight values at 2^-10: four without data, two of a byte, one of two bytes, one raw: with the tag
 * word 2 + 2 + 2 + 4 = 10 bytes for 32, which is 10 bits per value and a ratio of 3.2. Errors:
 * 0.0005 four times (dropped), 0.02 - 2/128 = 0.004375 twice, 0 and 0; mean 0.01075 / 8.       */
TEST(CodecMeasurement, FindsWidthsRatioAndErrors)
{
    const std::vector<float> values{0.0005F, -0.0005F, 0.0005F, 0.0005F, 0.02F, -0.02F, 0.5F, 2.0F};
    CodecSpec spec;
    spec.name = "inceptionn";
    CodecMeasurement measurement(spec);
    measurement.Add(values.data(), values.size());
    const double byteError = 0.02 - 2.0 / 128;
    EXPECT_NEAR(measurement.LargestError(), byteError, 1e-9);
    EXPECT_NEAR(measurement.MeanError(), (4 * 0.0005 + 2 * byteError) / 8, 1e-9);
    EXPECT_EQ(measurement.Values(), 8U);
    EXPECT_EQ(measurement.BitsPerValue(), 10);
    EXPECT_EQ(measurement.Widths().value(), (WidthShares{0.5, 0.25, 0.125, 0.125}));
    EXPECT_TRUE(measurement.MayExceedBound());
}

TEST(CodecMeasurement, HasWidthsOnlyWhereTheCodecHas)
{
    const CodecMeasurement measurement(CodecSpec{});
    EXPECT_EQ(measurement.Spec().name, "none");
    EXPECT_FALSE(measurement.Widths().has_value());
    EXPECT_FALSE(measurement.MayExceedBound());
}

/* fp16 overflows at 65520: the value is finite, its decoded form is not. */
TEST(CodecMeasurement, ShowsAnOverflowAsAnInfiniteError)
{
    CodecSpec spec;
    spec.name = "cast";
    spec.castTo = "fp16";
    CodecMeasurement measurement(spec);
    const std::vector<float> values{1e6F, NAN};
    measurement.Add(values.data(), values.size());
    EXPECT_EQ(measurement.LargestError(), INFINITY);
    EXPECT_EQ(measurement.NonFiniteValues(), 1U);
}

} // namespace inca
