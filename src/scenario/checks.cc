/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "scenario/homomorphic-checks.h"
#include "scenario/specs.h"
#include "scenario/switch-checks.h"
#include "topology/topology-catalog.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

using Found = std::vector<KeyComplaint>;

void
CheckTrace(const std::string& trace, Found& found)
{
    const auto why = trace.empty() ? "must be given, such as \"alexnet\" or \"tensor:100MB\""
                                   : WhyNoTrace(trace);
    if (!why.empty())
    {
        found.push_back({"training.trace", why, {}});
    }
}

void
CheckWarmup(const Scenario& s, Found& found)
{
    if (s.simulation.warmup >= s.training.iterations)
    {
        found.push_back({"simulation.warmup",
                         fmt::format("must be below training.iterations ({}), got {}",
                                     s.training.iterations,
                                     s.simulation.warmup),
                         {"training.iterations"}});
    }
}

void
CheckBuffer(const Scenario& s, Found& found)
{
    const auto frame = FrameWireBytes(s.cluster.mtu);
    if (s.cluster.bufferBytes < frame)
    {
        found.push_back({"cluster.buffer",
                         fmt::format("must hold a frame of {} ({} bytes), got {}",
                                     FormatBytes(frame),
                                     frame,
                                     FormatBytes(s.cluster.bufferBytes)),
                         {"cluster.mtu"}});
    }
}

void
CheckWorkers(const Scenario& s, Found& found)
{
    for (const auto& worker : s.cluster.overrides)
    {
        if (worker.index >= s.cluster.workers)
        {
            found.push_back({fmt::format("cluster.worker.{}", worker.index),
                             fmt::format("worker {} is not there; with cluster.workers = {} they "
                                         "are 0..{}",
                                         worker.index,
                                         s.cluster.workers,
                                         s.cluster.workers - 1),
                             {"cluster.workers"}});
        }
    }
}

/** @param texts "key: text" each, as catalogues complain */
void
AddAll(const std::vector<std::string>& texts, const std::vector<std::string>& others, Found& found)
{
    for (const auto& text : texts)
    {
        const auto colon = text.find(": ");
        found.push_back({text.substr(0, colon), text.substr(colon + 2), others});
    }
}

bool
IsAmong(const std::string& name, const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

void
CheckTopology(const Scenario& s, Found& found)
{
    if (IsAmong(s.cluster.topology, TopologyNames()))
    {
        AddAll(FindTopology(s.cluster.topology).complaints(MakeTopologySpec(s)),
               {"cluster.topology", "cluster.workers", "exchange.algorithm"},
               found);
    }
}

void
CheckAlgorithm(const Scenario& s, Found& found)
{
    if (IsAmong(s.exchange.algorithm, ExchangeNames()))
    {
        AddAll(FindExchange(s.exchange.algorithm).complaints(MakeExchangeSpec(s)),
               {"exchange.algorithm", "cluster.workers"},
               found);
    }
}

void
CheckWholeValues(const char* key, std::uint64_t bytes, Found& found)
{
    if (bytes % VALUE_BYTES != 0)
    {
        found.push_back(
            {key,
             fmt::format("must be whole fp32 values, a multiple of 4 bytes, got {}", bytes),
             {}});
    }
}

void
CheckConcurrent(const Scenario& s, Found& found)
{
    if (s.host.duplex < 1 && s.exchange.concurrent > 1 && !SumsInNetwork(s))
    {
        found.push_back(
            {"exchange.concurrent",
             fmt::format("must be 1 where host.duplex is below 1, got {}", s.exchange.concurrent),
             {"host.duplex", "exchange.algorithm"}});
    }
}

void
CheckRate(const char* key, std::uint64_t rate, const Scenario& s, Found& found)
{
    const bool timedByMemory = HasSketch(s) && Placement(s) == "gpu";
    if (HasHostCodec(s) && !timedByMemory && rate == 0)
    {
        found.push_back(
            {key,
             fmt::format("must be given with codec.placement = \"{}\", such as \"8.4GBps\"",
                         Placement(s)),
             {"codec.name", "codec.placement"}});
    }
}

} // namespace

std::vector<KeyComplaint>
Complaints(const Scenario& scenario)
{
    Found found;
    CheckTrace(scenario.training.trace, found);
    CheckWarmup(scenario, found);
    CheckBuffer(scenario, found);
    CheckWorkers(scenario, found);
    CheckTopology(scenario, found);
    CheckAlgorithm(scenario, found);
    CheckWholeValues("exchange.segment_bytes", scenario.exchange.segmentBytes, found);
    CheckWholeValues("exchange.chunk_bytes", scenario.exchange.chunkBytes, found);
    CheckConcurrent(scenario, found);
    CheckRate("codec.encode_rate", scenario.codec.encodeBytesPerSecond, scenario, found);
    CheckRate("codec.decode_rate", scenario.codec.decodeBytesPerSecond, scenario, found);
    for (const auto& more : {SwitchComplaints(scenario), HomomorphicComplaints(scenario)})
    {
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

} // namespace inca
