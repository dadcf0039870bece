/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_FIGURES_H
#define INCA_CLI_FIGURES_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A figure that was measured, or a name beside it: a cell of a table and of a CSV file. */
struct Figure
{
    std::string title;  ///< of the table's column; empty: the table has none of it
    std::string column; ///< of the CSV file
    std::string text;   ///< of the table's cell
    std::string csv;
};

/** A name or a count, which is the same in both. */
Figure NameFigure(const std::string& title, const std::string& column, const std::string& text);

/**
 * A number: in the file with nine digits, in the table as @p form, "{:.3f}", shows it times @p scale; where there is
 * none, "-" in the table and nothing in the file.
 */
Figure NumberFigure(const std::string& title,
                    const std::string& column,
                    const char* form,
                    const std::optional<double>& number,
                    double scale = 1);

/** The rows as a table. @param words columns of words before those of numbers */
std::string FiguresText(const std::vector<std::vector<Figure>>& rows, std::size_t words);

/** The rows as a CSV file. */
std::string FiguresCsv(const std::vector<std::vector<Figure>>& rows);

} // namespace inca

#endif // INCA_CLI_FIGURES_H
