/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/run-directory.h"

#include "base/atomic-file.h"
#include "base/errors.h"
#include "record/csv-text.h"
#include "record/details.h"
#include "record/json-text.h"
#include "record/result-row.h"
#include "record/share-parts.h"

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace inca
{

namespace
{

using OrderedJson = nlohmann::ordered_json;

constexpr int g_indent = 2;

/** A setting as JSON: numbers stay numbers, exactly as written. */
OrderedJson
ValueOf(const ResolvedSetting& setting)
{
    if (setting.quoted)
    {
        return setting.text;
    }
    auto value = OrderedJson::parse(setting.text, nullptr, false);
    return value.is_discarded() ? OrderedJson(setting.text) : value;
}

OrderedJson
ScenarioJson(const RunRecord& record)
{
    auto scenario = OrderedJson::object();
    for (const auto& setting : record.scenario)
    {
        scenario[setting.table][setting.key] = ValueOf(setting);
    }
    return scenario;
}

/** The result row's figures, by column. */
OrderedJson
ResultsJson(const RunRecord& record)
{
    return OrderedJson::parse(JsonLineOf(FigureCells(record)));
}

OrderedJson
InputsJson(const RunOrigin& origin)
{
    auto inputs = OrderedJson::array();
    for (const auto& input : origin.inputs)
    {
        inputs.push_back({{"path", input.path}, {"crc32", ChecksumText(input.crc32)}});
    }
    return inputs;
}

OrderedJson
SharesJson(const TimeShares& shares)
{
    auto parts = OrderedJson::object();
    for (const auto& part : g_shareParts)
    {
        parts[part.name + std::string("_ps")] = shares.*part.ps;
    }
    parts["total_ps"] = shares.TotalPs();
    return parts;
}

OrderedJson
StepsJson(const RunRecord& record)
{
    auto steps = OrderedJson::array();
    for (const auto& step : record.steps)
    {
        steps.push_back({{"step", step.step},
                         {"plain_bytes", step.plainBytes},
                         {"wire_bytes", step.wireBytes}});
    }
    return steps;
}

} // namespace

std::string
RunJson(const RunRecord& record)
{
    const OrderedJson json{{"inca_version", record.origin.incaVersion},
                           {"ns3_version", record.origin.ns3Version},
                           {"seed", record.origin.seed},
                           {"inputs", InputsJson(record.origin)},
                           {"scenario", ScenarioJson(record)},
                           {"measured_iterations", record.results.measuredIterations},
                           {"results", ResultsJson(record)},
                           {"breakdown", SharesJson(record.results.shares)},
                           {"steps", StepsJson(record)},
                           {"warnings", AllWarnings(record)}};
    return JsonText(json, g_indent) + "\n";
}

void
MakeRunDirectory(const std::string& directory)
{
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (!error && ::access(directory.c_str(), W_OK | X_OK) != 0)
    {
        error = std::error_code(errno, std::generic_category());
    }
    if (error == std::errc::no_space_on_device)
    {
        throw RunError(directory + ": cannot be made: " + error.message());
    }
    if (error)
    {
        throw InputError(directory + ": cannot be made or written: " + error.message());
    }
}

void
WriteRunDirectory(const std::string& directory, const RunRecord& record)
{
    MakeRunDirectory(directory);
    const std::filesystem::path folder(directory);
    std::vector<FileText> files{{folder / "result.csv", CsvHeader(record) + CsvRow(record)},
                                {folder / "layers.csv", LayersCsv(record)},
                                {folder / "links.csv", LinksCsv(record)}};
    std::vector<std::filesystem::path> others; // of another run
    const auto add = [&](const char* name, bool isThere, std::string text) {
        isThere ? files.push_back({folder / name, std::move(text)})
                : others.push_back(folder / name);
    };
    add("switches.csv", !record.switches.empty(), SwitchesCsv(record));
    add("errors.csv", !record.errors.empty(), ErrorsCsv(record));
    add("path.csv", !record.path.empty(), PathCsv(record));
    files.push_back({folder / "run.json", RunJson(record)}); // last: who finds it finds all
    WriteAtomically(files);
    for (const auto& other : others)
    {
        std::error_code ignored; // a folder of that name is not ours
        std::filesystem::remove(other, ignored);
    }
}

} // namespace inca
