/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "base/word-sum.h"
#include "scenario/key-makers.h"
#include "scenario/specs.h"

namespace inca
{

namespace
{

constexpr KeyRange<std::uint64_t> g_latency{0, 1'000'000'000'000};
constexpr KeyRange<std::uint64_t> g_slots{1, 1'048'576};
constexpr KeyRange<std::uint64_t> g_valuesPerPacket{1, 16'384};
constexpr KeyRange<std::int64_t> g_exponent{-126, 127}; ///< of normal fp32 values
constexpr KeyRange<std::uint64_t> g_timeout{1, 1'000'000'000'000'000};
constexpr KeyRange<std::uint64_t> g_doubleAfter{0, 1'000'000};
constexpr KeyRange<std::uint64_t> g_memory{1, 1ULL << 40U};

std::string
WhyNoScaling(const Scenario& s)
{
    const auto nothing = WhyNoNetworkSum(s);
    return nothing.empty() && s.inSwitch.adder == "fp32" ? "switch.adder is fp32" : nothing;
}

std::string
WhyNoFixedExponent(const Scenario& s)
{
    const auto nothing = WhyNoScaling(s);
    return !nothing.empty()                ? nothing
           : s.inSwitch.scaling != "fixed" ? "switch.scaling is " + s.inSwitch.scaling
           : s.training.values             ? ""
                                           : "only sizes travel (training.values is false)";
}

Key
FixedExponentKey()
{
    const auto read = [](const Scenario& s) { return std::to_string(s.inSwitch.fixedExponent); };
    const Key key{"switch.fixed_exponent",
                  "fixed_exponent",
                  "e of fixed scaling: 2^e is the largest value; what is larger is clamped to it",
                  KeyType::INTEGER,
                  std::to_string(g_exponent.least) + ".." + std::to_string(g_exponent.most),
                  [](Scenario& s, std::string_view text) {
                      s.inSwitch.fixedExponent = static_cast<std::int32_t>(
                          ParseSigned(text, g_exponent.least, g_exponent.most));
                  },
                  read,
                  read,
                  WhyNoFixedExponent};
    return Sets({"inca::SlotClient::FixedExponent"}, g_wholeAttribute, key);
}

/** What a switch's pool is made of, and what bounds it. */
std::vector<Key>
PoolKeys()
{
    return {
        IdleWhen(WhyNoNetworkSum,
                 Sets({"inca::SlotProgram::Slots", "inca::SlotClient::Slots"},
                      g_wholeAttribute,
                      IntegerKey(
                          {"switch.slots", "slots", "of a switch's pool, each with a second copy"},
                          g_slots,
                          [](auto& s) -> auto& { return s.inSwitch.slots; }))),
        IdleWhen(
            WhyNoNetworkSum,
            Sets({"inca::SlotProgram::ValuesPerPacket", "inca::SlotClient::ValuesPerPacket"},
                 g_wholeAttribute,
                 IntegerKey(
                     {"switch.values_per_packet", "values_per_packet", "of a slot; 4 bytes each"},
                     g_valuesPerPacket,
                     [](auto& s) -> auto& { return s.inSwitch.valuesPerPacket; }))),
        IdleWhen(WhyNoNetworkSum,
                 Sets({"inca::SlotProgram::AdderRate"},
                      g_valueRateAttribute,
                      RateKey(
                          {"switch.adder_rate",
                           "adder_rate_values_per_s",
                           "values that one switch adds per second"},
                          g_valueRate,
                          "none",
                          [](auto& s) -> auto& { return s.inSwitch.valuesPerSecond; }))),
        IdleWhen(WhyNoNetworkSum,
                 Sets({"inca::SlotProgram::Memory"},
                      g_byteAttribute,
                      QuantityKey(
                          {"switch.memory", "switch_memory_bytes", "of one switch, for its slots"},
                          g_byteCount,
                          g_memory,
                          [](auto& s) -> auto& { return s.inSwitch.memoryBytes; }))),
    };
}

/** How values become what a switch can add. */
std::vector<Key>
NumberKeys()
{
    return {
        IdleWhen(WhyNoNetworkSum,
                 Sets({"inca::SlotProgram::Adder", "inca::SlotClient::Adder"},
                      g_nameAttribute,
                      NameKey(
                          {"switch.adder", "adder", "the numbers that a switch adds"},
                          AdderNames(),
                          [](auto& s) -> auto& { return s.inSwitch.adder; }))),
        IdleWhen(
            WhyNoScaling,
            Sets({"inca::SlotClient::Scaling"},
                 g_nameAttribute,
                 NameKey(
                     {"switch.scaling",
                      "scaling",
                      "of int32: by the largest exponent of each block (homomorphic: bucket), or "
                      "fixed"},
                     {"block", "fixed"},
                     [](auto& s) -> auto& { return s.inSwitch.scaling; }))),
        FixedExponentKey(),
    };
}

/** When a worker sends a packet again. */
std::vector<Key>
TimeoutKeys()
{
    return {
        IdleWhen(WhyNoNetworkSum,
                 Sets({"inca::SlotClient::Timeout"},
                      g_timeAttribute,
                      QuantityKey(
                          {"switch.timeout",
                           "switch_timeout_us",
                           "until a packet whose sum has not come is sent again"},
                          g_microTime,
                          g_timeout,
                          [](auto& s) -> auto& { return s.inSwitch.timeoutPs; }))),
        IdleWhen(
            WhyNoNetworkSum,
            Sets({"inca::SlotClient::DoubleAfter"},
                 g_wholeAttribute,
                 IntegerKey(
                     {"switch.double_after",
                      "timeout_double_after",
                      "a worker's timeouts in one sum after which its timeout doubles; 0: never"},
                     g_doubleAfter,
                     [](auto& s) -> auto& { return s.inSwitch.doubleAfter; }))),
    };
}

} // namespace

std::string
WhyNoNetworkSum(const Scenario& scenario)
{
    return SumsInNetwork(scenario) ? ""
                                   : scenario.exchange.algorithm + " adds nothing in the network";
}

std::string
WhyNoMessages(const Scenario& scenario)
{
    return SumsInNetwork(scenario)
               ? "with " + scenario.exchange.algorithm + " nothing travels but what switches add"
               : "";
}

std::vector<Key>
SwitchKeys()
{
    const auto latency = Sets(
        {"inca::Switch::Latency"},
        g_timeAttribute,
        QuantityKey(
            {"switch.latency", "switch_latency_ns", "of every switch: last bit in to output queue"},
            g_nanoTime,
            g_latency,
            [](auto& s) -> auto& { return s.inSwitch.latencyPs; }));
    return JoinKeys({{latency}, PoolKeys(), NumberKeys(), TimeoutKeys()});
}

} // namespace inca
