/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_OWN_PATH_H
#define INCA_TEST_SUPPORT_OWN_PATH_H

#include <gtest/gtest.h>

#include <string>

namespace inca
{

/** @return a path that is the running test's alone, as tests run at the same time; nothing is made there */
inline std::string
OwnPath()
{
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return testing::TempDir() + "inca-" + test->test_suite_name() + "-" + test->name();
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_OWN_PATH_H
