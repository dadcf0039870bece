/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Lets ns-3's test.py run our GoogleTest cases, so that no test is written twice.
#include "ns3/test.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace
{

/** ns-3 makes folders of the names of its cases: GoogleTest's "All/SwitchTest" becomes "All:SwitchTest". */
std::string
CaseName(std::string suite)
{
    std::replace(suite.begin(), suite.end(), '/', ':');
    return suite;
}

/** All tests of one GoogleTest suite, in a process of their own: whoever aborts there ends no other suite. */
class GoogleTestCase : public ns3::TestCase
{
  public:
    explicit GoogleTestCase(const std::string& suite)
        : ns3::TestCase(CaseName(suite)),
          m_suite(suite)
    {
    }

    /** Tells ns-3 how the process has ended. Told any earlier, ns-3 would run no case after one that failed. */
    void Report()
    {
        if (m_status != 0)
        {
            const auto end = WIFSIGNALED(m_status) ? strsignal(WTERMSIG(m_status)) : "tests failed";
            ReportTestFailure(
                m_suite, end, "all pass", "see GoogleTest's report", __FILE__, __LINE__);
        }
    }

  private:
    void DoRun() override
    {
        std::cout.flush();
        const auto child = fork();
        if (child == 0)
        {
            testing::GTEST_FLAG(filter) = m_suite + ".*";
            const auto result = RUN_ALL_TESTS();
            std::cout.flush();
            std::_Exit(result); // without destructors: ns-3's cases are the parent's
        }
        waitpid(child, &m_status, 0);
        if (m_status != 0)
        {
            std::cout << "inca: " << m_suite << " failed" << std::endl;
        }
    }

    std::string m_suite;
    int m_status{-1}; ///< of waitpid: 0 where all tests have passed
};

/** Default type and duration only: their names differ between ns-3.37 and ns-3.48. */
class IncaTestSuite : public ns3::TestSuite
{
  public:
    IncaTestSuite()
        : ns3::TestSuite("inca")
    {
    }

  private:
    /** Here, not in the constructor: by now every TEST has registered itself. */
    void DoSetup() override
    {
        int argc = 1;
        char name[] = "inca";
        char* argv[] = {name, nullptr};
        testing::InitGoogleTest(&argc, argv);
        const auto& tests = *testing::UnitTest::GetInstance();
        for (int i = 0; i < tests.total_test_suite_count(); ++i)
        {
            m_cases.push_back(new GoogleTestCase(tests.GetTestSuite(i)->name()));
            AddTestCase(m_cases.back()); // which owns it
        }
    }

    void DoRun() override
    {
        for (auto* one : m_cases)
        {
            one->Report();
        }
    }

    std::vector<GoogleTestCase*> m_cases;
};

IncaTestSuite g_incaTestSuite;

} // namespace
