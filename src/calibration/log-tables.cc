/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/log-tables.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/text.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

// a name stands before those that it begins with
constexpr LogTest g_logTests[]{{"Allreduce", MeasuredKind::ALL_REDUCE},
                               {"AllReduce", MeasuredKind::ALL_REDUCE},
                               {"all_reduce", MeasuredKind::ALL_REDUCE},
                               {"allreduce", MeasuredKind::ALL_REDUCE},
                               {"Allgather", MeasuredKind::ALL_GATHER, true},
                               {"AllGather", MeasuredKind::ALL_GATHER, true},
                               {"allgather", MeasuredKind::ALL_GATHER, true},
                               {"all_gather", MeasuredKind::ALL_GATHER},
                               {"Reduce_scatter", MeasuredKind::REDUCE_SCATTER},
                               {"ReduceScatter", MeasuredKind::REDUCE_SCATTER, true},
                               {"reduce_scatter", MeasuredKind::REDUCE_SCATTER},
                               {"Broadcast", MeasuredKind::BROADCAST},
                               {"Bcast", MeasuredKind::BROADCAST},
                               {"broadcast", MeasuredKind::BROADCAST},
                               {"Reduce", MeasuredKind::REDUCE},
                               {"reduce", MeasuredKind::REDUCE},
                               {"All-to-All", MeasuredKind::ALL_TO_ALL, true},
                               {"Alltoall", MeasuredKind::ALL_TO_ALL, true},
                               {"all_to_all", MeasuredKind::ALL_TO_ALL},
                               {"PingPong", MeasuredKind::MESSAGE},
                               {"Latency", MeasuredKind::MESSAGE},
                               {"Bandwidth", MeasuredKind::STREAM}};

constexpr std::size_t MOST_TABLES = 10'000;
constexpr std::size_t MOST_ROWS = 1'000'000;
constexpr std::size_t MOST_REMARKS = 20; ///< different ones of a table
constexpr std::uint64_t MOST_BYTES = 1ULL << 50U;
constexpr double MOST_SECONDS = 1e6;
constexpr double MOST_BYTES_PER_SECOND = 1e15;

/** @return the digits that a number was written with, without zeros before them: 2 for "0.82" and "1.2e+07" */
std::ptrdiff_t
SignificantDigits(std::string_view number)
{
    number = number.substr(0, number.find('e'));
    number.remove_prefix(std::min(number.find_first_of("123456789"), number.size()));
    return std::count_if(number.begin(), number.end(), [](char digit) { return digit != '.'; });
}

/** What rows say together. */
void
NoteDoubts(MeasurementTable& table)
{
    constexpr double longer = 1.1;
    constexpr std::uint64_t smallBytes = 1024;
    constexpr double longSeconds = 1e-3;
    const auto& first = table.rows.front();
    const auto larger = std::find_if(table.rows.begin(), table.rows.end(), [&](const auto& row) {
        return row.bytes > first.bytes;
    });
    if (larger != table.rows.end() && first.seconds > longer * larger->seconds)
    {
        table.notes.emplace_back("The first size took longer than the next: its time may include "
                                 "what only a first operation needs.");
    }
    if (first.kind < MeasuredKind::MESSAGE && first.bytes <= smallBytes &&
        first.seconds > longSeconds)
    {
        table.notes.emplace_back("Even the first size took more than a millisecond: processes may "
                                 "have waited for a processor core, not for the network.");
    }
}

} // namespace

const LogTest*
FindLogTest(std::string_view name)
{
    const auto isIt = [name](const LogTest& test) { return name.rfind(test.name, 0) == 0; };
    const auto* test = std::find_if(std::begin(g_logTests), std::end(g_logTests), isIt);
    return test == std::end(g_logTests) ? nullptr : test;
}

LogTables::LogTables(std::string file)
    : m_file(std::move(file))
{
}

MeasurementTable&
LogTables::Begin(std::uint64_t line, std::string_view tool, const char* counted)
{
    End();
    if (m_tables.size() == MOST_TABLES)
    {
        Throw(line, "is no log of measurements: more than 10,000 tables");
    }
    m_heading = line;
    m_counted = counted;
    m_isOpen = true;
    m_tables.emplace_back();
    m_tables.back().file = m_file;
    m_tables.back().tool = tool;
    return m_tables.back();
}

