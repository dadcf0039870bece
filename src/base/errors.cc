/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"

#include "base/printable.h"

#include <cerrno>
#include <system_error>
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

std::string
BugText(const std::string& what)
{
    const bool isNamed = what.rfind("a bug of ", 0) == 0;
    return isNamed ? what : "a bug of INCA, please report it: " + what;
}

std::string
ErrorReason(int error)
{
    return std::generic_category().message(error);
}

const char*
PathOf(const std::string& path)
{
    if (path.find('\0') != std::string::npos)
    {
        throw InputError(Printable(path) + ": no file's name has a NUL byte");
    }
    return path.c_str();
}

void
ThrowFileError(const std::string& path, std::string_view what, int error)
{
    const auto text = path + ": " + std::string(what) + ": " + ErrorReason(error);
    const bool isWrongPath = error == ENOENT || error == ENOTDIR || error == EISDIR ||
                             error == EACCES || error == EPERM || error == EROFS ||
                             error == ENAMETOOLONG || error == ELOOP;
    if (isWrongPath)
    {
        throw InputError(text);
    }
    throw RunError(text);
}

} // namespace inca
