/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/attributes.h"
#include "experiment/switch-fixture.h"
#include "helper/time-resolution.h"

namespace inca
{

using TimeBelowANanosecond = SwitchFixture;

/* ns-3 ended the process at switch.timeout = "999ps", and at transport.min_timeout = "1ps", even with
 * exchanges that use neither: a checker of times "of at least one unit" is made while a unit is 1 ns. */
TEST_F(TimeBelowANanosecond, IsATimeoutLikeAnyOther)
{
    for (auto scenario : {Slots(1), Bare("tensor:400B")})
    {
        SetKey(scenario, "switch.timeout", "10us");
        SetKey(scenario, "transport.min_timeout", "1ps");
        EXPECT_NO_THROW(Run(scenario)) << scenario.exchange.algorithm;
    }
    SetPicosecondResolution();
    for (const auto* key : {"switch.timeout", "transport.min_timeout"})
    {
        for (const auto* time : {"1ps", "999ps"})
        {
            auto scenario = Slots(1);
            SetKey(scenario, key, time);
            EXPECT_NO_THROW(SetAttributeDefaults(scenario)) << key << " = " << time;
        }
    }
}

} // namespace inca
