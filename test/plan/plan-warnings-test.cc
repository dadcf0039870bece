/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-warnings.h"

#include "plan/plan-maker.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string>
WarningsOf(const Scenario& scenario)
{
    return TextsOf(MakePlan(scenario).warnings);
}

} // namespace

/* hdc's 2.6 MB fit one bucket of 25 MiB: there is nothing to overlap, to order or to have in flight. */
TEST(PlanWarnings, KeysThatChangeNothingWithThisTrace)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.training.overlap = false;
    scenario.exchange.order = "priority";
    scenario.exchange.concurrent = 4;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(HasSubstr("training.overlap: has no effect"),
                            HasSubstr("exchange.order: has no effect"),
                            HasSubstr("exchange.concurrent: has no effect")));
    scenario.training.send = "layer";
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

TEST(PlanWarnings, SizesThatStandOnOneGradient)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.codec.name = "inceptionn";
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("sizes only")));
    scenario.codec.name = "truncate"; // the same of every value
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

} // namespace inca
