/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-settings.h"

#include "base/word-sum.h"

#include <functional>
#include <utility>

namespace inca
{

namespace
{

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

} // namespace inca
