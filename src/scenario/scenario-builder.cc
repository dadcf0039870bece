/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/scenario-builder.h"

#include "base/nearest.h"
#include "base/printable.h"
#include "base/units.h"
#include "scenario/beside-scenario.h"
#include "scenario/entry-types.h"
#include "scenario/resolve.h"
#include "scenario/sweep-spec.h"
#include "scenario/worker-settings.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_mostComplaints = 50;
constexpr std::string_view g_attributes = "attributes.";
constexpr std::string_view g_sweep = "sweep.";
constexpr std::string_view g_worker = "cluster.worker";
constexpr std::string_view g_workerPrefix = "cluster.worker.";

bool
BeginsWith(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

std::string
LeafOf(const std::string& name)
{
    return name.substr(name.rfind('.') + 1);
}

} // namespace

ScenarioBuilder::ScenarioBuilder(std::string fileName)
    : m_fileName(std::move(fileName))
{
}

void
ScenarioBuilder::Complain(const InputPlace& place, const std::string& text)
{
    m_complaints.push_back(Printable(place.Prefix() + text));
}

InputPlace
ScenarioBuilder::PlaceOf(const TextPlace& place, const std::string& key) const
{
    return {m_fileName, place.line, place.column, key};
}

ScenarioBuilder::Origin
ScenarioBuilder::OriginOf(const TomlEntry& entry) const
{
    return {PlaceOf(entry.valuePlace, entry.name), PlaceOf(entry.keyPlace, entry.name)};
}

void
ScenarioBuilder::Refuse(const std::string& name)
{
    m_refused.insert(name);
    if (FindKey(name) == nullptr)
    {
        m_refused.insert(NearestKey(name));
    }
}

bool
ScenarioBuilder::IsRefused(const std::string& name) const
{
    return m_refused.count(name) > 0 || m_refused.count(TableOf(name)) > 0;
}

void
ScenarioBuilder::Take(const TomlEntry& entry)
{
    const auto before = m_complaints.size();
    if (before < g_mostComplaints)
    {
        TakeEntry(entry);
    }
    if (m_complaints.size() > before)
    {
        Refuse(entry.name);
    }
}

void
ScenarioBuilder::TakeEntry(const TomlEntry& entry)
{
    if (BeginsWith(entry.name, g_attributes))
    {
        TakeAttribute(entry);
    }
    else if (BeginsWith(entry.name, g_sweep))
    {
        TakeSweep(entry);
    }
    else if (entry.name == g_worker)
    {
        TakeWorkers(entry);
    }
    else if (const auto* key = FindKey(entry.name))
    {
        TakeKey(*key, entry);
    }
    else if (NeedsTable(entry))
    {
        Complain(PlaceOf(entry.keyPlace, entry.name),
                 "is a table: write [" + entry.name + "] in a line of its own and its keys below");
    }
    else if (!IsEmptyTable(entry))
    {
        Complain(PlaceOf(entry.keyPlace, entry.name), UnknownKey(entry.name));
    }
}

void
ScenarioBuilder::TakeKey(const Key& key, const TomlEntry& entry)
{
    const auto origin = OriginOf(entry);
    m_origins[entry.name] = origin;
    if (!Fits(key.type, entry.kind))
    {
        Complain(origin.value, Needs(key.type, key.values, entry));
        return;
    }
    try
    {
        SetValue(key, entry.text);
    }
    catch (const UnitError& error)
    {
        Complain(origin.value, error.what());
    }
}

/** What is set keeps its value, wherever the key stands that chooses its default. */
void
ScenarioBuilder::SetValue(const Key& key, const std::string& text)
{
    const auto before = m_scenario;
    key.set(m_scenario, text);
    for (const auto& name : key.defaultsOf)
    {
        if (m_origins.count(name) > 0)
        {
            SetKey(m_scenario, name, FindKey(name)->text(before));
        }
    }
}

void
ScenarioBuilder::TakeAttribute(const TomlEntry& entry)
{
    if (!IsScalar(entry.kind))
    {
        Complain(OriginOf(entry).value,
                 "an attribute needs a text, a number, true or false, got " + entry.kindName +
                     "; its path stands in quotes: \"inca::Class::Attribute\"");
        return;
    }
    m_origins[entry.name] = OriginOf(entry);
    SetAttribute(entry.name.substr(g_attributes.size()), entry.text);
}

void
ScenarioBuilder::TakeSweep(const TomlEntry& entry)
{
    CheckSweepEntry(
        entry, [this](const TextPlace& place, const std::string& key, const std::string& text) {
            Complain(PlaceOf(place, key), text);
        });
}

