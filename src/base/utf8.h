/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_UTF8_H
#define INCA_BASE_UTF8_H

#include <cstddef>
#include <string_view>

namespace inca
{

/**
 * @return the bytes of the character that @p text begins with; 0 if it begins with none: no byte of
 *         UTF-8, a longer form than needed, a surrogate, or beyond U+10FFFF (RFC 3629)
 */
std::size_t Utf8Length(std::string_view text);

/** @return where the first byte of @p text is that belongs to no character; npos: nowhere */
std::size_t FirstOutsideUtf8(std::string_view text);

} // namespace inca

#endif // INCA_BASE_UTF8_H
