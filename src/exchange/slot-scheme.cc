/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"

#include "base/text.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "base/word-sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

using Found = std::vector<KeyComplaint>;

} // namespace

SlotScheme::SlotScheme(const SchemeSpec& spec, std::uint64_t copies)
    : m_spec(spec),
      m_settings(ReadSlotSettings(spec.values)),
      m_copies(copies)
{
}

NetworkSumSpec
SlotScheme::SumSpec() const
{
    NetworkSumSpec spec;
    spec.workers = m_spec.workers;
    spec.adder = AdderNamed(m_settings.adder);
    spec.valuesPerPacket = static_cast<std::uint32_t>(m_settings.valuesPerPacket);
    if (m_settings.scaling == "fixed")
    {
        spec.fixedExponent = static_cast<std::int16_t>(m_settings.fixedExponent);
    }
    return spec;
}

std::vector<KeyComplaint>
SlotScheme::Complaints() const
{
    Found found;
    ComplainOfPackets(found);
    ComplainOfMemory(found);
    return found;
}

/** With that, cluster.buffer holds the frame as well: it holds the largest that the MTU allows. */
void
SlotScheme::ComplainOfPackets(Found& complaints) const
{
    const auto values = m_settings.valuesPerPacket;
    const auto bytes = AGGREGATION_HEADER_BYTES + values * VALUE_BYTES;
    if (bytes > m_spec.mtu)
    {
        const auto most = (m_spec.mtu - AGGREGATION_HEADER_BYTES) / VALUE_BYTES;
        complaints.push_back({"switch.values_per_packet",
                              Text(values,
                                   " values make an IP packet of ",
                                   AGGREGATION_HEADER_BYTES,
                                   " + ",
                                   VALUE_BYTES,
                                   " * ",
                                   values,
                                   " = ",
                                   bytes,
                                   " bytes, cluster.mtu is ",
                                   m_spec.mtu),
                              {"exchange.algorithm", "cluster.mtu"},
                              {{"switch.values_per_packet", std::to_string(most)},
                               {"cluster.mtu", std::to_string(bytes)}}});
    }
}

void
SlotScheme::ComplainOfMemory(Found& complaints) const
{
    const auto slots = m_settings.slots;
    const auto slotBytes = m_copies * m_settings.valuesPerPacket * VALUE_BYTES;
    const auto memory = m_settings.memoryBytes;
    if (slots * slotBytes > memory)
    {
        complaints.push_back({"switch.slots",
                              Text(slots,
                                   " slots of ",
                                   m_copies == 1 ? std::string() : Text(m_copies, " copies of "),
                                   m_settings.valuesPerPacket,
                                   " values need ",
                                   FormatBytes(slots * slotBytes),
                                   ", switch.memory is ",
                                   FormatBytes(memory)),
                              {"exchange.algorithm", "switch.values_per_packet", "switch.memory"},
                              {{"switch.slots", std::to_string(memory / slotBytes)},
                               {"switch.memory", FormatBytes(slots * slotBytes)}}});
    }
}

/** Whether packets tell the exponents of later ones, so that some without values go ahead. */
bool
SlotScheme::HasExponents() const
{
    return m_settings.adder != "fp32" && m_settings.scaling == "block" && !m_spec.wordsAsTheyAre;
}

/** Of a packet with values, on the wire. */
std::uint64_t
SlotScheme::FrameBytes() const
{
    return FrameWireBytes(AGGREGATION_HEADER_BYTES + VALUE_BYTES * m_settings.valuesPerPacket);
}

SumTraffic
SlotScheme::TrafficOf(const NetworkSums& sums) const
{
    std::uint64_t full = 0;
    std::uint64_t empty = 0; // they tell exponents ahead
    for (const auto& [words, count] : sums)
    {
        const auto blocks = (words + m_settings.valuesPerPacket - 1) / m_settings.valuesPerPacket;
        full += count * blocks;
        empty += HasExponents() ? count * std::min(m_settings.slots, blocks) : 0;
    }
    return {full + empty, full * FrameBytes() + empty * FrameWireBytes(AGGREGATION_HEADER_BYTES)};
}

