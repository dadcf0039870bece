/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-scheme.h"

#include "base/state-visitor.h"
#include "base/text.h"
#include "base/units.h"

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

/** A key, and how its value gets into a SlotFormat. */
struct Field
{
    Setting setting;
    std::function<void(const SettingValues&, SlotFormat&)> read;
};

template <class Value, class Member>
Field
FieldOf(Member SlotFormat::*member,
        SettingWords words,
        const ValueForm<Value>& form,
        SettingAttributes attributes,
        Idle idle = {})
{
    SettingOf<Value> typed(words, form, static_cast<Value>(SlotFormat().*member));
    typed.setting.attributes = std::move(attributes);
    typed.setting.idle = std::move(idle);
    return {typed.setting, [typed, member](const SettingValues& values, SlotFormat& format) {
                format.*member = static_cast<Member>(typed.In(values));
            }};
}

/** Makes a form of values that have names, from one of @p names. */
template <class Value>
ValueForm<Value>
NamedForm(const std::vector<std::string>& names,
          Value (*named)(const std::string& name),
          std::string (*nameOf)(const Value& value))
{
    const auto form = NameForm(names);
    const auto parse = [form, named](std::string_view text) { return named(form.parse(text)); };
    return {form.type, form.values, parse, nameOf, nameOf};
}

std::string
WhyNoScaling(const SettingValues& values)
{
    const auto adder = ReadSlotFormat(values).adder;
    return adder.isExact ? "" : Text("switch.adder is ", adder.name);
}

std::string
WhyNoFixedExponent(const SettingValues& values)
{
    const auto nothing = WhyNoScaling(values);
    return nothing.empty() && !ReadSlotFormat(values).isFixed
               ? Text("switch.scaling is ", SCALING_NAMES[0])
               : nothing;
}

