/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_REPORT_PAGE_H
#define INCA_REPORT_REPORT_PAGE_H

#include "report/report-data.h"

#include <string>

namespace inca
{

/** An HTML file that shows @p data, works from a disk, and asks the network for nothing. */
std::string ReportPage(const ReportData& data);

/** A text as HTML holds it, between tags or in quotes. */
std::string HtmlText(const std::string& text);

} // namespace inca

#endif // INCA_REPORT_REPORT_PAGE_H
