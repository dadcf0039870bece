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

/** How the text of a key becomes that of its attributes, and back; both throw UnitErrors. */
struct AttributeForm
{
    std::string (*fromKey)(std::string_view keyText);
    std::string (*toKey)(std::string_view attributeText);
};

extern const AttributeForm g_nameAttribute;      ///< as it is
extern const AttributeForm g_wholeAttribute;     ///< a whole number
extern const AttributeForm g_truthAttribute;     ///< "true" or "false"
extern const AttributeForm g_realAttribute;      ///< a number
extern const AttributeForm g_byteAttribute;      ///< "16MiB" is 16777216
extern const AttributeForm g_byteRateAttribute;  ///< "8.4GBps" is 8400000000; no rate is 0
extern const AttributeForm g_costRateAttribute;  ///< the same, and back: 0 is "none"
extern const AttributeForm g_valueRateAttribute; ///< "2.5Gvalues/s" is 2500000000; "none" is 0
extern const AttributeForm g_bitRateAttribute;   ///< "10Gbps" is "10000000000bps"
extern const AttributeForm g_timeAttribute;      ///< "1us" is "1000000ps"

} // namespace inca

#endif // INCA_BASE_ATTRIBUTE_TEXT_H
