/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/file-error.h"

#include "base/errors.h"
#include "base/printable.h"

#include <cerrno>
#include <system_error>

namespace inca
{

namespace
{

bool
IsWrongPath(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EISDIR || error == EACCES ||
           error == EPERM || error == EROFS || error == ENAMETOOLONG || error == ELOOP;
}

} // namespace

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
    if (IsWrongPath(error))
    {
        throw InputError(text);
    }
    throw RunError(text);
}

} // namespace inca