void
ScenarioBuilder::TakeWorkers(const TomlEntry& entry)
{
    if (entry.kind != TomlKind::TABLES)
    {
        Complain(OriginOf(entry).value,
                 "needs double brackets, [[cluster.worker]], one for each worker");
        return;
    }
    for (const auto& table : entry.tables)
    {
        TakeWorker(table, table.empty() ? entry.valuePlace : table.front().keyPlace);
    }
}

void
ScenarioBuilder::TakeWorker(const std::vector<TomlEntry>& table, const TextPlace& place)
{
    const auto index = std::find_if(table.begin(), table.end(), [](const TomlEntry& entry) {
        return LeafOf(entry.name) == "index" && entry.kind == TomlKind::INTEGER;
    });
    const auto indexKey = std::string(g_workerPrefix) + "index";
    if (index == table.end())
    {
        Complain(PlaceOf(place, indexKey),
                 "every [[cluster.worker]] needs a whole number, from 0 on");
        return;
    }
    if (!m_workers.insert(index->text).second)
    {
        Complain(PlaceOf(index->valuePlace, indexKey),
                 "worker " + index->text + " was there before");
        return;
    }
    m_origins[std::string(g_workerPrefix) + index->text] = OriginOf(*index);
    try
    {
        NameWorker(m_scenario, index->text);
    }
    catch (const UnitError& error)
    {
        Complain(OriginOf(*index).value, error.what());
        return;
    }
    for (const auto& entry : table)
    {
        if (&entry != &*index && m_complaints.size() < g_mostComplaints)
        {
            TakeWorkerValue(index->text, entry);
        }
    }
}

void
ScenarioBuilder::TakeWorkerValue(const std::string& index, const TomlEntry& entry)
{
    const auto leaf = LeafOf(entry.name);
    for (const auto& key : WorkerKeys())
    {
        if (leaf == key.name && !Fits(key.type, entry.kind))
        {
            Complain(OriginOf(entry).value, Needs(key.type, key.values, entry));
            return;
        }
    }
    try
    {
        SetWorker(m_scenario, index + "." + leaf, entry.text);
    }
    catch (const UnitError& error)
    {
        Complain(OriginOf(entry).value, error.what());
    }
}

void
ScenarioBuilder::SetAttribute(const std::string& path, const std::string& text)
{
    for (auto& [knownPath, knownText] : m_scenario.attributes)
    {
        if (knownPath == path)
        {
            knownText = text;
            return;
        }
    }
    m_scenario.attributes.emplace_back(path, text);
}

void
ScenarioBuilder::Take(const std::string& setting, const std::string& option)
{
    const auto equals = setting.find('=');
    const auto name = PlainName(setting.substr(0, equals));
    const InputPlace place{"", 0, 0, option + " " + name};
    try
    {
        if (equals == std::string::npos || equals == 0)
        {
            throw UnitError("needs the form key=value");
        }
        RequireOneOption(name, option);
        m_origins[name] = {place, place};
        ApplySetting(name, setting.substr(equals + 1));
    }
    catch (const UnitError& error)
    {
        Complain(place, error.what());
        Refuse(name);
    }
}

void
ScenarioBuilder::RequireOneOption(const std::string& name, const std::string& option)
{
    const auto known = m_options.emplace(name, option).first;
    if (known->second != option)
    {
        throw UnitError("is there as " + known->second + ", too; leave one of them out");
    }
}

void
ScenarioBuilder::ApplySetting(const std::string& name, const std::string& text)
{
    if (BeginsWith(name, g_attributes))
    {
        SetAttribute(name.substr(g_attributes.size()), text);
    }
    else if (BeginsWith(name, g_workerPrefix))
    {
        const auto index = name.substr(0, name.find('.', g_workerPrefix.size()));
        m_origins[index] = m_origins[name];
        SetWorker(m_scenario, name.substr(g_workerPrefix.size()), text);
    }
    else if (const auto* key = FindKey(name))
    {
        SetValue(*key, text);
    }
    else
    {
        throw UnitError(UnknownKey(name));
    }
}

/** Where @p name was set, and how it is called there; empty if it was not, or was refused. */
std::string
ScenarioBuilder::OriginText(const std::string& name) const
{
    const auto origin = m_origins.find(name);
    if (origin == m_origins.end() || IsRefused(name))
    {
        return "";
    }
    const auto prefix = origin->second.name.Prefix();
    return prefix.substr(0, prefix.rfind(": "));
}

