/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "codec/block-codec.h"
#include "codec/block-format.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "job/training-catalog.h"
#include "record/result-row.h"
#include "report/text-table.h"
#include "scenario/keys.h"
#include "scenario/presets.h"
#include "scenario/repeated-tables.h"
#include "topology/topology-catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Name, default, what may stand there, meaning. */
using Rows = std::vector<std::vector<std::string>>;

struct ListOptions
{
    std::string table;
    bool columns{false};
};

std::string
DefaultOf(const Key& key)
{
    const auto text = DefaultText(key);
    const bool quoted = key.type == ValueType::TEXT && !text.empty();
    return text.empty() ? "-" : quoted ? "\"" + text + "\"" : text;
}

/** The keys of tables that are no rows of ScenarioKeys. */
Rows
OtherKeys()
{
    Rows rows;
    for (const auto& table : RepeatedTables())
    {
        const auto add = [&rows, &table](const RepeatedKey& key, const std::string& meaning) {
            rows.push_back({table.name + ".N." + key.name, "-", key.values, meaning});
        };
        add(table.id, "[[" + table.name + "]]: " + table.id.meaning);
        for (const auto& key : table.keys)
        {
            add(key, key.meaning);
        }
    }
    const char* const list = "a list such as [\"cluster.workers=2..64:x2\"]";
    const char* const settings = "a list such as [\"codec.name=none\"]";
    const Rows others{
        {"attributes.PATH",
         "-",
         "a value",
         "[attributes]: any ns-3 attribute's default, by its path"},
        {"group.data.algorithm", "-", "a text", "[group.data]: as exchange.algorithm"},
        {"group.data.codec.KEY", "-", "a value", "[group.data.codec]: as the [codec] key"},
        {"sweep.vary", "-", list, "[sweep]: what `inca sweep` varies, as --vary does"},
        {"sweep.zip", "-", list, "[sweep]: keys that vary together, as --zip"},
        {"sweep.system.label", "-", "a text", "[[sweep.system]]: a variant, as --system"},
        {"sweep.system.set", "-", settings, "[[sweep.system]]: what sets it apart"},
    };
    rows.insert(rows.end(), others.begin(), others.end());
    return rows;
}

/** @param table empty: all keys */
Rows
KeyRows(const std::string& table)
{
    Rows all;
    for (const auto& key : ScenarioKeys())
    {
        all.push_back({key.name, DefaultOf(key), key.values, key.meaning});
    }
    const auto others = OtherKeys();
    all.insert(all.end(), others.begin(), others.end());
    Rows rows{{"key", "default", "values", "meaning"}};
    for (const auto& row : all)
    {
        if (table.empty() || TableOf(row.front()) == table)
        {
            rows.push_back(row);
        }
    }
    return rows;
}

template <class Entry>
Rows
CatalogRows(const std::vector<Entry>& catalog)
{
    Rows rows;
    for (const auto& entry : catalog)
    {
        rows.push_back({entry.name, entry.meaning});
    }
    return rows;
}

/** Every format of codec block, and what a value takes. */
Rows
FormatRows()
{
    Rows rows;
    for (const auto& format : BlockFormats())
    {
        const auto bits = MakeBlockCodec(format, {})->MeanBits({}).value_or(0);
        rows.push_back({format.name, fmt::format("{}: {:.4g} bits", FormatMeaning(format), bits)});
    }
    return rows;
}

/** Every preset with its values, and where they come from. */
Rows
PresetRows(const std::vector<Preset>& presets)
{
    Rows rows;
    for (const auto& preset : presets)
    {
        rows.push_back({preset.name, "", preset.meaning});
        for (const auto& value : preset.values)
        {
            rows.push_back({"  " + value.key, value.text, value.source});
        }
    }
    return rows;
}

std::string
KeyListing(const std::string& table, std::size_t width)
{
    auto text = table.empty() ? std::string("scenario keys\n") : "[" + table + "]\n";
    text += FormatListing(KeyRows(table), width);
    const auto add = [&](const char* ofTable, const char* title, const Rows& rows) {
        if (table.empty() || ofTable == table)
        {
            text += fmt::format("\n{}\n{}", title, FormatListing(rows, width));
        }
    };
    add("exchange", "exchanges (exchange.algorithm)", CatalogRows(ExchangeCatalog().Rows()));
    add("cluster", "topologies (cluster.topology)", CatalogRows(TopologyCatalog().Rows()));
    if (const auto& trainings = TrainingCatalog().Rows(); trainings.size() > 1)
    {
        add("training", "trainings (training.program)", CatalogRows(trainings));
    }
    add("codec", "codecs (codec.name)", CatalogRows(CodecCatalog()));
    add("codec", "formats of codec block (codec.format)", FormatRows());
    add("switch", "presets of switches (switch.preset)", PresetRows(SwitchPresets()));
    add("host", "presets of hosts (host.preset)", PresetRows(HostPresets()));
    return text;
}

std::string
ColumnListing(std::size_t width)
{
    Rows rows{{"column", "unit", "meaning"}};
    for (const auto& cell : HeadCells({}))
    {
        rows.push_back({cell.column, "", MeaningOfColumn(cell.column)});
    }
    for (const auto& column : SettingColumnMeanings())
    {
        rows.push_back({column.name, UnitOfColumn(column.name), column.meaning});
    }
    for (const auto& column : ResultColumns())
    {
        rows.push_back({column.name, UnitOfColumn(column.name), MeaningOfColumn(column.name)});
    }
    return "columns of a result row\n" + FormatListing(rows, width);
}

void
PrintList(const ListOptions& options)
{
    const auto width = OutputColumns();
    const auto tables = FileTables();
    const bool isAny = options.table.empty();
    if (!isAny && std::find(tables.begin(), tables.end(), options.table) == tables.end())
    {
        throw InputError("list: " + UnknownName(options.table, tables));
    }
    fmt::print("{}", options.columns ? ColumnListing(width) : KeyListing(options.table, width));
}

} // namespace

void
AddListCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<ListOptions>();
    auto* command = app.add_subcommand("list", "every scenario key with unit, default and meaning");
    const OptionAdder add(*command);
    auto* table = add("table TABLE", options->table, "only this table, such as host");
    add("--columns",
        options->columns,
        "every column of a result row instead, with unit and meaning")
        ->excludes(table);
    command->callback([options] { PrintList(*options); });
}

} // namespace inca
