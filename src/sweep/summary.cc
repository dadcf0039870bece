/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/summary.h"

#include "record/csv-text.h"
#include "sweep/point-result.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <cstdlib>

namespace inca
{

namespace
{

constexpr const char* g_summarized[] = {
    "iteration_time_s", "communication_s", "exchange_time_s", "aggregation_throughput_gbps"};

/** "iteration_time_mean_s" of "iteration_time_s" and "mean" */
std::string
NameOf(const std::string& column, const std::string& figure)
{
    const auto unit = column.rfind('_');
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

Sample
SampleOf(const std::vector<double>& values)
{
    Sample sample;
    sample.count = values.size();
    const auto count = static_cast<double>(sample.count);
    for (const auto value : values)
    {
        sample.mean += value / count;
    }
    if (sample.count > 1)
    {
        double squares = 0;
        for (const auto value : values)
        {
            squares += (value - sample.mean) * (value - sample.mean);
        }
        constexpr double above = 0.025; // and as much below
        const boost::math::students_t distribution(count - 1);
        sample.deviation = std::sqrt(squares / (count - 1));
        sample.margin = boost::math::quantile(boost::math::complement(distribution, above)) *
                        sample.deviation / std::sqrt(count);
    }
    return sample;
}

Summaries::Summaries(std::size_t repeat)
    : m_repeat(repeat)
{
}

void
Summaries::Add(const SweepPoint& point, const Row& row)
{
    if (m_rows.empty())
    {
        m_first = point;
        m_first.varied.pop_back(); // the seed
    }
    m_rows.push_back(row);
    if (m_rows.size() == m_repeat)
    {
        Finish();
    }
}

void
Summaries::Finish()
{
    Row summary{{"label", m_first.label, true}};
    for (const auto& [column, text] : SettingCellsOf(m_first))
    {
        summary.push_back({column, text, false});
    }
    const auto runs = ValuesOf(m_rows, g_summarized[0]).size();
    summary.push_back({"runs", std::to_string(runs), false});
    for (const auto* column : g_summarized)
    {
        AddFigures(m_rows, column, summary);
    }
    m_all.push_back({m_first.varied, std::move(summary)});
    m_rows.clear();
}

const std::vector<Summary>&
Summaries::All() const
{
    return m_all;
}

} // namespace inca
