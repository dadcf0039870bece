/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/column-meanings.h"

#include "record/result-row.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(MeaningOfColumn, IsThereForAllThatARowHas)
{
    for (const auto& column : ResultColumns())
    {
        EXPECT_FALSE(MeaningOfColumn(column.name).empty()) << column.name;
    }
    EXPECT_EQ(MeaningOfColumn("other"), "");
}

TEST(UnitOfColumn, IsWhatItsNameEndsIn)
{
    EXPECT_EQ(UnitOfColumn("busbw_gbps"), "Gbit/s");
    EXPECT_EQ(UnitOfColumn("iteration_time_min_s"), "s");
    EXPECT_EQ(UnitOfColumn("sum_rate_bytes_per_s"), "B/s");
    EXPECT_EQ(UnitOfColumn("samples_per_s"), "1/s");
    EXPECT_EQ(UnitOfColumn("limited_by"), "");
    EXPECT_EQ(UnitOfColumn("values"), "");
}

} // namespace inca
