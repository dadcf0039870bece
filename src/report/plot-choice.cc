/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-choice.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/share-parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace inca
{

namespace
{

using Indices = std::vector<std::size_t>;

constexpr const char* g_usualValue = "iteration_time_s";
constexpr std::string_view g_label = "label";

bool
Has(const Indices& indices, std::size_t index)
{
    return std::find(indices.begin(), indices.end(), index) != indices.end();
}

std::set<std::string>
TextsOf(const CsvTable& table, std::size_t column)
{
    std::set<std::string> texts;
    for (const auto& row : table.rows)
    {
        texts.insert(row.fields[column]);
    }
    return texts;
}

bool
HoldsNumbers(const std::set<std::string>& texts)
{
    return std::all_of(texts.begin(),
                       texts.end(),
                       [](const std::string& text) { return text.empty() || NumberOf(text); }) &&
           texts != std::set<std::string>{""};
}

/** @return whether a row that is done has it: rows that are refused have what could not matter, too */
bool
Applies(const CsvTable& table, std::size_t column)
{
    const auto status = table.Find("status");
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const CsvTableRow& row) {
        return !row.fields[column].empty() && (!status || row.fields[*status] == "done");
    });
}

/** @return whether rows with the same @p others have the same @p column, where it applies */
bool
IsDecidedBy(const CsvTable& table, std::size_t column, const Indices& others)
{
    std::map<std::vector<std::string>, std::string> seen;
    for (const auto& row : table.rows)
    {
        std::vector<std::string> key;
        for (const auto other : others)
        {
            key.push_back(row.fields[other]);
        }
        const auto& text = row.fields[column];
        if (!text.empty() && seen.emplace(key, text).first->second != text)
        {
            return false;
        }
    }
    return true;
}

Indices
SeriesAsked(const CsvTable& table, const PlotNames& names, const std::string& text)
{
    Indices series;
    for (std::string_view rest = text; !rest.empty();)
    {
        const auto name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        series.push_back(ColumnOf(table, names, std::string(name), "--series"));
    }
    return series;
}

Indices
PartColumns(const CsvTable& table)
{
    Indices parts;
    for (const auto& part : g_shareParts)
    {
        if (const auto found = table.Find(part.name + std::string("_s")))
        {
            parts.push_back(*found);
        }
    }
    return parts;
}

