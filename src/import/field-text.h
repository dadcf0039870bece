/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_FIELD_TEXT_H
#define INCA_IMPORT_FIELD_TEXT_H

#include "base/errors.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** The fields of a text that stand between blanks, tabs or a carriage return. */
std::vector<std::string> SplitBlanks(std::string_view line);

/** @return @p place, of its field @p key */
InputPlace AtKey(InputPlace place, const std::string& key);

/** @throws InputError of @p place if @p text is no whole number from 0 to 10^15 */
std::uint64_t ParseCount(const InputPlace& place, std::string_view text);

/**
 * @param unit ns, us, ms or s
 * @return @p text in that unit as picoseconds
 * @throws InputError of @p place if it is no time, is negative, or is longer than 10^6 s
 */
std::int64_t ParseTime(const InputPlace& place, std::string_view text, const std::string& unit);

/** Picoseconds of one ns, us, ms or s. @throws InputError if @p unit is another */
std::int64_t PsOfUnit(const std::string& unit);

} // namespace inca

#endif // INCA_IMPORT_FIELD_TEXT_H
