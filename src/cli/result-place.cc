/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/result-place.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "base/units.h"
#include "cli/command-line.h"
#include "experiment/input-checksums.h"
#include "record/csv-text.h"
#include "scenario/keys.h"
#include "sweep/result-store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* g_storeName = "results.sqlite";

/** Of a folder, the first of these that is there. */
constexpr std::array<std::pair<const char*, ResultKind>, 4> g_files{{
    {g_storeName, ResultKind::STORE},
    {"results.csv", ResultKind::ROWS},
    {"run.json", ResultKind::RUN},
    {"result.csv", ResultKind::ROWS},
}};

ResultPlace
FindInFolder(const std::string& folder)
{
    std::error_code error;
    for (const auto& [name, kind] : g_files)
    {
        const auto file = fs::path(folder) / name;
        if (fs::exists(file, error))
        {
            return {kind, file.string(), folder};
        }
    }
    throw InputError(folder +
                     ": nothing to draw: it holds neither results.sqlite or results.csv, as "
                     "inca sweep writes them, nor run.json, as inca run --out does");
}

CsvTable
ReadStore(const std::string& file)
{
    CsvTable table{file, {}, {}};
    OpenStore(file).ForEachPoint([&table](const StoredPoint& point) {
        if (point.result)
        {
            AddRow(table, point);
        }
    });
    return table;
}

} // namespace

ResultPlace
FindResults(const std::string& path)
{
    std::error_code error;
    if (fs::is_directory(path, error))
    {
        return FindInFolder(path);
    }
    if (const fs::path file(path); file.extension() == ".toml")
    {
        throw InputError(path + ": is a scenario; name its results, which inca sweep keeps in " +
                         fs::path(file).replace_extension(".sweep").string());
    }
    const bool isStore = fs::path(path).filename() == g_storeName;
    return {isStore ? ResultKind::STORE : ResultKind::ROWS, path, ""};
}

void
AddRow(CsvTable& table, const StoredPoint& point)
{
    const auto row = RowOf(point);
    for (std::size_t i = 0; table.rows.empty() && i < row.size(); ++i)
    {
        table.columns.push_back(row[i].column);
    }
    CsvTableRow fields{static_cast<unsigned>(point.number), {}};
    for (std::size_t i = 0; i < table.columns.size(); ++i)
    {
        const bool isThere = i < row.size() && row[i].column == table.columns[i];
        fields.fields.push_back(isThere ? row[i].text : CellText(row, table.columns[i]));
    }
    table.rows.push_back(std::move(fields));
}

PlotNames
NamesOfRows()
{
    PlotNames names;
    names.settings.emplace_back("label");
    for (const auto& column : SettingColumns(Scenario{}))
    {
        names.settings.push_back(column.name);
    }
    for (const auto& key : ScenarioKeys())
    {
        names.ofKeys.emplace(key.name, key.column);
    }
    return names;
}

CsvTable
WithRows(CsvTable table)
{
    if (table.rows.empty())
    {
        throw InputError(table.path + ": nothing to draw: no point of its last sweep is done yet");
    }
    return table;
}

CsvTable
ReadResults(const ResultPlace& place)
{
    switch (place.kind)
    {
    case ResultKind::STORE:
        return WithRows(ReadStore(place.file));
    case ResultKind::RUN:
        return ReadCsvTable(place.folder + "/result.csv");
    case ResultKind::ROWS:
        break;
    }
    return ReadCsvTable(place.file);
}

