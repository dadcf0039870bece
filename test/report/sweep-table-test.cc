/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/sweep-table.h"

#include <gtest/gtest.h>

namespace inca
{

/* Communication is over all measured iterations: 1 s of 2 makes 500 ms each. */
TEST(SweepTable, ReadsLikeThis)
{
    const std::vector<std::string> varied{"cluster.bandwidth=10Gbps", "cluster.workers=4"};
    RunRecord record;
    record.results.measuredIterations = 2;
    record.results.iterationTimePs = 1'500'000'000'000;
    record.results.shares.communicationPs = 1'000'000'000'000;
    record.results.aggregationThroughputGbps = 1.955;
    record.results.limitedBy = "link";
    EXPECT_EQ(SweepTableHeader(varied) + SweepTableRow(varied, record),
              "bandwidth          workers                   iteration   communication"
              "     agg. Gbit/s      limited by\n"
              "10Gbps             4                           1.500 s        500.0 ms"
              "            1.96            link\n");
}

} // namespace inca
