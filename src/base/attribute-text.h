/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_ATTRIBUTE_TEXT_H
#define INCA_BASE_ATTRIBUTE_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace inca
{

/**
 * The values of ns-3's attributes as text, read exactly: ns-3 itself ends the process at some texts
 * that are none, and takes -1 for a large number. A text that does not fit is a UnitError. @{
 */
std::int64_t ParseWholeAttribute(std::string_view text);    ///< "64", "-3"
double ParseRealAttribute(std::string_view text);           ///< "0.5", "1e-3"; finite
bool ParseTruthAttribute(std::string_view text);            ///< "true", "false"
std::int64_t ParseTimeAttribute(std::string_view text);     ///< "1us", "+1000.0ns"; in ps
std::uint64_t ParseBitRateAttribute(std::string_view text); ///< "10Gbps", "10Gb/s", "1.25GB/s"
/** @} */

/** How the text of a key becomes that of its attributes. @throws UnitError */
using AttributeForm = std::string (*)(std::string_view keyText);

/** @{ */
std::string PlainAttribute(std::string_view keyText); ///< a name, a number, true or false: as it is
std::string ByteAttribute(std::string_view keyText);  ///< "16MiB" is 16777216
std::string ByteRateAttribute(
    std::string_view keyText); ///< "8.4GBps" is "67200000000bps"; without a limit, 2^63 bps
std::string ValueRateAttribute(
    std::string_view keyText); ///< "2.5Gvalues/s" is 2500000000; "none" is 0
std::string BitRateAttribute(std::string_view keyText); ///< "10Gbps" is "10000000000bps"
std::string TimeAttribute(std::string_view keyText);    ///< "1us" is "1000000ps"
/** @} */

} // namespace inca

#endif // INCA_BASE_ATTRIBUTE_TEXT_H