void
LogTables::BeginTest(std::uint64_t line,
                     std::string_view tool,
                     std::string_view name,
                     std::uint32_t ranks)
{
    Begin(line, tool).ranks = ranks;
    m_test = FindLogTest(name);
    constexpr std::size_t longest = 80;
    if (m_test == nullptr)
    {
        Refuse(line,
               Text("INCA has no use for the test '", name.substr(0, longest), "' of ", tool));
    }
    else if (m_test->isPerRank && ranks == 0)
    {
        Refuse(line,
               "sizes are per rank, and nothing above says how many ranks there were; put the "
               "command line, with -np, before the table");
    }
}

MeasurementTable*
LogTables::Current()
{
    return m_isOpen ? &m_tables.back() : nullptr;
}

void
LogTables::Add(const Measurement& row, std::string_view number)
{
    const bool isStream = row.kind == MeasuredKind::STREAM;
    const auto value = isStream ? row.bytesPerSecond : row.seconds;
    const auto most = isStream ? MOST_BYTES_PER_SECOND : MOST_SECONDS;
    if (value < 0 || value > most || row.bytes > MOST_BYTES)
    {
        Throw(row.line, "needs a time up to 10^6 s, a rate up to 10^15 bytes/s, a size up to 2^50");
    }
    if (value == 0 || (row.bytes == 0 && row.kind < MeasuredKind::MESSAGE))
    {
        Remark(row.line, "nothing was sent, or no time was measured; it is left out.");
        return;
    }
    if (++m_rows > MOST_ROWS)
    {
        Throw(row.line, "is no log of measurements: more than a million rows");
    }
    constexpr std::ptrdiff_t fewDigits = 3;
    if (!number.empty() && SignificantDigits(number) < fewDigits)
    {
        Remark(row.line, "was written with fewer than three digits, and may be off by percents.");
    }
    m_tables.back().rows.push_back(row);
}

void
LogTables::AddOfTest(std::uint64_t line, std::uint64_t size, std::string_view value, double unit)
{
    if (m_isOpen)
    {
        const bool isStream = m_test->kind == MeasuredKind::STREAM;
        const auto inBaseUnits = NumberIn(value).value_or(0) * unit;
        const bool isPart = m_test->isPerRank && size < MOST_BYTES;
        Add({m_test->kind,
             isPart ? size * m_tables.back().ranks : size,
             isStream ? 0 : inBaseUnits,
             isStream ? inBaseUnits : 0,
             line},
            value);
    }
}

void
LogTables::Remark(std::uint64_t line, const std::string& sentence)
{
    const auto isSame = [&](const RowRemark& remark) { return remark.sentence == sentence; };
    const auto remark = std::find_if(m_remarks.begin(), m_remarks.end(), isSame);
    if (remark != m_remarks.end())
    {
        ++remark->count;
    }
    else if (m_remarks.size() < MOST_REMARKS)
    {
        m_remarks.push_back({sentence, line, 1});
    }
}

void
LogTables::Refuse(std::uint64_t line, const std::string& why)
{
    if (m_isOpen)
    {
        m_tables.pop_back();
    }
    m_isOpen = false;
    m_remarks.clear();
    if (m_refused.size() < MOST_REMARKS)
    {
        const InputPlace place{m_file, static_cast<unsigned>(line), 0, ""};
        m_refused.push_back(place.Prefix() + Printable(why));
    }
}

void
LogTables::Throw(std::uint64_t line, const std::string& why) const
{
    throw InputError({m_file, static_cast<unsigned>(line), 0, ""}, why);
}

void
LogTables::End()
{
    if (m_isOpen && m_tables.back().rows.empty())
    {
        const RowRemark none{"the table has no row", m_heading, 1};
        const auto why = m_remarks.empty() ? none : m_remarks.front();
        Refuse(why.firstLine, why.sentence);
    }
    else if (m_isOpen && m_tables.back().ranks == 1)
    {
        Refuse(m_heading, "the table is of one rank, which exchanges nothing");
    }
    else if (m_isOpen)
    {
        auto& notes = m_tables.back().notes;
        for (const auto& [sentence, line, count] : m_remarks)
        {
            const auto more = count > 1 ? Text(" and ", count - 1, " more") : "";
            notes.push_back((line == 0 ? "" : Text(m_counted, " ", line, more, ": ")) + sentence);
        }
        NoteDoubts(m_tables.back());
    }
    m_isOpen = false;
    m_remarks.clear();
}

std::vector<MeasurementTable>
LogTables::Finish()
{
    End();
    if (m_tables.empty())
    {
        m_refused.resize(std::max<std::size_t>(m_refused.size(), 1),
                         m_file + ": has no table that INCA can read");
        throw InputError(m_refused);
    }
    auto& notes = m_tables.front().notes;
    notes.insert(notes.end(), m_refused.begin(), m_refused.end());
    return std::move(m_tables);
}

} // namespace inca
