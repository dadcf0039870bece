/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEY_MAKERS_H
#define INCA_SCENARIO_KEY_MAKERS_H

#include "base/attribute-text.h"
#include "base/setting.h"
#include "base/value-form.h"
#include "exchange/aggregation-scheme-catalog.h"
#include "scenario/key.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace inca
{

/*
 * Makers of rows of the key table, one per kind of value. @p field is a generic lambda that
 * returns a reference to the key's field: [](auto& s) -> auto& { return s.cluster.mtu; }
 */

/** The type of what may be optional. @{ */
template <class Value>
struct GivenIn
{
    using Type = Value;
};

template <class Value>
struct GivenIn<std::optional<Value>>
{
    using Type = Value;
};

/** @} */

/** The text of a field by @p text; empty where an optional one is not given. @{ */
template <class Value, class Field>
std::string
TextIfGiven(const Field& value, const std::function<std::string(const Value&)>& text)
{
    return text(static_cast<Value>(value));
}

template <class Value, class Field>
std::string
TextIfGiven(const std::optional<Field>& value, const std::function<std::string(const Value&)>& text)
{
    return value ? text(static_cast<Value>(*value)) : std::string();
}

/** @} */

/** A field whose values have @p form; a plain or an optional one. */
template <class Value, class Field>
Key
FieldKey(SettingWords words, const ValueForm<Value>& form, Field field)
{
    const auto set = [field, parse = form.parse](Scenario& s, std::string_view text) {
        auto& target = field(s);
        using Target = std::remove_reference_t<decltype(target)>;
        target = static_cast<typename GivenIn<Target>::Type>(parse(text));
    };
    const auto reader = [field](const auto& text) {
        return [field, text](const Scenario& s) { return TextIfGiven<Value>(field(s), text); };
    };
    return {words.key,
            words.column,
            words.meaning,
            form.type,
            form.values,
            set,
            reader(form.text),
            reader(form.columnText),
            {}};
}

/** Any text; what it means is checked elsewhere. */
template <class Field>
Key
TextKey(SettingWords words, const char* values, Field field)
{
    return FieldKey(words, TextForm(values), field);
}

/** One of @p names. */
template <class Field>
Key
NameKey(SettingWords words, std::vector<std::string> names, Field field)
{
    return FieldKey(words, NameForm(std::move(names)), field);
}

/** true or false. */
template <class Field>
Key
BooleanKey(SettingWords words, Field field)
{
    return FieldKey(words, BooleanForm(), field);
}

/** A whole number in a range. */
template <class Field>
Key
IntegerKey(SettingWords words, ValueRange<std::uint64_t> range, Field field)
{
    return FieldKey(words, WholeForm(range), field);
}

/** A number in a range. */
template <class Field>
Key
DecimalKey(SettingWords words, ValueRange<double> range, Field field)
{
    return FieldKey(words, DecimalForm(range), field);
}

/** A share that is not nothing: above 0, up to 1. */
template <class Field>
Key
SomeShareKey(SettingWords words, Field field)
{
    return FieldKey(words, SomeShareForm(), field);
}

/** A quantity with a unit, in a range. */
template <class Field>
Key
QuantityKey(SettingWords words,
            const Quantity& quantity,
            ValueRange<std::uint64_t> range,
            Field field)
{
    return FieldKey(words, QuantityForm(quantity, range), field);
}

/** A rate of 0 or more per second, where @p zero ("none" or "") is the text of 0. */
template <class Field>
Key
RateKey(SettingWords words, const Quantity& rate, const char* zero, Field field)
{
    return FieldKey(words, RateForm(rate, zero), field);
}

/**
 * @return @p key, which may also be @p name, as its complaints say
 * @param isNamed whether that is what it is set to
 */
Key OrName(Key key,
           std::string name,
           std::function<void(Scenario&)> setNamed,
           std::function<bool(const Scenario&)> isNamed);

/** @return @p key with its answer to "why can it not matter here?" */
Key IdleWhen(std::function<std::string(const Scenario&)> reason, Key key);

/** @return @p key, which sets the ns-3 attributes @p paths */
Key Sets(std::vector<std::string> paths, const AttributeForm& form, Key key);

/** Answers that keys of several tables give. @{ */
std::string WhyNoNetworkSum(const Scenario& scenario);  ///< no switch adds
std::string WhyNoMessages(const Scenario& scenario);    ///< hosts send nothing to each other
std::string WhyNoSummingHost(const Scenario& scenario); ///< no aggregator, and no server
std::string WhyNoSketch(const Scenario& scenario);      ///< the codec is not homomorphic
std::string WhyNoEngine(const Scenario& scenario);      ///< no codec runs in the NIC
std::string WhyNoZeros(const Scenario& scenario);       ///< nothing tells zeros from other values
/** @} */

std::vector<Key> JoinKeys(const std::vector<std::vector<Key>>& tables);

/** @throws UnitError unless @p text is the bandwidth of a link that can be built (bit/s) */
std::uint64_t ParseLinkRate(std::string_view text);

/** Rows of [codec] that only homomorphic reads. */
std::vector<Key> HomomorphicKeys();

/** The rows of one TOML table each. @{ */
std::vector<Key> TrainingKeys();
std::vector<Key> ClusterKeys();
std::vector<Key> ExchangeKeys(); ///< and [ring]
std::vector<Key> SwitchKeys();
/** What the aggregation programs bring, each key once. @throws InputError if two describe one unlike */
std::vector<Key> AggregationKeys(const std::vector<AggregationSchemeEntry>& schemes);
std::vector<Key> CodecKeys();
std::vector<Key> EngineKeys();
std::vector<Key> SparsifyKeys();
std::vector<Key> GpuKeys();
std::vector<Key> HostKeys(); ///< and [transport] and [simulation]
/** @} */

} // namespace inca

#endif // INCA_SCENARIO_KEY_MAKERS_H
