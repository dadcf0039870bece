/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/points.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>

namespace inca
{

namespace
{

constexpr std::string_view g_digits = "0123456789";
constexpr std::string_view g_inNames =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";

/** Turns a condition into SQL whose parameters are keys. */
class Translator
{
  public:
    Translator(std::string_view text, std::vector<const Key*>& keys)
        : m_rest(text),
          m_keys(keys)
    {
    }

    /** @throws UnitError */
    std::string Sql()
    {
        while (!m_rest.empty())
        {
            m_sql += NextPart();
        }
        return "SELECT (" + m_sql + ")";
    }

  private:
    std::string NextPart()
    {
        const char first = m_rest.front();
        if (first == '\'' || first == '"')
        {
            return Text(first);
        }
        if (g_inNames.find(first) != std::string_view::npos)
        {
            return NameOrNumber();
        }
        const auto pair = m_rest.substr(0, 2);
        if (pair == "||" || pair == "&&")
        {
            throw UnitError(fmt::format("'{}': write {}", pair, pair == "||" ? "or" : "and"));
        }
        if (first == ';' || first == '?')
        {
            throw UnitError(fmt::format("'{}' has no meaning here", first));
        }
        return std::string(Take(1));
    }

    std::string_view Take(std::size_t count)
    {
        const auto part = m_rest.substr(0, count);
        m_rest.remove_prefix(part.size());
        return part;
    }

    /** A text in either quotes, which SQL has in single ones. */
    std::string Text(char quote)
    {
        const auto end = m_rest.find(quote, 1);
        if (end == std::string_view::npos)
        {
            throw UnitError("the closing quote of a text is missing");
        }
        const auto text = Take(end + 1).substr(1, end - 1);
        if (!text.empty() && g_digits.find(text.front()) != std::string_view::npos)
        {
            throw UnitError(fmt::format("'{}' is a text: a quantity is a plain number, in the unit "
                                        "of its column (cluster.bandwidth >= 40, in Gbit/s)",
                                        text));
        }
        std::string quoted;
        for (const char c : text)
        {
            quoted += c == '\'' ? "''" : std::string(1, c);
        }
        return "'" + quoted + "'";
    }

    /** Names with a point are keys; SQL knows the others. */
    std::string NameOrNumber()
    {
        const auto name = Take(m_rest.find_first_not_of(g_inNames));
        const bool isNumber = g_digits.find(name.front()) != std::string_view::npos;
        if (isNumber || name.find('.') == std::string_view::npos)
        {
            return std::string(name);
        }
        const auto* key = FindKey(name);
        if (key == nullptr)
        {
            throw UnitError(UnknownKey(name));
        }
        m_keys.push_back(key);
        return "?";
    }

    std::string_view m_rest;
    std::vector<const Key*>& m_keys;
    std::string m_sql;
};

Statement
Prepare(Database& database, const Varied& condition, std::vector<const Key*>& keys)
{
    try
    {
        return database.Prepare(Translator(condition.text, keys).Sql());
    }
    catch (const UnitError& error)
    {
        throw InputError(Printable(condition.origin + ": " + error.what()));
    }
    catch (const RunError& error)
    {
        throw InputError(
            Printable(fmt::format("{}: '{}' is no condition: {}; one is cluster.workers <= 64",
                                  condition.origin,
                                  condition.text,
                                  error.what())));
    }
}

void
Bind(Statement& statement, const std::string& text)
{
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty())
    {
        statement.BindNull();
    }
    else if (text == "true" || text == "false")
    {
        statement.Bind(std::int64_t{text == "true"});
    }
    else
    {
        *end == '\0' ? statement.Bind(number) : statement.Bind(text);
    }
}

} // namespace

Condition::Condition(const Varied& condition)
    : m_statement(Prepare(m_database, condition, m_keys))
{
}

bool
Condition::Holds(const Scenario& scenario)
{
    for (const auto* key : m_keys)
    {
        Bind(m_statement, key->columnText(scenario));
    }
    bool holds = false;
    while (m_statement.Step())
    {
        holds = !m_statement.IsNull(0) && m_statement.Number(0) != 0;
    }
    return holds;
}

} // namespace inca
