/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "scenario/keys.h"
#include "support/own-path.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** One layer of 15,000 values, which are 59 packets, with 0.1 ms forward and backward; worker 0 takes three times that. */
Scenario
With(const std::vector<std::pair<std::string, std::string>>& settings)
{
    const auto path = OwnPath() + ".csv";
    std::ofstream(path) << "#inca-trace v1\n# class: assumed\n"
                           "layer,elements,forward_ns,backward_ns,update_ns\n"
                           "one,15000,100000,100000,0\n";
    Scenario scenario;
    scenario.training.trace = path;
    scenario.training.iterations = 5;
    scenario.exchange.algorithm = "switch-slots";
    scenario.cluster.overrides = {{0, {}, 3.0}};
    for (const auto& [key, value] : settings)
    {
        SetKey(scenario, key, value);
    }
    return scenario;
}

/** @return the bound's share of the time */
double
Share(const Scenario& scenario)
{
    const auto results = RunExperiment(scenario, {}).results;
    return static_cast<double>(*results.lowerBoundPs) /
           static_cast<double>(results.iterationTimePs);
}

} // namespace

/* 8 workers' values take a switch 1.2 ms at 100 million a second, but 7 of 8 have been in its queue for 0.4 ms when
 * worker 0 comes: an iteration takes 0.2 + 1.2 ms, not 0.6 + 1.2. Where packets wait for worker 0's exponents, none is
 * ahead. */
TEST(LateWorkers, FindOthersAdded)
{
    for (const auto* scaling : {"fixed", "block"})
    {
        const auto share = Share(With({{"cluster.workers", "8"},
                                       {"switch.adder_rate", "100Mvalues/s"},
                                       {"switch.scaling", scaling}}));
        EXPECT_LE(share, 1) << scaling;
        EXPECT_GE(share, 0.95) << scaling;
    }
}

/* Worker 1's packets of 1106 bytes take 0.52 ms at 1 Gb/s, but it has sent them 0.4 ms before, or those without
 * values; worker 0 gets its sums at 10 Gb/s. */
TEST(LateWorkers, FindOthersSent)
{
    for (const auto* scaling : {"fixed", "block"})
    {
        auto scenario = With({{"cluster.workers", "2"}, {"switch.scaling", scaling}});
        scenario.cluster.overrides.push_back({1, 1'000'000'000, 1.0});
        const auto share = Share(scenario);
        EXPECT_LE(share, 1) << scaling;
        EXPECT_GE(share, 0.9) << scaling;
    }
}

/* All are sent at 100 Gb/s and got at 3 by worker 1, whose first packet, without values, came to the switch at
 * 100 Gb/s, too: in 6.7 ns, not in the 88.5 of one with values. */
TEST(LateWorkers, FirstSendWhatIsWithoutValues)
{
    auto scenario = With(
        {{"cluster.workers", "9"}, {"cluster.bandwidth", "100Gbps"}, {"cluster.latency", "0ps"}});
    scenario.training.iterations = 1;
    scenario.cluster.overrides.push_back({1, 3'000'000'000, 1.0});
    const auto share = Share(scenario);
    EXPECT_LE(share, 1);
    EXPECT_GE(share, 0.99);
}

/* 8 workers hang on the root, and 8 on the switch of the other rack: the root has added those of its own when the sum
 * of the others comes, so a packet takes 8 times 32 values, and 32, of the adders' time, not 9 times and 32. */
TEST(UnequalRacks, AddAtTheSameTime)
{
    auto scenario = With({{"exchange.algorithm", "switch-tree"},
                          {"cluster.topology", "rack-pair"},
                          {"cluster.workers", "16"},
                          {"switch.slots", "1"},
                          {"switch.values_per_packet", "32"},
                          {"switch.adder_rate", "20Mvalues/s"}});
    scenario.cluster.overrides.clear();
    const auto share = Share(scenario);
    EXPECT_LE(share, 1);
    EXPECT_GE(share, 0.95);
}

/* Worker 0 of 13 is in the rack whose switch is the root: nothing of its own crosses the cable. */
TEST(LateWorkers, MayBeNearTheRoot)
{
    for (const std::uint32_t late : {0U, 12U})
    {
        auto scenario = With({{"exchange.algorithm", "switch-tree"},
                              {"cluster.topology", "rack-pair"},
                              {"cluster.workers", "13"},
                              {"cluster.bandwidth", "1Gbps"}});
        scenario.cluster.overrides.front().index = late;
        const auto share = Share(scenario);
        EXPECT_LE(share, 1) << late;
        EXPECT_GE(share, 0.9) << late;
    }
}

/* The same of sums with shards: what other workers have of a part waits for worker 0, or 12, wherever it is. */
TEST(LateWorkers, MayOwnShards)
{
    for (const std::uint32_t late : {0U, 12U})
    {
        for (const auto* sharding : {"optimizer", "full"})
        {
            auto scenario = With({{"exchange.algorithm", "switch-tree"},
                                  {"cluster.topology", "rack-pair"},
                                  {"cluster.workers", "13"},
                                  {"cluster.bandwidth", "1Gbps"},
                                  {"training.sharding", sharding}});
            scenario.cluster.overrides.front().index = late;
            const auto share = Share(scenario);
            EXPECT_LE(share, 1) << late << " " << sharding;
            EXPECT_GE(share, 0.9) << late << " " << sharding;
        }
    }
}

} // namespace inca