std::vector<Field>
MakeFields()
{
    constexpr ValueRange<std::int64_t> ofNormalValues{-126, 127};
    std::vector<Field> fields{
        FieldOf(&SlotFormat::slots,
                {"switch.slots", "slots", "of a switch's pool, each with a second copy"},
                WholeForm({1, MOST_SLOTS}),
                {{"inca::SlotProgram::Slots", "inca::SlotClient::Slots"}, PlainAttribute}),
        FieldOf(&SlotFormat::valuesPerPacket,
                {"switch.values_per_packet",
                 "values_per_packet",
                 "of a slot; 4 bytes each, or as many as the adder's type has"},
                WholeForm({1, 16'384}),
                {{"inca::SlotProgram::ValuesPerPacket", "inca::SlotClient::ValuesPerPacket"},
                 PlainAttribute}),
        FieldOf(&SlotFormat::valuesPerSecond,
                {"switch.adder_rate",
                 "adder_rate_values_per_s",
                 "values that one switch adds per second"},
                RateForm(g_valueRate, "none"),
                {{"inca::SlotProgram::AdderRate"}, ValueRateAttribute}),
        FieldOf(&SlotFormat::memoryBytes,
                {"switch.memory", "switch_memory_bytes", "of one switch, for its slots"},
                QuantityForm(g_byteCount, {1, 1ULL << 40U}),
                {{"inca::SlotProgram::Memory"}, ByteAttribute}),
        FieldOf(&SlotFormat::adder,
                {"switch.adder",
                 "adder",
                 "the numbers that a switch adds; fp8-fp16: e4m3 up, fp16 down"},
                NamedForm<WordSum>(
                    AdderNames(),
                    [](const std::string& name) { return AdderNamed(name); },
                    [](const WordSum& adder) { return std::string(adder.name); }),
                {{"inca::SlotProgram::Adder", "inca::SlotClient::Adder"}, PlainAttribute}),
        FieldOf(
            &SlotFormat::isFixed,
            {"switch.scaling",
             "scaling",
             "of integers: by the largest exponent of each block (homomorphic: bucket), or fixed"},
            NamedForm<bool>(
                {SCALING_NAMES.begin(), SCALING_NAMES.end()},
                [](const std::string& name) { return name == SCALING_NAMES[1]; },
                [](const bool& isFixed) { return std::string(SCALING_NAMES[isFixed]); }),
            {{"inca::SlotClient::Scaling"}, PlainAttribute},
            WhyNoScaling),
        FieldOf(&SlotFormat::fixedExponent,
                {"switch.fixed_exponent",
                 "fixed_exponent",
                 "e of fixed scaling: 2^e is the largest value; what is larger is clamped to it"},
                SignedForm(ofNormalValues),
                {{"inca::SlotClient::FixedExponent"}, PlainAttribute},
                WhyNoFixedExponent),
        FieldOf(&SlotFormat::timeoutPs,
                {"switch.timeout",
                 "switch_timeout_us",
                 "until a packet whose sum has not come is sent again"},
                QuantityForm(g_microTime, {1'000, 1'000'000'000'000'000}),
                {{"inca::SlotClient::Timeout"}, TimeAttribute}),
        FieldOf(&SlotFormat::doubleAfter,
                {"switch.double_after",
                 "timeout_double_after",
                 "a worker's timeouts in one sum after which its timeout doubles; 0: never"},
                WholeForm({0, 1'000'000}),
                {{"inca::SlotClient::DoubleAfter"}, PlainAttribute}),
        FieldOf(&SlotFormat::headerBytes,
                {"switch.header_bytes",
                 "switch_header_bytes",
                 "before the values in a packet, behind Ethernet: IPv4's 20, UDP's 8 and 16 of the "
                 "program"},
                WholeForm({1, 64}),
                {{"inca::AggregationClient::HeaderBytes", "inca::AggregationProgram::HeaderBytes"},
                 PlainAttribute})};
    for (auto& field : fields)
    {
        field.setting.ofFrames =
            field.setting.key == "switch.timeout" || field.setting.key == "switch.double_after";
    }
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
          m_format(ReadSlotFormat(spec.values)),
          m_reduction(std::move(reduction))
    {
        m_format.workers = spec.workers;
        m_format.sequences = spec.sequences;
        m_format.copies = copies;
    }

    std::uint64_t Slots() const override
    {
        return m_format.slots;
    }

    NetworkReduction Reduction(const std::optional<WordSum>& words) const override
    {
        if (m_reduction && !words)
        {
            return *m_reduction;
        }
        const auto [adder, fixedExponent] = Numbers();
        const auto perPacket = static_cast<std::uint32_t>(m_format.valuesPerPacket);
        return MakeNetworkReduction({m_spec.workers, adder, fixedExponent, perPacket, words});
    }

    SwitchNumbers Numbers() const override
    {
        return {m_format.adder, m_format.FixedExponent()};
    }

    /** Integers are rounded to multiples of W * 2^e / 2^31, or of 2^e / floor(largest / W), by half of one at most. */
    std::string Loss() const override
    {
        constexpr int wordBits = 32;
        const auto fixedExponent = Numbers().fixedExponent;
        const auto& type = *m_format.adder.term;
        if (m_reduction || m_format.adder == WordSum::FP32)
        {
            return "";
        }
        if (!m_format.adder.isExact)
        {
            return Text("2^", std::ilogb(type.unitRoundoff), " of a value") +
                   (type.saturates ? Text(", and what is above ", type.largest)
                                   : " and of each sum");
        }
        const auto* const of = fixedExponent ? ", whatever the value" : " of a block's largest";
        if (!m_format.adder.IsWide())
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
            const auto frames = PacketsOf(sum) + m_format.PrologueOf(sum, m_spec.wordsAsTheyAre);
            const auto [sent, got] = FewestOf(sum);
            all.frames += count * frames;
            all.wireBytes += count * BytesOf(*m_format.adder.term, sent, frames - sent);
            all.gotBytes += count * BytesOf(*m_format.adder.sum, got, frames - got);
        }
        return all;
    }

    std::uint64_t AddedValuesPerSecond() const override
    {
        return m_format.valuesPerSecond;
    }

    std::optional<std::uint64_t> SlotsNeeded(const SummingNetwork& network,
                                             const ReductionCounts& sums) const override
    {
        const auto framePs =
            SerialisationPs(m_format.FrameBytes(*m_format.adder.term), network.bitsPerSecond);
        const auto sumPs =
            SerialisationPs(m_format.FrameBytes(*m_format.adder.sum), network.bitsPerSecond);
        const std::int64_t levels{network.levels};
        const auto linksPs = 2 * levels * (network.linkLatencyPs + sumPs) - sumPs + framePs;
        const auto roundTripPs = linksPs + (2 * levels - 1) * network.switchLatencyPs;
        const auto meanPs = MeanFramePs(network, sums);
        const auto ofRoundTrip = static_cast<std::uint64_t>((roundTripPs + meanPs - 1) / meanPs);
        std::uint64_t packets = 0;
        for (const auto& [sum, count] : sums)
        {
            packets += count * PacketsOf(sum);
        }
        return std::min(ofRoundTrip * m_spec.sequences, packets);
    }

    std::vector<std::string> WarningsFor(const SummingNetwork& network,
                                         const ReductionCounts& sums) const override
    {
        std::vector<std::string> warnings;
        const auto link = Text("a link of ", HumanBitRate(network.bitsPerSecond));
        const auto needed = *SlotsNeeded(network, sums);
        if (needed > m_format.slots)
        {
            warnings.push_back(Text("switch.slots: ", m_format.slots, " slots cannot fill ", link) +
                               Text(" over this latency; it takes about ", needed));
        }
        const auto onTheWay = m_format.FrameBytes(*m_format.adder.sum) * m_format.slots;
        if (network.bufferBytes < onTheWay)
        {
            warnings.push_back(
                Text("cluster.buffer: ", g_byteCount.Format(network.bufferBytes)) +
                Text(" hold less than the ", HumanBytes(onTheWay), " that a worker's slots may ") +
                "have on their way: packets may be dropped");
        }
        const auto gatherPs = GatherPs(network, sums);
        if (gatherPs > m_format.timeoutPs)
        {
            const auto timeout = FormatPicoseconds(m_format.timeoutPs);
            const auto packets = m_format.SlotsOf(SumPhase::ALL_GATHER);
            warnings.push_back(
                Text("switch.timeout: ", timeout, " are shorter than the ") +
                Text(FormatPicoseconds(gatherPs), " that ", packets, " packets of weights may ") +
                Text("wait before ", link, ": they are asked for again; fewer switch.slots wait ") +
                Text("for less (", needed, " fill the link)"));
        }
        return warnings;
    }

    std::vector<std::string> WarningsAfter(const SumStats& seen) const override
    {
        std::vector<std::string> warnings;
        for (const auto& [name, dropped, slots] : seen.fullSwitches)
        {
            warnings.push_back(Text(name, ": ", dropped, " packets found none of its ", slots) +
                               " slots free: its workers use more");
        }
        if (seen.repeatedFrames > 0 && seen.lostFrames == 0)
        {
            const auto timeout = FormatPicoseconds(m_format.timeoutPs);
            warnings.push_back(
                Text("switch.timeout: ", seen.repeatedFrames, " packets were sent again, though ") +
                Text("none was lost: ", timeout, " is shorter than a round trip, queues included") +
                (seen.startedTogether ? ""
                                      : ", or than workers wait for each other (exchange.start = "
                                        "\"together\" lets them begin at once)"));
        }
        if (seen.clampedValues > 0)
        {
            const auto& adder = m_format.adder;
            const auto values = Text(seen.clampedValues, " values ");
            warnings.push_back(
                adder.isExact
                    ? Text("switch.fixed_exponent: ", values, "did not fit its scale, or are no ") +
                          "numbers: they were clamped"
                    : Text("switch.adder: ", values, "are beyond the largest of ", adder.name) +
                          Text("'s terms, ", adder.term->largest, ", or are no numbers"));
        }
        return warnings;
    }

  private:
    /** With that, cluster.buffer holds the frame as well: it holds the largest that the MTU allows. */
    void ComplainOfPackets(std::vector<KeyComplaint>& complaints) const
    {
        const auto bytes = m_format.PacketBytes(*m_format.adder.sum);
        if (bytes > m_spec.mtu)
        {
            complaints.push_back(
                {"switch.values_per_packet",
                 Text(m_format.PacketText(), ", cluster.mtu is ", m_spec.mtu),
                 {"exchange.algorithm", "cluster.mtu"},
                 {{"switch.values_per_packet", std::to_string(m_format.MostValues(m_spec.mtu))},
                  {"cluster.mtu", std::to_string(bytes)}}});
        }
    }

    void ComplainOfMemory(std::vector<KeyComplaint>& complaints) const
    {
        const auto memory = m_format.memoryBytes;
        if (m_format.UsedBytes() > memory)
        {
            complaints.push_back(
                {"switch.slots",
                 Text(m_format.MemoryText(), ", switch.memory is ", g_byteCount.Format(memory)),
                 {"exchange.algorithm", "switch.values_per_packet", "switch.memory"},
                 {{"switch.slots", std::to_string(memory / m_format.SlotBytes())},
                  {"switch.memory", g_byteCount.Format(m_format.UsedBytes())}}});
        }
    }

    void ComplainOfSequences(std::vector<KeyComplaint>& complaints) const
    {
        if (m_format.slots < m_spec.sequences)
        {
            complaints.push_back(
                {"switch.slots",
                 Text("must be at least ",
                      m_spec.sequences,
                      ", got ",
                      m_format.slots,
                      ": what is added and what is handed on at the same time have a half of the "
                      "slots each"),
                 {"training.sharding",
                  "exchange.concurrent",
                  "exchange.communicators",
                  "group.node.algorithm"},
                 {{"switch.slots", std::to_string(m_spec.sequences)}}});
        }
    }

    void ComplainOfAdder(std::vector<KeyComplaint>& complaints) const
    {
        const std::int64_t largest = m_format.adder.sum->largestInteger;
        if (m_spec.adds && m_format.adder.isExact && !m_reduction && m_spec.workers > largest)
        {
            complaints.push_back(
                {"switch.adder",
                 Text(m_format.adder.name, " holds sums up to ", largest, ": of ", m_spec.workers) +
                     " workers each may add less than 1; wider adders, or fewer workers, help",
                 {"exchange.algorithm", "cluster.workers"},
                 {{"switch.adder", "int32"}, {"cluster.workers", std::to_string(largest)}}});
        }
        if (m_format.adder.term->bytes != m_format.adder.sum->bytes && m_spec.handsOn)
        {
            complaints.push_back(
                {"switch.adder",
                 std::string("must not be ") + m_format.adder.name +
                     " where switches hand on what workers have: it has packets of one size up, "
                     "and of another down",
                 {"exchange.algorithm", "training.sharding", "group.node.algorithm"},
                 {{"switch.adder", "fp16"}, {"training.sharding", "none"}}});
        }
    }

    std::uint64_t BytesOf(const WordType& type, std::uint64_t full, std::uint64_t empty) const
    {
        return full * m_format.FrameBytes(type) + empty * m_format.EmptyFrameBytes();
    }

    /** @return packets with values that the worker sends who sends fewest of them, and that the one gets who gets fewest */
    std::pair<std::uint64_t, std::uint64_t> FewestOf(const ReductionSize& sum) const
    {
        const auto packets = PacketsOf(sum);
        const auto leastOfBlock = packets / m_spec.workers;
        const auto mostOfBlock = (packets + m_spec.workers - 1) / m_spec.workers;
        switch (sum.phase)
        {
        case SumPhase::REDUCE_SCATTER:
            return {packets / sum.oneIn, leastOfBlock};
        case SumPhase::ALL_GATHER:
            return {leastOfBlock, (packets - mostOfBlock) / sum.oneIn};
        default:
            return {packets, packets};
        }
    }

    /** Of those that follow each other fastest: an owner gets none of the words that it hands to all. */
    std::int64_t MeanFramePs(const SummingNetwork& network, const ReductionCounts& sums) const
    {
        const auto framePs =
            SerialisationPs(m_format.FrameBytes(*m_format.adder.sum), network.bitsPerSecond);
        const auto emptyPs = SerialisationPs(m_format.EmptyFrameBytes(), network.bitsPerSecond);
        const auto gathered = std::find_if(sums.begin(), sums.end(), [](const auto& sum) {
            return sum.first.phase == SumPhase::ALL_GATHER;
        });
        const std::int64_t oneIn{sums.empty() ? 1 : sums.begin()->first.oneIn}; // the same of all
        const std::int64_t blocks{gathered == sums.end() ? 1 : m_spec.workers};
        const auto full = gathered == sums.end() ? 1 : blocks - 1; // with words, where all get them
        return (full * framePs + (blocks * oneIn - full) * emptyPs) / (blocks * oneIn);
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
            static_cast<std::int64_t>(std::min(packets, m_format.SlotsOf(SumPhase::ALL_GATHER)));
        return onTheWay * MeanFramePs(network, sums);
    }

    /** With values. */
    std::uint64_t PacketsOf(const ReductionSize& sum) const
    {
        return m_format.PacketsOf(sum).Count();
    }

    SchemeSpec m_spec;
    SlotFormat m_format;
    std::optional<NetworkReduction> m_reduction;
};

} // namespace

SlotFormat
ReadSlotFormat(const SettingValues& values)
{
    SlotFormat format;
    for (const auto& field : Fields())
    {
        field.read(values, format);
    }
    return format;
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
