/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TEXT_LISTING_H
#define INCA_REPORT_TEXT_LISTING_H

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/**
 * Rows of words in columns as wide as their widest cells, indented. If that is wider than @p width, the
 * last column is wrapped; if too little is left for it, it stands below the others.
 * @param rows as many cells in each
 * @param width characters of a line; 0: any
 */
std::string FormatListing(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/** @return @p text in lines of up to @p width characters, broken at blanks; longer words stay whole */
std::vector<std::string> WrapText(const std::string& text, std::size_t width);

} // namespace inca

#endif // INCA_REPORT_TEXT_LISTING_H
