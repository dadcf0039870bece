/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include "record/json-text.h"
#include "record/result-row.h"
#include "report/plot.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string_view>

namespace inca
{

std::string
HtmlText(const std::string& text)
{
    static const std::map<char, std::string> names{
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    std::string html;
    for (const char c : text)
    {
        const auto name = names.find(c);
        html += name == names.end() ? std::string(1, c) : name->second;
    }
    return html;
}

std::string
ReportPage(const ReportData& data)
{
    constexpr std::string_view title = "{{title}}";
    constexpr std::string_view json = "{{data}}";
    const std::string page(PageText());
    const auto first = page.find(title) + title.size();
    const auto second = page.find(json, first) + json.size();
    return page.substr(0, first - title.size()) + HtmlText(data.title) +
           page.substr(first, second - json.size() - first) + ReportJson(data) +
           page.substr(second);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportFact, name, text)

namespace
{

using Json = nlohmann::json;

/** Each text once, and for each row which of them: in most columns many rows have the same. Settings have names, too. */
Json
TextsJson(const CsvTable& table, std::size_t column, bool isSetting)
{
    auto names = Json::array();
    std::map<std::string, std::size_t> places;
    auto texts = Json::array();
    auto rows = Json::array();
    for (const auto& row : table.rows)
    {
        const auto [place, isNew] = places.emplace(row.fields[column], texts.size());
        if (isNew)
        {
            texts.push_back(place->first);
            names.push_back(isSetting ? ValueName(table.columns[column], place->first) : "");
        }
        rows.push_back(place->second);
    }
    return {{"texts", texts},
            {"names", isSetting ? names : Json::array()},
            {"rows", texts.size() == 1 ? Json::array() : rows}};
}

Json
ColumnJson(const ReportData& data, std::size_t column)
{
    const auto& name = data.table.columns[column];
    const auto setting = data.settings.find(name);
    const bool isSetting = setting != data.settings.end();
    auto json = Json{{"name", name},
                     {"words", ColumnWords(data.table, column)},
                     {"unit", UnitOfColumn(name)},
                     {"meaning", isSetting ? setting->second : MeaningOfColumn(name)},
                     {"isSetting", isSetting}};
    json.update(TextsJson(data.table, column, isSetting));
    return json;
}

Json
ColumnsJson(const ReportData& data)
{
    auto columns = Json::array();
    for (std::size_t i = 0; i < data.table.columns.size(); ++i)
    {
        columns.push_back(ColumnJson(data, i));
    }
    return columns;
}

/** The parts of a run's critical path, in the order of their file. */
Json
PathJson(const CsvTable& path)
{
    auto parts = Json::array();
    for (const auto& row : path.rows)
    {
        auto part = Json::object();
        for (std::size_t i = 0; i < path.columns.size(); ++i)
        {
            part[path.columns[i]] = row.fields[i];
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

} // namespace

std::string
ReportJson(const ReportData& data)
{
    const Json json{{"kind", data.kind},
                    {"title", data.title},
                    {"command", data.command},
                    {"scenario", data.scenario},
                    {"count", data.table.rows.size()},
                    {"columns", ColumnsJson(data)},
                    {"varied", data.varied},
                    {"commands", data.commands},
                    {"path", PathJson(data.path)},
                    {"origins", data.origins},
                    {"notes", data.notes}};
    // '<' stands within texts only, where it has another spelling.
    std::string text;
    for (const char c : JsonText(json))
    {
        text += c == '<' ? "\\u003c" : std::string(1, c);
    }
    return text;
}

} // namespace inca
