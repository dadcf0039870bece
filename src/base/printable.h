/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PRINTABLE_H
#define INCA_BASE_PRINTABLE_H

#include <algorithm>
#include <string>

namespace inca
{

/** @return @p text with '?' for every byte that may move a terminal's cursor, as a file's text can */
inline std::string
Printable(std::string text)
{
    const auto isControl = [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    };
    std::replace_if(text.begin(), text.end(), isControl, '?');
    return text;
}

/** @return @p text with '?' for every byte that is not printable ASCII */
inline std::string
PrintableAscii(std::string text)
{
    const auto isOther = [](char c) { return c < ' ' || c > '~'; };
    std::replace_if(text.begin(), text.end(), isOther, '?');
    return text;
}

} // namespace inca

#endif // INCA_BASE_PRINTABLE_H
