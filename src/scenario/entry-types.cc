/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/entry-types.h"

#include <algorithm>

namespace inca
{

namespace
{

bool
IsTable(const std::string& name)
{
    auto tables = TableNames();
    tables.insert(tables.end(), {"attributes", "sweep"});
    return std::find(tables.begin(), tables.end(), name) != tables.end();
}

} // namespace

bool
Fits(KeyType wanted, TomlKind found)
{
    switch (wanted)
    {
    case KeyType::TEXT:
        return found == TomlKind::TEXT;
    case KeyType::INTEGER:
        return found == TomlKind::INTEGER;
    case KeyType::DECIMAL:
        return found == TomlKind::INTEGER || found == TomlKind::DECIMAL;
    case KeyType::NUMBER_OR_NAME:
        return found == TomlKind::INTEGER || found == TomlKind::DECIMAL || found == TomlKind::TEXT;
    case KeyType::BOOLEAN:
        return found == TomlKind::BOOLEAN;
    }
    return false;
}

bool
IsScalar(TomlKind kind)
{
    return kind == TomlKind::TEXT || kind == TomlKind::INTEGER || kind == TomlKind::DECIMAL ||
           kind == TomlKind::BOOLEAN;
}

std::string
Needs(KeyType type, const std::string& values, const TomlEntry& entry)
{
    const auto got =
        ", got " + entry.kindName + (entry.text.empty() ? "" : " '" + entry.text + "'");
    switch (type)
    {
    case KeyType::TEXT:
        return "needs a text in quotes, " + values + got;
    case KeyType::INTEGER:
        return "needs a whole number, " + values + got;
    case KeyType::DECIMAL:
        return "needs a number, " + values + got;
    case KeyType::NUMBER_OR_NAME:
        return "needs a number, or a text in quotes, " + values + got;
    case KeyType::BOOLEAN:
        break;
    }
    return "needs true or false, without quotes" + got;
}

bool
IsEmptyTable(const TomlEntry& entry)
{
    return IsTable(entry.name) && entry.kindName == "a table";
}

bool
NeedsTable(const TomlEntry& entry)
{
    return IsTable(entry.name) && entry.kindName != "a table";
}

} // namespace inca
