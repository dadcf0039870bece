/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "experiment/scenario-fixture.h"

namespace inca
{

using TimeAttribute = ScenarioFixture;

/* ns-3's reader of times ends the process at a text that is none, and so did a scenario with one. */
TEST_F(TimeAttribute, IsRefusedLikeAnyOther)
{
    auto scenario = Bare("tensor:400B");
    for (const auto* text : {"soon", "", "1 fortnight", "1us1"})
    {
        for (const auto* path : {"inca::Link::Delay", "inca::Transport::InitialTimeout"})
        {
            scenario.attributes = {{path, text}};
            EXPECT_THROW(Run(scenario), InputError) << path << " " << text;
        }
    }
}

} // namespace inca
