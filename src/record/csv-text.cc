/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-text.h"

#include <fmt/format.h>

namespace inca
{

namespace
{

constexpr std::uint64_t g_psPerSecond = 1'000'000'000'000;

std::string
WithoutTrailingZeros(std::string text)
{
    if (text.find('.') != std::string::npos)
    {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text;
}

std::string
QuotedField(const std::string& field)
{
    if (field.find_first_of(",\"\r\n") == std::string::npos)
    {
        return field;
    }
    std::string text = "\"";
    for (const char c : field)
    {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + "\"";
}

} // namespace

std::string
CsvLine(const std::vector<std::string>& fields)
{
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        line += (i == 0 ? "" : ",") + QuotedField(fields[i]);
    }
    return line + "\n";
}

std::string
SecondsText(std::int64_t ps)
{
    const bool negative = ps < 0;
    const auto size =
        negative ? 0 - static_cast<std::uint64_t>(ps) : static_cast<std::uint64_t>(ps);
    return WithoutTrailingZeros(fmt::format(
        "{}{}.{:012}", negative ? "-" : "", size / g_psPerSecond, size % g_psPerSecond));
}

std::int64_t
MeanPs(std::int64_t ps, std::uint32_t count)
{
    return ps / count + (ps % count * 2 >= count ? 1 : 0);
}

std::string
DecimalPlaces(double value, int places)
{
    return WithoutTrailingZeros(fmt::format("{:.{}f}", value, places));
}

std::string
NineDigits(double value)
{
    return fmt::format("{:.9g}", value);
}

std::string
ChecksumText(std::uint32_t crc32)
{
    return fmt::format("{:08x}", crc32);
}

} // namespace inca
