/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PAGE_FILES_H
#define INCA_REPORT_PAGE_FILES_H

#include <string_view>
#include <vector>

namespace inca
{

/** A file of report/page or report/uplot, as it stood there when the program was built. */
struct PageFile
{
    std::string_view name; ///< "chart.js"
    std::string_view text;
};

/** Those of inca_page_files in src/sources.cmake, in that order (cmake/embed-page.cmake makes it). */
const std::vector<PageFile>& PageFiles();

} // namespace inca

#endif // INCA_REPORT_PAGE_FILES_H
