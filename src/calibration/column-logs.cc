/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/text.h"
#include "calibration/json-objects.h"
#include "calibration/log-tables.h"
#include "calibration/log-text.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>

namespace inca
{

namespace
{

/** A row's values, by the names of their columns in lower case. */
using NamedValues = std::map<std::string, std::string>;

/** Rows with named columns, of which those of one collective and as many ranks become a table. */
class NamedRows
{
  public:
    /** @throws InputError if it has no size, or no time */
    void Add(std::uint64_t line, const NamedValues& values, const LogTables& tables)
    {
        const auto find = [&values](std::initializer_list<const char*> names) {
            const auto* name = std::find_if(names.begin(), names.end(), [&](const char* one) {
                return values.count(one) > 0;
            });
            return name == names.end() ? std::string() : values.at(*name);
        };
        const auto size = find({"bytes", "size"});
        const auto time = find({"time_us", "time"});
        const auto bytes = CountIn(size);
        if (size != std::to_string(bytes) || !NumberIn(time))
        {
            tables.Throw(line,
                         Text("needs a whole number of bytes and a time in us, got '",
                              size.substr(0, 40),
                              "' and '",
                              time.substr(0, 40),
                              "'"));
        }
        const auto collective = find({"collective", "name"});
        const auto gpus = std::max<std::uint64_t>(CountIn(find({"gpusperrank"})), 1);
        const auto ranks = CheckedRanks(CheckedRanks(CountIn(find({"ranks", "gpus"}))) * gpus);
        const bool isAllReduce = collective.empty() || IsAllReduce(collective);
        auto& rows = m_tables[{ranks, isAllReduce ? "allreduce" : collective}];
        rows.push_back({line, bytes, time, NumberIn(find({"#wrong", "wrong"})).value_or(0) > 0});
    }

    void AddTo(LogTables& tables, const char* tool) const
    {
        for (const auto& [key, rows] : m_tables)
        {
            tables.BeginTest(rows.front().line, tool, key.second, key.first);
            for (const auto& row : rows)
            {
                tables.Add(row.line, row.bytes, row.time, 1e-6);
                if (row.isWrong)
                {
                    tables.Remark(row.line, "values came out wrong.");
                }
            }
        }
    }

  private:
    struct Row
    {
        std::uint64_t line;
        std::uint64_t bytes;
        std::string time;
        bool isWrong;
    };

    std::map<std::pair<std::uint32_t, std::string>, std::vector<Row>> m_tables; ///< by ranks and collective
};

} // namespace

void
ReadCsv(std::string_view text, LogTables& tables)
{
    NamedRows rows;
    std::vector<std::string> heading;
    ForEachLine(text, [&](auto number, auto line) {
        const auto lower = LowerCase(line.substr(line.rfind("# ", 0) == 0 ? 2 : 0));
        const auto cells = Cells(lower, Has(lower, ";") ? ';' : Has(lower, ",") ? ',' : ' ');
        const auto has = [&cells](const char* name) {
            return std::find(cells.begin(), cells.end(), name) != cells.end();
        };
        if ((has("bytes") || has("size")) && (has("time_us") || has("time")))
        {
            heading.assign(cells.begin(), cells.end());
        }
        else if (!heading.empty() && !line.empty() && line[0] != '#')
        {
            if (cells.size() != heading.size())
            {
                tables.Throw(number, Text("has ", cells.size(), " cells, the heading ", heading.size()));
            }
            NamedValues values;
            for (std::size_t i = 0; i < cells.size(); ++i)
            {
                values.emplace(heading[i], cells[i]);
            }
            rows.Add(number, values, tables);
        }
    });
    rows.AddTo(tables, Has(text, ",redop,in") ? "rccl-tests" : "CSV");
}

void
ReadRcclJson(std::string_view text, LogTables& tables)
{
    NamedRows rows;
    ForEachJsonObject(text, tables, [&](const JsonObject& object) {
        NamedValues values;
        for (const auto& [name, value] : object.members.items())
        {
            values.emplace(LowerCase(name),
                           value.is_string() ? value.template get<std::string>() : value.dump());
        }
        if (values.count("time") > 0)
        {
            rows.Add(object.line, values, tables);
        }
    });
    rows.AddTo(tables, "rccl-tests");
}

} // namespace inca
