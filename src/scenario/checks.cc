/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"

#include "base/units.h"
#include "scenario/specs.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

using Found = std::vector<WholeComplaint>;

constexpr std::uint64_t g_bytesPerValue = 4;

/** Preamble, Ethernet header, checksum and gap around the largest IP packet. */
constexpr std::uint64_t g_frameOverhead = 8 + 14 + 4 + 12;

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
    const auto frame = s.cluster.mtu + g_frameOverhead;
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

/** The exchange's own complaints, "key: text" each. */
void
CheckAlgorithm(const Scenario& s, Found& found)
{
    const auto names = ExchangeNames();
    if (std::find(names.begin(), names.end(), s.exchange.algorithm) == names.end())
    {
        return;
    }
    for (const auto& text : FindExchange(s.exchange.algorithm).complaints(MakeExchangeSpec(s)))
    {
        const auto colon = text.find(": ");
        found.push_back({text.substr(0, colon),
                         text.substr(colon + 2),
                         {"exchange.algorithm", "cluster.workers"}});
    }
}

void
CheckWholeValues(const char* key, std::uint64_t bytes, Found& found)
{
    if (bytes % g_bytesPerValue != 0)
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
    if (s.host.duplex < 1 && s.exchange.concurrent > 1)
    {
        found.push_back(
            {"exchange.concurrent",
             fmt::format("must be 1 where host.duplex is below 1, got {}", s.exchange.concurrent),
             {"host.duplex"}});
    }
}

void
CheckRate(const char* key, std::uint64_t rate, const Scenario& s, Found& found)
{
    if (HasHostCodec(s) && rate == 0)
    {
        found.push_back(
            {key,
             fmt::format("must be given with codec.placement = \"{}\", such as \"8.4GBps\"",
                         s.codec.placement),
             {"codec.name", "codec.placement"}});
    }
}

} // namespace

std::vector<WholeComplaint>
Complaints(const Scenario& scenario)
{
    Found found;
    CheckTrace(scenario.training.trace, found);
    CheckWarmup(scenario, found);
    CheckBuffer(scenario, found);
    CheckWorkers(scenario, found);
    CheckAlgorithm(scenario, found);
    CheckWholeValues("exchange.segment_bytes", scenario.exchange.segmentBytes, found);
    CheckWholeValues("exchange.chunk_bytes", scenario.exchange.chunkBytes, found);
    CheckConcurrent(scenario, found);
    CheckRate("codec.encode_rate", scenario.codec.encodeBytesPerSecond, scenario, found);
    CheckRate("codec.decode_rate", scenario.codec.decodeBytesPerSecond, scenario, found);
    return found;
}

} // namespace inca