/** Chooses step by step. */
class Chooser
{
  public:
    Chooser(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
        : m_table(table),
          m_names(names),
          m_request(request)
    {
    }

    PlotChoice Choose()
    {
        RequireDone();
        if (!m_request.x.empty())
        {
            m_choice.x = ColumnOf(m_table, m_names, m_request.x, "--x");
        }
        m_asked = SeriesAsked(m_table, m_names, m_request.series);
        ChooseX();
        ChooseKind();
        ChooseSeries();
        ChooseY();
        Check();
        return m_choice;
    }

  private:
    void RequireDone() const
    {
        const auto status = m_table.Find("status");
        if (status && TextsOf(m_table, *status).count("done") == 0)
        {
            throw InputError(m_table.path +
                             ": nothing to draw: no row is done; its column warnings "
                             "says why");
        }
    }

    /** Of numbers those of which there are most. */
    void ChooseX()
    {
        std::size_t most = 0;
        for (const auto column : VariedColumns(m_table, m_names, m_asked))
        {
            const auto count = IsNumeric(m_table, column) ? TextsOf(m_table, column).size() : 0;
            if (m_request.x.empty() && !Has(m_asked, column) && (!m_choice.x || count > most))
            {
                m_choice.x = column;
                most = count;
            }
        }
        if (!m_choice.x && !m_asked.empty()) // all that varies is a name that was asked for
        {
            m_choice.x = m_asked.front();
            m_asked.erase(m_asked.begin());
        }
    }

    void ChooseKind()
    {
        m_choice.kind = m_request.kind                    ? *m_request.kind
                        : !m_choice.x                     ? PlotKind::STACK
                        : IsNumeric(m_table, *m_choice.x) ? PlotKind::LINE
                                                          : PlotKind::BAR;
        if (!m_choice.x && m_choice.kind != PlotKind::STACK)
        {
            throw InputError(
                fmt::format("{}: no setting differs between its rows; --x names a column to "
                            "draw over, or --kind stack draws where the time goes",
                            m_table.path));
        }
    }

    void ChooseSeries()
    {
        auto first = m_asked;
        if (m_choice.x)
        {
            const auto& name = m_table.columns[*m_choice.x];
            const auto& settings = m_names.settings;
            if (std::find(settings.begin(), settings.end(), name) != settings.end())
            {
                first.insert(first.begin(), *m_choice.x);
            }
        }
        for (const auto column : VariedColumns(m_table, m_names, first))
        {
            if (column != m_choice.x)
            {
                m_choice.series.push_back(column);
            }
        }
        const auto shade = m_table.Find(m_names.shade);
        if (shade && Has(m_choice.series, *shade))
        {
            m_choice.shade = shade;
        }
    }

    void ChooseY()
    {
        if (m_choice.kind != PlotKind::STACK)
        {
            m_choice.y = {ColumnOf(
                m_table, m_names, m_request.y.empty() ? g_usualValue : m_request.y, "--y")};
            return;
        }
        if (!m_request.y.empty())
        {
            throw InputError("--y: --kind stack draws the parts of the time, forward_s to "
                             "communication_s; leave --y out");
        }
        m_choice.y = PartColumns(m_table);
        if (m_choice.y.empty())
        {
            throw InputError(m_table.path + ": --kind stack needs the columns forward_s to "
                                            "communication_s, of which it has none");
        }
    }

    void Check() const
    {
        for (const auto column : m_choice.y)
        {
            if (!IsNumeric(m_table, column))
            {
                throw InputError(fmt::format("--y: {}: nothing to draw: column {} holds no numbers",
                                             m_table.path,
                                             m_table.columns[column]));
            }
        }
        if (m_choice.kind == PlotKind::LINE && !IsNumeric(m_table, *m_choice.x))
        {
            throw InputError(fmt::format("--kind line: column {} holds names, and lines go over "
                                         "numbers; --kind bar goes over names",
                                         m_table.columns[*m_choice.x]));
        }
        if (m_choice.kind == PlotKind::HEAT && m_choice.series.size() != 1)
        {
            throw InputError(fmt::format("--kind heat: draws two keys, {} and another one; here {}",
                                         m_table.columns[*m_choice.x],
                                         m_choice.series.empty()
                                             ? "no other one varies"
                                             : "these vary, too: " + SeriesNames()));
        }
    }

    std::string SeriesNames() const
    {
        std::string names;
        for (const auto column : m_choice.series)
        {
            names += (names.empty() ? "" : ", ") + m_table.columns[column];
        }
        return names;
    }

    const CsvTable& m_table;
    const PlotNames& m_names;
    const PlotRequest& m_request;
    Indices m_asked; ///< of --series
    PlotChoice m_choice;
};

} // namespace

const std::vector<std::string>&
PlotKindNames()
{
    static const std::vector<std::string> names{"line", "bar", "stack", "heat"};
    return names;
}

std::string
PlotKindName(PlotKind kind)
{
    return PlotKindNames().at(static_cast<std::size_t>(kind));
}

PlotKind
PlotKindOf(const std::string& name)
{
    const auto found = std::find(PlotKindNames().begin(), PlotKindNames().end(), name);
    if (found == PlotKindNames().end())
    {
        throw InputError("--kind: " + UnknownName(name, PlotKindNames()));
    }
    return static_cast<PlotKind>(found - PlotKindNames().begin());
}

bool
IsNumeric(const CsvTable& table, std::size_t column)
{
    return table.columns[column] != g_label && HoldsNumbers(TextsOf(table, column));
}

std::size_t
ColumnOf(const CsvTable& table,
         const PlotNames& names,
         const std::string& name,
         const std::string& option)
{
    const auto key = names.ofKeys.find(name);
    const auto found = table.Find(key == names.ofKeys.end() ? name : key->second);
    if (found)
    {
        return *found;
    }
    auto known = table.columns;
    for (const auto& [keyName, column] : names.ofKeys)
    {
        if (table.Find(column))
        {
            known.push_back(keyName);
        }
    }
    const auto nearest = Nearest(name, known);
    throw InputError(fmt::format("{}: {} has no column '{}'; {}",
                                 option,
                                 table.path,
                                 name,
                                 nearest.empty() ? "its first line names those that it has"
                                                 : "did you mean '" + nearest + "'?"));
}

std::vector<std::size_t>
VariedColumns(const CsvTable& table, const PlotNames& names, const std::vector<std::size_t>& first)
{
    auto varied = first;
    for (const auto& name : names.settings)
    {
        const auto column = table.Find(name);
        if (!column || Has(varied, *column) || !Applies(table, *column) ||
            IsDecidedBy(table, *column, {}))
        {
            continue;
        }
        if (name == g_label || !IsDecidedBy(table, *column, varied))
        {
            varied.push_back(*column);
        }
    }
    return varied;
}

PlotChoice
ChoosePlot(const CsvTable& table, const PlotNames& names, const PlotRequest& request)
{
    return Chooser(table, names, request).Choose();
}

} // namespace inca
