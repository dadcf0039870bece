/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"

#include <algorithm>

namespace inca
{

namespace
{

/** A row of RFC 3629's table of well-formed sequences: first byte, second byte, length. */
struct Sequence
{
    unsigned char firstLeast;
    unsigned char firstMost;
    unsigned char secondLeast;
    unsigned char secondMost;
    std::size_t bytes;
};

constexpr Sequence g_sequences[] = {{0xC2, 0xDF, 0x80, 0xBF, 2},
                                    {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                    {0xE1, 0xEC, 0x80, 0xBF, 3},
                                    {0xED, 0xED, 0x80, 0x9F, 3},
                                    {0xEE, 0xEF, 0x80, 0xBF, 3},
                                    {0xF0, 0xF0, 0x90, 0xBF, 4},
                                    {0xF1, 0xF3, 0x80, 0xBF, 4},
                                    {0xF4, 0xF4, 0x80, 0x8F, 4}};

bool
IsWithin(char byte, unsigned char least, unsigned char most)
{
    const auto value = static_cast<unsigned char>(byte);
    return value >= least && value <= most;
}

bool
BeginsWith(std::string_view text, const Sequence& sequence)
{
    if (text.size() < sequence.bytes ||
        !IsWithin(text[0], sequence.firstLeast, sequence.firstMost) ||
        !IsWithin(text[1], sequence.secondLeast, sequence.secondMost))
    {
        return false;
    }
    for (std::size_t i = 2; i < sequence.bytes; ++i)
    {
        if (!IsWithin(text[i], 0x80, 0xBF))
        {
            return false;
        }
    }
    return true;
}

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

std::size_t
Utf8Length(std::string_view text)
{
    if (!text.empty() && IsWithin(text[0], 0x00, 0x7F))
    {
        return 1;
    }
    for (const auto& sequence : g_sequences)
    {
        if (BeginsWith(text, sequence))
        {
            return sequence.bytes;
        }
    }
    return 0;
}

std::size_t
FirstOutsideUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();)
    {
        const auto bytes = Utf8Length(text.substr(at));
        if (bytes == 0)
        {
            return at;
        }
        at += bytes;
    }
    return std::string_view::npos;
}

} // namespace inca
