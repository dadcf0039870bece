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
Fits(ValueType wanted, TomlKind found)
{
    switch (wanted)
    {
    case ValueType::TEXT:
        return found == TomlKind::TEXT;
    case ValueType::INTEGER:
        return found == TomlKind::INTEGER;
    case ValueType::DECIMAL:
        return found == TomlKind::INTEGER || found == TomlKind::DECIMAL;
    case ValueType::NUMBER_OR_NAME:
        return found == TomlKind::INTEGER || found == TomlKind::DECIMAL || found == TomlKind::TEXT;
    case ValueType::BOOLEAN:
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
Needs(ValueType type, const std::string& values, const TomlEntry& entry)
{
    const auto got =
        ", got " + entry.kindName + (entry.text.empty() ? "" : " '" + entry.text + "'");
    switch (type)
    {
    case ValueType::TEXT:
        return "needs a text in quotes, " + values + got;
    case ValueType::INTEGER:
        return "needs a whole number, " + values + got;
    case ValueType::DECIMAL:
        return "needs a number, " + values + got;
    case ValueType::NUMBER_OR_NAME:
        return "needs a number, or a text in quotes, " + values + got;
    case ValueType::BOOLEAN:
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
