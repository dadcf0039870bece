/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_VALUE_TEXT_H
#define INCA_BASE_VALUE_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** The text forms of settings; a text that does not fit is a UnitError. @{ */
bool ParseBoolean(std::string_view text);
std::uint64_t ParseInteger(std::string_view text, std::uint64_t least, std::uint64_t most);
std::int64_t ParseSigned(std::string_view text, std::int64_t least, std::int64_t most);
double ParseDecimalNumber(std::string_view text, double least, double most);
double ParseSomeShare(std::string_view text);        ///< above 0, up to 1
std::uint64_t ParseRate(std::string_view text);      ///< above 0 bytes per second
std::uint64_t ParseValueRate(std::string_view text); ///< above 0 values per second
std::string KnownName(std::string_view text, const std::vector<std::string>& names);
/** @} */

/** The shortest text that reads back to the same; empty where there is none. @{ */
std::string DecimalText(double value);
std::string DecimalText(const std::optional<double>& value);
/** @} */

/** @return "a, b or c" */
std::string JoinNames(const std::vector<std::string>& names);

/** value / 10^power, exactly, without trailing zeros: (2500000000, 9) is "2.5". */
std::string ScaledText(std::uint64_t value, unsigned power);

/** A value and what it must lie between. */
struct RangedValue
{
    std::uint64_t value;
    std::uint64_t least;
    std::uint64_t most;
};

/** @throws UnitError naming both ends, unless the value is one of them or between */
void RequireRange(std::string_view text,
                  const RangedValue& ranged,
                  const std::string& least,
                  const std::string& most);

} // namespace inca

#endif // INCA_BASE_VALUE_TEXT_H