namespace
{

constexpr std::string_view g_trace = "training.trace";

using Json = nlohmann::ordered_json; // objects keep the order of their members
using Texts = std::vector<std::string>;

/**
 * Reads a file of INCA's own.
 * @param otherwise said of a file that is not JSON, or lacks what @p take asks for: "is no run.json ..."
 * @throws InputError naming the file
 */
template <class Take>
void
ReadJson(const std::string& file, const std::string& otherwise, Take take)
{
    constexpr std::size_t most = 1U << 28U;
    const auto text = ReadInputFile(file, most, otherwise + ": more than 256 MiB");
    try
    {
        take(Json::parse(text));
    }
    catch (const Json::exception& error)
    {
        throw InputError(file + ": " + otherwise + ": " + error.what());
    }
}

/** Sets a key, unless it is another version's. */
void
TrySet(Scenario& scenario, const std::string& key, const std::string& text)
{
    try
    {
        SetKey(scenario, key, text);
    }
    catch (const UnitError&)
    {
    }
}

/** @return those of @p idle that have an effect on no point. @param points "key=value" of each beside the scenario */
std::set<const Key*>
IdleEverywhere(const Scenario& scenario,
               std::set<const Key*> idle,
               const std::vector<Texts>& points)
{
    for (auto point = points.begin(); point != points.end() && !idle.empty(); ++point)
    {
        auto one = scenario;
        for (const auto& setting : *point)
        {
            const auto equals = setting.find('=');
            TrySet(one, setting.substr(0, equals), setting.substr(equals + 1));
        }
        for (auto key = idle.begin(); key != idle.end();)
        {
            key = IdleReason(**key, one).empty() ? idle.erase(key) : std::next(key);
        }
    }
    return idle;
}

/**
 * @return each setting that has an effect, on some point of a sweep, and whether it is what would be there without it;
 *         another version's key is shown as it is
 */
std::vector<ReportSetting>
SettingsOf(const std::vector<std::pair<std::string, std::string>>& texts,
           const std::vector<Texts>& points = {})
{
    Scenario scenario;
    for (const auto& [key, text] : texts)
    {
        TrySet(scenario, key, text);
    }
    std::set<const Key*> idle;
    for (const auto& [name, text] : texts)
    {
        if (const auto* key = FindKey(name); key != nullptr && !IdleReason(*key, scenario).empty())
        {
            idle.insert(key);
        }
    }
    idle = IdleEverywhere(scenario, std::move(idle), points);
    std::vector<ReportSetting> settings;
    for (const auto& [name, text] : texts)
    {
        const auto* key = FindKey(name);
        if (idle.count(key) == 0)
        {
            settings.push_back({name, text, key != nullptr && text == DefaultIn(scenario, *key)});
        }
    }
    return settings;
}

std::string
ChecksumOf(const std::string& file)
{
    return "CRC-32 " + ChecksumText(FileChecksum(file));
}

std::string
FileName(const std::string& path)
{
    return fs::path(path).filename().string();
}

/** What is known of rows whatever file they come from. */
void
SetRows(CsvTable table, ReportData& data)
{
    data.table = std::move(table);
    data.settings.emplace("label", "of the point's system");
    for (const auto& column : SettingColumnMeanings())
    {
        data.settings.emplace(column.name, column.meaning);
    }
    data.varied = VariedColumns(data.table, NamesOfRows());
}

/** @return the one text that all rows have there; empty: they differ, or have none */
std::string
CommonText(const CsvTable& table, const std::string& column)
{
    const auto at = table.Find(column);
    std::string text = at ? table.rows.front().fields[*at] : "";
    for (const auto& row : table.rows)
    {
        text = at && row.fields[*at] == text ? text : "";
    }
    return text;
}

/** The command that has the settings of a run: what is not the default, and no file. */
std::string
CommandOf(const std::vector<ReportSetting>& scenario)
{
    std::vector<std::string> words{"inca", "run", "/dev/null"};
    for (const auto& setting : scenario)
    {
        if (!setting.isDefault)
        {
            words.insert(words.end(), {"--set", setting.key + "=" + setting.text});
        }
    }
    return ShellLine(words);
}

void
AddRunJson(const Json& json, ReportData& data)
{
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [table, keys] : json.at("scenario").items())
    {
        for (const auto& [key, value] : keys.items())
        {
            texts.emplace_back(table + "." + key,
                               value.is_string() ? value.get<std::string>() : value.dump());
        }
    }
    data.scenario = SettingsOf(texts);
    for (const auto& input : json.at("inputs"))
    {
        data.origins.push_back({input.at("path").get<std::string>(),
                                "CRC-32 " + input.at("crc32").get<std::string>()});
    }
}

