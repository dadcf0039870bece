/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/figures.h"

#include "record/csv-text.h"
#include "report/text-table.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

/** @return that member of all figures that have a name in @p named */
std::vector<std::string>
TextsOf(const std::vector<Figure>& row, std::string Figure::*named, std::string Figure::*member)
{
    std::vector<std::string> texts;
    for (const auto& figure : row)
    {
        if (!(figure.*named).empty())
        {
            texts.push_back(figure.*member);
        }
    }
    return texts;
}

} // namespace

Figure
NameFigure(const std::string& title, const std::string& column, const std::string& text)
{
    return {title, column, text, text};
}

Figure
NumberFigure(const std::string& title,
             const std::string& column,
             const char* form,
             const std::optional<double>& number,
             double scale)
{
    return {title,
            column,
            number ? fmt::format(fmt::runtime(form), *number * scale) : "-",
            number ? NineDigits(*number) : ""};
}

std::string
FiguresText(const std::vector<std::vector<Figure>>& rows, std::size_t words)
{
    TextTable table(TextsOf(rows.front(), &Figure::title, &Figure::title), words);
    for (const auto& row : rows)
    {
        table.AddRow(TextsOf(row, &Figure::title, &Figure::text));
    }
    return table.Text();
}

std::string
FiguresCsv(const std::vector<std::vector<Figure>>& rows)
{
    auto text = CsvLine(TextsOf(rows.front(), &Figure::column, &Figure::column));
    for (const auto& row : rows)
    {
        text += CsvLine(TextsOf(row, &Figure::column, &Figure::csv));
    }
    return text;
}

} // namespace inca
