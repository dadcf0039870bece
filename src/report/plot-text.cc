/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-text.h"

#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

std::string
Doubled(const std::string& text, char twice)
{
    std::string doubled;
    for (const char c : text)
    {
        doubled.append(c == twice ? 2 : 1, c);
    }
    return doubled;
}

std::string
InDoubleQuotes(const std::string& text)
{
    constexpr std::string_view means = "\"\\`$@'";
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += means.find(c) == std::string_view::npos ? std::string(1, c)
                                                          : fmt::format("\\{:03o}", c);
    }
    return quoted + "\"";
}

/** @return whether a byte begins a character of UTF-8 */
bool
Begins(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

} // namespace

std::string
Quoted(std::string_view text)
{
    const auto shown = Printable(text);
    // two single quotes for one are not understood everywhere: not at the beginning, not two of them
    return shown.find('\'') == std::string::npos ? "'" + shown + "'" : InDoubleQuotes(shown);
}

std::string
QuotedTick(std::string_view text)
{
    return Quoted(Doubled(std::string(text), '%'));
}

std::string
Shortened(std::string_view text, std::size_t most)
{
    if (LengthOf(text) <= most)
    {
        return std::string(text);
    }
    std::size_t end = 0;
    for (std::size_t left = most; left > 0; ++end)
    {
        left -= Begins(text[end]) ? 1 : 0;
    }
    return std::string(text.substr(0, end - 1)) + "…";
}

std::size_t
LengthOf(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), Begins));
}

std::string
Figure(double number)
{
    return fmt::format("{:.9g}", number);
}

std::string
ShortFigure(double number)
{
    return fmt::format("{:.4g}", number);
}

} // namespace inca
