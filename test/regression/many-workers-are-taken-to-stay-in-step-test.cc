/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "record/precision.h"
#include "scenario/keys.h"
#include "support/own-path.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/*
 * A drawn ring: two buckets whose blocks, of at most three frames, differ by a value among 68 workers. One stood for
 * all, as little differs, but in ten exchanges of 134 steps workers come so far out of step that they wait while
 * others add: communication was 0.96 % of the iteration off.
 */
TEST(ManyWorkers, ComeOutOfStepInSeveralExchanges)
{
    const auto trace = OwnPath() + ".csv";
    std::ofstream(trace) << "#inca-trace v1\nlayer,elements,forward_ns,backward_ns,update_ns\n"
                            "l0,165648,1000,0,1000\nl1,415239,20000,300000,1000\n"
                            "l2,283654,200000,1000,1000\n";
    Scenario scenario;
    for (const auto& [key, text] :
         std::vector<std::pair<std::string, std::string>>{{"training.trace", trace},
                                                          {"training.iterations", "5"},
                                                          {"training.send", "bucket"},
                                                          {"cluster.workers", "68"},
                                                          {"cluster.mtu", "9000"},
                                                          {"cluster.bandwidth", "25Gbps"},
                                                          {"cluster.latency", "1us"},
                                                          {"exchange.algorithm", "ring"},
                                                          {"exchange.concurrent", "2"},
                                                          {"exchange.order", "priority"}})
    {
        SetKey(scenario, key, text);
    }
    const auto record = RunExperiment(scenario, {});
    scenario.simulation.mode = "packet";
    const auto packetLevel = RunExperiment(scenario, {});
    EXPECT_TRUE(PrecisionOf(record, packetLevel).IsSound(record.results.exact));
}

} // namespace inca
