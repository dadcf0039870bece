/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/toml-document.h"

#include "base/errors.h"
#include "scenario/toml-guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>
#include <tuple>

#include <toml++/toml.h>

namespace inca
{

namespace
{

TextPlace
BeginOf(const toml::source_region& region)
{
    return {static_cast<unsigned>(region.begin.line), static_cast<unsigned>(region.begin.column)};
}

void
TakeScalar(const toml::node& node, TomlEntry& entry)
{
    if (const auto* text = node.as_string())
    {
        entry.kind = TomlKind::TEXT;
        entry.text = text->get();
    }
    else if (const auto* whole = node.as_integer())
    {
        entry.kind = TomlKind::INTEGER;
        entry.text = std::to_string(whole->get());
    }
    else if (const auto* decimal = node.as_floating_point())
    {
        entry.kind = TomlKind::DECIMAL;
        entry.text = fmt::format("{}", decimal->get());
    }
    else if (const auto* boolean = node.as_boolean())
    {
        entry.kind = TomlKind::BOOLEAN;
        entry.text = boolean->get() ? "true" : "false";
    }
}

void
TakeTexts(const toml::node& node, TomlEntry& entry)
{
    const auto* array = node.as_array();
    if (array == nullptr || !std::all_of(array->begin(), array->end(), [](const toml::node& item) {
            return item.is_string();
        }))
    {
        return;
    }
    entry.kind = TomlKind::TEXTS;
    for (const auto& item : *array)
    {
        entry.texts.push_back({item.as_string()->get(), BeginOf(item.source())});
    }
}

const char*
NameOf(const toml::node& node)
{
    switch (node.type())
    {
    case toml::node_type::string:
        return "a text";
    case toml::node_type::integer:
        return "a whole number";
    case toml::node_type::floating_point:
        return "a decimal number";
    case toml::node_type::boolean:
        return "true or false";
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "a list";
    default:
        return "a date or time";
    }
}

void
SortByPlace(std::vector<TomlEntry>& entries)
{
    std::stable_sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
        return std::tie(a.keyPlace.line, a.keyPlace.column) <
               std::tie(b.keyPlace.line, b.keyPlace.column);
    });
}

TomlEntry
MakeEntry(const std::string& prefix, const toml::key& key, const toml::node& node)
{
    TomlEntry entry;
    entry.name = prefix + std::string(key.str());
    entry.kindName = NameOf(node);
    entry.keyPlace = BeginOf(key.source());
    entry.valuePlace = BeginOf(node.source());
    TakeScalar(node, entry);
    TakeTexts(node, entry);
    return entry;
}

/** The entries of a [[table]]; what is not scalar in there stays OTHER. */
std::vector<std::vector<TomlEntry>>
TablesIn(const toml::array& array, const std::string& prefix)
{
    std::vector<std::vector<TomlEntry>> tables;
    for (const auto& element : array)
    {
        auto& entries = tables.emplace_back();
        for (const auto& [key, node] : *element.as_table())
        {
            entries.push_back(MakeEntry(prefix, key, node));
        }
        SortByPlace(entries);
    }
    return tables;
}

TomlEntry
EntryInTable(const std::string& table, const toml::key& key, const toml::node& node)
{
    auto entry = MakeEntry(table + ".", key, node);
    if (node.is_array_of_tables())
    {
        entry.kind = TomlKind::TABLES;
        entry.tables = TablesIn(*node.as_array(), entry.name + ".");
    }
    return entry;
}

std::vector<TomlEntry>
Entries(const toml::table& document)
{
    std::vector<TomlEntry> entries;
    for (const auto& [name, node] : document)
    {
        const auto* table = node.as_table();
        if (table == nullptr || table->empty())
        {
            entries.push_back(MakeEntry("", name, node));
            continue;
        }
        for (const auto& [key, inner] : *table)
        {
            entries.push_back(EntryInTable(std::string(name.str()), key, inner));
        }
    }
    SortByPlace(entries);
    return entries;
}

/** Line @p number of @p text, from 1. */
std::string_view
LineOf(std::string_view text, unsigned number)
{
    for (; number > 1; --number)
    {
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return text.substr(0, text.find('\n'));
}

/** What usually lies behind a line that is no TOML: quotes that were forgotten. */
std::string
Hint(std::string_view line)
{
    const auto equals = line.find('=');
    const auto value = equals == std::string_view::npos ? "" : line.substr(equals + 1);
    const auto first = value.find_first_not_of(" \t");
    if (first == std::string_view::npos)
    {
        return "";
    }
    const bool quoted = value[first] == '"' || value[first] == '\'';
    const bool closed = quoted && value.find(value[first], first + 1) != std::string_view::npos;
    const bool hasLetter = std::any_of(value.begin(), value.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    return quoted      ? (closed ? "" : "; the text's closing quote is missing")
           : hasLetter ? "; a text or a quantity with its unit stands in quotes, as in \"10Gbps\""
                       : "";
}

} // namespace

std::vector<TomlEntry>
ReadToml(std::string_view text, const std::string& fileName)
{
    RefuseUnsafeToml(text, fileName);
    try
    {
        return Entries(toml::parse(text));
    }
    catch (const toml::parse_error& error)
    {
        const auto place = BeginOf(error.source());
        throw InputError(InputPlace{fileName, place.line, place.column, ""},
                         "no valid TOML: " + std::string(error.description()) +
                             Hint(LineOf(text, place.line)));
    }
}

std::string
QuoteToml(std::string_view text)
{
    std::ostringstream quoted;
    quoted << toml::value<std::string>(std::string(text));
    return quoted.str();
}

} // namespace inca
