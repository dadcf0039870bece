/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/mean-bits.h"

#include "base/errors.h"
#include "codec/codec-catalog.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

GradientTrace
TwoLayers()
{
    GradientTrace trace;
    trace.name = "two";
    trace.layers.resize(2);
    trace.layers[0].name = "a";
    trace.layers[0].elements = 100;
    trace.layers[0].statistics.widths[10] = {0.5, 0.5, 0, 0}; // 0.5 * 2 + 0.5 * 10 = 6 bits
    trace.layers[1].name = "b";
    trace.layers[1].elements = 300;
    trace.layers[1].statistics.widths[10] = {1, 0, 0, 0}; // 2 bits
    return trace;
}

CodecSpec
Inceptionn()
{
    CodecSpec spec;
    spec.name = "inceptionn";
    return spec;
}

} // namespace

/* 50 values of 6 bits and 150 of 2: (300 + 300) / 200 = 3 bits; the whole: (600 + 600) / 400 = 3. */
TEST(MeanBits, WeighsLayersByWhatIsInTheRange)
{
    const MeanBits bits(TwoLayers(), *MakeCodec(Inceptionn()));
    EXPECT_EQ(bits.Of({0, 100}), 6);
    EXPECT_EQ(bits.Of({99, 1}), 6);
    EXPECT_EQ(bits.Of({100, 1}), 2);
    EXPECT_EQ(bits.Of({50, 200}), 3);
    EXPECT_EQ(bits.Of({0, 400}), 3);
    EXPECT_EQ(bits.Of({400, 0}), 0);
}

TEST(MeanBits, RefusesALayerThatCannotTell)
{
    auto trace = TwoLayers();
    trace.layers[1].statistics.widths.clear();
    EXPECT_THROW(MeanBits(trace, *MakeCodec(Inceptionn())), InputError);
    EXPECT_NO_THROW(MeanBits(trace, *MakeCodec({}))); // "none" needs no statistics
}

} // namespace inca
