/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_LOG_TABLES_H
#define INCA_CALIBRATION_LOG_TABLES_H

#include "inca/calibration/log-text.h"
#include "inca/calibration/measurement-log.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Behind the name of another test. */
constexpr const char* OF_NO_USE{
    " is not read; INCA reads all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, "
    "message and stream"};

/** What users can make of any tool's log. */
constexpr const char* ANY_TOOLS_FORM{
    "of another tool, give a CSV with the columns bytes, ranks, time_us and perhaps collective"};

/** @return what a test measures, by any tool's name: "Allreduce Latency"; nothing: it is OF_NO_USE */
std::optional<MeasuredKind> KindOfTest(std::string_view test);

/** Where the numbers of a tool's rows are, of which the first is a size. */
struct RowForm
{
    std::size_t numbers{0}; ///< of a row, at least; 0: there is no table
    std::size_t time{1};    ///< which of them is the time, or a rate
    LogUnit unit{};         ///< of that
    double sizeBytes{1};    ///< that a size counts
};

/** The tables of one log while it is read: every row is checked, and what is left out is told. */
class LogTables
{
  public:
    /** @param file for complaints @param ranks as the user says; 0: he does not */
    explicit LogTables(std::string file, std::uint32_t ranks = 0);

    /** Begins a table; the one before has ended. @param line of its heading */
    MeasurementTable& Begin(std::uint64_t line, std::string_view tool);

    /** Begins a table of a test, and refuses it if that is of no use. */
    void BeginTest(std::uint64_t line,
                   std::string_view tool,
                   std::string_view name,
                   std::uint32_t ranks);

    /** The table that was begun last; null: it was refused, or none has begun. */
    MeasurementTable* Current();

    /**
     * Adds a row to the current table, unless that was refused; one of no bytes or no time is left out, and told.
     * @throws InputError if it is out of range, or there are too many
     */
    void Add(const Measurement& row);

    /**
     * The same of a size and a time, or a rate, as written; what is none is left out, and told.
     * @param sizeBytes that a size counts
     */
    void Add(std::uint64_t line,
             std::string_view size,
             std::string_view number,
             const LogUnit& unit,
             double sizeBytes = 1);

    /** The same of a line, if it has the numbers of a row; else PassOver. */
    void AddLine(std::uint64_t line, std::string_view text, const RowForm& form);

    /** RanksOfRatio of bandwidths of the current table's kind. */
    std::uint32_t RanksOf(std::string_view algbw, std::string_view busbw) const;

    /** Tells of a line that is no row of the current table, if it may be meant as one. */
    void PassOver(std::uint64_t line, std::string_view text);

    /** The unit that a heading names. @throws InputError if it is none */
    LogUnit Unit(std::uint64_t line, std::string_view name, bool isBinary = false) const;

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
    void CompareTables();

    std::string m_file;
    std::uint32_t m_ranks;   ///< as the user says
    bool m_isOpen{false};    ///< the last table is the current one
    bool m_isPerRank{false}; ///< its sizes are of what a rank gives to one other, or in all
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
void ReadPerftest(std::string_view text, LogTables& tables);       ///< ib_write_bw and its kin
void ReadIperfJson(std::string_view text, LogTables& tables);      ///< of iperf3 -J
void ReadIperf(std::string_view text, LogTables& tables);          ///< what iperf 2 and 3 print
void ReadGloo(std::string_view text, LogTables& tables);           ///< gloo's benchmark
void ReadAllReduceBench(std::string_view text, LogTables& tables); ///< ml-engineering's script
void ReadParam(std::string_view text, LogTables& tables);     ///< PARAM's benchmark of collectives
void ReadInspector(std::string_view text, LogTables& tables); ///< NCCL Inspector's JSON
void ReadCsv(std::string_view text, LogTables& tables);      ///< columns bytes, time_us, and others
void ReadRcclJson(std::string_view text, LogTables& tables); ///< rccl-tests' objects of the same

} // namespace inca

#endif // INCA_CALIBRATION_LOG_TABLES_H
