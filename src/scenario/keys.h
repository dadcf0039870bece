/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_KEYS_H
#define INCA_SCENARIO_KEYS_H

#include "inca/scenario/key.h"

#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Every key but [[cluster.worker]] and [attributes], in the order of the tables. */
const std::vector<Key>& ScenarioKeys();

/** The tables of ScenarioKeys(), each once, in their order. */
std::vector<std::string> TableNames();

/** The same, with [attributes] and [sweep]. */
std::vector<std::string> FileTables();

/** @return the key of that dotted name, or nothing */
const Key* FindKey(std::string_view name);

/** Sets @p key. @throws UnitError if it refuses @p text; it names another key of the table that would take it */
void SetKey(Scenario& scenario, const Key& key, std::string_view text);

/** Sets the key of that dotted name, of a repeated table's, too ("cluster.worker.3.bandwidth"). @throws UnitError if there is none, or it refuses @p text */
void SetKey(Scenario& scenario, std::string_view name, std::string_view text);

/** @return the dotted name's table: "cluster" of "cluster.bandwidth" */
std::string TableOf(std::string_view name);

/** @return what follows the last point: "bandwidth" of "cluster.bandwidth" */
std::string LeafOf(std::string_view name);

/** @return the class of an attribute's path: "inca::Nic" of "inca::Nic::Mtu" */
std::string_view ClassOf(std::string_view path);

/**
 * @return the dotted name without the quotes in which a file wraps an attribute's path; that of [exchange] or [codec] for what
 *         [group.data] says of all workers
 */
std::string PlainName(std::string_view name);

/** @return the known key that an unknown name most likely stands for, or empty */
std::string NearestKey(std::string_view name);

/** @return "unknown 'cluster.bandwith'; did you mean 'cluster.bandwidth'?" */
std::string UnknownKey(std::string_view name);

/** @return whether TOML has a value of that type and text in quotes */
bool IsQuoted(ValueType type, std::string_view text);

/** The text of a key's default; empty = none. */
std::string DefaultText(const Key& key);

/** Whether setting @p chooser sets @p key: Key::isPreset. */
bool ChoosesDefault(const Key& chooser, const Key& key);

/** The same where other keys of @p scenario choose the defaults. */
std::string DefaultIn(const Scenario& scenario, const Key& key);

/** @return why @p key cannot matter in @p scenario, or empty if it can */
std::string IdleReason(const Key& key, const Scenario& scenario);

/** @return @p text with the value of the key in each "{cluster.workers}": its text, or its column's if it is not given */
std::string Filled(const std::string& text, const Scenario& scenario);

/** The key has one of @p values, or else "key is value". */
KeyCondition Is(const std::string& key, const std::vector<std::string>& values);

/** The key has another value, or else "key is value". */
KeyCondition IsNot(const std::string& key, const std::string& value);

/** @return the key that sets the attribute @p path, or nothing */
const Key* FindKeyOfAttribute(std::string_view path);

/** @return why an entry of [attributes] is wrong, as a key says what it says; empty: it is not */
std::string AttributeComplaint(std::string_view path, const std::string& text);

/**
 * @return why an attribute that no key sets cannot matter in @p scenario: all keys that set attributes of
 *         its class are idle; empty where there are none
 */
std::string IdleAttribute(std::string_view path, const Scenario& scenario);

/** Every setting that has a value, defaults included, overrides and attributes last. */
std::vector<ResolvedSetting> ResolvedSettings(const Scenario& scenario);

/** The columns of SettingColumns, and what they mean. */
struct ColumnMeaning
{
    std::string name;
    std::string meaning; ///< begins with the key's name
};

std::vector<ColumnMeaning> SettingColumnMeanings();

/**
 * The scenario's part of a result row: the same columns for every scenario. A key that cannot
 * matter has an empty text. simulation.seed is left out: it is a column of a row's origin.
 */
std::vector<SettingColumn> SettingColumns(const Scenario& scenario);

/** The same columns of a scenario that may make no sense: what is set, whether or not it matters. */
std::vector<SettingColumn> GivenColumns(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_KEYS_H
