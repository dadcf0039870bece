/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/scenario-reader.h"

#include "base/errors.h"
#include "base/input-file.h"
#include "scenario/keys.h"
#include "scenario/scenario-builder.h"
#include "scenario/toml-document.h"
#include "scenario/worker-settings.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

constexpr std::size_t g_largestFile = 1U << 20U;
constexpr std::string_view g_stdin = "-";

std::string
Written(const std::string& text, bool quoted)
{
    return quoted ? QuoteToml(text) : text;
}

/** The table's keys that matter in @p scenario or are not the default. */
std::string
FormatTable(const Scenario& scenario, const std::string& table)
{
    std::string text;
    for (const auto& key : ScenarioKeys())
    {
        const auto value = key.text(scenario);
        const bool worth = value != DefaultIn(scenario, key) || IdleReason(key, scenario).empty();
        if (TableOf(key.name) == table && !value.empty() && worth)
        {
            text += fmt::format("{} = {}\n",
                                std::string(key.name).substr(table.size() + 1),
                                Written(value, IsQuoted(key.type, value)));
        }
    }
    return text.empty() ? text : fmt::format("[{}]\n{}", table, text);
}

std::string
FormatWorkers(const Scenario& scenario)
{
    std::string text;
    for (const auto& worker : scenario.cluster.overrides)
    {
        text += fmt::format("[[cluster.worker]]\nindex = {}\n", worker.index);
        for (const auto& key : WorkerKeys())
        {
            const auto value = key.text(worker);
            text +=
                value.empty()
                    ? ""
                    : fmt::format("{} = {}\n", key.name, Written(value, IsQuoted(key.type, value)));
        }
    }
    return text;
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
    ScenarioBuilder builder(fileName);
    for (const auto& entry : ReadToml(text, fileName))
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
FormatScenario(const Scenario& scenario)
{
    std::string text;
    for (const auto& table : TableNames())
    {
        text += FormatTable(scenario, table);
        text += table == "cluster" ? FormatWorkers(scenario) : "";
    }
    return text + FormatAttributes(scenario);
}

} // namespace inca