/** An attribute that a key sets stands for that key from now on. */
void
ScenarioBuilder::Resolve()
{
    const auto attributes = m_scenario.attributes;
    const auto originOf = [this](const Key& key) { return OriginText(key.name); };
    const auto nameOf = [this](const std::string& path) {
        return OriginText(std::string(g_attributes) + path);
    };
    for (const auto& [path, text] : ReadAttributesAsKeys(m_scenario, originOf, nameOf))
    {
        const auto name = std::string(g_attributes) + path;
        Complain(m_origins[name].value, text);
        m_refused.insert({name, FindKeyOfAttribute(path)->name});
    }
    const auto& left = m_scenario.attributes;
    for (const auto& attribute : attributes)
    {
        const auto* key = FindKeyOfAttribute(attribute.first);
        if (key != nullptr && std::find(left.begin(), left.end(), attribute) == left.end())
        {
            m_origins.emplace(key->name, m_origins[std::string(g_attributes) + attribute.first]);
        }
    }
}

/** @param file that is looked for, where @p path stands for several */
void
ScenarioBuilder::FindFile(const char* key, std::string& path, const std::string& file)
{
    const auto place = PlaceOfFile(file, m_fileName);
    if (place == FilePlace::BESIDE)
    {
        path = Beside(path, m_fileName);
    }
    else if (place == FilePlace::BOTH)
    {
        m_ambiguous.emplace_back(key);
    }
}

void
ScenarioBuilder::FindFiles()
{
    auto& training = m_scenario.training;
    if (IsTracePath(training.trace))
    {
        FindFile("training.trace", training.trace, training.trace);
    }
    if (!training.valuesFile.empty())
    {
        FindFile("training.values_file",
                 training.valuesFile,
                 ValuesFilePaths(training.valuesFile, 1).front());
    }
}

void
ScenarioBuilder::CheckWhole()
{
    for (const auto& complaint : inca::Complaints(m_scenario))
    {
        const auto& others = complaint.others;
        const bool follows = std::any_of(
            others.begin(), others.end(), [this](const auto& other) { return IsRefused(other); });
        if (!follows && !IsRefused(complaint.key))
        {
            ComplainOfWhole(complaint);
        }
    }
}

void
ScenarioBuilder::ComplainOfWhole(const KeyComplaint& complaint)
{
    const auto origin = m_origins.find(complaint.key);
    if (origin != m_origins.end())
    {
        Complain(origin->second.value, complaint.text + RemediesText(complaint));
        return;
    }
    const auto* key = FindKey(complaint.key);
    const auto standard = key == nullptr ? std::string() : DefaultText(*key);
    Complain(PlaceOf({}, complaint.key),
             complaint.text + (standard.empty() ? "" : " (" + standard + " is its default)") +
                 RemediesText(complaint));
}

void
ScenarioBuilder::WarnIfIdle(const std::string& name,
                            const std::string& reason,
                            LoadedScenario& loaded) const
{
    const auto origin = m_origins.find(name);
    if (origin != m_origins.end() && !reason.empty())
    {
        loaded.warnings.push_back(
            Printable(origin->second.name.Prefix() + "has no effect: " + reason));
        loaded.idleKeys.push_back(name);
    }
}

void
ScenarioBuilder::Warn(LoadedScenario& loaded) const
{
    for (const auto& name : m_ambiguous)
    {
        loaded.warnings.push_back(Printable(
            m_origins.at(name).name.Prefix() +
            "is in the working directory and beside the scenario, too; the former is taken"));
        loaded.idleKeys.push_back(name);
    }
    for (const auto& key : ScenarioKeys())
    {
        WarnIfIdle(key.name, IdleReason(key, m_scenario), loaded);
    }
    for (const auto& [path, text] : m_scenario.attributes)
    {
        WarnIfIdle(std::string(g_attributes) + path, IdleAttribute(path, m_scenario), loaded);
    }
}

LoadedScenario
ScenarioBuilder::Finish()
{
    Resolve();
    FindFiles();
    CheckWhole();
    if (m_complaints.size() > g_mostComplaints)
    {
        m_complaints.resize(g_mostComplaints);
    }
    LoadedScenario loaded{m_scenario, {}, {}, m_complaints};
    for (const auto& [name, origin] : m_origins)
    {
        loaded.givenKeys.insert(name);
    }
    if (m_complaints.empty())
    {
        Warn(loaded);
    }
    return loaded;
}

} // namespace inca
