/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"

#include "base/text.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "base/word-sum.h"
#include "exchange/shards.h"
#include "exchange/slot-packet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace inca
{

namespace
{

using Idle = std::function<std::string(const SettingValues&)>;

/** A key, and how its value gets into SlotSettings. */
struct Field
{
    Setting setting;
    std::function<void(const SettingValues&, SlotSettings&)> read;
};

template <class Value, class Member>
Field
FieldOf(Member SlotSettings::*member,
        SettingWords words,
        const ValueForm<Value>& form,
        SettingAttributes attributes,
        Idle idle = {})
{
    SettingOf<Value> typed(words, form, static_cast<Value>(SlotSettings().*member));
    typed.setting.attributes = std::move(attributes);
    typed.setting.idle = std::move(idle);
    return {typed.setting, [typed, member](const SettingValues& values, SlotSettings& settings) {
                settings.*member = static_cast<Member>(typed.In(values));
            }};
}

std::string
WhyNoScaling(const SettingValues& values)
{
    const auto adder = ReadSlotSettings(values).adder;
    return AdderNamed(adder).isExact ? "" : "switch.adder is " + adder;
}

std::string
WhyNoFixedExponent(const SettingValues& values)
{
    const auto nothing = WhyNoScaling(values);
    const auto scaling = ReadSlotSettings(values).scaling;
    return nothing.empty() && scaling != "fixed" ? "switch.scaling is " + scaling : nothing;
}

std::vector<Field>
MakeFields()
{
    constexpr ValueRange<std::int64_t> ofNormalValues{-126, 127};
    std::vector<Field> fields{
        FieldOf(&SlotSettings::slots,
                {"switch.slots", "slots", "of a switch's pool, each with a second copy"},
                WholeForm({1, 1'048'576}),
                {{"inca::SlotProgram::Slots", "inca::SlotClient::Slots"}, PlainAttribute}),
        FieldOf(&SlotSettings::valuesPerPacket,
                {"switch.values_per_packet",
                 "values_per_packet",
                 "of a slot; 4 bytes each, or as many as the adder's type has"},
                WholeForm({1, 16'384}),
                {{"inca::SlotProgram::ValuesPerPacket", "inca::SlotClient::ValuesPerPacket"},
                 PlainAttribute}),
        FieldOf(&SlotSettings::valuesPerSecond,
                {"switch.adder_rate",
                 "adder_rate_values_per_s",
                 "values that one switch adds per second"},
                RateForm(g_valueRate, "none"),
                {{"inca::SlotProgram::AdderRate"}, ValueRateAttribute}),
        FieldOf(&SlotSettings::memoryBytes,
                {"switch.memory", "switch_memory_bytes", "of one switch, for its slots"},
                QuantityForm(g_byteCount, {1, 1ULL << 40U}),
                {{"inca::SlotProgram::Memory"}, ByteAttribute}),
        FieldOf(&SlotSettings::adder,
                {"switch.adder",
                 "adder",
                 "the numbers that a switch adds; fp8-fp16: e4m3 up, fp16 down"},
                NameForm(AdderNames()),
                {{"inca::SlotProgram::Adder", "inca::SlotClient::Adder"}, PlainAttribute}),
        FieldOf(
            &SlotSettings::scaling,
            {"switch.scaling",
             "scaling",
             "of integers: by the largest exponent of each block (homomorphic: bucket), or fixed"},
            NameForm({"block", "fixed"}),
            {{"inca::SlotClient::Scaling"}, PlainAttribute},
            WhyNoScaling),
        FieldOf(&SlotSettings::fixedExponent,
                {"switch.fixed_exponent",
                 "fixed_exponent",
                 "e of fixed scaling: 2^e is the largest value; what is larger is clamped to it"},
                SignedForm(ofNormalValues),
                {{"inca::SlotClient::FixedExponent"}, PlainAttribute},
                WhyNoFixedExponent),
        FieldOf(&SlotSettings::timeoutPs,
                {"switch.timeout",
                 "switch_timeout_us",
                 "until a packet whose sum has not come is sent again"},
                QuantityForm(g_microTime, {1'000, 1'000'000'000'000'000}),
                {{"inca::SlotClient::Timeout"}, TimeAttribute}),
        FieldOf(&SlotSettings::doubleAfter,
                {"switch.double_after",
                 "timeout_double_after",
                 "a worker's timeouts in one sum after which its timeout doubles; 0: never"},
                WholeForm({0, 1'000'000}),
                {{"inca::SlotClient::DoubleAfter"}, PlainAttribute}),
        FieldOf(&SlotSettings::headerBytes,
                {"switch.header_bytes",
                 "switch_header_bytes",
                 "before the values in a packet, behind Ethernet: IPv4's 20, UDP's 8 and 16 of the "
                 "program"},
                WholeForm({1, 64}),
                {{"inca::AggregationClient::HeaderBytes", "inca::AggregationProgram::HeaderBytes"},
                 PlainAttribute})};
    fields[6].setting.ofValues = true;
    return fields;
}

const std::vector<Field>&
Fields()
{
    static const auto fields = MakeFields();
    return fields;
}

class SlotScheme : public AggregationScheme
{
  public:
    SlotScheme(const SchemeSpec& spec,
               std::uint64_t copies,
               std::optional<NetworkReduction> reduction)
        : m_spec(spec),
          m_settings(ReadSlotSettings(spec.values)),
          m_adder(AdderNamed(m_settings.adder)),
          m_copies(copies),
          m_reduction(std::move(reduction))
    {
    }

    std::uint64_t Slots() const override
    {
        return m_settings.slots;
    }

    NetworkReduction Reduction(const std::optional<WordSum>& words) const override
    {
        if (m_reduction && !words)
        {
            return *m_reduction;
        }
        const auto [adder, fixedExponent] = Numbers();
        const auto perPacket = static_cast<std::uint32_t>(m_settings.valuesPerPacket);
        return MakeNetworkReduction({m_spec.workers, adder, fixedExponent, perPacket, words});
    }

    SwitchNumbers Numbers() const override
    {
        SwitchNumbers numbers{m_adder};
        if (m_adder.isExact && m_settings.scaling == "fixed")
        {
            numbers.fixedExponent = static_cast<std::int16_t>(m_settings.fixedExponent);
        }
        return numbers;
    }

    /** Integers are rounded to multiples of W * 2^e / 2^31, or of 2^e / floor(largest / W), by half of one at most. */
    std::string Loss() const override
    {
        constexpr int wordBits = 32;
        const auto fixedExponent = Numbers().fixedExponent;
        const auto& type = *m_adder.term;
        if (m_reduction || m_adder == WordSum::FP32)
        {
            return "";
        }
        if (!m_adder.isExact)
        {
            return Text("2^", std::ilogb(type.unitRoundoff), " of a value") +
                   (type.saturates ? Text(", and what is above ", type.largest)
                                   : " and of each sum");
        }
        const auto* const of = fixedExponent ? ", whatever the value" : " of a block's largest";
        if (!m_adder.IsWide())
        {
            const auto one = fixedExponent ? Text("2^", *fixedExponent) : "1";
            return Text(one, "/", 2 * (type.largestInteger / std::int64_t{m_spec.workers}), of);
        }
        const int roomBits = static_cast<int>(std::ceil(std::log2(m_spec.workers)));
        return Text("2^", roomBits - wordBits + fixedExponent.value_or(0), of);
    }

    std::vector<KeyComplaint> Complaints() const override
    {
        std::vector<KeyComplaint> found;
        ComplainOfPackets(found);
        ComplainOfMemory(found);
        ComplainOfSequences(found);
        ComplainOfAdder(found);
        return found;
    }

    /** A worker sends its own part, and gets those of the others. */
    SumTraffic TrafficOf(const ReductionCounts& sums) const override
    {
        SumTraffic all;
        for (const auto& [sum, count] : sums)
        {
            const auto packets = PacketsOf(sum);
            const std::uint64_t workers = m_spec.workers;
            const auto one = TrafficIf(sum, packets / workers, (packets + workers - 1) / workers);
            all.frames += count * one.frames;
            all.wireBytes += count * one.wireBytes;
            all.gotBytes += count * one.gotBytes;
        }
        return all;
    }

    /** A slot's packets wait for each other; the first sums tell the exponents of the first packets. */
    SumChain LongestChain(const ReductionCounts& sums) const override
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
            chain.payloadBytes =
                std::max(chain.payloadBytes,
                         std::min(words, perPacket) * (m_adder.term->bytes + m_adder.sum->bytes));
        }
        for (std::uint32_t sequence = 0; sequence < m_spec.sequences; ++sequence)
        {
            const auto slots = SlotsOfSequence(m_settings.slots, m_spec.sequences, sequence);
            chain.frames = std::max(chain.frames, (packets[sequence] + slots - 1) / slots);
        }
        chain.frameWireBytes = FrameBytes(*m_adder.term);
        chain.sumWireBytes = FrameBytes(*m_adder.sum);
        chain.emptyFrames = prologues > 0 ? 1 : 0;
        chain.emptyWireBytes = EmptyBytes();
        return chain;
    }

    std::uint64_t AddedValuesPerSecond() const override
    {
        return m_settings.valuesPerSecond;
    }

    std::optional<std::uint64_t> SlotsNeeded(const SummingNetwork& network,
                                             const ReductionCounts& sums) const override
    {
        const auto framePs = SerialisationPs(FrameBytes(*m_adder.term), network.bitsPerSecond);
        const auto sumPs = SerialisationPs(FrameBytes(*m_adder.sum), network.bitsPerSecond);
        const std::int64_t levels{network.levels};
        const auto linksPs = 2 * levels * (network.linkLatencyPs + sumPs) - sumPs + framePs;
        const auto roundTripPs = linksPs + (2 * levels - 1) * network.switchLatencyPs;
        const auto meanPs = MeanFramePs(network, sums);
        const auto ofRoundTrip = static_cast<std::uint64_t>((roundTripPs + meanPs - 1) / meanPs);
        return std::min(ofRoundTrip * m_spec.sequences, PacketsOf(sums));
    }

    std::vector<std::string> WarningsFor(const SummingNetwork& network,
                                         const ReductionCounts& sums) const override
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
        const auto onTheWay = FrameBytes(*m_adder.sum) * m_settings.slots;
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
            warnings.push_back(
                Text("switch.timeout: ",
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

    std::vector<std::string> WarningsAfter(const SumsSeen& seen) const override
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
            warnings.push_back(Text(
                "switch.timeout: ",
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
            warnings.push_back(
                m_adder.isExact
                    ? Text("switch.fixed_exponent: ",
                           seen.clampedValues,
                           " values did not fit its scale, or are no numbers: they were clamped")
                    : Text("switch.adder: ",
                           seen.clampedValues,
                           " values are beyond the largest of ",
                           m_adder.name,
                           "'s terms, ",
                           m_adder.term->largest,
                           ", or are no numbers"));
        }
        return warnings;
    }

  private:
    /** With that, cluster.buffer holds the frame as well: it holds the largest that the MTU allows. */
    void ComplainOfPackets(std::vector<KeyComplaint>& complaints) const
    {
        const auto values = m_settings.valuesPerPacket;
        const auto valueBytes = m_adder.sum->bytes;
        const auto bytes = m_settings.headerBytes + values * valueBytes;
        if (bytes > m_spec.mtu)
        {
            const auto most = (m_spec.mtu - m_settings.headerBytes) / valueBytes;
            complaints.push_back({"switch.values_per_packet",
                                  Text(values,
                                       " values make an IP packet of ",
                                       m_settings.headerBytes,
                                       " + ",
                                       valueBytes,
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

    void ComplainOfMemory(std::vector<KeyComplaint>& complaints) const
    {
        const auto slots = m_settings.slots;
        const auto slotBytes = m_copies * m_settings.valuesPerPacket * m_adder.sum->bytes;
        const auto memory = m_settings.memoryBytes;
        if (slots * slotBytes > memory)
        {
            complaints.push_back(
                {"switch.slots",
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

    void ComplainOfSequences(std::vector<KeyComplaint>& complaints) const
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
                 {{"switch.slots", std::to_string(m_spec.sequences)},
                  {"exchange.concurrent", "1"}}});
        }
    }

    void ComplainOfAdder(std::vector<KeyComplaint>& complaints) const
    {
        const std::int64_t largest = m_adder.sum->largestInteger;
        if (m_adder.isExact && !m_reduction && m_spec.workers > largest)
        {
            complaints.push_back(
                {"switch.adder",
                 Text(m_adder.name, " holds sums up to ", largest, ": of ", m_spec.workers) +
                     " workers each may add less than 1; wider adders, or fewer workers, help",
                 {"exchange.algorithm", "cluster.workers"},
                 {{"switch.adder", "int32"}, {"cluster.workers", std::to_string(largest)}}});
        }
        if (!m_adder.IsWide() && m_spec.sharesOut)
        {
            complaints.push_back(
                {"switch.adder",
                 std::string(
                     "must be int32, int32-saturating or fp32 with training.sharding, got ") +
                     m_adder.name + ": slots of fewer than 4 bytes a value cannot hand on weights",
                 {"exchange.algorithm", "training.sharding"},
                 {{"switch.adder", "fp32"}, {"training.sharding", "none"}}});
        }
    }

    /** That packets of this phase have for themselves. */
    std::uint64_t SlotsOf(SumPhase phase) const
    {
        return SlotsOfSequence(
            m_settings.slots, m_spec.sequences, SequenceOf(phase, m_spec.sequences));
    }

    /** Whether packets tell the exponents of later ones, so that some without values go ahead. */
    bool HasExponents() const
    {
        return m_adder.isExact && m_settings.scaling == "block" && !m_spec.wordsAsTheyAre;
    }

    /** Of a packet with values of @p type, on the wire. */
    std::uint64_t FrameBytes(const WordType& type) const
    {
        return FrameWireBytes(m_settings.headerBytes + type.bytes * m_settings.valuesPerPacket);
    }

    /** Of one without them. */
    std::uint64_t EmptyBytes() const
    {
        return FrameWireBytes(m_settings.headerBytes);
    }

    std::uint64_t BytesOf(const WordType& type, std::uint64_t full, std::uint64_t empty) const
    {
        return full * FrameBytes(type) + empty * EmptyBytes();
    }

    std::uint64_t PerPacket(const ReductionSize& sum) const
    {
        return m_settings.valuesPerPacket * sum.perWord;
    }

    /** Packets that tell exponents ahead; what is not added needs none. */
    std::uint64_t PrologueOf(const ReductionSize& sum) const
    {
        const bool adds = sum.phase != SumPhase::ALL_GATHER;
        return adds && HasExponents() ? std::min(SlotsOf(sum.phase), PacketsOf(sum)) : 0;
    }

    /** @param least packets of somebody's part @param most of them */
    SumTraffic TrafficIf(const ReductionSize& sum, std::uint64_t least, std::uint64_t most) const
    {
        const auto packets = PacketsOf(sum);
        const auto prologue = PrologueOf(sum);
        const auto& term = *m_adder.term;
        const auto& sums = *m_adder.sum;
        SumTraffic traffic{
            packets + prologue, BytesOf(term, packets, prologue), BytesOf(sums, packets, prologue)};
        if (sum.phase == SumPhase::REDUCE_SCATTER)
        {
            traffic.gotBytes = BytesOf(sums, least, packets - least + prologue);
        }
        if (sum.phase == SumPhase::ALL_GATHER)
        {
            traffic.wireBytes = BytesOf(term, least, packets - least);
            traffic.gotBytes = BytesOf(sums, packets - most, most);
        }
        return traffic;
    }

    /** Of those that follow each other fastest: an owner gets none of the words that it hands to all. */
    std::int64_t MeanFramePs(const SummingNetwork& network, const ReductionCounts& sums) const
    {
        const auto framePs = SerialisationPs(FrameBytes(*m_adder.sum), network.bitsPerSecond);
        const auto emptyPs = SerialisationPs(EmptyBytes(), network.bitsPerSecond);
        const bool gathers = std::any_of(sums.begin(), sums.end(), [](const auto& sum) {
            return sum.first.phase == SumPhase::ALL_GATHER;
        });
        const std::int64_t workers{m_spec.workers};
        return gathers ? ((workers - 1) * framePs + emptyPs) / workers : framePs;
    }

    /** What a worker's packets wait for at most: all slots' weights before its link. */
    std::int64_t GatherPs(const SummingNetwork& network, const ReductionCounts& sums) const
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

    /** With values. */
    std::uint64_t PacketsOf(const ReductionSize& sum) const
    {
        const auto perPacket = PerPacket(sum);
        return sum.phase == SumPhase::ALL_REDUCE
                   ? (sum.words + perPacket - 1) / perPacket
                   : BlockPackets(sum.words, m_spec.workers, perPacket).Count();
    }

    /** With values, of an iteration. */
    std::uint64_t PacketsOf(const ReductionCounts& sums) const
    {
        std::uint64_t packets = 0;
        for (const auto& [sum, count] : sums)
        {
            packets += count * PacketsOf(sum);
        }
        return packets;
    }

    SchemeSpec m_spec;
    SlotSettings m_settings;
    WordSum m_adder;
    std::uint64_t m_copies;
    std::optional<NetworkReduction> m_reduction;
};

} // namespace

SlotSettings
ReadSlotSettings(const SettingValues& values)
{
    SlotSettings settings;
    for (const auto& field : Fields())
    {
        field.read(values, settings);
    }
    return settings;
}

std::vector<Setting>
SlotSchemeSettings()
{
    std::vector<Setting> settings;
    for (const auto& field : Fields())
    {
        settings.push_back(field.setting);
    }
    return settings;
}

std::unique_ptr<AggregationScheme>
MakeSlotScheme(const SchemeSpec& spec,
               std::uint64_t copies,
               std::optional<NetworkReduction> reduction)
{
    return std::make_unique<SlotScheme>(spec, copies, std::move(reduction));
}

} // namespace inca
