/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"

#include "base/utf8.h"

#include <algorithm>

namespace inca
{

namespace
{

/** @param character one of UTF-8, or one byte that is none */
bool
IsPrintable(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character.front());
    const bool isHighControl = character.size() == 2 && first == 0xC2 &&
                               static_cast<unsigned char>(character.back()) < 0xA0;
    return first >= ' ' && first != 0x7F && !isHighControl && Utf8Length(character) > 0;
}

} // namespace

std::string
Printable(std::string_view text)
{
    std::string printable;
    while (!text.empty())
    {
        const auto bytes = std::max<std::size_t>(Utf8Length(text), 1);
        const auto character = text.substr(0, bytes);
        printable += IsPrintable(character) ? character : "?";
        text.remove_prefix(bytes);
    }
    return printable;
}

std::string
PrintableLines(std::string_view text)
{
    std::string lines;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n'))
    {
        lines += Printable(text.substr(0, end)) + "\n";
        text.remove_prefix(end + 1);
    }
    return lines + Printable(text);
}

std::string
PrintableAscii(std::string text)
{
    const auto isOther = [](char c) { return c < ' ' || c > '~'; };
    std::replace_if(text.begin(), text.end(), isOther, '?');
    return text;
}

} // namespace inca
