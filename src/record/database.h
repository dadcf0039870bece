/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_DATABASE_H
#define INCA_RECORD_DATABASE_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace inca
{

/** One statement of SQL, to be run any number of times; its database must outlive it. */
class Statement
{
  public:
    /** Sets the next parameter of this run, from the first on. @{ */
    Statement& Bind(std::string_view text);
    Statement& Bind(const char* text);
    Statement& Bind(std::int64_t number);
    /** @} */

    /** @return whether there is another row; without one it is ready for another run @throws RunError */
    bool Step();

    /** Steps to the end. @throws RunError */
    void Run();

    /** Of the row that Step has come to, columns from 0. @{ */
    std::string Text(int column) const;
    std::int64_t Number(int column) const;
    bool IsNull(int column) const;
    /** @} */

  private:
    friend class Database;

    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const;
    };

    Statement(sqlite3* database, std::string path, std::string_view sql);
    void RequireBound(int result);

    sqlite3* m_database;
    std::string m_path;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    int m_bound{0};
};

/** What becomes of a database that is not there. */
enum class WhereMissing
{
    MAKE,
    REFUSE,
};

/** A SQLite database: a file. */
class Database
{
  public:
    /**
     * Opens it, to be read only where it cannot be written. Who finds it locked by another process waits up
     * to a minute.
     * @throws InputError if it is no database or cannot be opened
     */
    explicit Database(const std::string& path, WhereMissing missing = WhereMissing::MAKE);

    /** Runs statements that return nothing. @throws RunError, with what SQLite says */
    void Run(const std::string& sql);

    /**
     * Does @p steps in a transaction: all of it is on the disk then, or, if an error ends it, nothing. Waits until no other
     * process writes. @throws RunError, e.g. of a full disk
     */
    void Together(const std::function<void()>& steps);

    /** @throws RunError */
    Statement Prepare(std::string_view sql);

    /** The number of the row that was inserted last. */
    std::int64_t LastRow() const;

  private:
    struct Close
    {
        void operator()(sqlite3* database) const;
    };

    std::string m_path;
    std::unique_ptr<sqlite3, Close> m_database;
};

} // namespace inca

#endif // INCA_RECORD_DATABASE_H
