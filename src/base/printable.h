/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PRINTABLE_H
#define INCA_BASE_PRINTABLE_H

#include <cstddef>
#include <string>
#include <string_view>

namespace inca
{

/**
 * @return @p text with '?' for every control character (U+0000 to U+001F, U+007F to U+009F), which may
 *         move a terminal's cursor, as a file's text can, and for every byte that is no UTF-8
 */
std::string Printable(std::string_view text);

/** The same of every line of @p text, whose line feeds stay. */
std::string PrintableLines(std::string_view text);

/** @return @p text with '?' for every byte that is not printable ASCII */
std::string PrintableAscii(std::string text);

/**
 * @return the bytes of the character that @p text begins with; 0 if it begins with none: no byte of
 *         UTF-8, a longer form than needed, a surrogate, or beyond U+10FFFF (RFC 3629)
 */
std::size_t Utf8Length(std::string_view text);

/** @return where the first byte of @p text is that belongs to no character; npos: nowhere */
std::size_t FirstOutsideUtf8(std::string_view text);

} // namespace inca

#endif // INCA_BASE_PRINTABLE_H
