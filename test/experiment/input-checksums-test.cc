/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/input-checksums.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <fstream>

namespace inca
{

namespace
{

class InputChecksumsTest : public testing::Test
{
  protected:
    InputChecksumsTest()
    {
        std::ofstream(folder + "values-0") << "123456789";
        std::ofstream(folder + "values-1") << "";
        scenario.training.trace = "some.csv";
        scenario.training.values = true;
        scenario.cluster.workers = 2;
        trace.checksum = 7;
    }

    // of its own: tests run at the same time
    std::string folder{testing::TempDir() + "inputs-" +
                       testing::UnitTest::GetInstance()->current_test_info()->name() + "-"};
    Scenario scenario;
    GradientTrace trace;
};

} // namespace

/* CRC-32's check value is that of "123456789"; nothing at all has 0. */
TEST_F(InputChecksumsTest, AreOfTheTraceAndOfEveryFileOfValues)
{
    scenario.training.valuesFile = folder + "values-{worker}";
    const auto inputs = InputChecksums(scenario, trace);
    ASSERT_EQ(inputs.size(), 3U);
    EXPECT_EQ(inputs[0].path, "some.csv");
    EXPECT_EQ(inputs[0].crc32, 7U);
    EXPECT_EQ(inputs[1].path, folder + "values-0");
    EXPECT_EQ(inputs[1].crc32, 0xCBF43926U);
    EXPECT_EQ(inputs[2].crc32, 0U);
}

TEST_F(InputChecksumsTest, OneFileForAllIsReadOnce)
{
    scenario.training.valuesFile = folder + "values-0";
    EXPECT_EQ(InputChecksums(scenario, trace).size(), 2U);
    scenario.training.values = false;
    EXPECT_EQ(InputChecksums(scenario, trace).size(), 1U);
}

TEST_F(InputChecksumsTest, AFileThatIsGoneIsRefused)
{
    scenario.training.valuesFile = folder + "no-such-values";
    EXPECT_THROW(InputChecksums(scenario, trace), InputError);
}

} // namespace inca
