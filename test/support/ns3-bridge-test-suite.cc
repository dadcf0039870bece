/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Lets ns-3's test.py run our GoogleTest cases, so that no test is written twice.
#include "ns3/test.h"

#include <gtest/gtest.h>

namespace
{

/** Runs every GoogleTest case linked into this library. */
class GoogleTestCase : public ns3::TestCase
{
  public:
    GoogleTestCase()
        : ns3::TestCase("all GoogleTest cases")
    {
    }

  private:
    void DoRun() override
    {
        // Here, not in a static constructor: by now every TEST has registered itself.
        int argc = 1;
        char name[] = "inca";
        char* argv[] = {name, nullptr};
        testing::InitGoogleTest(&argc, argv);
        NS_TEST_EXPECT_MSG_EQ(RUN_ALL_TESTS(), 0, "see the GoogleTest report above");
    }
};

/** Default type and duration only: their names differ between ns-3.37 and ns-3.48. */
class IncaTestSuite : public ns3::TestSuite
{
  public:
    IncaTestSuite()
        : ns3::TestSuite("inca")
    {
        AddTestCase(new GoogleTestCase);
    }
};

IncaTestSuite g_incaTestSuite;

} // namespace
