/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-row.h"
#include "report/report-data.h"

#include <map>
#include <nlohmann/json.hpp>

namespace inca
{

namespace
{

using Json = nlohmann::ordered_json;

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
 * first and last bucket.
 */
Json
LanesJson(const WorkerLanes& lanes, TextList& names)
{
    return ListOf(lanes, [&names](const WorkerLane& lane) {
        return Json{{"workers", lane.workers},
                    {"layers", ListOf(lane.layers, [&names](const LayerRow& layer) {
                         return Json{names.Of(layer.layer),
                                     layer.readyPs,
                                     layer.startPs,
                                     layer.endPs,
                                     layer.exposedCommunicationPs,
                                     layer.elements,
                                     layer.wireBytes,
                                     layer.firstBucket,
                                     layer.lastBucket};
                     })}};
    });
}

Json
TimelinesJson(const ReportData& data)
{
    TextList names;
    const auto rows =
        ListOf(data.timelines, [&](const WorkerLanes& lanes) { return LanesJson(lanes, names); });
    return {{"names", names.Texts()}, {"rows", rows}};
}

} // namespace

std::string
ReportJson(const ReportData& data)
{
    const Json json{{"kind", data.kind},
                    {"title", data.title},
                    {"command", data.command},
                    {"scenario",
                     ListOf(data.scenario,
                            [](const ReportSetting& setting) {
                                return Json{{"key", setting.key},
                                            {"text", setting.text},
                                            {"isDefault", setting.isDefault}};
                            })},
                    {"systems",
                     ListOf(data.systems,
                            [](const ReportSystem& system) {
                                return Json{{"label", system.label}, {"settings", system.settings}};
                            })},
                    {"count", data.table.rows.size()},
                    {"columns", ColumnsJson(data)},
                    {"varied", data.varied},
                    {"commands", data.commands},
                    {"timelines", TimelinesJson(data)},
                    {"origins",
                     ListOf(data.origins,
                            [](const ReportOrigin& origin) {
                                return Json{{"name", origin.name}, {"text", origin.text}};
                            })},
                    {"validations",
                     ListOf(data.validations,
                            [](const ReportValidation& validation) {
                                return Json{{"name", validation.name},
                                            {"title", validation.title},
                                            {"tables", validation.tables}};
                            })},
                    {"notes", data.notes}};
    // A path need not be UTF-8; such bytes become the replacement character. '<' stands within texts only, where it has
    // another spelling.
    std::string text;
    for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    {
        text += c == '<' ? "\\u003c" : std::string(1, c);
    }
    return text;
}

} // namespace inca
