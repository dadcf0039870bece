/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "support/own-path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace inca
{

/*
 * 10,000 layers in one bucket, 1,000,000 times: 10^10 times a worker computes a layer, forward and backward, which takes
 * hours, and was estimated to take no time, as only messages counted.
 */
TEST(LayersTakeNoTimeInEstimates, ManyInManyIterationsAreRefused)
{
    const auto path = OwnPath() + ".csv";
    {
        std::ofstream file(path);
        file
            << "#inca-trace v1\n# model: layers\n# source: none\n# class: assumed\n# device: none\n"
               "# batch: 1\n# gradient_type: "
               "fp32\nlayer,elements,forward_ns,backward_ns,update_ns\n";
        for (int layer = 0; layer < 10'000; ++layer)
        {
            file << 'l' << layer << ",1,1,1,1\n";
        }
    }
    Scenario scenario;
    scenario.training.trace = path;
    SetKey(scenario, "training.iterations", "1000000");
    try
    {
        CostOf(scenario);
        FAIL() << "is let through";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.what(), testing::HasSubstr("simulation.max_cpu_time"));
        EXPECT_THAT(error.what(), testing::HasSubstr("iterations"));
    }
}

} // namespace inca
