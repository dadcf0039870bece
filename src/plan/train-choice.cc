/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/train-choice.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "exchange/exchange-catalog.h"
#include "plan/network-speed.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace inca
{

namespace
{

/** A train takes as long on every one. */
bool
AreWiresAlike(const ClusterSettings& cluster)
{
    const auto rate = cluster.bitsPerSecond;
    const auto isOwn = [rate](const WorkerOverride& worker) {
        return worker.bitsPerSecond.value_or(rate) != rate;
    };
    const auto& overrides = cluster.overrides;
    return cluster.aggregatorBitsPerSecond.value_or(rate) == rate &&
           cluster.trunkBitsPerSecond.value_or(rate) == rate &&
           std::none_of(overrides.begin(), overrides.end(), isOwn);
}

/** What a frame with all the payload that it can have takes. (ps) */
struct FullFrame
{
    std::int64_t wirePs{0}; ///< on a worker's link
    std::int64_t hostPs{0}; ///< of a host that sends or receives it
};

FullFrame
FullFrameOf(const Scenario& scenario)
{
    const auto& cluster = scenario.cluster;
    const auto payload = MaxPayloadBytes(cluster.mtu);
    const auto bytesPerSecond = scenario.host.byteBytesPerSecond;
    const auto bytesPs = bytesPerSecond == 0 ? 0 : SerialisationPs(payload, 8 * bytesPerSecond);
    return {SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES + payload), cluster.bitsPerSecond),
            scenario.host.frameCostPs + bytesPs};
}

/** Of both engines, the longer time that a full frame's values take. (ps) */
std::int64_t
EnginesPs(const Scenario& scenario)
{
    if (!HasCodec(scenario) || HasSketch(scenario) || Placement(scenario) != "nic")
    {
        return 0;
    }
    constexpr std::uint64_t psPerSecond = 1'000'000'000'000;
    const auto bits = 8 * MaxPayloadBytes(scenario.cluster.mtu);
    const auto timePs = [bits](const EngineSpeed& engine) {
        const auto cycles = (bits + engine.widthBits - 1) / engine.widthBits;
        return static_cast<std::int64_t>(MulDivCeil(cycles, psPerSecond, engine.hertz));
    };
    const auto [compression, decompression] = EnginesOf(scenario);
    return std::max(timePs(compression), timePs(decompression));
}

/** From one host to another. */
std::int64_t
MostLinks(const std::string& topology)
{
    const std::int64_t ofTrees = topology == "fat-tree" ? 6 : 4;
    return topology == "star" ? 2 : ofTrees;
}

/**
 * Of how many frames trains may be for a sender to have acknowledgements before its window ends, so that it never waits for
 * them: one goes when a train has come whole, and waits for another on each link and in both hosts.
 * @return 0: it may wait for them at packet level, too
 */
std::int64_t
MostPipelined(const Scenario& scenario, const FullFrame& frame)
{
    const auto window = static_cast<std::int64_t>(scenario.transport.window);
    const auto ackEvery = static_cast<std::int64_t>(scenario.transport.ackEvery);
    const auto links = MostLinks(scenario.cluster.topology);
    const auto ackPs =
        SerialisationPs(FrameWireBytes(INCA_HEADER_BYTES), scenario.cluster.bitsPerSecond);
    const auto onWiresPs = links * (2 * scenario.cluster.latencyPs + frame.wirePs + ackPs);
    const auto inSwitchesPs = 2 * (links - 1) * scenario.inSwitch.latencyPs;
    const auto aheadPs = (window - ackEvery) * frame.wirePs - onWiresPs - inSwitchesPs;
    const auto perFramePs = (1 + links) * frame.wirePs + 4 * frame.hostPs; // data and what waits
    const bool isPipelined = window >= 2 * ackEvery && aheadPs >= 0;
    return isPipelined ? (aheadPs + frame.wirePs) / perFramePs : 0;
}

/** The others' links are idle where its own is not, and the other way round. */
bool
SendAllToOne(const Scenario& scenario)
{
    const auto& exchange = FindExchange(scenario.exchange.algorithm);
    return exchange.otherRanks(MakeExchangeSpec(scenario)) == 1 && !exchange.inGroups &&
           scenario.cluster.topology == "star";
}

double
AcknowledgementShare(const Scenario& scenario)
{
    const auto full = FrameWireBytes(INCA_HEADER_BYTES + MaxPayloadBytes(scenario.cluster.mtu));
    const auto frames = std::min(scenario.transport.ackEvery, scenario.transport.window);
    return static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES)) /
           (static_cast<double>(frames) * static_cast<double>(full));
}

/** Nobody waits for a frame of a train, and none is lost or marked. */
bool
MayGoInTrains(const Scenario& scenario)
{
    const auto speeds = FullFrameOf(scenario);
    const auto marks = [](const auto& attribute) {
        return attribute.first == "inca::SwitchPort::EcnThreshold";
    };
    const auto& attributes = scenario.attributes;
    const bool isMarked = std::any_of(attributes.begin(), attributes.end(), marks);
    const bool loses = scenario.cluster.lossRate > 0;
    return !loses && !isMarked && MostPipelined(scenario, speeds) > 0 &&
           std::max(speeds.hostPs, EnginesPs(scenario)) <= speeds.wirePs &&
           AreWiresAlike(scenario.cluster) && scenario.host.duplex == 1 &&
           !FindExchange(scenario.exchange.algorithm).symmetry;
}

} // namespace

TrainChoice
ChooseTrains(const Scenario& scenario)
{
    const auto asked = scenario.simulation.framesPerTrain.value_or(1);
    if (asked == 1 || !MayGoInTrains(scenario) ||
        AcknowledgementShare(scenario) > MOST_ACKNOWLEDGED_IN_TRAINS)
    {
        return {};
    }
    const auto frames =
        std::min<std::int64_t>(asked, MostPipelined(scenario, FullFrameOf(scenario)));
    const auto longest = static_cast<std::uint32_t>(frames);
    return SendAllToOne(scenario) ? TrainChoice{longest, TRAINS_PER_MET_MESSAGE, true}
                                  : TrainChoice{longest};
}

} // namespace inca
