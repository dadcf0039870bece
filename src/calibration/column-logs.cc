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
    explicit NamedRows(const char* tool)
        : m_tool(tool)
    {
    }

    /** @param unit of times @throws InputError if it has no size, or no time, or another cell is wrong */
    void Add(std::uint64_t line,
             const NamedValues& values,
             const LogUnit& unit,
             const LogTables& tables)
    {
        const auto find = [&values](std::initializer_list<const char*> names) {
            const auto* name = std::find_if(
                names.begin(), names.end(), [&](const char* one) { return values.count(one) > 0; });
            return name == names.end() ? std::string() : values.at(*name);
        };
        const auto size = find({"bytes", "size"});
        const auto time = find({"time"});
        const auto bytes = CountIn(size);
        const auto number = NumberIn(time);
        if (size != std::to_string(bytes) || !number)
        {
            const auto got = Text("'", size.substr(0, 40), "' and '", time.substr(0, 40), "'");
            tables.Throw(line, "needs a whole number of bytes and a time in us, got " + got);
        }
        const auto collective = find({"collective", "name"});
        const auto kind = KindOfTest(collective.empty() ? "all_reduce" : collective);
        const auto said = find({"ranks", "gpus"});
        const auto gpus = std::max<std::uint64_t>(CountIn(find({"gpusperrank"})), 1);
        const auto ranks = CheckedRanks(CheckedRanks(CountIn(said)) * gpus);
        if (!said.empty() && (ranks == 0 || said != std::to_string(CountIn(said))))
        {
            tables.Throw(line,
                         Text("needs a whole number of ranks from 2 to a million, got '",
                              said.substr(0, 40),
                              "'"));
        }
        auto& rows =
            m_tables[{kind < MeasuredKind::MESSAGE ? ranks : 2, kind ? NameOf(*kind) : collective}];
        const bool isWrong = NumberIn(find({"#wrong", "wrong"})).value_or(0) > 0;
        rows.emplace_back(
            Measurement{bytes, unit.Seconds(static_cast<double>(bytes), *number), line}, isWrong);
    }

    void AddTo(LogTables& tables) const
    {
        for (const auto& [key, rows] : m_tables)
        {
            tables.BeginTest(rows.front().first.line, m_tool, key.second, key.first);
            for (const auto& [row, isWrong] : rows)
            {
                tables.Add(row);
                if (isWrong)
                {
                    tables.Remark(row.line, "values came out wrong.");
                }
            }
        }
    }

  private:
    using Row = std::pair<Measurement, bool>; ///< true: values came out wrong

    std::string m_tool;
    std::map<std::pair<std::uint32_t, std::string>, std::vector<Row>>
        m_tables; ///< by ranks and collective
};

} // namespace

void
ReadCsv(std::string_view text, LogTables& tables)
{
    NamedRows rows(Has(text, ",redop,in") ? "rccl-tests" : "CSV");
    std::vector<std::string> heading;
    LogUnit unit;
    ForEachLine(text, [&](auto number, auto line) {
        const auto lower = LowerCase(line.substr(line.rfind("# ", 0) == 0 ? 2 : 0));
        auto cells = Cells(lower, Has(lower, ";") ? ';' : Has(lower, ",") ? ',' : ' ');
        const auto find = [&cells](const char* name) {
            return std::find(cells.begin(), cells.end(), name);
        };
        const auto isTime = [](auto cell) { return cell.rfind("time_", 0) == 0; };
        auto time = find("time_us");
        time = time == cells.end() ? std::find_if(cells.begin(), cells.end(), isTime) : time;
        const bool isOfAny = find("bytes") != cells.end() && time != cells.end();
        if (isOfAny || (find("size") != cells.end() && find("time") != cells.end() &&
                        find("redop") != cells.end()))
        {
            unit = isOfAny ? tables.Unit(number, time->substr(5)) : LogUnit{};
            heading.assign(cells.begin(), cells.end());
            heading[static_cast<std::size_t>((isOfAny ? time : find("time")) - cells.begin())] =
                "time";
        }
        else if (!heading.empty() && !line.empty() && line[0] != '#')
        {
            if (cells.size() != heading.size())
            {
                tables.Throw(number,
                             Text("has ", cells.size(), " cells, the heading ", heading.size()));
            }
            NamedValues values;
            for (std::size_t i = 0; i < cells.size(); ++i)
            {
                values.emplace(heading[i], cells[i]);
            }
            rows.Add(number, values, unit, tables);
        }
    });
    rows.AddTo(tables);
}

void
ReadRcclJson(std::string_view text, LogTables& tables)
{
    NamedRows rows("rccl-tests");
    ForEachJsonObject(text, tables, [&](const JsonObject& object) {
        NamedValues values;
        for (const auto& [name, value] : object.members.items())
        {
            values.emplace(LowerCase(name),
                           value.is_string() ? value.template get<std::string>() : value.dump());
        }
        if (values.count("time") > 0)
        {
            rows.Add(object.line, values, {}, tables);
        }
    });
    rows.AddTo(tables);
}

} // namespace inca
