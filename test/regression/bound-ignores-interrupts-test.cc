/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/interrupt.h"
#include "plan/plan-maker.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace inca
{

namespace
{

/** In a process of its own, since a signal once seen is never forgotten. */
[[noreturn]] void
PlanAfterASignal()
{
    Scenario scenario;
    scenario.training.trace = "tensor:4kB";
    CatchInterrupts();
    std::raise(SIGTERM);
    try
    {
        MakePlan(scenario);
    }
    catch (const Interrupted&)
    {
        std::_Exit(0);
    }
    std::_Exit(1);
}

} // namespace

/* The bound of a ring of 65,536 workers takes minutes, in which no signal was heard. */
TEST(BoundDeathTest, EndsWhenItIsInterrupted)
{
    EXPECT_EXIT(PlanAfterASignal(), testing::ExitedWithCode(0), "");
}

} // namespace inca
