/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"

#include "base/text.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "base/word-sum.h"
#include "exchange/block-packets.h"
#include "exchange/slot-sequences.h"

#include <algorithm>
#include <array>
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

ReductionSpec
SlotScheme::SumSpec() const
{
    ReductionSpec spec;
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
    ComplainOfSequences(found);
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
                                   g_byteCount.Format(slots * slotBytes),
                                   ", switch.memory is ",
                                   g_byteCount.Format(memory)),
                              {"exchange.algorithm", "switch.values_per_packet", "switch.memory"},
                              {{"switch.slots", std::to_string(memory / slotBytes)},
                               {"switch.memory", g_byteCount.Format(slots * slotBytes)}}});
    }
}

void
SlotScheme::ComplainOfSequences(Found& complaints) const
{
    if (m_settings.slots < m_spec.sequences)
    {
        complaints.push_back(
            {"switch.slots",
             Text("must be at least ",
                  m_spec.sequences,
                  " with training.sharding and exchange.concurrent above 1, got ",
                  m_settings.slots,
                  ": gradients that are added and weights that are handed on at the "
                  "same time have a half of the slots each"),
             {"training.sharding", "exchange.concurrent"},
             {{"switch.slots", std::to_string(m_spec.sequences)}, {"exchange.concurrent", "1"}}});
    }
}

