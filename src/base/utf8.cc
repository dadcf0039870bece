/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/utf8.h"

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

} // namespace

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
