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

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
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

/** Adds the row of a point that has a result; the first one says which columns there are. */
void
AddPoint(CsvTable& table, const StoredPoint& point)
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

CsvTable
ReadStore(const std::string& file)
{
    CsvTable table{file, {}, {}};
    OpenStore(file).ForEachPoint([&table](const StoredPoint& point) {
        if (point.result)
        {
            AddPoint(table, point);
        }
    });
    if (table.rows.empty())
    {
        throw InputError(file + ": nothing to draw: no point of its last sweep is done yet");
    }
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

PlotNames
NamesOfRows(const ResultPlace& place)
{
    std::map<std::string, std::size_t> ranks; // by column
    if (place.kind == ResultKind::STORE)
    {
        OpenStore(place.file).ForEachPoint([&ranks](const StoredPoint& point) {
            for (const auto& setting : point.arguments)
            {
                const auto* key = FindKey(setting.substr(0, setting.find('=')));
                ranks.emplace(key == nullptr ? "" : key->column, ranks.size());
            }
        });
    }
    const auto others = ranks.size();
    const Scenario standard;
    PlotNames names;
    for (const auto& key : ScenarioKeys())
    {
        names.ofKeys.emplace(key.name, key.column);
        ranks.emplace(key.column, key.text(standard).empty() ? others + 1 : others);
    }
    for (const auto& column : SettingColumns(standard))
    {
        ranks.emplace(column.name, others + 1);
        names.settings.push_back(column.name);
    }
    std::stable_sort(names.settings.begin(),
                     names.settings.end(),
                     [&ranks](const auto& a, const auto& b) { return ranks[a] < ranks[b]; });
    names.settings.insert(names.settings.begin(), "label");
    return names;
}

CsvTable
ReadResults(const ResultPlace& place)
{
    switch (place.kind)
    {
    case ResultKind::STORE:
        return ReadStore(place.file);
    case ResultKind::RUN:
        return ReadCsvTable(place.folder + "/result.csv");
    case ResultKind::ROWS:
        break;
    }
    return ReadCsvTable(place.file);
}

namespace
{

using Json = nlohmann::ordered_json; // objects keep the order of their members

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

/** @return what would not be there without a setting of it; another version's key is shown as it is */
std::vector<ReportFact>
NotDefault(const std::vector<ReportFact>& settings)
{
    Scenario scenario;
    for (const auto& [key, text] : settings)
    {
        TrySet(scenario, key, text);
    }
    std::vector<ReportFact> others;
    std::copy_if(
        settings.begin(), settings.end(), std::back_inserter(others), [&](const auto& one) {
            const auto* key = FindKey(one.name);
            return key == nullptr || one.text != DefaultIn(scenario, *key);
        });
    return others;
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
CommandOf(const std::vector<ReportFact>& scenario)
{
    std::vector<std::string> words{"inca", "run", "/dev/null"};
    for (const auto& setting : scenario)
    {
        words.insert(words.end(), {"--set", setting.name + "=" + setting.text});
    }
    return ShellLine(words);
}

void
AddRunJson(const Json& json, ReportData& data)
{
    std::vector<ReportFact> texts;
    for (const auto& [table, keys] : json.at("scenario").items())
    {
        for (const auto& [key, value] : keys.items())
        {
            texts.push_back(
                {table + "." + key, value.is_string() ? value.get<std::string>() : value.dump()});
        }
    }
    data.scenario = NotDefault(texts);
    for (const auto& input : json.at("inputs"))
    {
        data.origins.push_back({input.at("path").get<std::string>(),
                                "CRC-32 " + input.at("crc32").get<std::string>()});
    }
}

void
AddRun(const ResultPlace& place, ReportData& data)
{
    data.kind = "run";
    ReadJson(place.file, "is no run.json as inca run writes it", [&data](const Json& json) {
        AddRunJson(json, data);
    });
    data.command = CommandOf(data.scenario);
    data.commands = {data.command};
    data.origins.push_back({"result.csv", ChecksumOf(place.folder + "/result.csv")});
    std::error_code error;
    if (const auto path = place.folder + "/path.csv"; fs::exists(path, error))
    {
        data.path = ReadCsvTable(path);
        data.origins.push_back({"path.csv", ChecksumOf(path)});
    }
}

/** Checksums of builds stand before the settings in what decides results. */
void
AddBase(const std::vector<std::string>& base, ReportData& data)
{
    std::vector<ReportFact> texts;
    for (const auto& line : base)
    {
        const auto equals = line.find('=');
        const auto name = line.substr(0, equals);
        const auto text = line.substr(equals + 1);
        if (name.find('.') == std::string::npos)
        {
            data.origins.push_back({name == "ns3" ? "ns-3" : name, text});
        }
        else if (name != "training.trace" && name != "training.values_file")
        {
            texts.push_back({name, text});
        }
        else if (const auto file = CommonText(data.table, FindKey(name)->column); !file.empty())
        {
            texts.push_back({name, file}); // the base has its checksum
        }
    }
    data.scenario = NotDefault(texts);
}

/** The words after "inca run". */
std::string
ScenarioOf(const std::vector<std::string>& command)
{
    constexpr std::size_t program = 2;
    return command.size() > program ? ShellLine({command.begin() + program, command.end()}) : "";
}

void
AddSweep(const ResultPlace& place, ReportData& data)
{
    data.kind = "sweep";
    auto sweep = OpenStore(place.file);
    const auto command = sweep.Command();
    data.command = ScenarioOf(command);
    sweep.ForEachPoint([&](const StoredPoint& point) {
        if (point.result)
        {
            data.commands.push_back(
                command.empty() ? "" : ShellLine(WithSettings(command, point.arguments)));
        }
    });
    AddBase(sweep.Base(), data);
    const auto all = static_cast<std::size_t>(sweep.AllPoints());
    if (all > data.table.rows.size())
    {
        data.notes.push_back(fmt::format(
            "{} of the sweep's {} points have no result yet", all - data.table.rows.size(), all));
    }
}

void
AddTable(const ResultPlace& place, ReportData& data)
{
    const bool isOfTrainings = data.table.Find("training_time_s").has_value();
    if (!data.table.Find("iteration_time_s") && !isOfTrainings)
    {
        throw InputError(InputPlace{place.file, 1, 0, ""},
                         "is no table of results: has no column iteration_time_s");
    }
    data.kind = isOfTrainings ? "accuracy" : "rows";
    data.origins.push_back({FileName(place.file), ChecksumOf(place.file)});
    data.notes.emplace_back(
        isOfTrainings
            ? "accuracies were trained elsewhere, and times were simulated: together they "
              "are a prediction, and no measurement"
            : "a table does not say which commands gave its rows; the folder of a sweep "
              "or a run does");
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
    ReportData data;
    data.title = TitleOf(place);
    data.table = ReadResults(place);
    data.varied = VariedColumns(data.table, NamesOfRows(place));
    data.settings.emplace("label", "of the point's system");
    for (const auto& column : SettingColumnMeanings())
    {
        data.settings.emplace(column.name, column.meaning);
    }
    place.kind == ResultKind::STORE ? AddSweep(place, data)
    : place.kind == ResultKind::RUN ? AddRun(place, data)
                                    : AddTable(place, data);
    return data;
}

} // namespace inca
