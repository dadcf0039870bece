/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/toml-guard.h"

#include "base/errors.h"
#include "base/utf8.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace inca
{

namespace
{

constexpr unsigned g_mostPoints = 16; ///< of a key; those of INCA have one or two
constexpr char g_list = 'l';          ///< a bracket whose entries are values
constexpr const char* g_outside = "outside of quotes";
constexpr std::string_view g_byteOrderMark = "\xef\xbb\xbf";

bool
IsAscii(char c)
{
    return static_cast<unsigned char>(c) < 0x80;
}

/** @return whether @p c, outside of quotes, may stand within a dotted key */
bool
IsOfKey(char c)
{
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool isDigit = c >= '0' && c <= '9';
    return isLetter || isDigit || c == '_' || c == '-' || c == ' ' || c == '\t';
}

/** @return whether a value that begins with @p c is a number, a date, or nothing that there is */
bool
BeginsBareValue(char c)
{
    return std::string_view(" \t\r\n\"'[]{},#").find(c) == std::string_view::npos;
}

/** Tells quotes, comments and values without quotes from the rest, as the library does. */
class Guard
{
  public:
    Guard(std::string_view text, const std::string& fileName)
        : m_text(text),
          m_fileName(fileName)
    {
    }

    void Check()
    {
        if (const auto outside = FirstOutsideUtf8(m_text); outside != std::string_view::npos)
        {
            Refuse(outside,
                   fmt::format("byte 0x{:02X} is no UTF-8",
                               static_cast<unsigned char>(m_text[outside])));
        }
        if (m_text.substr(0, g_byteOrderMark.size()) == g_byteOrderMark)
        {
            m_at = g_byteOrderMark.size();
        }
        while (m_at < m_text.size())
        {
            CheckNext();
        }
    }

  private:
    void CheckNext()
    {
        const char c = m_text[m_at];
        if (m_valueNext && BeginsBareValue(c))
        {
            SkipBareValue();
        }
        else if (c == '"' || c == '\'')
        {
            m_valueNext = false;
            SkipQuoted(c);
        }
        else if (c == '#')
        {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        }
        else
        {
            RequireAscii(g_outside);
            CountPoints(c);
            Follow(c);
            ++m_at;
        }
    }

    /** The library looks for its end, and takes a quote in it for one of its letters. */
    void SkipBareValue()
    {
        m_valueNext = false;
        const auto end = std::min(m_text.find_first_of(" \t\r\n,]}#", m_at), m_text.size());
        for (; m_at < end; ++m_at)
        {
            RequireAscii(g_outside);
        }
    }

    /** Where values stand: behind =, and in lists, which are no headers of tables. */
    void Follow(char c)
    {
        if (c == '=')
        {
            m_valueNext = true;
        }
        else if (c == '[' || c == '{')
        {
            m_valueNext = m_valueNext && c == '[';
            m_open.push_back(m_valueNext ? g_list : c);
        }
        else if (c == ',')
        {
            m_valueNext = !m_open.empty() && m_open.back() == g_list;
        }
        else if (c == ']' || c == '}')
        {
            m_open.resize(m_open.size() - std::min<std::size_t>(m_open.size(), 1));
            m_valueNext = false;
        }
        else if (c == '\n' && m_open.empty())
        {
            m_valueNext = false;
        }
    }

    void CountPoints(char c)
    {
        m_points = c == '.' ? m_points + 1 : IsOfKey(c) ? m_points : 0;
        if (m_points > g_mostPoints)
        {
            Refuse(m_at, fmt::format("more than {} points in a key", g_mostPoints));
        }
    }

    void RequireAscii(const char* where) const
    {
        if (m_at < m_text.size() && !IsAscii(m_text[m_at]))
        {
            Refuse(m_at, fmt::format("a character outside ASCII may not stand {}", where));
        }
    }

    void SkipQuoted(char quote)
    {
        constexpr std::size_t ofLines = 3;
        if (QuotesHere(quote) >= ofLines)
        {
            m_at += ofLines;
            SkipLines(quote);
            return;
        }
        ++m_at;
        while (m_at < m_text.size() && m_text[m_at] != quote && m_text[m_at] != '\n')
        {
            const bool isEscape = m_text[m_at] == '\\' && quote == '"';
            m_at = std::min(m_at + (isEscape ? 2 : 1), m_text.size());
        }
        m_at += m_at < m_text.size() && m_text[m_at] == quote ? 1 : 0;
    }

    /** The rest of a text of several lines; up to two quotes may belong to it, before the three that end it. */
    void SkipLines(char quote)
    {
        constexpr std::size_t fewest = 3;
        constexpr std::size_t most = 5;
        while (m_at < m_text.size())
        {
            const auto quotes = std::min(QuotesHere(quote), most);
            if (quotes >= fewest)
            {
                m_at += quotes;
                return;
            }
            const bool isEscape = m_text[m_at] == '\\' && quote == '"';
            ++m_at;
            if (isEscape)
            {
                SkipEscaped();
            }
        }
    }

    /** A backslash at a line's end takes with it what white space follows. */
    void SkipEscaped()
    {
        const auto next = m_text.find_first_not_of(" \t\r\n", m_at);
        const bool endsLine = next != m_at;
        m_at = std::min(next, m_text.size());
        RequireAscii("behind a backslash and white space");
        m_at += endsLine || m_at == m_text.size() ? 0 : 1;
    }

    std::size_t QuotesHere(char quote) const
    {
        const auto end = std::min(m_text.find_first_not_of(quote, m_at), m_text.size());
        return end - m_at;
    }

    [[noreturn]] void Refuse(std::size_t at, const std::string& why) const
    {
        const auto before = m_text.substr(0, at);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const auto column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
        throw InputError(
            InputPlace{m_fileName, static_cast<unsigned>(line), static_cast<unsigned>(column), ""},
            "no valid TOML: " + why);
    }

    std::string_view m_text;
    const std::string& m_fileName;
    std::size_t m_at{0};
    unsigned m_points{0};    ///< of the key that is being read
    bool m_valueNext{false}; ///< what comes behind white space is a value, or its list ends
    std::string m_open;      ///< brackets, outermost first
};

} // namespace

void
RefuseUnsafeToml(std::string_view text, const std::string& fileName)
{
    Guard(text, fileName).Check();
}

} // namespace inca
