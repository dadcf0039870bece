/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_REPORT_DATA_H
#define INCA_REPORT_REPORT_DATA_H

#include "inca/report/csv-table.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** What a page names beside a row: a key and what it is set to, a file or a program and its checksum or version. */
struct ReportFact
{
    std::string name;
    std::string text;
};

/** All that a page shows (docs/how-to/plots.md, "Reports"). */
struct ReportData
{
    std::string kind;                 ///< "run", "sweep" or "rows"
    std::string title;                ///< what was reported on
    std::string command;              ///< of a run; of a sweep the scenario and what it sets
    std::vector<ReportFact> scenario; ///< what is not the default
    CsvTable table;
    std::map<std::string, std::string> settings; ///< what its columns of settings mean
    std::vector<std::size_t> varied;             ///< columns in which rows differ (VariedColumns)
    std::vector<std::string> commands;           ///< of the rows; empty: not known
    CsvTable path;                               ///< path.csv of a run; no columns: there is none
    std::vector<ReportFact> origins;
    std::vector<std::string> notes; ///< what is not there, and why
};

/** The data of a page as JSON that may stand within HTML: it holds no '<'. */
std::string ReportJson(const ReportData& data);

/** report/page/page.html with its styles and scripts, as they stood when the program was built (cmake/embed-page.cmake). */
std::string_view PageText();

/** An HTML file that shows @p data, works from a disk, and asks the network for nothing. */
std::string ReportPage(const ReportData& data);

/** A text as HTML holds it, between tags or in quotes. */
std::string HtmlText(const std::string& text);

} // namespace inca

#endif // INCA_REPORT_REPORT_DATA_H
