/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a program in C++ gets by TrainingHelper is what the same scenario gives.
#include "experiment/scenario-fixture.h"
#include "helper/topology-helper.h"
#include "support/install.h"

#include "ns3/config.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace inca
{

class TrainingHelperRuns : public ScenarioFixture
{
  protected:
    /** @return when the last worker has its last weights (ps) */
    static std::int64_t EndOfProgram(const std::string& trace,
                                     const std::string& exchange,
                                     const std::string& codec,
                                     std::uint32_t workers)
    {
        TrainingHelper training;
        training.SetAttribute("Trace", ns3::StringValue(trace));
        training.SetAttribute("Exchange", ns3::StringValue(exchange));
        training.SetAttribute("Iterations", ns3::UintegerValue(2));
        training.SetCodec(codec);
        auto cluster = StarHelper().Install(training.HostsNeeded(workers));
        if (exchange == "switch-slots")
        {
            AggregationHelper().Install(cluster, workers);
        }
        std::int64_t endPs = 0;
        const auto see = [&](Rank rank, std::int64_t atPs) {
            endPs = rank < workers ? std::max(endPs, atPs) : endPs;
        };
        for (const auto& rank : RanksOf(training.Install(cluster.hosts)))
        {
            rank->TraceConnectWithoutContext(
                "Work",
                ns3::Callback<void, Rank, const ResourceWork&>(
                    [&](Rank of, const ResourceWork& work) { see(of, work.span.endPs); }));
            rank->TraceConnectWithoutContext(
                "ExchangeEnd",
                ns3::Callback<void, Rank, std::uint32_t>(
                    [&](Rank of, std::uint32_t) { see(of, ns3::Simulator::Now().GetTimeStep()); }));
        }
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        return endPs;
    }
};

TEST_F(TrainingHelperRuns, AreThoseOfTheSameScenario)
{
    struct Case
    {
        const char* trace;
        const char* exchange;
        const char* codec;
        std::uint32_t workers;
    };

    const Case cases[] = {
        {"hdc", "ring", "none", 4},
        {"hdc", "ring", "inceptionn", 4},
        {"hdc", "tree", "truncate", 5},
        {"hdc", "worker-aggregator", "inceptionn", 3},
        {"hdc", "hierarchical-ring", "none", 4},
        {"hdc", "sharded-parameter-server", "cast", 3},
        {"hdc", "switch-slots", "none", 3},
        {"resnet50-a100-bf16", "two-shot", "none", 4},
    };
    for (const auto& row : cases)
    {
        SCOPED_TRACE(std::string(row.trace) + " " + row.exchange + " " + row.codec);
        auto scenario = With(Bare(row.trace),
                             "training.iterations=2 simulation.mode=packet exchange.algorithm=" +
                                 std::string(row.exchange) + " codec.name=" + row.codec +
                                 " cluster.workers=" + std::to_string(row.workers));
        const auto endPs = EndPs(scenario);
        ns3::Config::Reset();
        EXPECT_EQ(EndOfProgram(row.trace, row.exchange, row.codec, row.workers), endPs);
    }
}

} // namespace inca
