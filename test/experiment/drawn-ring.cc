/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/drawn-ring.h"

#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "support/draw.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace inca
{

namespace
{

using Texts = std::initializer_list<const char*>;

class DrawnRingMaker
{
  public:
    DrawnRingMaker(std::uint32_t number, const std::string& folder)
        : m_draw(number),
          m_trace(folder + "ring-" + std::to_string(getpid()) + ".csv")
    {
    }

    Scenario Make()
    {
        m_scenario.cluster.workers = 32 + 8 * m_draw.Of({0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) +
                                     m_draw.Of({0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U});
        DrawTrace();
        m_scenario.training.trace = m_trace;
        Set("training.send", {"layer", "layer", "layer", "bucket"});
        Set("cluster.bandwidth", {"1Gbps", "10Gbps", "10Gbps", "25Gbps", "100Gbps"});
        Set("cluster.latency", {"0ns", "100ns", "500ns", "1us", "1us", "3us", "10us"});
        Set("cluster.mtu", {"1500", "1500", "1500", "9000"});
        Set("exchange.order", {"ready", "priority"});
        Mostly("exchange.concurrent", {"2", "4"});
        Mostly("exchange.start", {"together"});
        Mostly("exchange.chunk_bytes", {"100kB", "1MB"});
        Mostly("training.overlap", {"false"});
        Mostly("host.sum_rate", {"none", "1GBps", "4GBps"});
        Mostly("transport.ack_every", {"1", "4", "8", "32"});
        Mostly("transport.window", {"16", "32", "256"});
        Mostly("switch.latency", {"300ns", "1us"});
        Mostly("host.message_cost", {"1us"});
        Mostly("ring.channels", {"2", "4"});
        Mostly("ring.chunk_bytes", {"4kB", "16kB"});
        MakeLong();
        return m_scenario;
    }

  private:
    void Set(const char* key, Texts texts)
    {
        SetKey(m_scenario, key, m_draw.Of(texts));
    }

    /** Its default, four times of five. */
    void Mostly(const char* key, Texts texts)
    {
        if (m_draw.Of({0U, 1U, 2U, 3U, 4U}) == 0)
        {
            Set(key, texts);
        }
    }

    /** Layers of as many values as they are, times the workers, and some more of them. */
    void DrawTrace()
    {
        const auto layers = m_draw.Of({1U, 2U, 4U, 10U, 25U, 60U});
        const auto uneven = m_draw.Of({1U, 2U, 10U}); // of so many layers, one
        const auto values = m_draw.Of({100'000.0, 300'000.0, 1'000'000.0}) / layers;
        std::ofstream trace(m_trace);
        trace << "#inca-trace v1\nlayer,elements,forward_ns,backward_ns,update_ns\n";
        for (std::uint32_t layer = 0; layer < layers; ++layer)
        {
            const auto size = values * m_draw.Of({0.05, 0.3, 1.0, 2.0});
            const auto share = static_cast<std::uint64_t>(size) / m_scenario.cluster.workers + 1;
            const auto more = layer % uneven == 0 ? 1 + m_draw.Of({0U, 5U, 15U, 30U}) : 0;
            trace << 'l' << layer << ',' << share * m_scenario.cluster.workers + more << ','
                  << m_draw.Of({0, 1'000, 50'000}) << ',' << m_draw.Of({0, 1'000, 100'000}) << ','
                  << m_draw.Of({0, 1'000, 10'000}) << '\n';
        }
    }

    /** So many iterations that a miniature is worth it (MiniaturesOf). */
    void MakeLong()
    {
        constexpr double seconds = 0.6;
        constexpr double most = 100;
        m_scenario.training.iterations = 1;
        m_scenario.simulation.framesPerTrain = 1;
        const auto cost = CostOf(m_scenario);
        m_scenario.simulation.framesPerTrain.reset();
        m_scenario.training.iterations =
            static_cast<std::uint32_t>(std::min(most, std::ceil(seconds / cost.cpuSeconds)));
    }

    Draw m_draw;
    std::string m_trace;
    Scenario m_scenario;
};

} // namespace

Scenario
DrawnRing(std::uint32_t number, const std::string& folder)
{
    return DrawnRingMaker(number, folder).Make();
}

} // namespace inca
