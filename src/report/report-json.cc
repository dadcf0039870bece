/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/column-meanings.h"
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

Json
ScenarioJson(const ReportData& data)
{
    auto scenario = Json::array();
    for (const auto& setting : data.scenario)
    {
        scenario.push_back(
            {{"key", setting.key}, {"text", setting.text}, {"isDefault", setting.isDefault}});
    }
    return scenario;
}

Json
SystemsJson(const ReportData& data)
{
    auto systems = Json::array();
    for (const auto& system : data.systems)
    {
        systems.push_back({{"label", system.label}, {"settings", system.settings}});
    }
    return systems;
}

/**
 * Layers as lists: the number of the name, ready, start, end, exposed (ps), elements, bytes on the wire,
 * first and last bucket.
 */
Json
LanesJson(const WorkerLanes& lanes, TextList& names)
{
    auto json = Json::array();
    for (const auto& lane : lanes)
    {
        auto layers = Json::array();
        for (const auto& layer : lane.layers)
        {
            layers.push_back({names.Of(layer.layer),
                              layer.readyPs,
                              layer.startPs,
                              layer.endPs,
                              layer.exposedCommunicationPs,
                              layer.elements,
                              layer.wireBytes,
                              layer.firstBucket,
                              layer.lastBucket});
        }
        json.push_back({{"workers", lane.workers}, {"layers", layers}});
    }
    return json;
}

Json
TimelinesJson(const ReportData& data)
{
    TextList names;
    auto rows = Json::array();
    for (const auto& lanes : data.timelines)
    {
        rows.push_back(LanesJson(lanes, names));
    }
    return {{"names", names.Texts()}, {"rows", rows}};
}

Json
OriginsJson(const ReportData& data)
{
    auto origins = Json::array();
    for (const auto& origin : data.origins)
    {
        origins.push_back({{"name", origin.name}, {"text", origin.text}});
    }
    return origins;
}

Json
ValidationsJson(const ReportData& data)
{
    auto validations = Json::array();
    for (const auto& validation : data.validations)
    {
        validations.push_back({{"name", validation.name},
                               {"title", validation.title},
                               {"tables", validation.tables}});
    }
    return validations;
}

/** In JSON '<' stands within texts only, where it has another spelling. */
std::string
WithoutTags(const std::string& json)
{
    std::string text;
    text.reserve(json.size());
    for (const char c : json)
    {
        if (c == '<')
        {
            text += "\\u003c";
        }
        else
        {
            text += c;
        }
    }
    return text;
}

} // namespace

std::string
ReportJson(const ReportData& data)
{
    const Json json{{"kind", data.kind},
                    {"title", data.title},
                    {"command", data.command},
                    {"scenario", ScenarioJson(data)},
                    {"systems", SystemsJson(data)},
                    {"count", data.table.rows.size()},
                    {"columns", ColumnsJson(data)},
                    {"varied", data.varied},
                    {"commands", data.commands},
                    {"timelines", TimelinesJson(data)},
                    {"origins", OriginsJson(data)},
                    {"validations", ValidationsJson(data)},
                    {"notes", data.notes}};
    // a path need not be UTF-8; such bytes become the replacement character
    return WithoutTags(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace inca
