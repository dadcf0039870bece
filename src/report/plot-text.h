/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_TEXT_H
#define INCA_REPORT_PLOT_TEXT_H

#include <cstddef>
#include <string>
#include <string_view>

namespace inca
{

/**
 * A text as gnuplot's scripts hold it: in single quotes, in which nothing else means anything; one that
 * has such quotes itself in double ones, what means anything there by its octal number. Control
 * characters, a line feed as well, become '?'.
 */
std::string Quoted(std::string_view text);

/** The same of a tick, in which gnuplot takes a '%' for a number's place. */
std::string QuotedTick(std::string_view text);

/** @return @p text with at most @p most characters, of which the last is "…" if some are left out */
std::string Shortened(std::string_view text, std::size_t most);

/** How many characters (not bytes) a text has. */
std::size_t LengthOf(std::string_view text);

/** A number as scripts and data have it. */
std::string Figure(double number);

/** "4 significant digits at most", for ticks and labels: "0.25", "1e+06". */
std::string ShortFigure(double number);

} // namespace inca

#endif // INCA_REPORT_PLOT_TEXT_H
