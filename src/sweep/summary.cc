/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/summary.h"

#include "record/csv-text.h"
#include "record/result-row.h"
#include "record/sample.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* g_summarized[] = {"iteration_time_s",
                                        "communication_s",
                                        "exchange_time_s",
                                        "aggregation_throughput_gbps",
                                        GAIN_COLUMN};

/** "iteration_time_mean_s" of "iteration_time_s" and "mean", "gain_mean" of "gain" */
std::string
NameOf(const std::string& column, const std::string& figure)
{
    const auto unit = UnitOfColumn(column).empty() ? column.size() : column.rfind('_');
    return column.substr(0, unit) + "_" + figure + column.substr(unit);
}

/** Of all rows that have one. */
std::vector<double>
ValuesOf(const std::vector<Row>& rows, const std::string& column)
{
    std::vector<double> values;
    for (const auto& row : rows)
    {
        const auto text = CellText(row, column);
        if (!text.empty())
        {
            values.push_back(std::strtod(text.c_str(), nullptr));
        }
    }
    return values;
}

void
AddFigures(const std::vector<Row>& rows, const std::string& column, Row& summary)
{
    const auto values = ValuesOf(rows, column);
    const auto sample = values.empty() ? Sample{} : SampleOf(values);
    const auto add = [&](const char* figure, double value, std::size_t atLeast) {
        summary.push_back(
            {NameOf(column, figure), sample.count < atLeast ? "" : NineDigits(value), false});
    };
    add("mean", sample.mean, 1);
    add("sd", sample.deviation, 2);
    add("low95", sample.mean - sample.margin, 2);
    add("high95", sample.mean + sample.margin, 2);
}

} // namespace

void
Summaries::Add(const std::string& label,
               std::vector<std::string> varied,
               const Row& settings,
               const Row& row)
{
    varied.pop_back(); // the seed
    const auto name = fmt::format("{}\n{}", label, fmt::join(varied, "\n"));
    const auto [place, isNew] = m_places.emplace(name, m_groups.size());
    if (isNew)
    {
        m_groups.push_back({label, std::move(varied), settings, {}});
    }
    m_groups[place->second].rows.push_back(row);
}

std::vector<Summary>
Summaries::All() const
{
    std::vector<Summary> all;
    std::transform(m_groups.begin(), m_groups.end(), std::back_inserter(all), Of);
    return all;
}

Summary
Summaries::Of(const Group& group)
{
    Row row{{"label", group.label, true}};
    row.insert(row.end(), group.settings.begin(), group.settings.end());
    const auto runs = ValuesOf(group.rows, g_summarized[0]).size();
    row.push_back({"runs", std::to_string(runs), false});
    for (const auto* column : g_summarized)
    {
        const auto& first = group.rows.front(); // only a sweep that compares has gains
        if (std::any_of(first.begin(), first.end(), [column](const RowCell& cell) {
                return cell.column == column;
            }))
        {
            AddFigures(group.rows, column, row);
        }
    }
    return {group.varied, std::move(row)};
}

} // namespace inca
