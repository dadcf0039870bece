/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/report-data.h"

#include "base/errors.h"
#include "record/json-text.h"
#include "record/result-row.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

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

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportSetting, key, text, isDefault)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportOrigin, name, text)

namespace
{

using Json = nlohmann::json;

/** Numbers of texts, each of which stands once in a list. */
class TextList
{
  public:
    std::size_t Of(const std::string& text)
    {
        const auto [found, isNew] = m_places.emplace(text, m_texts.size());
        if (isNew)
        {
            m_texts.push_back(text);
        }
        return found->second;
    }

    const std::vector<std::string>& Texts() const
    {
        return m_texts;
    }

  private:
    std::map<std::string, std::size_t> m_places;
    std::vector<std::string> m_texts;
};

/** Each text once, and for each row which of them: in most columns many rows have the same. */
Json
TextsJson(const CsvTable& table, std::size_t column)
{
    TextList texts;
    auto rows = Json::array();
    for (const auto& row : table.rows)
    {
        rows.push_back(texts.Of(row.fields[column]));
    }
    const bool isConstant = texts.Texts().size() == 1;
    return {{"texts", texts.Texts()}, {"rows", isConstant ? Json::array() : rows}};
}

Json
ColumnJson(const ReportData& data, std::size_t column)
{
    const auto& name = data.table.columns[column];
    const auto setting = data.settings.find(name);
    const bool isSetting = setting != data.settings.end();
    auto json = Json{{"name", name},
                     {"unit", UnitOfColumn(name)},
                     {"meaning", isSetting ? setting->second : MeaningOfColumn(name)},
                     {"isSetting", isSetting}};
    json.update(TextsJson(data.table, column));
    return json;
}

/** What @p make makes of each. */
template <class Things, class Make>
Json
ListOf(const Things& things, const Make& make)
{
    auto list = Json::array();
    for (const auto& thing : things)
    {
        list.push_back(make(thing));
    }
    return list;
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

/**
 * Layers as lists: the number of the name, ready, start, end, exposed (ps), elements, bytes on the wire,
 * first and last bucket, worker.
 */
Json
LayersJson(const std::vector<LayerRow>& layers, TextList& names)
{
    return ListOf(layers, [&names](const LayerRow& layer) {
        return Json{names.Of(layer.layer),
                    layer.readyPs,
                    layer.startPs,
                    layer.endPs,
                    layer.exposedCommunicationPs,
                    layer.elements,
                    layer.wireBytes,
                    layer.firstBucket,
                    layer.lastBucket,
                    layer.worker};
    });
}

Json
TimelinesJson(const ReportData& data)
{
    TextList names;
    const auto rows =
        ListOf(data.timelines, [&](const auto& layers) { return LayersJson(layers, names); });
    return {{"names", names.Texts()}, {"rows", rows}};
}

/** A number of a row of layers.csv; @p scale to what it is counted in. */
std::int64_t
WholeAt(const CsvTable& table, const CsvTableRow& row, const char* column, double scale)
{
    const auto at = table.Find(column);
    const auto number = at ? NumberOf(row.fields[*at]) : std::nullopt;
    constexpr double tooMuch = 9e18;
    if (!number || std::abs(*number * scale) > tooMuch)
    {
        throw InputError(InputPlace{table.path, row.line, 0, ""},
                         fmt::format("is no row of a layers.csv: needs a number as {}", column));
    }
    return std::llround(*number * scale);
}

} // namespace

std::vector<LayerRow>
LayersOfLastWorker(const std::vector<LayerRow>& layers)
{
    const auto last =
        std::max_element(layers.begin(), layers.end(), [](const auto& a, const auto& b) {
            return a.endPs < b.endPs;
        });
    std::vector<LayerRow> own;
    std::copy_if(layers.begin(), layers.end(), std::back_inserter(own), [last](const auto& layer) {
        return layer.worker == last->worker;
    });
    return own;
}

std::vector<LayerRow>
LayersOf(const CsvTable& table)
{
    constexpr double psPerSecond = 1e12;
    const auto name = table.Find("layer");
    std::vector<LayerRow> layers;
    for (const auto& row : table.rows)
    {
        const auto whole = [&](const char* column, double scale = 1) {
            return WholeAt(table, row, column, scale);
        };
        LayerRow layer;
        layer.worker = static_cast<std::uint32_t>(whole("worker"));
        layer.layer = name ? row.fields[*name] : "";
        layer.elements = static_cast<std::uint64_t>(whole("elements"));
        layer.firstBucket = static_cast<std::uint32_t>(whole("first_bucket"));
        layer.lastBucket = static_cast<std::uint32_t>(whole("last_bucket"));
        layer.readyPs = whole("ready_s", psPerSecond);
        layer.startPs = whole("start_s", psPerSecond);
        layer.endPs = whole("end_s", psPerSecond);
        layer.exposedCommunicationPs = whole("exposed_communication_s", psPerSecond);
        layer.plainBytes = static_cast<std::uint64_t>(whole("plain_bytes"));
        layer.wireBytes = static_cast<std::uint64_t>(whole("wire_bytes"));
        layers.push_back(std::move(layer));
    }
    return layers;
}

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
                    {"timelines", TimelinesJson(data)},
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
