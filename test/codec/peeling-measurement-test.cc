/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-measurement.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(PeelingMeasurement, RefusesWhatCannotBeMeasured)
{
    EXPECT_THROW(MeasurePeeling({0, 1, 0.1, 1, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 1, 0.1, 0, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 1, 1.1, 1, 1}), InputError);
}

namespace
{

/** Above, a cell takes up to a second, so that every fifth has to do. */
constexpr std::uint32_t g_mostCounterRows = 128;
constexpr std::size_t g_stride = 5;

/** Half a unit of the table's last digit, and as much again for how it was written down. */
constexpr double g_shareDigits = 1e-6;
constexpr double g_roundDigits = 1e-2;

class PeelingTableRows : public testing::TestWithParam<std::size_t>
{
};

} // namespace

TEST_P(PeelingTableRows, AreMeasuredAgain)
{
    const auto row = GetParam();
    const auto counterRows = 1U << row;
    const std::size_t stride = counterRows <= g_mostCounterRows ? 1 : g_stride;
    for (std::size_t i = 0; i < PEELING_LOADS.size(); i += stride)
    {
        const auto load = PEELING_LOADS[i];
        const auto figures = PeelingTableCell(row, i);
        const auto measured = MeasurePeeling(PeelingTableExperiment(counterRows, load));
        EXPECT_NEAR(figures.leftShare, measured.leftShare, g_shareDigits) << load;
        EXPECT_NEAR(figures.bucketRounds, measured.bucketRounds, g_roundDigits) << load;
    }
}

INSTANTIATE_TEST_SUITE_P(PeelingTable,
                         PeelingTableRows,
                         testing::Range<std::size_t>(0, PEELING_ROWS));

} // namespace inca
