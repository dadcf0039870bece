/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_CSV_TEXT_H
#define INCA_RECORD_CSV_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** One line of CSV after RFC 4180, ended by a line feed; fields are quoted where they must be. */
std::string CsvLine(const std::vector<std::string>& fields);

/** Seconds as an exact decimal: 1500000 ps are "0.0000015". */
std::string SecondsText(std::int64_t ps);

/** @p ps shared evenly by @p count, to the nearest picosecond, halves up. (ps) */
std::int64_t MeanPs(std::int64_t ps, std::uint32_t count);

/** With at most @p places after the point and no trailing zeros. */
std::string DecimalPlaces(double value, int places);

/** With at most nine significant digits, where the size may be anything: "1.1920929e-07". */
std::string NineDigits(double value);

/** Eight hexadecimal digits. */
std::string ChecksumText(std::uint32_t crc32);

} // namespace inca

#endif // INCA_RECORD_CSV_TEXT_H
