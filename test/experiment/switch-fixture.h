/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_SWITCH_FIXTURE_H
#define INCA_TEST_EXPERIMENT_SWITCH_FIXTURE_H

#include "experiment/attributes.h"
#include "experiment/cluster-builder.h"
#include "experiment/scenario-fixture.h"
#include "helper/time-resolution.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "support/install.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/simulator.h"

#include <list>
#include <string>
#include <vector>

namespace inca
{

/**
 * Scenarios whose switches add, on links of 10 Gb/s and 1 us. A packet of k values is 4 k + 82 bytes
 * on the wire, so 256 values take 884.8 ns; one without values is 84 bytes, 67.2 ns.
 */
class SwitchFixture : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t PACKET_PS{884'800}; ///< of 256 values
    static constexpr std::int64_t EMPTY_PS{67'200};

    ~SwitchFixture() override
    {
        ranks.clear();
        cluster = {};
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    /** @return a tensor of @p packets packets through one switch, without exponents ahead */
    static Scenario Slots(std::uint64_t packets, std::uint32_t workers = 2)
    {
        auto scenario = Bare("tensor:" + std::to_string(packets * 1024) + "B", workers);
        scenario.exchange.algorithm = "switch-slots";
        SetKey(scenario, "switch.scaling", "fixed");
        return scenario;
    }

    /** The same through two leaves, or more, of two workers each, and a spine that is the root. */
    static Scenario Tree(std::uint64_t packets, std::uint32_t workers = 4)
    {
        auto scenario = Slots(packets, workers);
        scenario.exchange.algorithm = "switch-tree";
        scenario.cluster.topology = "leaf-spine";
        scenario.cluster.hostsPerLeaf = 2;
        return scenario;
    }

    /**
     * Builds what Simulate would run, for faults that no key makes.
     * @param spoil sets what no scenario can
     */
    void Install(
        const Scenario& scenario, void (*spoil)() = [] {})
    {
        SetPicosecondResolution();
        SetAttributeDefaults(*Resolve(scenario));
        spoil();
        auto atPacketLevel = scenario;
        atPacketLevel.simulation.mode = SimulationMode::PACKET;
        plan = MakePlan(atPacketLevel);
        cluster = BuildCluster(plan);
        ranks = InstallJob(cluster, plan.Job().job);
    }

    /** Loses what @p side of @p link sends, by ordinal. */
    static void Lose(const ns3::Ptr<Link>& link,
                     unsigned side,
                     const std::list<std::uint32_t>& list)
    {
        const auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
        losses->SetList(list);
        link->SetErrorModel(side, losses);
    }

    Plan plan;
    Cluster cluster;
    std::vector<ns3::Ptr<RankApplication>> ranks;
};

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_SWITCH_FIXTURE_H
