/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/commands.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "scenario/worker-settings.h"
#include "topology/topology-catalog.h"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Name, default, what may stand there, meaning. */
using Row = std::array<std::string, 4>;

constexpr std::size_t g_gap = 2;

std::string
FormatRows(const std::vector<Row>& rows)
{
    std::array<std::size_t, 4> widths{};
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const auto& row : rows)
    {
        auto line = std::string(g_gap, ' ');
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const auto padding = widths[i] == 0 ? 0 : widths[i] - row[i].size() + g_gap;
            line += row[i] + std::string(padding, ' ');
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string
DefaultOf(const Key& key)
{
    const auto text = DefaultText(key);
    const bool quoted = key.type == ValueType::TEXT && !text.empty();
    return text.empty() ? "-" : quoted ? "\"" + text + "\"" : text;
}

/** All keys in one set of columns, with a line before each table. */
std::string
FormatKeys()
{
    std::vector<Row> rows{{"key", "default", "values", "meaning"}};
    for (const auto& key : ScenarioKeys())
    {
        rows.push_back({key.name, DefaultOf(key), key.values, key.meaning});
    }
    rows.push_back(
        {"cluster.worker.N.index", "-", "0..workers - 1", "[[cluster.worker]]: whose keys follow"});
    for (const auto& key : WorkerKeys())
    {
        rows.push_back({std::string("cluster.worker.N.") + key.name, "-", key.values, key.meaning});
    }
    rows.push_back({"attributes.PATH",
                    "-",
                    "a value",
                    "[attributes]: any ns-3 attribute's default, by its path"});
    const std::string list = "a list such as [\"cluster.workers=2..64:x2\"]";
    rows.push_back({"sweep.vary", "-", list, "[sweep]: what `inca sweep` varies, as --vary does"});
    rows.push_back({"sweep.zip", "-", list, "[sweep]: keys that vary together, as --zip"});
    rows.push_back({"sweep.where",
                    "-",
                    "such as \"cluster.workers <= 64\"",
                    "[sweep]: which points are left, as --where"});
    rows.push_back(
        {"sweep.system.label", "-", "a text", "[[sweep.system]]: a variant, as --system"});
    rows.push_back({"sweep.system.set",
                    "-",
                    "a list such as [\"codec.name=none\"]",
                    "[[sweep.system]]: what sets it apart"});
    return FormatRows(rows);
}

template <class Entry>
std::string
FormatCatalog(const char* title, const std::vector<Entry>& catalog)
{
    std::vector<Row> rows;
    for (const auto& entry : catalog)
    {
        rows.push_back({entry.name, "", "", entry.meaning});
    }
    return fmt::format("\n{}\n{}", title, FormatRows(rows));
}

void
PrintList()
{
    const auto text = "scenario keys\n" + FormatKeys() +
                      FormatCatalog("exchanges (exchange.algorithm)", ExchangeCatalog()) +
                      FormatCatalog("topologies (cluster.topology)", TopologyCatalog()) +
                      FormatCatalog("codecs (codec.name)", CodecCatalog());
    std::fputs(text.c_str(), stdout);
}

} // namespace

void
AddListCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto* command = app.add_subcommand("list", "every scenario key with unit, default and meaning");
    command->callback(PrintList);
}

} // namespace inca
