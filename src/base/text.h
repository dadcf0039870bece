/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_TEXT_H
#define INCA_BASE_TEXT_H

#include <array>
#include <charconv>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace inca
{

/** A number in the shortest decimal form that reads back as the same: "3", "0.1", "inf". */
template <typename Number>
std::string
NumberText(Number number)
{
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

/** A piece of a text: a word as it is, a number as NumberText writes it. */
template <typename Part>
std::string
PartText(const Part& part)
{
    if constexpr (std::is_arithmetic_v<Part>)
    {
        return NumberText(part);
    }
    else
    {
        return std::string(part);
    }
}

/** Words and numbers, end to end: for messages, where nothing better than std is at hand. */
template <typename... Parts>
std::string
Text(const Parts&... parts)
{
    return (std::string() + ... + PartText(parts));
}

/** The lines of @p text, without their ends; one behind the last end is none. */
inline std::vector<std::string>
Lines(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

} // namespace inca

#endif // INCA_BASE_TEXT_H
