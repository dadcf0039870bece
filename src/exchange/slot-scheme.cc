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

/** @return @p typed, which sets @p attributes and cannot matter for the reason that @p idle gives */
template <class Value>
SettingOf<Value>
With(SettingAttributes attributes,
     std::function<std::string(const SettingValues&)> idle,
     SettingOf<Value> typed)
{
    typed.setting.attributes = std::move(attributes);
    typed.setting.idle = std::move(idle);
    return typed;
}

template <class Value>
SettingOf<Value>
With(SettingAttributes attributes, SettingOf<Value> typed)
{
    return With(std::move(attributes), {}, std::move(typed));
}

std::string WhyNoScaling(const SettingValues& values);
std::string WhyNoFixedExponent(const SettingValues& values);

using Whole = SettingOf<std::uint64_t>;
using Signed = SettingOf<std::int64_t>;
using Name = SettingOf<std::string>;

/** What a switch's pool is made of, and what bounds it. @{ */
const Whole&
Slots()
{
    static const auto setting =
        With({{"inca::SlotProgram::Slots", "inca::SlotClient::Slots"}, g_wholeAttribute},
             Whole({"switch.slots", "slots", "of a switch's pool, each with a second copy"},
                   WholeForm({1, 1'048'576}),
                   SlotSettings().slots));
    return setting;
}

const Whole&
ValuesPerPacket()
{
    static const auto setting =
        With({{"inca::SlotProgram::ValuesPerPacket", "inca::SlotClient::ValuesPerPacket"},
              g_wholeAttribute},
             Whole({"switch.values_per_packet", "values_per_packet", "of a slot; 4 bytes each"},
                   WholeForm({1, 16'384}),
                   SlotSettings().valuesPerPacket));
    return setting;
}

const Whole&
AdderRate()
{
    static const auto setting = With({{"inca::SlotProgram::AdderRate"}, g_valueRateAttribute},
                                     Whole({"switch.adder_rate",
                                            "adder_rate_values_per_s",
                                            "values that one switch adds per second"},
                                           RateForm(g_valueRate, "none"),
                                           SlotSettings().valuesPerSecond));
    return setting;
}

const Whole&
Memory()
{
    static const auto setting =
        With({{"inca::SlotProgram::Memory"}, g_byteAttribute},
             Whole({"switch.memory", "switch_memory_bytes", "of one switch, for its slots"},
                   QuantityForm(g_byteCount, {1, 1ULL << 40U}),
                   SlotSettings().memoryBytes));
    return setting;
}

/** @} */

/** How values become what a switch can add. @{ */
const Name&
Adder()
{
    static const auto setting =
        With({{"inca::SlotProgram::Adder", "inca::SlotClient::Adder"}, g_nameAttribute},
             Name({"switch.adder", "adder", "the numbers that a switch adds"},
                  NameForm(AdderNames()),
                  SlotSettings().adder));
    return setting;
}

const Name&
Scaling()
{
    static const auto setting =
        With({{"inca::SlotClient::Scaling"}, g_nameAttribute},
             WhyNoScaling,
             Name({"switch.scaling",
                   "scaling",
                   "of int32: by the largest exponent of each block (homomorphic: bucket), or "
                   "fixed"},
                  NameForm({"block", "fixed"}),
                  SlotSettings().scaling));
    return setting;
}

Signed
MakeFixedExponent()
{
    constexpr ValueRange<std::int64_t> ofNormalValues{-126, 127};
    Signed typed({"switch.fixed_exponent",
                  "fixed_exponent",
                  "e of fixed scaling: 2^e is the largest value; what is larger is clamped to it"},
                 SignedForm(ofNormalValues),
                 SlotSettings().fixedExponent);
    typed.setting.ofValues = true;
    return With({{"inca::SlotClient::FixedExponent"}, g_wholeAttribute},
                WhyNoFixedExponent,
                std::move(typed));
}

const Signed&
FixedExponent()
{
    static const auto setting = MakeFixedExponent();
    return setting;
}

std::string
WhyNoScaling(const SettingValues& values)
{
    return Adder().In(values) == "fp32" ? "switch.adder is fp32" : "";
}

std::string
WhyNoFixedExponent(const SettingValues& values)
{
    const auto nothing = WhyNoScaling(values);
    const auto scaling = Scaling().In(values);
    return nothing.empty() && scaling != "fixed" ? "switch.scaling is " + scaling : nothing;
}

/** @} */

/** When a worker sends a packet again. @{ */
const Whole&
Timeout()
{
    static const auto setting = With({{"inca::SlotClient::Timeout"}, g_timeAttribute},
                                     Whole({"switch.timeout",
                                            "switch_timeout_us",
                                            "until a packet whose sum has not come is sent again"},
                                           QuantityForm(g_microTime, {1, 1'000'000'000'000'000}),
                                           static_cast<std::uint64_t>(SlotSettings().timeoutPs)));
    return setting;
}

const Whole&
DoubleAfter()
{
    static const auto setting =
        With({{"inca::SlotClient::DoubleAfter"}, g_wholeAttribute},
             Whole({"switch.double_after",
                    "timeout_double_after",
                    "a worker's timeouts in one sum after which its timeout doubles; 0: never"},
                   WholeForm({0, 1'000'000}),
                   SlotSettings().doubleAfter));
    return setting;
}

/** @} */

} // namespace

SlotSettings
ReadSlotSettings(const SettingValues& values)
{
    SlotSettings settings;
    settings.slots = Slots().In(values);
    settings.valuesPerPacket = ValuesPerPacket().In(values);
    settings.valuesPerSecond = AdderRate().In(values);
    settings.memoryBytes = Memory().In(values);
    settings.adder = Adder().In(values);
    settings.scaling = Scaling().In(values);
    settings.fixedExponent = FixedExponent().In(values);
    settings.timeoutPs = static_cast<std::int64_t>(Timeout().In(values));
    settings.doubleAfter = DoubleAfter().In(values);
    return settings;
}

std::vector<Setting>
SlotSchemeSettings()
{
    return {Slots().setting,
            ValuesPerPacket().setting,
            AdderRate().setting,
            Memory().setting,
            Adder().setting,
            Scaling().setting,
            FixedExponent().setting,
            Timeout().setting,
            DoubleAfter().setting};
}

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
                                   m_spec.mtu,
                                   "; ",
                                   most,
                                   " values fit"),
                              {"exchange.algorithm", "cluster.mtu"}});
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
                                   FormatBytes(memory),
                                   "; ",
                                   memory / slotBytes,
                                   " slots fit"),
                              {"exchange.algorithm", "switch.values_per_packet", "switch.memory"}});
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
