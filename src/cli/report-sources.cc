/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/report-sources.h"

#include "base/checksum.h"
#include "base/errors.h"
#include "base/input-file.h"
#include "base/units.h"
#include "cli/command-line.h"
#include "cli/common-settings.h"
#include "cli/json-file.h"
#include "cli/validation-directory.h"
#include "record/csv-text.h"
#include "scenario/keys.h"
#include "sweep/result-store.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace inca
{

namespace
{

constexpr std::string_view g_trace = "training.trace";

/** @return each setting, and whether it is what would be there without it */
std::vector<ReportSetting>
SettingsOf(const std::vector<std::pair<std::string, std::string>>& texts)
{
    Scenario scenario;
    for (const auto& [key, text] : texts)
    {
        if (FindKey(key) != nullptr)
        {
            try
            {
                SetKey(scenario, key, text);
            }
            catch (const UnitError&)
            {
                continue; // another version's; it is shown as it is
            }
        }
    }
    std::vector<ReportSetting> settings;
    for (const auto& [key, text] : texts)
    {
        const auto* known = FindKey(key);
        settings.push_back({key, text, known != nullptr && text == DefaultIn(scenario, *known)});
    }
    return settings;
}

std::string
ChecksumOf(const std::string& file)
{
    constexpr std::size_t most = 1U << 28U;
    const auto text = ReadInputFile(file, most, "is larger than 256 MiB");
    return "CRC-32 " + ChecksumText(Crc32(text.data(), text.size()));
}

std::string
FileName(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
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
    ReadJsonFile(place.file, "is no run.json as inca run writes it", [&data](const Json& json) {
        AddRunJson(json, data);
    });
    data.command = CommandOf(data.scenario);
    data.commands = {data.command};
    data.timelines = {LanesOf(LayersOf(ReadCsvTable(place.folder + "/layers.csv")))};
    data.origins.push_back({"result.csv", ChecksumOf(place.folder + "/result.csv")});
    return data;
}

/** Checksums of builds stand before the settings in what decides results. */
void
AddBase(const std::vector<std::string>& base, ReportData& data)
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
    data.scenario = SettingsOf(texts);
}

/** The words after "inca run". */
std::string
ScenarioOf(const std::vector<std::string>& command)
{
    constexpr std::size_t program = 2;
    return command.size() > program ? ShellLine({command.begin() + program, command.end()}) : "";
}

void
AddPoints(StoredSweep& sweep, ReportData& data)
{
    const auto command = sweep.Command();
    data.command = ScenarioOf(command);
    std::size_t room = 100'000; // layers of timelines
    std::size_t without = 0;
    CommonSettings systems;
    CsvTable table{data.table.path, {}, {}};
    sweep.ForEachPoint([&](const StoredPoint& point) {
        if (point.result)
        {
            AddRow(table, point);
            data.commands.push_back(
                command.empty() ? "" : ShellLine(WithSettings(command, point.arguments)));
            auto lanes = LanesOf(sweep.Layers(point.key));
            without += FitLanes(lanes, room) ? 0 : 1;
            data.timelines.push_back(std::move(lanes));
            systems.Add(point);
        }
    });
    SetRows(WithRows(std::move(table)), data);
    data.systems = systems.Systems();
    if (without > 0)
    {
        data.notes.push_back(
            fmt::format("a page has room for 100,000 layers: {} points have no timeline, "
                        "or that of the worker that ends last alone",
                        without));
    }
}

/** What the last sweep of the store has not done. */
void
NoteMissing(StoredSweep& sweep, ReportData& data)
{
    const auto all = static_cast<std::size_t>(sweep.AllPoints());
    if (all > data.table.rows.size())
    {
        data.notes.push_back(fmt::format(
            "{} of the sweep's {} points have no result yet", all - data.table.rows.size(), all));
    }
}

ReportData
OfStore(const ResultPlace& place)
{
    ReportData data;
    data.kind = "sweep";
    data.table.path = place.file;
    auto sweep = OpenStore(place.file);
    AddPoints(sweep, data);
    AddBase(sweep.Base(), data);
    NoteMissing(sweep, data);
    return data;
}

ReportData
OfValidation(const ResultPlace& place, CsvTable table)
{
    ReportData data;
    data.kind = "validation";
    data.table = std::move(table);
    const auto json = place.folder.empty() ? "" : place.folder + "/validation.json";
    std::error_code error;
    if (!json.empty() && std::filesystem::exists(json, error))
    {
        ReadValidationJson(json, data);
    }
    data.origins.push_back({FileName(place.file), ChecksumOf(place.file)});
    return data;
}

ReportData
OfTable(const ResultPlace& place)
{
    auto table = ReadCsvTable(place.file);
    if (place.kind == ResultKind::VALIDATION || table.columns.front() == "validation")
    {
        return OfValidation(place, std::move(table));
    }
    if (!table.Find("iteration_time_s"))
    {
        throw InputError(InputPlace{place.file, 1, 0, ""},
                         "is no table of results: has no column iteration_time_s");
    }
    ReportData data;
    data.kind = "rows";
    SetRows(std::move(table), data);
    data.origins.push_back({FileName(place.file), ChecksumOf(place.file)});
    data.notes.emplace_back(
        "a table says neither which commands gave its rows nor when their layers "
        "were exchanged; the folder of a sweep or a run does");
    return data;
}

ReportData
Collect(const ResultPlace& place)
{
    switch (place.kind)
    {
    case ResultKind::STORE:
        return OfStore(place);
    case ResultKind::RUN:
        return OfRun(place);
    case ResultKind::ROWS:
    case ResultKind::VALIDATION:
        break;
    }
    return OfTable(place);
}

/** "alexnet.sweep": the folder's name, or the file's. */
std::string
TitleOf(const ResultPlace& place)
{
    namespace fs = std::filesystem;
    const auto path = place.folder.empty() ? fs::path(place.file) : fs::path(place.folder);
    const auto name = fs::absolute(path).lexically_normal();
    return name.has_filename() ? name.filename().string() : name.parent_path().filename().string();
}

} // namespace

ReportData
CollectReport(const ResultPlace& place)
{
    auto data = Collect(place);
    data.title = TitleOf(place);
    return data;
}

} // namespace inca
