/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/log-tables.h"

#include "base/errors.h"
#include "base/printable.h"
#include "base/text.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t MOST_ROWS = 1'000'000;
constexpr std::size_t MOST_REMARKS = 20; ///< different ones of a table
constexpr std::uint64_t MOST_BYTES = 1ULL << 50U;
constexpr double MOST_SECONDS = 1e6;
constexpr double LEAST_SECONDS = 1e-9; ///< no clock tells less
constexpr const char* NO_ROW{
    "cannot be read as a row, which another program's line may cut; it is left out."};
constexpr const char* TWO_CLUSTERS{"; give each cluster's log alone"};

} // namespace

const char*
NameOf(MeasuredKind kind)
{
    static constexpr const char* names[]{"all_reduce",
                                         "all_gather",
                                         "reduce_scatter",
                                         "all_to_all",
                                         "broadcast",
                                         "message",
                                         "stream"};
    return names[static_cast<std::size_t>(kind)];
}

std::optional<MeasuredKind>
KindOfTest(std::string_view test)
{
    constexpr std::pair<std::string_view, MeasuredKind> beginnings[]{
        {"allreduce", MeasuredKind::ALL_REDUCE},
        {"allgather", MeasuredKind::ALL_GATHER},
        {"reducescatter", MeasuredKind::REDUCE_SCATTER},
        {"alltoall", MeasuredKind::ALL_TO_ALL},
        {"broadcast", MeasuredKind::BROADCAST},
        {"bcast", MeasuredKind::BROADCAST},
        {"message", MeasuredKind::MESSAGE},
        {"pingpong", MeasuredKind::MESSAGE},
        {"latency", MeasuredKind::MESSAGE},
        {"stream", MeasuredKind::STREAM},
        {"bandwidth", MeasuredKind::STREAM}};
    auto name = LowerCase(test);
    name.erase(
        std::remove_if(name.begin(), name.end(), [](char c) { return c == '_' || c == '-'; }),
        name.end());
    for (const auto& [beginning, kind] : beginnings)
    {
        const auto end = name.substr(std::min(beginning.size(), name.size()), 1);
        if (name.rfind(beginning, 0) == 0 && end != "v" &&
            end != "w") // whose ranks give unlike sizes
        {
            return kind;
        }
    }
    return {};
}

LogTables::LogTables(std::string file, std::uint32_t ranks)
    : m_file(std::move(file)),
      m_ranks(ranks)
{
}

MeasurementTable&
LogTables::Begin(std::uint64_t line, std::string_view tool)
{
    End();
    m_isOpen = true;
    m_isPerRank = false;
    m_tables.emplace_back();
    m_tables.back().tool = tool;
    m_tables.back().line = line;
    return m_tables.back();
}

void
LogTables::BeginTest(std::uint64_t line,
                     std::string_view tool,
                     std::string_view name,
                     std::uint32_t ranks)
{
    auto& table = Begin(line, tool);
    const auto kind = KindOfTest(name);
    constexpr std::size_t longest = 80;
    if (!kind)
    {
        Refuse(line, Text("'", name.substr(0, longest), "' of ", tool, OF_NO_USE));
        return;
    }
    table.ranks = ranks;
    table.kind = *kind;
    const bool isInspector = tool == "NCCL Inspector";
    m_isPerRank = (isInspector || tool == "OSU" || tool == "IMB" || tool == "gloo") &&
                  (kind == MeasuredKind::ALL_GATHER || kind == MeasuredKind::ALL_TO_ALL ||
                   (isInspector && kind == MeasuredKind::REDUCE_SCATTER));
}

MeasurementTable*
LogTables::Current()
{
    return m_isOpen ? &m_tables.back() : nullptr;
}

void
LogTables::Add(const Measurement& row)
{
    if (!m_isOpen)
    {
        return;
    }
    if (!(row.seconds >= 0 && row.seconds <= MOST_SECONDS) || row.bytes > MOST_BYTES)
    {
        Throw(row.line, "needs a time up to 10^6 s and a size up to 2^50");
    }
    if (row.seconds < LEAST_SECONDS || row.bytes == 0)
    {
        Remark(row.line, "nothing was sent, or no time was measured; it is left out.");
        return;
    }
    auto& table = m_tables.back();
    const bool isOrdered =
        table.tool != "CSV" && table.tool != "rccl-tests" && table.tool != "NCCL Inspector";
    if (isOrdered && !table.rows.empty() && row.bytes < table.rows.back().bytes)
    {
        Remark(row.line, "sizes begin again: another run, whose heading is missing?");
    }
    if (++m_rows > MOST_ROWS)
    {
        Throw(row.line, "is no log of measurements: more than a million rows");
    }
    table.rows.push_back(row);
}

