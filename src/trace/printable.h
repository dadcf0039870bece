/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_PRINTABLE_H
#define INCA_TRACE_PRINTABLE_H

#include <algorithm>
#include <string>

namespace inca
{

/** @return @p text with every byte that is not printable ASCII replaced by '?' */
inline std::string
Printable(std::string text)
{
    const auto isUnprintable = [](char c) { return c < ' ' || c > '~'; };
    std::replace_if(text.begin(), text.end(), isUnprintable, '?');
    return text;
}

} // namespace inca

#endif // INCA_TRACE_PRINTABLE_H