ReportData
OfRun(const ResultPlace& place)
{
    ReportData data;
    data.kind = "run";
    SetRows(ReadResults(place), data);
    ReadJson(place.file, "is no run.json as inca run writes it", [&data](const Json& json) {
        AddRunJson(json, data);
    });
    data.command = CommandOf(data.scenario);
    data.commands = {data.command};
    data.origins.push_back({"result.csv", ChecksumOf(place.folder + "/result.csv")});
    return data;
}

/** Checksums of builds stand before the settings in what decides results. */
void
AddBase(const std::vector<std::string>& base, const std::vector<Texts>& points, ReportData& data)
{
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& line : base)
    {
        const auto equals = line.find('=');
        const auto name = line.substr(0, equals);
        const auto text = line.substr(equals + 1);
        if (name.find('.') == std::string::npos)
        {
            data.origins.push_back({name == "ns3" ? "ns-3" : name, text});
        }
        else if (name == g_trace)
        {
            const auto trace = CommonText(data.table, "trace");
            texts.emplace_back(name, trace.empty() ? text : trace);
        }
        else
        {
            texts.emplace_back(name, text);
        }
    }
    data.scenario = SettingsOf(texts, points);
}

/** The words after "inca run". */
std::string
ScenarioOf(const std::vector<std::string>& command)
{
    constexpr std::size_t program = 2;
    return command.size() > program ? ShellLine({command.begin() + program, command.end()}) : "";
}

/** @return what sets each point apart from the scenario */
std::vector<Texts>
AddPoints(StoredSweep& sweep, ReportData& data)
{
    const auto command = sweep.Command();
    data.command = ScenarioOf(command);
    std::vector<Texts> points;
    CsvTable table{data.table.path, {}, {}};
    sweep.ForEachPoint([&](const StoredPoint& point) {
        if (point.result)
        {
            AddRow(table, point);
            data.commands.push_back(
                command.empty() ? "" : ShellLine(WithSettings(command, point.arguments)));
            points.push_back(point.arguments);
        }
    });
    SetRows(WithRows(std::move(table)), data);
    return points;
}

ReportData
OfStore(const ResultPlace& place)
{
    ReportData data;
    data.kind = "sweep";
    data.table.path = place.file;
    auto sweep = OpenStore(place.file);
    const auto points = AddPoints(sweep, data);
    AddBase(sweep.Base(), points, data);
    const auto all = static_cast<std::size_t>(sweep.AllPoints());
    if (all > data.table.rows.size())
    {
        data.notes.push_back(fmt::format(
            "{} of the sweep's {} points have no result yet", all - data.table.rows.size(), all));
    }
    return data;
}

ReportData
OfTable(const ResultPlace& place)
{
    auto table = ReadCsvTable(place.file);
    const bool isOfTrainings = table.Find("training_time_s").has_value();
    if (!table.Find("iteration_time_s") && !isOfTrainings)
    {
        throw InputError(InputPlace{place.file, 1, 0, ""},
                         "is no table of results: has no column iteration_time_s");
    }
    ReportData data;
    data.kind = isOfTrainings ? "accuracy" : "rows";
    SetRows(std::move(table), data);
    data.origins.push_back({FileName(place.file), ChecksumOf(place.file)});
    data.notes.emplace_back(
        isOfTrainings ? "accuracies were trained elsewhere, and times were simulated: together they "
                        "are a prediction, and no measurement"
                      : "a table does not say which commands gave its rows; the folder of a sweep "
                        "or a run does");
    return data;
}

/** "alexnet.sweep": the folder's name, or the file's. */
std::string
TitleOf(const ResultPlace& place)
{
    const auto path = place.folder.empty() ? fs::path(place.file) : fs::path(place.folder);
    const auto name = fs::absolute(path).lexically_normal();
    return name.has_filename() ? name.filename().string() : name.parent_path().filename().string();
}

} // namespace

ReportData
CollectReport(const ResultPlace& place)
{
    auto data = place.kind == ResultKind::STORE ? OfStore(place)
                : place.kind == ResultKind::RUN ? OfRun(place)
                                                : OfTable(place);
    data.title = TitleOf(place);
    return data;
}

} // namespace inca