void
LogTables::Add(std::uint64_t line,
               std::string_view size,
               std::string_view number,
               const LogUnit& unit,
               double sizeBytes)
{
    const auto count = NumberIn(size);
    const auto value = NumberIn(number);
    if (!count || !value || size.find_first_not_of("0123456789") != size.npos)
    {
        Remark(line, NO_ROW);
        return;
    }
    const auto bytes =
        std::min(*count * sizeBytes, 2 * static_cast<double>(MOST_BYTES)); // which is refused
    Add({static_cast<std::uint64_t>(bytes), unit.Seconds(bytes, *value), line});
}

void
LogTables::AddLine(std::uint64_t line, std::string_view text, const RowForm& form)
{
    const auto row = Numbers(text);
    if (form.numbers > 0 && row.size() >= form.numbers && !Has(row[0], "."))
    {
        Add(line, row[0], row[form.time], form.unit, form.sizeBytes);
    }
    else if (form.numbers > 0)
    {
        PassOver(line, text);
    }
}

std::uint32_t
LogTables::RanksOf(std::string_view algbw, std::string_view busbw) const
{
    const auto kind = m_tables.back().kind;
    return kind < MeasuredKind::BROADCAST
               ? RanksOfRatio(algbw, busbw, kind == MeasuredKind::ALL_REDUCE ? 2 : 1)
               : 0;
}

void
LogTables::PassOver(std::uint64_t line, std::string_view text)
{
    if (m_isOpen && IsLikeRow(text))
    {
        Remark(line, NO_ROW);
    }
}

LogUnit
LogTables::Unit(std::uint64_t line, std::string_view name, bool isBinary) const
{
    const auto unit = UnitIn(name, isBinary);
    if (!unit)
    {
        Throw(line,
              Text("'",
                   name.substr(0, 40),
                   "' is no unit; it may be ns, us, ms, s, or such as MB/s"));
    }
    return *unit;
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
    if (!m_isOpen)
    {
        m_remarks.clear();
        return;
    }
    auto& table = m_tables.back();
    const bool isCollective = table.kind < MeasuredKind::MESSAGE;
    table.saysRanks = !isCollective || table.ranks > 0;
    table.ranks = !isCollective ? 2 : table.saysRanks ? table.ranks : m_ranks;
    if (table.rows.empty())
    {
        const RowRemark none{"the table has no row", table.line, 1};
        const auto why = m_remarks.empty() ? none : m_remarks.front();
        Refuse(why.firstLine, why.sentence);
    }
    else if (table.ranks == 1)
    {
        Refuse(table.line, "the table is of one rank, which exchanges nothing");
    }
    else if (m_isPerRank && table.ranks == 0)
    {
        Refuse(table.line,
               "sizes are per rank, and it does not say how many ranks there were; give --ranks N");
    }
    else
    {
        for (auto& row : table.rows)
        {
            row.bytes *= m_isPerRank ? table.ranks : 1;
        }
        for (const auto& [sentence, line, count] : m_remarks)
        {
            const auto more = count > 1 ? Text(" and ", count - 1, " more") : "";
            table.notes.push_back((line == 0 ? "" : Text("Line ", line, more, ": ")) + sentence);
        }
    }
    m_isOpen = false;
    m_remarks.clear();
}

/** Tables of a kind and of as many ranks are taken for repetitions: they must be of one cluster. */
void
LogTables::CompareTables()
{
    const auto requireSame = [this](const auto& table,
                                    const std::string& is,
                                    const auto& first,
                                    const std::string& was) {
        if (is != was)
        {
            Throw(table.line,
                  Text("the table is of ",
                       is,
                       ", that of line ",
                       first.line,
                       " of ",
                       was,
                       TWO_CLUSTERS));
        }
    };
    const auto hosts = [](const MeasurementTable& table) {
        return Text(table.hosts, table.hosts == 1 ? " host" : " hosts");
    };
    using Kind = std::pair<MeasuredKind, std::uint32_t>;
    std::map<Kind, const MeasurementTable*> firsts;
    std::map<std::pair<Kind, std::uint64_t>, double> firstSeconds; // by size
    const MeasurementTable* named = nullptr;
    for (auto& table : m_tables)
    {
        const Kind kind{table.kind, table.ranks};
        const auto* first = firsts.emplace(kind, &table).first->second;
        const auto isUnlike = [&](const Measurement& row) {
            const auto ratio =
                row.seconds /
                firstSeconds.emplace(std::pair(kind, row.bytes), row.seconds).first->second;
            return ratio > 2 || ratio < 0.5; // repetitions differ by percents
        };
        if (std::count_if(table.rows.begin(), table.rows.end(), isUnlike) >
            static_cast<std::ptrdiff_t>(table.rows.size() / 2))
        {
            table.notes.push_back(Text("Line ",
                                       table.line,
                                       ": most times are not between half and twice those of line ",
                                       first->line,
                                       TWO_CLUSTERS));
        }
        if (!table.device.empty())
        {
            named = named == nullptr ? &table : named;
            requireSame(table, table.device, *named, named->device);
        }
        if (first->hosts != 0 && table.hosts != 0)
        {
            requireSame(table, hosts(table), *first, hosts(*first));
        }
    }
}

std::vector<MeasurementTable>
LogTables::Finish()
{
    End();
    CompareTables();
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
