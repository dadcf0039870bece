/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_LOG_TABLES_H
#define INCA_CALIBRATION_LOG_TABLES_H

#include "calibration/measurement-log.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Behind the name of another test. */
constexpr const char* NO_ALL_REDUCE{" is no all-reduce; INCA fits and predicts those alone"};

/** What users can make of any tool's log. */
constexpr const char* ANY_TOOLS_FORM{
    "of another tool, give a CSV with the columns bytes, ranks, time_us and perhaps collective"};

/** @return whether a test is of all-reduces, by any tool's name of it: "Allreduce Latency", "all_reduce" */
bool IsAllReduce(std::string_view test);

/** The tables of one log while it is read: every row is checked, and what is left out is told. */
class LogTables
{
  public:
    /** @param file for complaints */
    explicit LogTables(std::string file);

    /** Begins a table; the one before has ended. @param line of its heading @param counted by rows' numbers */
    MeasurementTable& Begin(std::uint64_t line,
                            std::string_view tool,
                            const char* counted = "Line");

    /** Begins a table of a test, and refuses it if that is of no all-reduces. */
    void BeginTest(std::uint64_t line,
                   std::string_view tool,
                   std::string_view name,
                   std::uint32_t ranks);

    /** The table that was begun last; null: it was refused, or none has begun. */
    MeasurementTable* Current();

    /**
     * Adds a row to the current table, unless that was refused; one of no bytes or no time is left out, and told.
     * @param number as the time was written, to tell how exact it is; empty: exact
     * @throws InputError if it is out of range, or there are too many
     */
    void Add(const Measurement& row, std::string_view number = {});

    /** The same of a time as written. @param unit of it, in seconds */
    void Add(std::uint64_t line, std::uint64_t bytes, std::string_view time, double unit);

    /** Tells of a row of the current table, or of all of them: line 0. What is said of many is told once. */
    void Remark(std::uint64_t line, const std::string& sentence);

    /** The current table is of no use, and why; it is an error if there is no other. */
    void Refuse(std::uint64_t line, const std::string& why);

    /** @throws InputError that names a line of the log */
    [[noreturn]] void Throw(std::uint64_t line, const std::string& why) const;

    /** @return the tables, all with rows @throws InputError if there is none */
    std::vector<MeasurementTable> Finish();

  private:
    /** A sentence, and for which rows it is said. */
    struct RowRemark
    {
        std::string sentence;
        std::uint64_t firstLine{0};
        std::uint64_t count{0};
    };

    void End();

    std::string m_file;
    std::uint64_t m_heading{0}; ///< its line
    const char* m_counted{""};
    bool m_isOpen{false}; ///< the last table is the current one
    std::vector<MeasurementTable> m_tables;
    std::vector<RowRemark> m_remarks; ///< of the current table
    std::vector<std::string> m_refused;
    std::size_t m_rows{0};
};

/** What reads one tool's tables out of a text that may hold others', too. @throws InputError if one is broken */
using LogReader = void (*)(std::string_view text, LogTables& tables);

void ReadNcclTests(std::string_view text, LogTables& tables);      ///< and rccl-tests
void ReadNcclTestsJson(std::string_view text, LogTables& tables);  ///< of option -J
void ReadOsu(std::string_view text, LogTables& tables);            ///< OSU micro-benchmarks
void ReadImb(std::string_view text, LogTables& tables);            ///< Intel's MPI benchmarks
void ReadGloo(std::string_view text, LogTables& tables);           ///< gloo's benchmark
void ReadAllReduceBench(std::string_view text, LogTables& tables); ///< ml-engineering's script
void ReadParam(std::string_view text, LogTables& tables);     ///< PARAM's benchmark of collectives
void ReadInspector(std::string_view text, LogTables& tables); ///< NCCL Inspector's JSON
void ReadCsv(std::string_view text, LogTables& tables);       ///< columns bytes, time_us, and others
void ReadRcclJson(std::string_view text, LogTables& tables);  ///< rccl-tests' objects of the same

} // namespace inca

#endif // INCA_CALIBRATION_LOG_TABLES_H
