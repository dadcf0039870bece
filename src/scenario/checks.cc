/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"

#include "base/units.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

constexpr std::uint64_t g_bytesPerValue = 4;

/** Preamble, Ethernet header, checksum and gap around the largest IP packet. */
constexpr std::uint64_t g_frameOverhead = 8 + 14 + 4 + 12;

void
CheckTraining(const Scenario& s, Texts& texts)
{
    if (s.training.trace.empty())
    {
        texts.emplace_back(
            "training.trace: must be given, such as \"alexnet\" or \"tensor:100MB\"");
    }
    if (s.simulation.warmup >= s.training.iterations)
    {
        texts.push_back(
            fmt::format("simulation.warmup: must be below training.iterations ({}), got {}",
                        s.training.iterations,
                        s.simulation.warmup));
    }
}

void
CheckCluster(const Scenario& s, Texts& texts)
{
    if (s.cluster.bufferBytes < s.cluster.mtu + g_frameOverhead)
    {
        texts.push_back(fmt::format("cluster.buffer: must hold a frame of {} ({} bytes), got {}",
                                    FormatBytes(s.cluster.mtu + g_frameOverhead),
                                    s.cluster.mtu + g_frameOverhead,
                                    FormatBytes(s.cluster.bufferBytes)));
    }
    for (const auto& worker : s.cluster.overrides)
    {
        if (worker.index >= s.cluster.workers)
        {
            texts.push_back(fmt::format("cluster.worker.{}: worker {} is not there; with "
                                        "cluster.workers = {} they are 0..{}",
                                        worker.index,
                                        worker.index,
                                        s.cluster.workers,
                                        s.cluster.workers - 1));
        }
    }
}

void
CheckWholeValues(const char* key, std::uint64_t bytes, Texts& texts)
{
    if (bytes % g_bytesPerValue != 0)
    {
        texts.push_back(fmt::format(
            "{}: must be whole fp32 values, a multiple of 4 bytes, got {}", key, bytes));
    }
}

void
CheckExchange(const Scenario& s, Texts& texts)
{
    const auto names = ExchangeNames();
    if (std::find(names.begin(), names.end(), s.exchange.algorithm) != names.end())
    {
        const auto more = FindExchange(s.exchange.algorithm).complaints(MakeExchangeSpec(s));
        texts.insert(texts.end(), more.begin(), more.end());
    }
    CheckWholeValues("exchange.segment_bytes", s.exchange.segmentBytes, texts);
    CheckWholeValues("exchange.chunk_bytes", s.exchange.chunkBytes, texts);
    if (s.host.duplex < 1 && s.exchange.concurrent > 1)
    {
        texts.push_back(
            fmt::format("exchange.concurrent: must be 1 where host.duplex is below 1, got {}",
                        s.exchange.concurrent));
    }
}

void
CheckRate(const char* key, std::uint64_t rate, const Scenario& s, Texts& texts)
{
    if (HasHostCodec(s) && rate == 0)
    {
        texts.push_back(
            fmt::format("{}: must be given with codec.placement = \"{}\", such as \"8.4GBps\"",
                        key,
                        s.codec.placement));
    }
}

void
CheckTransport(const Scenario& s, Texts& texts)
{
    if (s.transport.ackEvery > s.transport.window)
    {
        texts.push_back(
            fmt::format("transport.ack_every: must be at most transport.window ({}), got {}",
                        s.transport.window,
                        s.transport.ackEvery));
    }
}

} // namespace

std::vector<std::string>
Complaints(const Scenario& scenario)
{
    Texts texts;
    CheckTraining(scenario, texts);
    CheckCluster(scenario, texts);
    CheckExchange(scenario, texts);
    CheckRate("codec.encode_rate", scenario.codec.encodeBytesPerSecond, scenario, texts);
    CheckRate("codec.decode_rate", scenario.codec.decodeBytesPerSecond, scenario, texts);
    CheckTransport(scenario, texts);
    return texts;
}

} // namespace inca
