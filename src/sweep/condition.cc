/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/points.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "scenario/keys.h"

#include <fmt/format.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <string_view>

namespace inca
{

namespace
{

/** A text in single quotes, as SQL has it. @throws UnitError */
std::string
SqlText(const std::string& quoted)
{
    const auto text = quoted.substr(1, quoted.size() - 2);
    if (quoted.size() < 2 || quoted.back() != quoted.front())
    {
        throw UnitError("the closing quote of a text is missing");
    }
    if (!text.empty() && text.front() >= '0' && text.front() <= '9')
    {
        throw UnitError(fmt::format("'{}' is a text: a quantity is a plain number, in the unit of "
                                    "its column (cluster.bandwidth >= 40, in Gbit/s)",
                                    text));
    }
    return "'" + std::regex_replace(text, std::regex("'"), "''") + "'";
}

/** A condition as SQL whose parameters are @p keys: names with a point; SQL knows the others. @throws UnitError */
std::string
SqlOf(const std::string& condition, std::vector<const Key*>& keys)
{
    static const std::regex parts(
        R"(('[^']*'?|"[^"]*"?)|([A-Za-z_]\w*\.[\w.]*)|[\w.]+|\|\||&&|[;?])");
    constexpr std::size_t most = 2'000; // as much as a regular expression takes for sure
    if (condition.size() > most)
    {
        throw UnitError(fmt::format("is longer than {} characters", most));
    }
    std::string sql = "SELECT (";
    auto rest = condition.cbegin();
    for (std::sregex_iterator part(rest, condition.cend(), parts), end; part != end; ++part)
    {
        const auto text = part->str();
        sql.append(rest, (*part)[0].first);
        rest = (*part)[0].second;
        if (text == "||" || text == "&&")
        {
            throw UnitError(fmt::format("'{}': write {}", text, text == "||" ? "or" : "and"));
        }
        if (text == ";" || text == "?")
        {
            throw UnitError(fmt::format("'{}' has no meaning here", text));
        }
        if (part->length(2) > 0)
        {
            keys.push_back(FindKey(text));
            if (keys.back() == nullptr)
            {
                throw UnitError(UnknownKey(text));
            }
        }
        sql += part->length(1) > 0 ? SqlText(text) : part->length(2) > 0 ? "?" : text;
    }
    return sql.append(rest, condition.cend()) + ")";
}

Statement
Prepare(Database& database, const Varied& condition, std::vector<const Key*>& keys)
{
    try
    {
        return database.Prepare(SqlOf(condition.text, keys));
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
