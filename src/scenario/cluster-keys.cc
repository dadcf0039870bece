/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "base/value-text.h"
#include "scenario/key-makers.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"

#include <limits>

namespace inca
{

namespace
{

constexpr ValueRange<std::uint64_t> g_workers{2, 65'536};
constexpr ValueRange<std::uint64_t> g_servers{1, 65'536}; ///< up to as many as workers
constexpr ValueRange<std::uint64_t> g_mtu{576, 9'216};
constexpr ValueRange<std::uint64_t> g_buffer{1, 1ULL << 40U};
constexpr ValueRange<double> g_lossRate{0, 0.5};
constexpr ValueRange<std::uint64_t> g_latency{0, 1'000'000'000'000};
constexpr ValueRange<std::uint64_t> g_linkRate{1'000, 100'000'000'000'000};
constexpr ValueRange<std::uint64_t> g_hostsPerLeaf{1, 65'536};
constexpr ValueRange<std::uint64_t> g_spines{1, 64};
constexpr ValueRange<std::uint64_t> g_trunks{1, 1'024};
constexpr ValueRange<std::uint64_t> g_arity{2, 32};
constexpr ValueRange<std::uint64_t> g_gpus{1, 1'024};
constexpr ValueRange<std::uint64_t> g_seed{0, std::numeric_limits<std::int64_t>::max()};

std::string
WhyNoServers(const Scenario& s)
{
    const auto& algorithm = s.exchange.algorithm;
    return HasSomeServers(s) ? ""
           : HasServers(s)   ? algorithm + " has one server"
                             : algorithm + " has no servers";
}

Key
ServersKey()
{
    auto key = IntegerKey(
        {"cluster.servers",
         "servers",
         "of sharded-parameter-server; not given: as many as workers"},
        g_servers,
        [](auto& s) -> auto& { return s.cluster.servers; });
    key.columnText = [](const Scenario& s) {
        return std::to_string(s.cluster.servers.value_or(s.cluster.workers));
    };
    return IdleWhen(WhyNoServers, key);
}

Key
AggregatorBandwidthKey()
{
    auto key = QuantityKey(
        {"cluster.aggregator_bandwidth",
         "aggregator_bandwidth_gbps",
         "of an aggregator's or server's link; not given: as a worker's"},
        g_bitRate,
        g_linkRate,
        [](auto& s) -> auto& { return s.cluster.aggregatorBitsPerSecond; });
    key.columnText = [](const Scenario& s) {
        return ScaledText(s.cluster.aggregatorBitsPerSecond.value_or(s.cluster.bitsPerSecond),
                          g_bitRate.columnPower);
    };
    return IdleWhen(WhyNoSummingHost, key);
}

/** @return the answer of key cluster.@p leaf, which only those topologies read whose rows say so */
std::function<std::string(const Scenario&)>
OnlyWhereRead(std::string leaf)
{
    return [leaf = std::move(leaf)](const Scenario& s) {
        return TopologyReads(s, leaf) ? std::string() : "cluster.topology is " + s.cluster.topology;
    };
}

/** The same of a key that says how many equal paths there are: sums take one of them. */
std::function<std::string(const Scenario&)>
OnlyForPathsWhereRead(std::string leaf)
{
    return [other = OnlyWhereRead(std::move(leaf))](const Scenario& s) {
        const auto reason = other(s);
        return reason.empty() ? WhyNoMessages(s) : reason;
    };
}

std::string
WhyNoTrunks(const Scenario& s)
{
    return HasTrunks(s) ? "" : "cluster.topology is " + s.cluster.topology;
}

std::string
WhyNoChoiceOfPaths(const Scenario& s)
{
    const auto& cluster = s.cluster;
    const bool onePath = (cluster.topology == "leaf-spine" && cluster.spines == 1) ||
                         (cluster.topology == "rack-pair" && cluster.trunks == 1);
    return !HasTrunks(s) ? WhyNoTrunks(s)
           : onePath     ? "there is one path between any two hosts"
                         : WhyNoMessages(s);
}

Key
TrunkBandwidthKey()
{
    auto key = QuantityKey(
        {"cluster.trunk_bandwidth",
         "trunk_bandwidth_gbps",
         "of a cable between switches; not given: as a worker's link"},
        g_bitRate,
        g_linkRate,
        [](auto& s) -> auto& { return s.cluster.trunkBitsPerSecond; });
    key.columnText = [](const Scenario& s) {
        return ScaledText(s.cluster.trunkBitsPerSecond.value_or(s.cluster.bitsPerSecond),
                          g_bitRate.columnPower);
    };
    return IdleWhen(WhyNoTrunks, key);
}

/** How hosts and switches are wired. */
std::vector<Key>
TopologyKeys()
{
    return {
        NameKey(
            {"cluster.topology", "topology", "how hosts and switches are wired"},
            TopologyNames(),
            [](auto& s) -> auto& { return s.cluster.topology; }),
        IdleWhen(OnlyWhereRead("hosts_per_leaf"),
                 IntegerKey(
                     {"cluster.hosts_per_leaf", "hosts_per_leaf", "leaf-spine: on one switch"},
                     g_hostsPerLeaf,
                     [](auto& s) -> auto& { return s.cluster.hostsPerLeaf; })),
        IdleWhen(OnlyForPathsWhereRead("spines"),
                 IntegerKey(
                     {"cluster.spines", "spines", "leaf-spine: switches above every leaf"},
                     g_spines,
                     [](auto& s) -> auto& { return s.cluster.spines; })),
        IdleWhen(OnlyWhereRead("fat_tree_k"),
                 IntegerKey(
                     {"cluster.fat_tree_k", "fat_tree_k", "fat-tree: ports of every switch, even"},
                     g_arity,
                     [](auto& s) -> auto& { return s.cluster.arity; })),
        IdleWhen(OnlyForPathsWhereRead("trunks"),
                 IntegerKey(
                     {"cluster.trunks", "trunks", "rack-pair: cables between the two racks"},
                     g_trunks,
                     [](auto& s) -> auto& { return s.cluster.trunks; })),
        TrunkBandwidthKey(),
        IdleWhen(
            WhyNoChoiceOfPaths,
            Sets(
                {"inca::Switch::EcmpSeed"},
                g_wholeAttribute,
                IntegerKey(
                    {"cluster.ecmp_seed", "ecmp_seed", "of the hash that spreads flows over paths"},
                    g_seed,
                    [](auto& s) -> auto& { return s.cluster.ecmpSeed; }))),
    };
}

std::vector<Key>
LinkKeys()
{
    return {
        Sets({"inca::Nic::DataRate"},
             g_bitRateAttribute,
             QuantityKey(
                 {"cluster.bandwidth", "bandwidth_gbps", "of a worker's link, each way"},
                 g_bitRate,
                 g_linkRate,
                 [](auto& s) -> auto& { return s.cluster.bitsPerSecond; })),
        AggregatorBandwidthKey(),
        Sets({"inca::Link::Delay"},
             g_timeAttribute,
             QuantityKey(
                 {"cluster.latency", "latency_us", "of one link, one way"},
                 g_microTime,
                 g_latency,
                 [](auto& s) -> auto& { return s.cluster.latencyPs; })),
        Sets({"inca::Nic::Mtu"},
             g_wholeAttribute,
             IntegerKey(
                 {"cluster.mtu", "mtu_bytes", "largest IP packet, in bytes"},
                 g_mtu,
                 [](auto& s) -> auto& { return s.cluster.mtu; })),
        Sets({"inca::SwitchPort::Buffer"},
             g_byteAttribute,
             QuantityKey(
                 {"cluster.buffer", "buffer_bytes", "of one switch port"},
                 g_byteCount,
                 g_buffer,
                 [](auto& s) -> auto& { return s.cluster.bufferBytes; })),
        DecimalKey(
            {"cluster.loss_rate", "loss_rate", "share of frames that every link loses, each way"},
            g_lossRate,
            [](auto& s) -> auto& { return s.cluster.lossRate; }),
    };
}

/** What a worker has inside. */
std::vector<Key>
GpuCountKeys()
{
    return {
        IntegerKey(
            {"cluster.gpus", "gpus", "of each worker; their gradients are added before any leave"},
            g_gpus,
            [](auto& s) -> auto& { return s.cluster.gpus; }),
        IdleWhen(
            [](const Scenario& s) {
                return std::string(s.cluster.gpus > 1 ? "" : "cluster.gpus is 1");
            },
            RateKey(
                {"cluster.gpu_bandwidth",
                 "gpu_bandwidth_bytes_per_s",
                 "bytes per second between a worker's GPUs, of each, each way"},
                g_byteRate,
                "",
                [](auto& s) -> auto& { return s.cluster.gpuBytesPerSecond; })),
    };
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
    const auto workers = IntegerKey(
        {"cluster.workers", "workers", "aggregators and servers are not counted"}, g_workers, [
        ](auto& s) -> auto& { return s.cluster.workers; });
    return JoinKeys({{workers, ServersKey()}, TopologyKeys(), LinkKeys(), GpuCountKeys()});
}

} // namespace inca
