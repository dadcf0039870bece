/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEY_MAKERS_H
#define INCA_SCENARIO_KEY_MAKERS_H

#include "scenario/attribute-text.h"
#include "scenario/key-text.h"
#include "scenario/key.h"

#include <cstdint>
#include <functional>
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

/** What every row says, whatever its kind. */
struct KeyWords
{
    const char* name;
    const char* column;
    const char* meaning;
};

/** The smallest and largest value that a key takes. */
template <class Number>
struct KeyRange
{
    Number least;
    Number most;
};

/** The text and number forms of a quantity with a unit. */
struct Quantity
{
    std::uint64_t (*parse)(std::string_view);
    std::string (*format)(std::uint64_t);
    unsigned columnPower; ///< the column's unit is 10 to this of the base unit
    const char* example;
};

/** Any text; what it means is checked elsewhere. */
template <class Field>
Key
TextKey(KeyWords words, const char* values, Field field)
{
    const auto read = [field](const Scenario& s) { return std::string(field(s)); };
    return {words.name,
            words.column,
            words.meaning,
            KeyType::TEXT,
            values,
            [field](Scenario& s, std::string_view text) { field(s) = std::string(text); },
            read,
            read,
            {}};
}

/** One of @p names. */
template <class Field>
Key
NameKey(KeyWords words, std::vector<std::string> names, Field field)
{
    auto key = TextKey(words, "", field);
    key.values = JoinNames(names);
    key.set = [field, names = std::move(names)](Scenario& s, std::string_view text) {
        field(s) = KnownName(text, names);
    };
    return key;
}

/** true or false. */
template <class Field>
Key
BooleanKey(KeyWords words, Field field)
{
    const auto read = [field](const Scenario& s) {
        return std::string(field(s) ? "true" : "false");
    };
    return {words.name,
            words.column,
            words.meaning,
            KeyType::BOOLEAN,
            "true or false",
            [field](Scenario& s, std::string_view text) { field(s) = ParseBoolean(text); },
            read,
            read,
            {}};
}

/** A whole number in a range; a plain or an optional integer. */
template <class Field>
Key
IntegerKey(KeyWords words, KeyRange<std::uint64_t> range, Field field)
{
    const auto read = [field](const Scenario& s) {
        return FormatIfGiven(field(s), [](std::uint64_t number) { return std::to_string(number); });
    };
    const auto set = [field, range](Scenario& s, std::string_view text) {
        auto& target = field(s);
        target = static_cast<IntegerOf<std::remove_reference_t<decltype(target)>>>(
            ParseInteger(text, range.least, range.most));
    };
    return {words.name,
            words.column,
            words.meaning,
            KeyType::INTEGER,
            std::to_string(range.least) + ".." + std::to_string(range.most),
            set,
            read,
            read,
            {}};
}

/** A number in a range; a plain double or an optional one. */
template <class Field>
Key
DecimalKey(KeyWords words, KeyRange<double> range, Field field)
{
    const auto read = [field](const Scenario& s) { return DecimalText(field(s)); };
    return {words.name,
            words.column,
            words.meaning,
            KeyType::DECIMAL,
            DecimalText(range.least) + ".." + DecimalText(range.most),
            [field, range](Scenario& s, std::string_view text) {
                field(s) = ParseDecimalNumber(text, range.least, range.most);
            },
            read,
            read,
            {}};
}

/** A share that is not nothing: above 0, up to 1; a plain double or an optional one. */
template <class Field>
Key
SomeShareKey(KeyWords words, Field field)
{
    auto key = DecimalKey(words, {0, 1}, field);
    key.values = "above 0, up to 1";
    key.set = [field](Scenario& s, std::string_view text) { field(s) = ParseSomeShare(text); };
    return key;
}

/** A quantity with a unit, in a range; a plain or an optional integer. */
template <class Field>
Key
QuantityKey(KeyWords words, const Quantity& quantity, KeyRange<std::uint64_t> range, Field field)
{
    const auto set = [field, quantity, range](Scenario& s, std::string_view text) {
        const auto value = quantity.parse(text);
        RequireRange(text,
                     {value, range.least, range.most},
                     quantity.format(range.least),
                     quantity.format(range.most));
        auto& target = field(s);
        target = static_cast<IntegerOf<std::remove_reference_t<decltype(target)>>>(value);
    };
    return {
        words.name,
        words.column,
        words.meaning,
        KeyType::TEXT,
        std::string("such as \"") + quantity.example + "\"",
        set,
        [field, quantity](const Scenario& s) { return FormatIfGiven(field(s), quantity.format); },
        [field, quantity](const Scenario& s) {
            return ColumnIfGiven(field(s), quantity.columnPower);
        },
        {}};
}

/** A rate of 0 or more per second, where @p zero ("none" or "") is the text of 0. */
template <class Field>
Key
RateKey(KeyWords words, const Quantity& rate, const char* zero, Field field)
{
    const bool mayBeNone = *zero != '\0';
    const auto set = [field, rate, mayBeNone](Scenario& s, std::string_view text) {
        field(s) = mayBeNone && text == "none" ? 0 : rate.parse(text);
    };
    return {words.name,
            words.column,
            words.meaning,
            KeyType::TEXT,
            std::string("such as \"") + rate.example + "\"" + (mayBeNone ? ", or \"none\"" : ""),
            set,
            [field, rate, zero](const Scenario& s) {
                return field(s) == 0 ? std::string(zero) : rate.format(field(s));
            },
            [field](const Scenario& s) {
                return field(s) == 0 ? std::string() : std::to_string(field(s));
            },
            {}};
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
std::string WhyNoZeros(const Scenario& scenario);       ///< nothing tells zeros from other values
/** @} */

std::vector<Key> JoinKeys(const std::vector<std::vector<Key>>& tables);

extern const Quantity g_bitRate;   ///< column in Gbit/s
extern const Quantity g_byteRate;  ///< above 0; column in bytes/s
extern const Quantity g_valueRate; ///< above 0; column in values/s
extern const Quantity g_byteCount; ///< column in bytes
extern const Quantity g_nanoTime;  ///< column in ns
extern const Quantity g_microTime; ///< column in us
extern const Quantity g_wholeTime; ///< column in s

/** @throws UnitError unless @p text is the bandwidth of a link that can be built (bit/s) */
std::uint64_t ParseLinkRate(std::string_view text);

/** Rows of [codec] that only homomorphic reads. */
std::vector<Key> HomomorphicKeys();

/** The rows of one TOML table each. @{ */
std::vector<Key> TrainingKeys();
std::vector<Key> ClusterKeys();
std::vector<Key> ExchangeKeys(); ///< and [ring]
std::vector<Key> SwitchKeys();
std::vector<Key> CodecKeys();
std::vector<Key> SparsifyKeys();
std::vector<Key> GpuKeys();
std::vector<Key> HostKeys(); ///< and [transport] and [simulation]
/** @} */

} // namespace inca

#endif // INCA_SCENARIO_KEY_MAKERS_H