/** That packets of this phase have for themselves. */
std::uint64_t
SlotScheme::SlotsOf(SumPhase phase) const
{
    return SlotsOfSequence(m_settings.slots, m_spec.sequences, SequenceOf(phase, m_spec.sequences));
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

/** Of one without them. */
std::uint64_t
SlotScheme::EmptyBytes()
{
    return FrameWireBytes(AGGREGATION_HEADER_BYTES);
}

std::uint64_t
SlotScheme::BytesOf(std::uint64_t full, std::uint64_t empty) const
{
    return full * FrameBytes() + empty * EmptyBytes();
}

std::uint64_t
SlotScheme::PerPacket(const ReductionSize& sum) const
{
    return m_settings.valuesPerPacket * sum.perWord;
}

/** With values. */
std::uint64_t
SlotScheme::PacketsOf(const ReductionSize& sum) const
{
    const auto perPacket = PerPacket(sum);
    return sum.phase == SumPhase::ALL_REDUCE
               ? (sum.words + perPacket - 1) / perPacket
               : BlockPackets(sum.words, m_spec.workers, perPacket).Count();
}

/** Packets that tell exponents ahead; what is not added needs none. */
std::uint64_t
SlotScheme::PrologueOf(const ReductionSize& sum) const
{
    const bool adds = sum.phase != SumPhase::ALL_GATHER;
    return adds && HasExponents() ? std::min(SlotsOf(sum.phase), PacketsOf(sum)) : 0;
}

/** @param least packets of somebody's part @param most of them */
SumTraffic
SlotScheme::TrafficIf(const ReductionSize& sum, std::uint64_t least, std::uint64_t most) const
{
    const auto packets = PacketsOf(sum);
    const auto prologue = PrologueOf(sum);
    SumTraffic traffic{packets + prologue, BytesOf(packets, prologue), BytesOf(packets, prologue)};
    if (sum.phase == SumPhase::REDUCE_SCATTER)
    {
        traffic.gotBytes = BytesOf(least, packets - least + prologue);
    }
    if (sum.phase == SumPhase::ALL_GATHER)
    {
        traffic.wireBytes = BytesOf(least, packets - least);
        traffic.gotBytes = BytesOf(packets - most, most);
    }
    return traffic;
}

SumTraffic
SlotScheme::TrafficOf(const ReductionCounts& sums) const
{
    return TrunkTraffic(sums, 1);
}

/** A switch sends what its workers have, and gets what they have not, and each of them likewise. */
SumTraffic
SlotScheme::TrunkTraffic(const ReductionCounts& sums, std::uint64_t below) const
{
    SumTraffic all;
    for (const auto& [sum, count] : sums)
    {
        const auto packets = PacketsOf(sum);
        const std::uint64_t workers = m_spec.workers;
        const auto most = (packets + workers - 1) / workers;
        const auto one =
            TrafficIf(sum, below * (packets / workers), std::min(below * most, packets));
        all.frames += count * one.frames;
        all.wireBytes += count * one.wireBytes;
        all.gotBytes += count * one.gotBytes;
    }
    return all;
}

/** A slot's packets wait for each other; the first sums tell the exponents of the first packets. */
SumChain
SlotScheme::LongestChain(const ReductionCounts& sums) const
{
    const auto perPacket = m_settings.valuesPerPacket;
    std::uint64_t prologues = 0;
    std::array<std::uint64_t, MOST_SEQUENCES> packets{};
    SumChain chain;
    for (const auto& [sum, count] : sums)
    {
        prologues += PrologueOf(sum);
        packets[SequenceOf(sum.phase, m_spec.sequences)] += count * PacketsOf(sum);
        const auto parts = sum.phase == SumPhase::ALL_REDUCE ? 1 : m_spec.workers;
        const auto words = (sum.words / parts + sum.perWord - 1) / sum.perWord;
        chain.frameValues = std::max(chain.frameValues, std::min(words, perPacket));
    }
    for (std::uint32_t sequence = 0; sequence < m_spec.sequences; ++sequence)
    {
        const auto slots = SlotsOfSequence(m_settings.slots, m_spec.sequences, sequence);
        chain.frames = std::max(chain.frames, (packets[sequence] + slots - 1) / slots);
    }
    chain.frameWireBytes = FrameBytes();
    chain.emptyFrames = prologues > 0 ? 1 : 0;
    chain.emptyWireBytes = EmptyBytes();
    return chain;
}

std::uint64_t
SlotScheme::AddedValuesPerSecond() const
{
    return m_settings.valuesPerSecond;
}

/** With values, of an iteration. */
std::uint64_t
SlotScheme::PacketsOf(const ReductionCounts& sums) const
{
    std::uint64_t packets = 0;
    for (const auto& [sum, count] : sums)
    {
        packets += count * PacketsOf(sum);
    }
    return packets;
}

std::optional<std::uint64_t>
SlotScheme::SlotsNeeded(const SummingNetwork& network, const ReductionCounts& sums) const
{
    const auto framePs = SerialisationPs(FrameBytes(), network.bitsPerSecond);
    const std::int64_t levels{network.levels};
    const auto linksPs = 2 * levels * (network.linkLatencyPs + framePs);
    const auto roundTripPs = linksPs + (2 * levels - 1) * network.switchLatencyPs;
    const auto meanPs = MeanFramePs(network, sums);
    const auto ofRoundTrip = static_cast<std::uint64_t>((roundTripPs + meanPs - 1) / meanPs);
    return std::min(ofRoundTrip * m_spec.sequences, PacketsOf(sums));
}

/** Of those that follow each other fastest: an owner gets none of the words that it hands to all. */
std::int64_t
SlotScheme::MeanFramePs(const SummingNetwork& network, const ReductionCounts& sums) const
{
    const auto framePs = SerialisationPs(FrameBytes(), network.bitsPerSecond);
    const auto emptyPs = SerialisationPs(EmptyBytes(), network.bitsPerSecond);
    const bool gathers = std::any_of(sums.begin(), sums.end(), [](const auto& sum) {
        return sum.first.phase == SumPhase::ALL_GATHER;
    });
    const std::int64_t workers{m_spec.workers};
    return gathers ? ((workers - 1) * framePs + emptyPs) / workers : framePs;
}

/** What a worker's packets wait for at most: all slots' weights before its link. */
std::int64_t
SlotScheme::GatherPs(const SummingNetwork& network, const ReductionCounts& sums) const
{
    std::uint64_t packets = 0;
    for (const auto& [sum, count] : sums)
    {
        packets = std::max(packets, sum.phase == SumPhase::ALL_GATHER ? PacketsOf(sum) : 0);
    }
    const auto onTheWay =
        static_cast<std::int64_t>(std::min(packets, SlotsOf(SumPhase::ALL_GATHER)));
    return onTheWay * MeanFramePs(network, sums);
}

std::vector<std::string>
SlotScheme::WarningsFor(const SummingNetwork& network, const ReductionCounts& sums) const
{
    std::vector<std::string> warnings;
    const auto needed = *SlotsNeeded(network, sums);
    if (needed > m_settings.slots)
    {
        warnings.push_back(Text("switch.slots: ",
                                m_settings.slots,
                                " slots cannot fill a link of ",
                                g_bitRate.Format(network.bitsPerSecond),
                                " over this latency; it takes about ",
                                needed));
    }
    const auto onTheWay = FrameBytes() * m_settings.slots;
    if (network.bufferBytes < onTheWay)
    {
        warnings.push_back(Text("cluster.buffer: ",
                                g_byteCount.Format(network.bufferBytes),
                                " hold less than the ",
                                HumanBytes(onTheWay),
                                " that a worker's slots may have on their way: packets may be "
                                "dropped"));
    }
    const auto gatherPs = GatherPs(network, sums);
    if (gatherPs > m_settings.timeoutPs)
    {
        warnings.push_back(Text("switch.timeout: ",
                                FormatPicoseconds(m_settings.timeoutPs),
                                " are shorter than the ",
                                FormatPicoseconds(gatherPs),
                                " that ",
                                SlotsOf(SumPhase::ALL_GATHER),
                                " packets of weights may wait before a link of ",
                                g_bitRate.Format(network.bitsPerSecond),
                                ": they are asked for again; fewer switch.slots wait for less (",
                                needed,
                                " fill the link)"));
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
