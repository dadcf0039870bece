/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sum-order.h"

#include "support/settings.h"

#include <gmock/gmock.h>

namespace inca
{

/* fp32 additions are rounded: (a + b) + c is not a + (b + c), but a + b is b + a. Hosts and integers do not care. */
TEST(SumOrder, MattersWhereSwitchesRoundAsPacketsArrive)
{
    struct Row
    {
        std::string settings;
        bool matters;
        std::string reason; ///< part of it
    };

    const std::string slots = "exchange.algorithm=switch-slots ";
    const std::string tree = "exchange.algorithm=switch-tree cluster.topology=leaf-spine "
                             "cluster.hosts_per_leaf=2 switch.adder=";
    for (const auto& row : {Row{"", false, "that of the exchange's plan"},
                            Row{"exchange.algorithm=tree", false, "plan"},
                            Row{"exchange.algorithm=worker-aggregator", false, "plan"},
                            Row{"exchange.algorithm=parameter-server exchange.sum=arrival",
                                false,
                                "exchange.sum = \"arrival\" is in times only"},
                            Row{slots + "switch.adder=fp32", true, "switches add fp32 as"},
                            Row{slots + "switch.adder=fp32 cluster.workers=2", false, "two"},
                            Row{slots + "switch.adder=int32", false, "integers"},
                            Row{slots + "switch.adder=int32-saturating", false, "integers"},
                            Row{slots + "switch.adder=int32 codec.name=homomorphic "
                                        "training.density=0.01",
                                false,
                                "integers"},
                            Row{tree + "fp32", true, "switches add fp32 as"},
                            Row{tree + "int32", false, "integers"}})
    {
        const auto order = SumOrderOf(With({}, row.settings));
        EXPECT_EQ(order.matters, row.matters) << row.settings;
        EXPECT_THAT(order.reason, testing::HasSubstr(row.reason)) << row.settings;
    }
}

} // namespace inca
