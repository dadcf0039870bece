/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"
#include "scenario/specs.h"

#include "base/units.h"

namespace inca
{

namespace
{

constexpr KeyRange<std::uint64_t> g_workers{2, 65'536};
constexpr KeyRange<std::uint64_t> g_mtu{576, 9'216};
constexpr KeyRange<std::uint64_t> g_buffer{1, 1ULL << 40U};
constexpr KeyRange<std::uint64_t> g_latency{0, 1'000'000'000'000};
constexpr KeyRange<std::uint64_t> g_linkRate{1'000, 100'000'000'000'000};

Key
AggregatorBandwidthKey()
{
    auto key = QuantityKey(
        {"cluster.aggregator_bandwidth",
         "aggregator_bandwidth_gbps",
         "of an aggregator's link; not given: as a worker's"},
        g_bitRate,
        g_linkRate,
        [](auto& s) -> auto& { return s.cluster.aggregatorBitsPerSecond; });
    key.columnText = [](const Scenario& s) {
        return ColumnIfGiven(s.cluster.aggregatorBitsPerSecond.value_or(s.cluster.bitsPerSecond),
                             g_bitRate.columnPower);
    };
    key.idle = [](const Scenario& s) {
        return std::string(HasAggregator(s) ? "" : s.exchange.algorithm + " has no aggregator");
    };
    return key;
}

} // namespace

std::uint64_t
ParseLinkRate(std::string_view text)
{
    const auto rate = ParseBitsPerSecond(text);
    RequireRange(text,
                 {rate, g_linkRate.least, g_linkRate.most},
                 FormatBitsPerSecond(g_linkRate.least),
                 FormatBitsPerSecond(g_linkRate.most));
    return rate;
}

std::vector<Key>
ClusterKeys()
{
    return {
        IntegerKey(
            {"cluster.workers", "workers", "aggregators and servers are not counted"},
            g_workers,
            [](auto& s) -> auto& { return s.cluster.workers; }),
        NameKey(
            {"cluster.topology", "topology", "star: every host on one switch"},
            {"star"},
            [](auto& s) -> auto& { return s.cluster.topology; }),
        QuantityKey(
            {"cluster.bandwidth", "bandwidth_gbps", "of a worker's link, each way"},
            g_bitRate,
            g_linkRate,
            [](auto& s) -> auto& { return s.cluster.bitsPerSecond; }),
        AggregatorBandwidthKey(),
        QuantityKey(
            {"cluster.latency", "latency_us", "of one link, one way"},
            g_microTime,
            g_latency,
            [](auto& s) -> auto& { return s.cluster.latencyPs; }),
        IntegerKey(
            {"cluster.mtu", "mtu_bytes", "largest IP packet, in bytes"},
            g_mtu,
            [](auto& s) -> auto& { return s.cluster.mtu; }),
        QuantityKey(
            {"cluster.buffer", "buffer_bytes", "of one switch port"},
            g_byteCount,
            g_buffer,
            [](auto& s) -> auto& { return s.cluster.bufferBytes; }),
    };
}

} // namespace inca
