/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* `inca trace import workload.txt --group 5` imported as if nothing had been asked. */
TEST(OptionsWithoutAUseAreIgnored, AreRefused)
{
    const std::string workload = "DATA\n1\nfc -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4 1\n";
    const std::string collectives =
        R"({"schema": "1.0.1", "nodes": [{"id": 2, "name": "record_param_comms", "attrs": [)"
        R"({"name": "collective_name", "value": "allreduce"}, {"name": "dtype", "value": "Float"}, )"
        R"({"name": "in_msg_nelems", "value": 10}, {"name": "pg_name", "value": "5"}]}]})";
    ImportOptions group;
    group.group = "5";
    EXPECT_THAT(
        RefusalOf(workload, group),
        testing::HasSubstr("--group: a file of the format astra-sim has no process groups"));
    EXPECT_EQ(RefusalOf(collectives, group), "");
    ImportOptions unit;
    unit.timeUnit = "us";
    EXPECT_EQ(RefusalOf(workload, unit), "");
    EXPECT_THAT(RefusalOf(collectives, unit), testing::HasSubstr("--time-unit: a file"));
    ImportOptions iterations;
    iterations.iterations = 1;
    EXPECT_THAT(RefusalOf(workload, iterations), testing::HasSubstr("holds one iteration"));
    EXPECT_EQ(RefusalOf(collectives, iterations), "");
    ImportOptions kernels;
    kernels.kernelTimes = true;
    EXPECT_THAT(RefusalOf(workload, kernels), testing::HasSubstr("has no kernels"));
    ImportOptions batch;
    batch.batch = 0;
    EXPECT_THAT(RefusalOf(workload, batch), testing::HasSubstr("--batch: must be 1 to 10^9"));
}

} // namespace inca
