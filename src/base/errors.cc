/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"

#include <utility>

namespace inca
{

namespace
{

std::string
JoinLines(const std::vector<std::string>& lines)
{
    std::string text;
    for (const auto& line : lines)
    {
        text += (text.empty() ? "" : "\n") + line;
    }
    return text;
}

} // namespace

std::string
InputPlace::Prefix() const
{
    std::string text = file;
    if (line != 0)
    {
        text += (text.empty() ? "line " : ":") + std::to_string(line);
    }
    if (line != 0 && column != 0)
    {
        text += ":" + std::to_string(column);
    }
    if (!text.empty())
    {
        text += ": ";
    }
    return key.empty() ? text : text + key + ": ";
}

InputError::InputError(const std::string& text)
    : InputError(std::vector<std::string>{text})
{
}

InputError::InputError(const InputPlace& place, const std::string& text)
    : InputError(place.Prefix() + text)
{
}

InputError::InputError(std::vector<std::string> complaints)
    : std::runtime_error(JoinLines(complaints)),
      m_complaints(std::move(complaints))
{
}

} // namespace inca
