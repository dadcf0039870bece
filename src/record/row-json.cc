/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/row-json.h"

#include "base/errors.h"
#include "record/json-text.h"

#include <nlohmann/json.hpp>

#include <map>

namespace inca
{

namespace
{

using Json = nlohmann::json;

/** @throws InvariantError unless @p text is one */
template <class Value>
Value
Parsed(std::string_view text)
{
    try
    {
        return Json::parse(text).get<Value>();
    }
    catch (const Json::exception& error)
    {
        throw InvariantError("no texts in JSON: " + std::string(text) + ": " + error.what());
    }
}

} // namespace

std::string
JsonOfGiven(const Row& row)
{
    auto given = Json::object();
    for (const auto& cell : row)
    {
        if (!cell.text.empty())
        {
            given[cell.column] = cell.text;
        }
    }
    return JsonText(given);
}

Row
RowOfGiven(const Row& columns, std::string_view json)
{
    auto given = Parsed<std::map<std::string, std::string>>(json);
    auto row = columns;
    for (auto& cell : row)
    {
        auto text = given.extract(cell.column);
        cell.text = text ? std::move(text.mapped()) : "";
    }
    if (!given.empty())
    {
        throw InvariantError("no column of a row: " + given.begin()->first);
    }
    return row;
}

std::string
JsonOfTexts(const std::vector<std::string>& texts)
{
    return JsonText(Json(texts));
}

std::vector<std::string>
TextsOfJson(std::string_view list)
{
    return Parsed<std::vector<std::string>>(list);
}

} // namespace inca
