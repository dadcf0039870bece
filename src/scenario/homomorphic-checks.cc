/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/homomorphic-checks.h"

#include "base/value-text.h"
#include "codec/bitmap-index.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <string>

namespace inca
{

namespace
{

using Found = std::vector<KeyComplaint>;

/** "ring, parameter-server or switch-tree", say. */
std::string
ExchangesThatAdd()
{
    std::vector<std::string> names;
    for (const auto& entry : ExchangeCatalog())
    {
        if (!ReturnsWeights(entry))
        {
            names.emplace_back(entry.name);
        }
    }
    return JoinNames(names);
}

void
CheckPlacement(const Scenario& s, Found& found)
{
    if (Placement(s) == "nic")
    {
        found.push_back({"codec.placement",
                         "homomorphic runs on gpu or cpu: a NIC's engine sees frames, not buckets",
                         {"codec.name"},
                         {{"codec.placement", "gpu"}, {"codec.name", "inceptionn"}}});
    }
}

void
CheckExchange(const Scenario& s, Found& found)
{
    if (HasAggregator(s))
    {
        found.push_back({"exchange.algorithm",
                         fmt::format("must be {} with codec.name = \"homomorphic\": the aggregator "
                                     "of {} returns weights, and only sums can be decoded",
                                     ExchangesThatAdd(),
                                     s.exchange.algorithm),
                         {"codec.name"},
                         {{"exchange.algorithm", "ring"}, {"codec.name", "none"}}});
    }
}

void
CheckNibbles(const Scenario& s, Found& found)
{
    if (s.codec.index == "bits-4" && s.cluster.workers > g_mostNibbleWorkers)
    {
        found.push_back({"codec.index",
                         fmt::format("bits-4 counts up to {} workers, cluster.workers is {}",
                                     g_mostNibbleWorkers,
                                     s.cluster.workers),
                         {"codec.name", "cluster.workers"},
                         {{"codec.index", "bits-1"},
                          {"cluster.workers", std::to_string(g_mostNibbleWorkers)}}});
    }
}

void
CheckSwitchIndex(const Scenario& s, Found& found)
{
    if (s.codec.index == "bits-4")
    {
        found.push_back({"codec.index",
                         fmt::format("must be bits-1 or bloom with exchange.algorithm = \"{}\": "
                                     "switches combine an index by or",
                                     s.exchange.algorithm),
                         {"codec.name", "exchange.algorithm"},
                         {{"codec.index", "bits-1"}, {"exchange.algorithm", "ring"}}});
    }
}

/** The network knows sums by their order only, and each chunk has two that follow their own pace. */
void
CheckSwitchOrder(const Scenario& s, Found& found)
{
    if (s.exchange.concurrent > 1)
    {
        found.push_back({"exchange.concurrent",
                         fmt::format("must be 1 with codec.name = \"homomorphic\" and "
                                     "exchange.algorithm = \"{}\", where all workers ask for sums "
                                     "in one order, got {}",
                                     s.exchange.algorithm,
                                     s.exchange.concurrent),
                         {"codec.name", "exchange.algorithm"},
                         {{"exchange.concurrent", "1"}, {"exchange.algorithm", "ring"}}});
    }
}

/** @return why counters cannot leave before the index is back, or empty if they can */
std::string
WhyDependent(const NetworkSumSpec& sum)
{
    const bool scaledByIndex = sum.adder == WordSum::INT32 && !sum.fixedExponent;
    return sum.adder == WordSum::INT32_SATURATING
               ? "must be dependent with switch.adder = \"int32-saturating\", which needs as much "
                 "headroom as the index says"
           : scaledByIndex
               ? "must be dependent with switch.adder = \"int32\" and switch.scaling = \"block\", "
                 "where counters are scaled by an exponent that travels with the index"
               : "";
}

void
CheckSwitchRounds(const Scenario& s, Found& found)
{
    const auto why = WhyDependent(MakeScheme(s)->SumSpec());
    if (s.codec.rounds == "overlapped" && !why.empty())
    {
        found.push_back({"codec.rounds",
                         why,
                         {"codec.name", "exchange.algorithm", "switch.adder", "switch.scaling"},
                         {{"codec.rounds", "dependent"}, {"switch.adder", "fp32"}}});
    }
}

/** Two exchanges in flight at once are more than such a host can do. */
void
CheckHostRounds(const Scenario& s, Found& found)
{
    if (s.codec.rounds == "overlapped" && s.host.IsHalfDuplex())
    {
        found.push_back(
            {"codec.rounds",
             fmt::format("must be dependent where host.duplex is half, got {}", s.codec.rounds),
             {"codec.name", "exchange.algorithm", "host.duplex"},
             {{"codec.rounds", "dependent"}, {"host.duplex", "full"}}});
    }
}

} // namespace

std::vector<KeyComplaint>
HomomorphicComplaints(const Scenario& scenario)
{
    Found found;
    if (!HasSketch(scenario))
    {
        return found;
    }
    CheckPlacement(scenario, found);
    CheckExchange(scenario, found);
    if (SumsInNetwork(scenario))
    {
        CheckSwitchIndex(scenario, found);
        CheckSwitchOrder(scenario, found);
        CheckSwitchRounds(scenario, found);
    }
    else
    {
        CheckNibbles(scenario, found);
        CheckHostRounds(scenario, found);
    }
    return found;
}

} // namespace inca
