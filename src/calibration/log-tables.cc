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

constexpr std::size_t MOST_TABLES = 10'000;
constexpr std::size_t MOST_ROWS = 1'000'000;
constexpr std::size_t MOST_REMARKS = 20; ///< different ones of a table
constexpr std::uint64_t MOST_BYTES = 1ULL << 50U;
constexpr double MOST_SECONDS = 1e6;

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
    if (first.bytes <= smallBytes && first.seconds > longSeconds)
    {
        table.notes.emplace_back("Even the first size took more than a millisecond: processes may "
                                 "have waited for a processor core, not for the network.");
    }
}

} // namespace

bool
IsAllReduce(std::string_view test)
{
    auto name = LowerCase(test);
    name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return c == '_' || c == '-'; }),
               name.end());
    return name.rfind("allreduce", 0) == 0;
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
    constexpr std::size_t longest = 80;
    if (!IsAllReduce(name))
    {
        Refuse(line, Text("'", name.substr(0, longest), "' of ", tool, NO_ALL_REDUCE));
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
    if (!m_isOpen)
    {
        return;
    }
    if (row.seconds < 0 || row.seconds > MOST_SECONDS || row.bytes > MOST_BYTES)
    {
        Throw(row.line, "needs a time up to 10^6 s and a size up to 2^50");
    }
    if (row.seconds == 0 || row.bytes == 0)
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
LogTables::Add(std::uint64_t line, std::uint64_t bytes, std::string_view time, double unit)
{
    Add({bytes, NumberIn(time).value_or(0) * unit, line}, time);
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
    const auto sentence = Printable(why);
    const auto isSame = [&sentence](const std::string& refused) { return Has(refused, sentence); };
    if (m_refused.size() < MOST_REMARKS && std::none_of(m_refused.begin(), m_refused.end(), isSame))
    {
        const InputPlace place{m_file, static_cast<unsigned>(line), 0, ""};
        m_refused.push_back(place.Prefix() + sentence);
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
                         m_file + ": has no table that INCA can read; " + ANY_TOOLS_FORM);
        throw InputError(m_refused);
    }
    auto& notes = m_tables.front().notes;
    notes.insert(notes.end(), m_refused.begin(), m_refused.end());
    return std::move(m_tables);
}

} // namespace inca
