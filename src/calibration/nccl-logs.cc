/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/text.h"
#include "calibration/json-objects.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace inca
{

namespace
{

using nlohmann::json;

/** What a table of nccl-tests shows of itself; what it measures is known when it has ended. */
struct NcclTable
{
    std::uint64_t line{0}; ///< of its heading
    std::string program;   ///< that was named last above it: "all_reduce_perf"
    bool reduces{false};   ///< rows name an operation
    bool hasRoot{false};   ///< rows name a root
    std::uint64_t shares{
        1}; ///< into which the last row's bytes are cut, one for each rank; 1: they are not
    std::string algbw; ///< of the last row that has one: the largest, so the most exact
    std::string busbw;

    /** By how rows look first, since a log may name several programs. @return nothing: it is OF_NO_USE */
    std::optional<MeasuredKind> Kind() const
    {
        const auto more = NumberIn(busbw).value_or(0) - NumberIn(algbw).value_or(0);
        const auto isOf = [this](const char* name) { return Has(program, name); };
        const bool isWhole = more == 0 && shares == 1;
        if (hasRoot)
        {
            return reduces || !isWhole ? std::nullopt : std::optional(MeasuredKind::BROADCAST);
        }
        if (reduces)
        {
            const bool isScattered =
                shares > 1 || more < 0 || (more == 0 && isOf("reduce_scatter"));
            return isWhole && isOf("sendrecv") ? std::nullopt
                   : isScattered               ? std::optional(MeasuredKind::REDUCE_SCATTER)
                                               : std::optional(MeasuredKind::ALL_REDUCE);
        }
        return isWhole || isOf("hypercube") ? std::nullopt // or sendrecv
               : isOf("alltoall")           ? std::optional(MeasuredKind::ALL_TO_ALL)
                                            : std::optional(MeasuredKind::ALL_GATHER);
    }

    /** Gives the table its kind, or refuses it, and its ranks. */
    void Conclude(LogTables& tables) const
    {
        auto* table = tables.Current();
        if (table == nullptr || table->rows.empty())
        {
            return;
        }
        const auto kind = Kind();
        if (!kind)
        {
            tables.Refuse(line, (program.empty() ? "this" : program) + OF_NO_USE);
            return;
        }
        table->kind = *kind;
        const auto ranks = shares > 1 ? CheckedRanks(shares) : tables.RanksOf(algbw, busbw);
        if (ranks != 0 && table->ranks != 0 && ranks != table->ranks)
        {
            tables.Remark(
                line,
                Text("the log lists ", table->ranks, " ranks, and the rows are of ", ranks, "."));
        }
        table->ranks = ranks != 0 ? ranks : table->ranks;
        if (kind == MeasuredKind::ALL_GATHER && !Has(program, "all_gather"))
        {
            tables.Remark(line,
                          "an all-to-all would look the same; it is taken for an all-gather.");
        }
    }
};

/** The ranks that a log lists above its table, of which some lines may be missing. */
struct NcclRanks
{
    std::uint32_t lines{0};
    std::uint32_t most{0}; ///< the largest rank, and one
    std::set<std::string> hosts;
    std::string device; ///< of the first

    /** Takes in "#  Rank  0 Group  0 Pid 204199 on  nid005471 device  0 [0009:01:00] NVIDIA GH200 120GB". */
    void Add(std::string_view line)
    {
        const auto rank = Words(After(line, " Rank "));
        const auto host = Words(After(After(line, " Pid "), " on "));
        if (!rank.empty() && !host.empty() && NumberIn(rank[0]))
        {
            const auto name = After(After(line, " device "), "] ");
            most = std::max(most, CheckedRanks(CountIn(rank[0])) + 1);
            device = lines == 0 ? name.substr(0, name.find_last_not_of(' ') + 1) : device;
            hosts.emplace(host[0]);
            ++lines;
        }
    }
};

/** The bytes of a value, by its type's name in a row. */
const std::map<std::string_view, std::uint64_t> g_ncclTypes{{"int8", 1},
                                                            {"uint8", 1},
                                                            {"char", 1},
                                                            {"f8e4m3", 1},
                                                            {"f8e5m2", 1},
                                                            {"fp8_e4m3", 1},
                                                            {"fp8_e5m2", 1},
                                                            {"half", 2},
                                                            {"bfloat16", 2},
                                                            {"int", 4},
                                                            {"int32", 4},
                                                            {"uint32", 4},
                                                            {"float", 4},
                                                            {"int64", 8},
                                                            {"uint64", 8},
                                                            {"double", 8}};

/** Where columns are, by a table's heading. */
struct NcclColumns
{
    bool hasRoot{false};
    bool countsWrong{false}; ///< values that are wrong; else it is how far they are off
    std::size_t halves{0};   ///< out of place and in place; 0: no table
    std::size_t width{1};    ///< of a half
};

class NcclTestsLog
{
  public:
    explicit NcclTestsLog(LogTables& tables)
        : m_tables(tables)
    {
    }

    void Line(std::uint64_t number, std::string_view line)
    {
        const auto words = Words(line, ",;|"); // of copies, too: CSV, a page
        auto heading = words;
        heading.erase(std::remove_if(
                          heading.begin(), heading.end(), [](auto word) { return word[0] == '('; }),
                      heading.end());
        const auto has = [&heading](const char* name) {
            return std::find(heading.begin(), heading.end(), name) != heading.end();
        };
        if (has("size") && has("count") && has("type") && has("busbw"))
        {
            Begin(number, heading);
            Units(number, words, "time");
            return;
        }
        Units(number, words, "(elements)");
        const auto isType = [](auto word) { return g_ncclTypes.count(word) > 0; };
        const auto type = std::find_if(words.begin(), words.end(), isType);
        const bool isLikeRow = m_columns.halves > 0 && words.end() > type && type > words.begin() &&
                               IsLikeRow(type[-1]);
        if (isLikeRow && type > words.begin() + 1 && IsLikeRow(type[-2]))
        {
            Row(number, {type - 2, words.end()});
        }
        else
        {
            Other(line, words);
            const auto begin = words.empty() || !m_isAmongRows
                                   ? line.size()
                                   : static_cast<std::size_t>(words[0].data() - line.data());
            m_tables.PassOver(number, isLikeRow ? type[-1] : line.substr(begin));
        }
    }

    void End()
    {
        m_seen.Conclude(m_tables);
        m_seen = {};
    }

  private:
    /** Takes in the unit of times, which stands behind a word of a heading, if there is one. */
    void Units(std::uint64_t number, const std::vector<std::string_view>& words, const char* word)
    {
        const auto at = std::find(words.begin(), words.end(), word);
        if (words.end() - at > 1 && at[1][0] == '(')
        {
            if (at != words.begin() && at[-1][0] == '(' && at[-1] != "(B)")
            {
                m_tables.Throw(number, "needs sizes in bytes, (B)");
            }
            m_unit = m_tables.Unit(number, Within(at[1], "("));
        }
    }

    /** Ranks and programs, which stand anywhere above a table. */
    void Other(std::string_view line, const std::vector<std::string_view>& words)
    {
        const auto* table = m_tables.Current();
        m_isAmongRows =
            m_isAmongRows && table != nullptr && (table->rows.empty() || !Has(line, "#"));
        if (Has(line, "Using devices"))
        {
            m_ranks = {};
        }
        m_ranks.Add(line);
        for (const auto word : words)
        {
            m_program = Has(word, "_perf") ? word : m_program;
        }
        m_tool = Has(line, "rccl-tests") ? "rccl-tests" : m_tool;
    }

    void Begin(std::uint64_t number, const std::vector<std::string_view>& heading)
    {
        End();
        auto& table = m_tables.Begin(number, m_tool);
        table.ranks = m_ranks.most;
        table.hosts =
            m_ranks.lines == m_ranks.most ? static_cast<std::uint32_t>(m_ranks.hosts.size()) : 0;
        table.device = m_ranks.device;
        m_ranks = {};
        m_unit = {};
        m_isAmongRows = true;
        m_seen.line = number;
        m_seen.program = m_program;
        const auto times = [&heading](const char* name) {
            return std::count(heading.begin(), heading.end(), name);
        };
        m_columns = {
            times("root") > 0, times("#wrong") > 0, static_cast<std::size_t>(times("time"))};
        if (m_columns.halves > 1)
        {
            const auto first = std::find(heading.begin(), heading.end(), "time");
            m_columns.width =
                static_cast<std::size_t>(std::find(first + 1, heading.end(), "time") - first);
        }
        if (m_columns.halves == 0)
        {
            m_tables.Refuse(number,
                            "times are how long the processor took to start an operation; "
                            "measure without option -C");
        }
    }

    /** Size, count, type, perhaps operation and root, then for each half time, algbw, busbw, errors and others. */
    void Row(std::uint64_t number, const std::vector<std::string_view>& words)
    {
        const auto bytes = CountIn(words[0]);
        const auto count = CountIn(words[1]);
        const bool hasOperation = words.size() > 3 && !NumberIn(words[3]);
        const std::size_t root = 3U + (hasOperation ? 1 : 0);
        const auto begin = root + (m_columns.hasRoot ? 1 : 0);
        const auto isWhole = [&words](std::size_t at) {
            return at + 3 < words.size() && NumberIn(words[at]) && NumberIn(words[at + 1]) &&
                   NumberIn(words[at + 2]);
        };
        // a trace's replay leaves the first half blank
        const bool hasSecond = m_columns.halves > 1 && words.size() > begin + m_columns.width;
        const auto last = begin + (hasSecond ? m_columns.width : 0);
        const bool isCounted = count == 0 || bytes % count == 0; // else a line cut the size
        const bool reduces = hasOperation && words[3] != "none";
        const bool isRoot = m_columns.hasRoot && root < words.size() && !Has(words[root], ".");
        const bool hasRoot = isRoot && NumberIn(words[root]).value_or(0) >= 0;
        const auto share = count * g_ncclTypes.at(words[2]);
        const auto shares = share == 0 ? m_seen.shares : std::max<std::uint64_t>(bytes / share, 1);
        if (m_tables.Current() != nullptr && m_tables.Current()->rows.empty())
        {
            m_seen.reduces = reduces;
            m_seen.hasRoot = hasRoot;
            m_seen.shares = shares;
        }
        const bool isSame =
            reduces == m_seen.reduces && hasRoot == m_seen.hasRoot && shares == m_seen.shares;
        if (!isWhole(begin) || !isWhole(last) || !NumberIn(words[root]) || !isCounted || !isSame ||
            isRoot != m_columns.hasRoot)
        {
            m_tables.PassOver(number, words[0]);
            return;
        }
        m_isAmongRows = true;
        for (auto at = begin; at <= last; at += m_columns.width)
        {
            m_tables.Add(number, words[0], words[at], m_unit);
            if (NumberIn(words[at + 1]).value_or(0) > 0)
            {
                m_seen.algbw = words[at + 1];
                m_seen.busbw = words[at + 2];
            }
            if (m_columns.countsWrong && NumberIn(words[at + 3]).value_or(0) > 0)
            {
                m_tables.Remark(number, "values came out wrong.");
            }
        }
    }

    LogTables& m_tables;
    std::string m_tool{"nccl-tests"};
    std::string m_program; ///< that was named last
    NcclRanks m_ranks;
    NcclColumns m_columns;
    LogUnit m_unit;
    bool m_isAmongRows{false};
    NcclTable m_seen;
};

/** Reads the object that a run writes with -J as the lines that it prints. */
void
ReadNcclRun(const JsonObject& run, LogTables& tables)
{
    const auto& object = run.members;
    const auto number = [](const json& from, const char* path) {
        return std::to_string(ValueAt<double>(from, path));
    };
    NcclTestsLog log(tables);
    log.Line(run.line, ValueAt<std::string>(object, "/args/0"));
    const auto devices =
        ValueAt<json>(object, "/config/devices", ValueAt<json>(object, "/devices"));
    const auto processes =
        devices.is_array() ? devices.size() : 0; // each lists the first of its GPUs
    const auto gpus = CountAt(object, "/config/nthreads") * CountAt(object, "/config/ngpus");
    const auto ranks = CheckedRanks(processes * CheckedRanks(gpus));
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
    {
        const auto& first = devices[rank / gpus];
        const auto host = ValueAt<std::string>(first, "/hostname");
        if (!host.empty() || rank + 1 == ranks)
        {
            const auto device = ValueAt<std::string>(first, "/device_info");
            log.Line(run.line, Text("# Rank ", rank, " Pid 0 on ", host, " device 0 [] ", device));
        }
    }
    const bool isOfCpu = ValueAt<double>(object, "/results/0/in_place/cpu_time") > 0 ||
                         ValueAt<double>(object, "/results/0/out_of_place/cpu_time") > 0;
    const std::string half = isOfCpu ? " cputime algbw busbw #wrong" : " time algbw busbw #wrong";
    log.Line(run.line, "size count type redop root" + half + half);
    for (const auto& result : ValueAt<json>(object, "/results"))
    {
        auto line = Text(CountAt(result, "/size"), " ", CountAt(result, "/count"));
        for (const char* word : {"/type", "/redop", "/root"})
        {
            line += " " + ValueAt<std::string>(result, word);
        }
        for (const char* place : {"/out_of_place", "/in_place"})
        {
            const auto values = ValueAt<json>(result, place);
            for (const char* path : {"/time", "/alg_bw", "/bus_bw", "/nwrong"})
            {
                line += values.is_object() ? " " + number(values, path) : "";
            }
        }
        log.Line(run.line, line);
    }
    log.End();
    if (!run.isWhole)
    {
        tables.Remark(run.line, "the file ends before the run does.");
    }
}

} // namespace

void
ReadNcclTests(std::string_view text, LogTables& tables)
{
    NcclTestsLog log(tables);
    ForEachLine(text, [&log](auto number, auto line) { log.Line(number, line); });
    log.End();
}

void
ReadNcclTestsJson(std::string_view text, LogTables& tables)
{
    ForEachJsonObject(text, tables, [&tables](const JsonObject& run) { ReadNcclRun(run, tables); });
}

} // namespace inca
