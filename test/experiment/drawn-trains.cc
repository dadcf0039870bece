/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/drawn-trains.h"

#include "experiment/drawn-scenario.h"
#include "plan/plan-maker.h"
#include "plan/train-choice.h"
#include "scenario/checks.h"
#include "scenario/keys.h"
#include "scenario/specs.h"
#include "support/draw.h"

#include <array>
#include <initializer_list>

namespace inca
{

namespace
{

constexpr std::uint32_t STREAM{1U << 30}; ///< apart from DrawnScenario's numbers

/** What a DrawnNetwork becomes. */
class Widening
{
  public:
    Widening(std::uint32_t number, Scenario scenario)
        : m_draw(STREAM + number),
          m_scenario(std::move(scenario))
    {
    }

    Scenario Make()
    {
        Set("exchange.algorithm",
            {"ring",
             "ring",
             "worker-aggregator",
             "hierarchical-aggregator",
             "hierarchical-ring",
             "parameter-server",
             "sharded-parameter-server",
             "sharded-parameter-server"});
        DrawRanks();
        DrawWires();
        DrawSketch();
        Set("host.duplex", {"1"});
        Set("host.byte_rate", {"none", "none", "none", "20GBps"});
        Set("host.frame_cost", {"0", "0", "0", "100ns"});
        Set("transport.window", {"64", "64", "64", "32", "256"});
        Set("transport.ack_every", {"16", "16", "16", "8", "64"});
        if (Set("exchange.chunk_bytes", {"0", "0", "0", "100kB", "1MB"}) == "0")
        {
            Set("exchange.concurrent", {"1"});
            Set("exchange.order", {"ready"});
        }
        return m_scenario;
    }

  private:
    std::string Set(const char* key, std::initializer_list<const char*> texts)
    {
        const std::string text = m_draw.Of(texts);
        SetKey(m_scenario, key, text);
        return text;
    }

    void DrawRanks()
    {
        if (HasGroups(m_scenario))
        {
            Set("cluster.workers", {"4", "8", "12", "16", "24", "32", "64"});
            Set("exchange.group_size", {"2", "4"});
        }
        else
        {
            Set("cluster.workers", {"2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64"});
        }
        if (m_scenario.exchange.algorithm == "sharded-parameter-server")
        {
            Set("cluster.servers", {"2", "3", "4", "8", "16"});
        }
        else
        {
            m_scenario.cluster.servers.reset();
        }
    }

    void DrawWires()
    {
        Set("cluster.bandwidth", {"1Gbps", "10Gbps", "10Gbps", "100Gbps"});
        Set("cluster.latency", {"0", "1us", "1us", "3us"});
        SetKey(m_scenario,
               "cluster.topology",
               m_draw.Of({"star", "leaf-spine", "leaf-spine", "fat-tree", "rack-pair"}));
        if (m_scenario.cluster.topology == "leaf-spine")
        {
            Set("cluster.hosts_per_leaf", {"2", "4", "8"});
        }
        m_scenario.cluster.aggregatorBitsPerSecond.reset();
        for (auto& worker : m_scenario.cluster.overrides)
        {
            worker.bitsPerSecond.reset();
        }
    }

    void DrawSketch()
    {
        if (m_draw.Of({0, 0, 0, 0, 0, 0, 0, 1}) == 0)
        {
            return;
        }
        SetKey(m_scenario, "codec.name", "homomorphic");
        SetKey(m_scenario, "codec.placement", "gpu");
        Set("codec.ratio", {"1", "2", "4"});
        SetKey(m_scenario, "training.density", "0.1");
        m_scenario.attributes.clear();
    }

    Draw m_draw;
    Scenario m_scenario;
};

bool
CanRun(const Scenario& scenario, double mostSeconds)
{
    auto inTrains = scenario;
    inTrains.simulation.framesPerTrain = 16;
    inTrains.exchange.algorithm = "ring"; // with any, what else may keep trains from being made
    auto atPacketLevel = scenario;
    atPacketLevel.simulation.framesPerTrain = 1;
    return Complaints(scenario).empty() && ChooseTrains(inTrains).frames > 1 &&
           CostOf(atPacketLevel).cpuSeconds <= mostSeconds;
}

} // namespace

Scenario
DrawnTrains(std::uint32_t number, const std::string& folder, double mostSeconds)
{
    constexpr std::uint32_t next = 1'000'151;
    constexpr std::array<std::uint32_t, 7> larger{300, 100, 40, 20, 10, 5, 2};
    for (auto attempt = number;; attempt += next)
    {
        for (auto size = attempt % 3; size < larger.size(); ++size)
        {
            const DrawnTraces traces(folder, larger[size]);
            const auto scenario = Widening(attempt, DrawnNetwork(attempt, traces)).Make();
            if (CanRun(scenario, mostSeconds))
            {
                return scenario;
            }
        }
    }
}

} // namespace inca
