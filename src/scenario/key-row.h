/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEY_ROW_H
#define INCA_SCENARIO_KEY_ROW_H

#include "inca/base/setting.h"
#include "inca/base/units.h"
#include "inca/exchange/aggregation-scheme.h"
#include "inca/job/training-catalog.h"
#include "inca/scenario/key.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

/** Conditions of rows in several files. @{ */
extern const KeyCondition g_hasCompute;    ///< it trains a model, not a lone tensor
extern const KeyCondition g_hasMessages;   ///< hosts send to each other, not only to switches
extern const KeyCondition g_showsZeros;    ///< zeros differ from other values
extern const KeyCondition g_hasFrameLevel; ///< messages are frames, and no flows
extern const KeyCondition g_hasValues;     ///< gradients' values travel
/** @} */

/** One field of @p Settings and how its values are written. */
template <class Settings>
struct Field
{
    ValueType type;
    std::string values; ///< for people, as Key::values
    std::function<void(Settings&, std::string_view text)> set;
    std::function<std::string(const Settings&)> text;
    std::function<std::string(const Settings&)> columnText;

    /** @param member of the form's type, another number or an optional one */
    template <class Member, class Value>
    Field(Member Settings::*member, const ValueForm<Value>& form)
        : type(form.type),
          values(form.values),
          set([=](Settings& settings, std::string_view given) {
              settings.*member = static_cast<Member>(form.parse(given));
          }),
          text(Reader<Value>(member, form.text)),
          columnText(Reader<Value>(member, form.columnText))
    {
    }

  private:
    template <class Value, class Member, class ToText>
    static auto Reader(Member Settings::*member, const ToText& toText)
    {
        return [=](const Settings& settings) {
            const std::optional<Value> value(settings.*member);
            return value ? toText(*value) : std::string();
        };
    }
};

/** What a key says to people. */
struct KeyWords
{
    std::string name; ///< without its table
    std::string meaning;
    std::string column{}; ///< of result rows, with the unit in it; empty: as the name
};

/** One key of the TOML table that @p Settings holds. */
template <class Settings>
struct KeyRow
{
    KeyWords words;
    Field<Settings> field;
    KeyConditions conditions;     ///< under which it matters
    SettingAttributes attributes; ///< that it sets

    KeyRow(KeyWords w, Field<Settings> f, KeyConditions c = {}, SettingAttributes a = {})
        : words(std::move(w)),
          field(std::move(f)),
          conditions(std::move(c)),
          attributes(std::move(a))
    {
    }
};

/** @return attributes that are set to what @p text says */
KeyAttributes AttributesOf(const SettingAttributes& attributes,
                           const std::function<std::string(const Scenario&)>& text);

/** The keys of one TOML table. */
template <class Settings>
std::vector<Key>
KeysOf(const std::string& table,
       Settings Scenario::*settings,
       const std::vector<KeyRow<Settings>>& rows)
{
    std::vector<Key> keys;
    for (const auto& [words, field, conditions, attributes] : rows)
    {
        Key key{table + "." + words.name,
                words.column.empty() ? words.name : words.column,
                words.meaning,
                field.type,
                field.values};
        key.set = [settings, set = field.set](Scenario& s, std::string_view text) {
            set(s.*settings, text);
        };
        key.text = [settings, text = field.text](const Scenario& s) { return text(s.*settings); };
        key.columnText = [settings, text = field.columnText](const Scenario& s) {
            return text(s.*settings);
        };
        key.conditions = conditions;
        key.attributes = AttributesOf(attributes, key.text);
        keys.push_back(std::move(key));
    }
    return keys;
}

/** The range of a link's bandwidth (bit/s). */
constexpr ValueRange<std::uint64_t> LINK_RATES{1'000, 100'000'000'000'000};

/** The column that all keys of groups' codecs share but their names. */
constexpr const char* GROUP_CODECS_COLUMN{"group_codecs"};

/** The longest time of a cost or latency (ps). */
constexpr std::uint64_t LONGEST_COST_PS{1'000'000'000'000};

/** The largest seed: what fits in a TOML integer. */
constexpr std::uint64_t MOST_SEED{(1ULL << 63U) - 1};

/** The rows of TOML tables. @{ */
std::vector<Key> WorkloadKeys(); ///< [training] to [tree], and switch.latency
/** What rows of a catalogue bring, each key once. @throws InputError if two describe one unlike @{ */
std::vector<Key> AggregationKeys(const std::vector<AggregationSchemeEntry>& schemes);
std::vector<Key> TrainingProgramKeys(const std::vector<TrainingEntry>& trainings);
/** @} */
std::vector<Key> HostKeys(); ///< [codec] to [simulation]
/**
 * [group.shard.codec] and its like: keys of [codec] that messages within groups, or between them, may have for themselves.
 * @param table "group.shard" @param areThere what must hold so that there are such messages
 */
std::vector<Key> GroupCodecKeys(const std::string& table,
                                GroupSettings Scenario::*settings,
                                bool crossesGroups,
                                const KeyConditions& areThere);
/** @} */

} // namespace inca

#endif // INCA_SCENARIO_KEY_ROW_H
