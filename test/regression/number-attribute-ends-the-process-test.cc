/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "experiment/attributes.h"

#include "ns3/config.h"

#include <gtest/gtest.h>

namespace inca
{

/* ns-3 aborts at a text that is no number, and takes -1 for 2^64 - 1. */
TEST(NumberAttribute, IsRefusedInsteadOfEndingTheProcess)
{
    for (const auto* value : {"abc", "1e99", "nan", "-1", "", "1.5"})
    {
        Scenario scenario;
        scenario.attributes = {{"inca::Transport::TxRing", value}};
        EXPECT_THROW(SetAttributeDefaults(scenario), InputError) << value;
        scenario.attributes = {{"inca::Nic::Buffer", value}};
        EXPECT_THROW(SetAttributeDefaults(scenario), InputError) << value;
    }
    ns3::Config::Reset();
}

} // namespace inca