/** A pool of packets without values if these wait for everybody's exponents, else with them. */
SumAhead
SlotScheme::AheadOf(std::uint64_t words) const
{
    const auto perPacket = m_settings.valuesPerPacket;
    const auto packets = std::min(m_settings.slots, (words + perPacket - 1) / perPacket);
    if (HasExponents())
    {
        return {0, packets * FrameWireBytes(AGGREGATION_HEADER_BYTES)};
    }
    return {std::min(words, packets * perPacket), packets * FrameBytes()};
}

/** A slot's packets wait for each other; the first sums tell the exponents of the first packets. */
SumChain
SlotScheme::LongestChain(const NetworkSums& sums, double memory) const
{
    const auto perPacket = m_settings.valuesPerPacket;
    const auto slots =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(m_settings.slots) * memory));
    std::uint64_t blocks = 0;
    SumChain chain;
    for (const auto& [words, count] : sums)
    {
        blocks += count * ((words + perPacket - 1) / perPacket);
        chain.frameValues = std::max(chain.frameValues, std::min(words, perPacket));
    }
    chain.frames = (blocks + slots - 1) / slots;
    chain.frameWireBytes = FrameBytes();
    chain.emptyFrames = HasExponents() && blocks > 0 ? 1 : 0;
    chain.emptyWireBytes = FrameWireBytes(AGGREGATION_HEADER_BYTES);
    return chain;
}

std::uint64_t
SlotScheme::AddedValuesPerSecond() const
{
    return m_settings.valuesPerSecond;
}

/** With values, of an iteration. */
std::uint64_t
SlotScheme::PacketsOf(const NetworkSums& sums) const
{
    std::uint64_t packets = 0;
    for (const auto& [words, count] : sums)
    {
        packets += count * ((words + m_settings.valuesPerPacket - 1) / m_settings.valuesPerPacket);
    }
    return packets;
}

std::optional<std::uint64_t>
SlotScheme::SlotsNeeded(const SummingNetwork& network, const NetworkSums& sums) const
{
    const auto framePs = SerialisationPs(FrameBytes(), network.bitsPerSecond);
    const std::int64_t levels{network.levels};
    const auto linksPs = 2 * levels * (network.linkLatencyPs + framePs);
    const auto roundTripPs = linksPs + (2 * levels - 1) * network.switchLatencyPs;
    const auto ofRoundTrip = static_cast<std::uint64_t>((roundTripPs + framePs - 1) / framePs);
    return std::min(ofRoundTrip, PacketsOf(sums));
}

std::vector<std::string>
SlotScheme::WarningsFor(const SummingNetwork& network, const NetworkSums& sums) const
{
    std::vector<std::string> warnings;
    const auto needed = *SlotsNeeded(network, sums);
    if (needed > m_settings.slots)
    {
        warnings.push_back(Text("switch.slots: ",
                                m_settings.slots,
                                " slots cannot fill a link of ",
                                FormatBitsPerSecond(network.bitsPerSecond),
                                " over this latency; it takes about ",
                                needed));
    }
    const auto onTheWay = FrameBytes() * m_settings.slots;
    if (network.bufferBytes < onTheWay)
    {
        warnings.push_back(Text("cluster.buffer: ",
                                FormatBytes(network.bufferBytes),
                                " hold less than the ",
                                HumanBytes(onTheWay),
                                " that a worker's slots may have on their way: packets may be "
                                "dropped"));
    }
    return warnings;
}

std::vector<std::string>
SlotScheme::WarningsAfter(const SumsSeen& seen) const
{
    std::vector<std::string> warnings;
    for (const auto& [name, dropped, slots] : seen.fullSwitches)
    {
        warnings.push_back(Text(name,
                                ": ",
                                dropped,
                                " packets found none of its ",
                                slots,
                                " slots free: its workers use more"));
    }
    if (seen.repeatedFrames > 0 && seen.lostFrames == 0)
    {
        warnings.push_back(
            Text("switch.timeout: ",
                 seen.repeatedFrames,
                 " packets were sent again, though none was lost: ",
                 FormatPicoseconds(m_settings.timeoutPs),
                 " is shorter than a round trip, queues included",
                 seen.startedTogether
                     ? ""
                     : ", or than workers wait for each other (exchange.start = \"together\" lets "
                       "them begin at once)"));
    }
    if (seen.clampedValues > 0)
    {
        warnings.push_back(Text("switch.fixed_exponent: ",
                                seen.clampedValues,
                                " values did not fit its scale, or are no numbers: they were "
                                "clamped"));
    }
    return warnings;
}

} // namespace inca
