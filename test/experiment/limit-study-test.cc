/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/limit-study.h"

#include <gtest/gtest.h>

#include <set>

namespace inca
{

/* The first hundred of the thousand that inca-bench-limits draws; exceptions as docs/model.md gives them. */
TEST(LimitStudy, TheNamedLimitIsWorthRaising)
{
    const std::set<std::uint32_t> exceptions{11, 17, 51, 55, 64, 76, 87};
    const DrawnTraces traces(testing::TempDir());
    for (std::uint32_t number = 0; number < 100; ++number)
    {
        const auto study = StudyLimits(number, traces);
        EXPECT_TRUE(study.Holds() || exceptions.count(number) > 0)
            << number << " names " << study.named << ", " << study.NamedGainPs() << " ps, but "
            << LimitName(study.Best()) << " is worth more: " << study.settings;
    }
}

} // namespace inca
