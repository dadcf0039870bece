/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/scenario-reader.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/units.h"
#include "scenario/checks.h"
#include "scenario/cluster-preset.h"
#include "scenario/keys.h"
#include "scenario/repeated-tables.h"
#include "scenario/toml-document.h"
#include "trace/trace-catalog.h"
#include "trace/value-source.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <system_error>

namespace inca
{

namespace
{

constexpr std::size_t g_largestFile = 1U << 20U;
constexpr std::size_t g_mostComplaints = 50;
constexpr std::string_view g_stdin = "-";
constexpr std::string_view g_attributes = "attributes.";
constexpr std::string_view g_sweep = "sweep.";
constexpr const char* g_preset = "cluster.preset";

bool
BeginsWith(std::string_view text, std::string_view prefix)
{
    return text.substr(0, prefix.size()) == prefix;
}

bool
Fits(ValueType wanted, TomlKind found)
{
    const bool isNumber = found == TomlKind::INTEGER || found == TomlKind::DECIMAL;
    switch (wanted)
    {
    case ValueType::TEXT:
        return found == TomlKind::TEXT;
    case ValueType::INTEGER:
        return found == TomlKind::INTEGER;
    case ValueType::DECIMAL:
        return isNumber;
    case ValueType::NUMBER_OR_NAME:
        return isNumber || found == TomlKind::TEXT;
    case ValueType::BOOLEAN:
        return found == TomlKind::BOOLEAN;
    }
    return false;
}

/** @return "needs a whole number, 2..65536, got a text '4'" */
std::string
Needs(ValueType type, const std::string& values, const TomlEntry& entry)
{
    const auto* what = type == ValueType::TEXT             ? "a text in quotes"
                       : type == ValueType::INTEGER        ? "a whole number"
                       : type == ValueType::DECIMAL        ? "a number"
                       : type == ValueType::NUMBER_OR_NAME ? "a number, or a text in quotes"
                                                           : "true or false";
    return fmt::format("needs {}, {}, got {}{}",
                       what,
                       type == ValueType::BOOLEAN ? "without quotes" : values,
                       entry.kindName,
                       entry.text.empty() ? "" : " '" + entry.text + "'");
}

/**
 * Builds a scenario from entries and settings, and keeps what is wrong with them: takes all that the
 * user set, reads attributes as the keys that set them, then checks the whole, and says which keys
 * cannot matter.
 */
class Builder
{
  public:
    explicit Builder(const std::string& fileName)
        : m_fileName(fileName)
    {
    }

    /** Takes a preset's file, if there is one, before anything else. @throws InputError if it is no TOML */
    void TakePreset(std::string path)
    {
        if (path.empty())
        {
            return;
        }
        FindFile(g_preset, path, path);
        auto range = std::make_shared<CalibratedRange>();
        for (const auto& entry : ReadToml(PresetText(path), path))
        {
            if (TableOf(entry.name) == CALIBRATION_TABLE)
            {
                TakeCalibration(entry, *range, [this](const InputPlace& place, const auto& text) {
                    Complain(place, text);
                });
                m_scenario.cluster.calibrated = range;
            }
            else if (entry.name == g_preset)
            {
                Complain(entry.keyPlace, "a preset has none of its own");
            }
            else
            {
                Take(entry);
            }
        }
        m_origins.clear(); // the user has set none of them
        m_scenario.cluster.asFitted = std::make_shared<const Scenario>(m_scenario);
    }

    static std::string PresetText(const std::string& path)
    {
        try
        {
            return ReadInputFile(path, g_largestFile, "is no preset: more than 1 MiB");
        }
        catch (const InputError& error)
        {
            throw InputError(
                std::string(g_preset) + ": " + error.what() +
                "; it is looked for in the working directory, then beside the scenario");
        }
    }

    /** Takes one entry of the file. */
    void Take(const TomlEntry& entry)
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

