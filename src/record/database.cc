/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/database.h"

#include "base/errors.h"

#include <sqlite3.h>

#include <utility>

namespace inca
{

namespace
{

constexpr int g_patienceMs = 60'000;

[[noreturn]] void
Throw(const std::string& path, sqlite3* database)
{
    throw RunError(path + ": " + sqlite3_errmsg(database));
}

} // namespace

void
Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* database, std::string path, std::string_view sql)
    : m_database(database),
      m_path(std::move(path))
{
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(
            database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
    {
        Throw(m_path, database);
    }
    m_statement.reset(statement);
}

void
Statement::RequireBound(int result)
{
    if (result != SQLITE_OK)
    {
        Throw(m_path, m_database);
    }
}

Statement&
Statement::Bind(std::string_view text)
{
    RequireBound(sqlite3_bind_text(m_statement.get(),
                                   ++m_bound,
                                   text.empty() ? "" : text.data(),
                                   static_cast<int>(text.size()),
                                   SQLITE_TRANSIENT));
    return *this;
}

Statement&
Statement::Bind(const char* text)
{
    return Bind(std::string_view(text));
}

Statement&
Statement::Bind(std::int64_t number)
{
    RequireBound(sqlite3_bind_int64(m_statement.get(), ++m_bound, number));
    return *this;
}

bool
Statement::Step()
{
    const int result = sqlite3_step(m_statement.get());
    if (result == SQLITE_ROW)
    {
        return true;
    }
    m_bound = 0;
    const bool done = sqlite3_reset(m_statement.get()) == SQLITE_OK && result == SQLITE_DONE;
    if (!done)
    {
        Throw(m_path, m_database);
    }
    return false;
}

void
Statement::Run()
{
    while (Step())
    {
    }
}

std::string
Statement::Text(int column) const
{
    const auto* text = sqlite3_column_text(m_statement.get(), column);
    const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column));
    return text == nullptr ? std::string()
                           : std::string(reinterpret_cast<const char*>(text), bytes);
}

std::int64_t
Statement::Number(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

bool
Statement::IsNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

void
Database::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

Database::Database(const std::string& path, WhereMissing missing)
    : m_path(path)
{
    sqlite3* database = nullptr;
    const int flags =
        SQLITE_OPEN_READWRITE | (missing == WhereMissing::MAKE ? SQLITE_OPEN_CREATE : 0);
    const int result = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
    m_database.reset(database);
    if (result != SQLITE_OK)
    {
        throw InputError(path + ": " + sqlite3_errmsg(database));
    }
    sqlite3_busy_timeout(database, g_patienceMs);
}

void
Database::Run(const std::string& sql)
{
    if (sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    {
        Throw(m_path, m_database.get());
    }
}

void
Database::Together(const std::function<void()>& steps)
{
    Run("BEGIN IMMEDIATE");
    try
    {
        steps();
        Run("COMMIT");
    }
    catch (...)
    {
        sqlite3_exec(
            m_database.get(), "ROLLBACK", nullptr, nullptr, nullptr); // may be done already
        throw;
    }
}

Statement
Database::Prepare(std::string_view sql)
{
    return {m_database.get(), m_path, sql};
}

std::int64_t
Database::LastRow() const
{
    return sqlite3_last_insert_rowid(m_database.get());
}

} // namespace inca
