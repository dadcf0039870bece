/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/row-json.h"

#include "base/errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace inca
{

namespace
{

using Json = nlohmann::json;

/** Takes an object's members as texts: a number that went through a double might not come back as it was. */
class RowReader : public nlohmann::json_sax<Json>
{
  public:
    Row row;

    bool null() override
    {
        return Put("", false);
    }

    bool boolean(bool value) override
    {
        return Put(value ? "true" : "false", false);
    }

    bool number_integer(std::int64_t value) override
    {
        return Put(std::to_string(value), false);
    }

    bool number_unsigned(std::uint64_t value) override
    {
        return Put(std::to_string(value), false);
    }

    bool number_float(double /*value*/, const std::string& text) override
    {
        return Put(text, false);
    }

    bool string(std::string& text) override
    {
        return Put(text, true);
    }

    bool binary(Json::binary_t& /*bytes*/) override
    {
        return false;
    }

    bool start_object(std::size_t /*size*/) override
    {
        return row.empty();
    }

    bool key(std::string& name) override
    {
        row.push_back({name, "", false});
        return true;
    }

    bool end_object() override
    {
        return true;
    }

    bool start_array(std::size_t /*size*/) override
    {
        return false;
    }

    bool end_array() override
    {
        return false;
    }

    bool parse_error(std::size_t /*position*/,
                     const std::string& /*token*/,
                     const Json::exception& /*error*/) override
    {
        return false;
    }

  private:
    bool Put(const std::string& text, bool isName)
    {
        if (row.empty())
        {
            return false;
        }
        row.back().text = text;
        row.back().isName = isName;
        return true;
    }
};

} // namespace

Row
RowOfJson(std::string_view line)
{
    RowReader reader;
    if (!Json::sax_parse(line, &reader))
    {
        throw InvariantError("no row in JSON: " + std::string(line));
    }
    return reader.row;
}

std::string
JsonOfGiven(const Row& row)
{
    Row given;
    std::copy_if(row.begin(), row.end(), std::back_inserter(given), [](const RowCell& cell) {
        return !cell.text.empty();
    });
    return JsonLineOf(given);
}

Row
RowOfGiven(const std::vector<std::string>& columns, std::string_view line)
{
    auto given = RowOfJson(line);
    auto next = given.begin();
    Row row;
    row.reserve(columns.size());
    for (const auto& column : columns)
    {
        const bool isGiven = next != given.end() && next->column == column;
        row.push_back(isGiven ? std::move(*next++) : RowCell{column, "", false});
    }
    if (next != given.end())
    {
        throw InvariantError("no column of a row: " + next->column);
    }
    return row;
}

std::string
JsonOfTexts(const std::vector<std::string>& texts)
{
    return Json(texts).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string>
TextsOfJson(std::string_view list)
{
    const auto json = Json::parse(list, nullptr, false);
    if (!json.is_array())
    {
        throw InvariantError("no list of texts in JSON: " + std::string(list));
    }
    return json.get<std::vector<std::string>>();
}

} // namespace inca