    /** Takes one "key=value" of --set, --vary or a file's sweep: @p option is what complaints call it. */
    void Take(const std::string& setting, const std::string& option)
    {
        const auto equals = setting.find('=');
        const auto name = PlainName(setting.substr(0, equals));
        const InputPlace place{"", 0, 0, option + " " + name};
        const bool isTaken = Try(place, [&] {
            if (equals == std::string::npos || equals == 0)
            {
                throw UnitError("needs the form key=value");
            }
            const auto& known = m_options.emplace(name, option).first->second;
            if (known != option)
            {
                throw UnitError("is there as " + known + ", too; leave one of them out");
            }
            m_origins[name] = {place, place};
            ApplySetting(name, setting.substr(equals + 1));
        });
        if (!isTaken)
        {
            Refuse(name);
        }
    }

    /** @return complaints of all that was wrong, and all that is wrong with the whole */
    LoadedScenario Finish()
    {
        FindFiles();
        CheckWhole();
        m_complaints.resize(std::min(m_complaints.size(), g_mostComplaints));
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

  private:
    /** Where a key was set, for complaints about the whole. */
    struct Origin
    {
        InputPlace value; ///< where its value stands
        InputPlace name;  ///< where its name stands
    };

    void Complain(const InputPlace& place, const std::string& text)
    {
        m_complaints.push_back(Printable(place.Prefix() + text));
    }

    /** @return whether @p action did not throw a UnitError, which is complained of */
    bool Try(const InputPlace& place, const std::function<void()>& action)
    {
        try
        {
            action();
            return true;
        }
        catch (const UnitError& error)
        {
            Complain(place, error.what());
            return false;
        }
    }

    void Refuse(const std::string& name)
    {
        m_refused.insert(name);
        if (FindKey(name) == nullptr)
        {
            m_refused.insert(NearestKey(name));
        }
    }

    bool IsRefused(const std::string& name) const
    {
        return m_refused.count(name) > 0 || m_refused.count(TableOf(name)) > 0;
    }

    void TakeEntry(TomlEntry entry)
    {
        entry.name = PlainName(entry.name); // [group.data] is [exchange] and [codec]
        if (m_origins.count(entry.name) > 0)
        {
            Complain(entry.keyPlace,
                     "sets " + entry.name +
                         ", which another line sets, too; leave one of them out");
            return;
        }
        if (BeginsWith(entry.name, g_attributes))
        {
            TakeAttribute(entry);
        }
        else if (BeginsWith(entry.name, g_sweep))
        {
            SweepSpec unused;
            ReadSweepEntry(entry, unused, [this](const InputPlace& place, const std::string& text) {
                Complain(place, text);
            });
        }
        else if (const auto* repeated = FindRepeatedTable(entry.name))
        {
            TakeRepeated(*repeated, entry);
        }
        else if (const auto* key = FindKey(entry.name))
        {
            m_origins[entry.name] = {entry.valuePlace, entry.keyPlace};
            TakeValue(entry, key->type, key->values, [&] { SetValue(*key, entry.text); });
        }
        else if (!IsAmong(entry.name, FileTables()))
        {
            Complain(entry.keyPlace, UnknownKey(entry.name));
        }
        else if (entry.kind != TomlKind::TABLE) // an empty one says nothing, and nothing wrong
        {
            Complain(entry.keyPlace,
                     "is a table: write [" + entry.name +
                         "] in a line of its own and its keys below");
        }
    }

    void TakeValue(const TomlEntry& entry,
                   ValueType type,
                   const std::string& values,
                   const std::function<void()>& set)
    {
        Try(entry.valuePlace, [&] {
            if (!Fits(type, entry.kind))
            {
                throw UnitError(Needs(type, values, entry));
            }
            set();
        });
    }

    /** What is set keeps its value, wherever the key stands that chooses its default. */
    void SetValue(const Key& key, const std::string& text)
    {
        const auto before = m_scenario;
        SetKey(m_scenario, key, text);
        for (const auto& other : ScenarioKeys())
        {
            if (ChoosesDefault(key, other) && m_origins.count(other.name) > 0)
            {
                other.set(m_scenario, other.text(before));
            }
        }
    }

    void TakeAttribute(const TomlEntry& entry)
    {
        if (entry.text.empty() && entry.kind != TomlKind::TEXT)
        {
            Complain(entry.valuePlace,
                     "an attribute needs a text, a number, true or false, got " + entry.kindName +
                         "; its path stands in quotes: \"inca::Class::Attribute\"");
            return;
        }
        m_origins[entry.name] = {entry.valuePlace, entry.keyPlace};
        SetAttribute(entry.name.substr(g_attributes.size()), entry.text);
    }

    void TakeRepeated(const RepeatedTable& repeated, const TomlEntry& entry)
    {
        if (entry.kind != TomlKind::TABLES)
        {
            Complain(entry.valuePlace,
                     fmt::format("needs double brackets, [[{}]], one for each {}",
                                 repeated.name,
                                 LeafOf(repeated.name)));
        }
        for (const auto& table : entry.tables)
        {
            TakeTable(repeated, table, table.empty() ? entry.valuePlace : table.front().keyPlace);
        }
    }

    void TakeTable(const RepeatedTable& repeated,
                   const std::vector<TomlEntry>& table,
                   InputPlace place)
    {
        const auto id =
            std::find_if(table.begin(), table.end(), [&repeated](const TomlEntry& entry) {
                return LeafOf(entry.name) == repeated.id.name && Fits(repeated.id.type, entry.kind);
            });
        if (id == table.end())
        {
            place.key = repeated.name + "." + repeated.id.name;
            const bool isText = repeated.id.type == ValueType::TEXT;
            Complain(place,
                     fmt::format("every [[{}]] needs {}, {}",
                                 repeated.name,
                                 isText ? "a text in quotes" : "a whole number",
                                 repeated.id.values));
            return;
        }
        const Origin origin{id->valuePlace, id->keyPlace};
        const bool isTaken = Try(origin.value, [&] {
            const auto name = repeated.name + "." + repeated.add(m_scenario, id->text);
            if (!m_origins.emplace(name, origin).second)
            {
                throw UnitError(LeafOf(repeated.name) + " " + id->text + " was there before");
            }
        });
        for (const auto& entry : table)
        {
            if (isTaken && &entry != &*id && m_complaints.size() < g_mostComplaints)
            {
                const auto leaf = LeafOf(entry.name);
                const auto* key = repeated.Find(leaf);
                m_origins[fmt::format("{}.{}.{}", repeated.name, id->text, leaf)] = {
                    entry.valuePlace, entry.keyPlace};
                const auto set = [&] {
                    repeated.Set(m_scenario, id->text + "." + leaf, entry.text);
                };
                key == nullptr ? static_cast<void>(Try(entry.valuePlace, set))
                               : TakeValue(entry, key->type, key->values, set);
            }
        }
    }

    void SetAttribute(const std::string& path, const std::string& text)
    {
        auto& all = m_scenario.attributes;
        const auto known = std::find_if(
            all.begin(), all.end(), [&path](const auto& other) { return other.first == path; });
        (known == all.end() ? all.emplace_back(path, "") : *known).second = text;
    }

    void ApplySetting(const std::string& name, const std::string& text)
    {
        if (BeginsWith(name, g_attributes))
        {
            SetAttribute(name.substr(g_attributes.size()), text);
        }
        else if (const auto* repeated = FindRepeatedTable(name); repeated && repeated->name != name)
        {
            m_origins[name.substr(0, name.rfind('.'))] = m_origins[name];
            SetKey(m_scenario, name, text);
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

    /**
     * Takes a path from the scenario's folder, if its file is only there.
     * @param file that is looked for, where @p path stands for several
     */
    void FindFile(const std::string& key, std::string& path, const std::string& file)
    {
        namespace fs = std::filesystem;
        const auto folder = fs::path(m_fileName).parent_path();
        const auto beside = (folder / file).string();
        std::error_code none;
        if (beside == file || !fs::exists(beside, none))
        {
            return;
        }
        if (!fs::exists(file, none))
        {
            path = (folder / path).string();
        }
        else if (!fs::equivalent(file, beside, none))
        {
            m_ambiguous.push_back(key);
        }
    }

    void FindFiles()
    {
        auto& trace = m_scenario.training.trace;
        auto& values = m_scenario.training.valuesFile;
        if (IsTracePath(trace))
        {
            FindFile("training.trace", trace, trace);
        }
        if (!values.empty())
        {
            FindFile("training.values_file", values, ValuesFilePaths(values, 1).front());
        }
    }

    void CheckWhole()
    {
        for (const auto& complaint : Complaints(m_scenario))
        {
            const auto& others = complaint.others;
            const bool follows =
                std::any_of(others.begin(), others.end(), [this](const auto& other) {
                    return IsRefused(other);
                });
            if (!follows && !IsRefused(complaint.key))
            {
                ComplainOfWhole(complaint);
            }
        }
    }

    void ComplainOfWhole(const KeyComplaint& complaint)
    {
        const auto origin = m_origins.find(complaint.key);
        const bool isGiven = origin != m_origins.end();
        const auto* key = FindKey(complaint.key);
        const auto standard = isGiven || key == nullptr ? std::string() : DefaultText(*key);
        Complain(isGiven ? origin->second.value : InputPlace{m_fileName, 0, 0, complaint.key},
                 complaint.text + (standard.empty() ? "" : " (" + standard + " is its default)") +
                     RemediesText(complaint));
    }

    void WarnOf(const std::string& name, const std::string& text, LoadedScenario& loaded) const
    {
        loaded.warnings.push_back(Printable(m_origins.at(name).name.Prefix() + text));
        loaded.idleKeys.push_back(name);
    }

    void WarnIfIdle(const std::string& name,
                    const std::string& reason,
                    LoadedScenario& loaded) const
    {
        if (m_origins.count(name) > 0 && !reason.empty())
        {
            WarnOf(name, "has no effect: " + reason, loaded);
        }
    }

    void Warn(LoadedScenario& loaded) const
    {
        for (const auto& name : m_ambiguous)
        {
            WarnOf(name,
                   "is in the working directory and beside the scenario, too; the former is taken",
                   loaded);
        }
        for (const auto& key : ScenarioKeys())
        {
            WarnIfIdle(key.name, IdleReason(key, m_scenario), loaded);
        }
        for (const auto& worker : m_scenario.cluster.overrides)
        {
            WarnIfIdle(fmt::format("cluster.worker.{}.bandwidth", worker.index),
                       IdleReason(*FindKey("cluster.bandwidth"), m_scenario),
                       loaded);
        }
        for (const auto& [path, text] : m_scenario.attributes)
        {
            WarnIfIdle(std::string(g_attributes) + path, IdleAttribute(path, m_scenario), loaded);
        }
    }

    std::string m_fileName;
    Scenario m_scenario;
    std::map<std::string, Origin> m_origins;      ///< by dotted name
    std::map<std::string, std::string> m_options; ///< what set a name beside the file
    std::set<std::string> m_refused; ///< names that have a complaint, or were meant by one
    std::vector<std::string> m_complaints;
    std::vector<std::string> m_ambiguous; ///< keys whose files are in two places
};

std::string
Written(const std::string& text, bool quoted)
{
    return quoted ? QuoteToml(text) : text;
}

std::string
FormatAttributes(const Scenario& scenario)
{
    std::string text = scenario.attributes.empty() ? "" : "[attributes]\n";
    for (const auto& [path, value] : scenario.attributes)
    {
        text += fmt::format("{} = {}\n", QuoteToml(path), QuoteToml(value));
    }
    return text;
}

/** The path of the preset, which is read before all that may override it. */
std::string
PresetOf(const std::vector<TomlEntry>& entries,
         const std::vector<std::string>& settings,
         const std::vector<Varied>& varied)
{
    std::string path;
    for (const auto& entry : entries)
    {
        path = entry.name == g_preset && entry.kind == TomlKind::TEXT ? entry.text : path;
    }
    const auto take = [&path](const std::string& setting) {
        const auto equals = setting.find('=');
        path = setting.substr(0, equals) == g_preset && equals != std::string::npos
                   ? setting.substr(equals + 1)
                   : path;
    };
    std::for_each(settings.begin(), settings.end(), take);
    std::for_each(varied.begin(), varied.end(), [&take](const Varied& one) { take(one.text); });
    return path;
}

/** @throws InputError if these are the entries of a preset */
void
RequireNoPreset(const std::vector<TomlEntry>& entries, const std::string& fileName)
{
    for (const auto& entry : entries)
    {
        if (TableOf(entry.name) == CALIBRATION_TABLE)
        {
            throw InputError(Printable(fmt::format(
                "{}the file is a cluster's preset, and no scenario; a scenario that uses it "
                "says [cluster] preset = {}",
                entry.keyPlace.Prefix(),
                QuoteToml(fileName))));
        }
    }
}

} // namespace

std::string
ReadScenarioText(const std::string& path)
{
    constexpr const char* tooLong = "is no scenario: more than 1 MiB";
    return path == g_stdin ? ReadStandardInput(g_largestFile, tooLong)
                           : ReadInputFile(path, g_largestFile, tooLong);
}

std::string
ScenarioName(const std::string& path)
{
    return path == g_stdin ? STDIN_NAME : path;
}

LoadedScenario
TryScenario(std::string_view text,
            const std::string& fileName,
            const std::vector<std::string>& settings,
            const std::vector<Varied>& varied)
{
    Builder builder(fileName);
    const auto entries = ReadToml(text, fileName);
    RequireNoPreset(entries, fileName);
    builder.TakePreset(PresetOf(entries, settings, varied));
    for (const auto& entry : entries)
    {
        builder.Take(entry);
    }
    for (const auto& setting : settings)
    {
        builder.Take(setting, "--set");
    }
    for (const auto& [setting, origin] : varied)
    {
        builder.Take(setting, origin);
    }
    return builder.Finish();
}

LoadedScenario
ParseScenario(std::string_view text,
              const std::string& fileName,
              const std::vector<std::string>& settings,
              const std::vector<Varied>& varied)
{
    auto loaded = TryScenario(text, fileName, settings, varied);
    if (!loaded.complaints.empty())
    {
        throw InputError(loaded.complaints);
    }
    return loaded;
}

LoadedScenario
ReadScenario(const std::string& path,
             const std::vector<std::string>& settings,
             const std::vector<Varied>& varied)
{
    return ParseScenario(ReadScenarioText(path), ScenarioName(path), settings, varied);
}

std::string
FormatTable(const Scenario& scenario, const std::string& table, TableKeys keys)
{
    std::string text;
    for (const auto& key : ScenarioKeys())
    {
        const auto value = key.text(scenario);
        const bool worth = value != DefaultIn(scenario, key) ||
                           (keys == TableKeys::USED && IdleReason(key, scenario).empty());
        if (TableOf(key.name) == table && !value.empty() && worth)
        {
            text += fmt::format(
                "{} = {}\n", LeafOf(key.name), Written(value, IsQuoted(key.type, value)));
        }
    }
    return text.empty() ? text : fmt::format("[{}]\n{}", table, text);
}

std::string
FormatRepeated(const Scenario& scenario, const RepeatedTable& repeated)
{
    std::string text;
    const auto settings = repeated.settings(scenario);
    auto setting = settings.begin();
    for (const auto& id : repeated.ids(scenario))
    {
        text += fmt::format("[[{}]]\n{} = {}\n",
                            repeated.name,
                            repeated.id.name,
                            Written(id, repeated.id.type == ValueType::TEXT));
        const auto isOfIt = [&id](const ResolvedSetting& s) {
            return s.key == id + "." + LeafOf(s.key);
        };
        for (; setting != settings.end() && isOfIt(*setting); ++setting)
        {
            const auto value = Written(setting->text, setting->quoted);
            text += fmt::format("{} = {}\n", LeafOf(setting->key), value);
        }
    }
    return text;
}

std::string
FormatScenario(const Scenario& scenario)
{
    std::string text;
    for (const auto& table : TableNames())
    {
        text += FormatTable(scenario, table, TableKeys::USED);
        for (const auto& repeated : RepeatedTables())
        {
            text += TableOf(repeated.name) == table ? FormatRepeated(scenario, repeated) : "";
        }
    }
    return text + FormatAttributes(scenario);
}

} // namespace inca
