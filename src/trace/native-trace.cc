/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/native-trace.h"

#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/input-file.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/units.h"
#include "trace/csv-fields.h"
#include "trace/layer-statistics.h"

#include <boost/crc.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::string_view g_firstLine = "#inca-trace v1";
constexpr std::string_view g_byteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t g_mostFileBytes = 64U << 20U;
constexpr std::size_t g_mostLineBytes = 64U << 10U;
constexpr std::size_t g_mostColumns = 100; // there are not that many
constexpr std::size_t g_mostLayers = 1'000'000;
constexpr std::size_t g_mostTensors = 1'000'000; ///< of all layers that list theirs
constexpr std::uint64_t g_mostElements = 1ULL << 42U;
constexpr std::int64_t g_mostPs = 1'000'000'000'000'000'000;

constexpr std::size_t g_mostComplaints = 20;

/** @return the field of that name, or null */
template <typename Record>
const TraceField<Record>*
Find(const std::vector<TraceField<Record>>& fields, const std::string& name)
{
    const auto found = std::find_if(
        fields.begin(), fields.end(), [&name](const auto& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

/** Reads a trace line by line; what is wrong is collected, and reading goes on. */
class TraceReader
{
  public:
    explicit TraceReader(const std::string& fileName)
        : m_file(fileName)
    {
        const auto base = fileName.substr(fileName.find_last_of('/') + 1);
        const auto suffix = base.size() - std::min<std::size_t>(base.size(), 4);
        m_trace.name = base.substr(suffix) == ".csv" ? base.substr(0, suffix) : base;
    }

    GradientTrace Read(std::string_view text)
    {
        boost::crc_32_type checksum;
        checksum.process_bytes(text.data(), text.size());
        m_trace.checksum = checksum.checksum();
        if (text.substr(0, g_byteOrderMark.size()) == g_byteOrderMark)
        {
            text.remove_prefix(g_byteOrderMark.size());
        }
        if (text.substr(0, g_firstLine.size()) != g_firstLine)
        {
            throw InputError({m_file, 1, 0, ""},
                             Text("no INCA trace: its first line is '", g_firstLine, "'"));
        }
        while (!text.empty() && m_trace.layers.size() <= g_mostLayers)
        {
            const auto end = std::min(text.find('\n'), text.size());
            auto line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (!line.empty() && line.back() == '\r')
            {
                line.remove_suffix(1);
            }
            ++m_line;
            ReadLine(line);
        }
        if (!m_hasHeader)
        {
            Add({m_file, 0, 0, ""}, "has no header row, as in 'layer,elements,forward_ns,...'");
        }
        else if (m_trace.layers.size() > g_mostLayers)
        {
            Add({m_file, 0, 0, ""}, Text("has more than ", g_mostLayers, " layers"));
        }
        else if (m_trace.layers.empty() && m_complaints.empty())
        {
            Add({m_file, 0, 0, ""}, "has no layers");
        }
        ThrowIfAny();
        return std::move(m_trace);
    }

  private:
    void Add(const InputPlace& place, const std::string& text)
    {
        if (++m_complaintCount <= g_mostComplaints)
        {
            m_complaints.push_back(place.Prefix() + text);
        }
    }

    /** @param key of the current line that is wrong; empty = none */
    void Complain(const std::string& key, const std::string& text)
    {
        Add({m_file, m_line, 0, key}, text);
    }

    /** @param index of a character in the line */
    void ComplainAt(std::size_t index, const std::string& text)
    {
        Add({m_file, m_line, static_cast<unsigned>(index) + 1, ""}, text);
    }

    void ThrowIfAny()
    {
        if (m_complaintCount > g_mostComplaints)
        {
            m_complaints.push_back(
                Text(m_file, ": and ", m_complaintCount - g_mostComplaints, " more"));
        }
        if (!m_complaints.empty())
        {
            throw InputError(std::move(m_complaints));
        }
    }

    void ReadLine(std::string_view line)
    {
        if (!IsReadable(line) || Trimmed(line).empty())
        {
            return;
        }
        if (m_line == 1)
        {
            if (Trimmed(line) != g_firstLine)
            {
                Complain("", "only version 1 is known: '" + std::string(g_firstLine) + "'");
            }
        }
        else if (line.front() == '#')
        {
            ReadMetadata(line.substr(1));
        }
        else if (const auto fields = SplitCsv(line); !fields)
        {
            ComplainAt(line.find('"'), "a quote is not closed, or text follows it");
            if (!m_hasHeader)
            {
                ThrowIfAny(); // without columns, no row can be read
            }
        }
        else if (!m_hasHeader)
        {
            ReadHeader(*fields);
        }
        else
        {
            ReadRow(*fields);
        }
    }

    bool IsReadable(std::string_view line)
    {
        if (line.size() > g_mostLineBytes)
        {
            Complain("", Text("longer than ", g_mostLineBytes, " bytes"));
            return false;
        }
        for (std::size_t i = 0; i < line.size(); ++i)
        {
            const unsigned byte = static_cast<unsigned char>(line[i]);
            if ((byte < ' ' && byte != '\t') || byte > '~')
            {
                ComplainAt(i, Text("byte ", byte, " is not ASCII text"));
                return false;
            }
        }
        return true;
    }

    void ReadMetadata(std::string_view line)
    {
        const auto colon = line.find(':');
        const std::string key(Trimmed(line.substr(0, colon)));
        if (m_hasHeader)
        {
            Complain("", "'#' lines stand above the header row");
            return;
        }
        if (colon == std::string_view::npos || key.empty())
        {
            Complain("", "a '#' line reads '# key: value'");
            return;
        }
        const std::string value(Trimmed(line.substr(colon + 1)));
        const auto* found = Find(TraceKeys(), key);
        if (found == nullptr)
        {
            std::vector<std::string> known;
            for (const auto& one : TraceKeys())
            {
                known.push_back(one.name);
            }
            if (const auto nearest = Nearest(key, known); !nearest.empty())
            {
                Complain(key, "did you mean '" + nearest + "'?");
            }
            m_trace.notes.emplace_back(key, value);
            return;
        }
        if (!m_keys.insert(key).second)
        {
            Complain(key, "stands here a second time");
        }
        if (!value.empty()) // else it is unknown
        {
            ReadField(*found, value, m_trace);
        }
    }

    /** Fills @p field of @p record, or complains of its text. */
    template <typename Record>
    void ReadField(const TraceField<Record>& field, const std::string& text, Record& record)
    {
        try
        {
            field.read(text, record);
        }
        catch (const UnitError& error)
        {
            Complain(field.name, error.what());
        }
    }

    void ReadHeader(const std::vector<std::string>& names)
    {
        m_hasHeader = true;
        m_columnNames = names;
        if (names.size() > g_mostColumns)
        {
            Complain("", Text("has more than ", g_mostColumns, " columns"));
            ThrowIfAny(); // there may be very many
        }
        std::set<std::string> seen;
        for (const auto& name : names)
        {
            m_columns.push_back(Find(TraceColumns(), name));
            if (m_columns.back() == nullptr)
            {
                Complain("", "column " + UnknownTraceColumn(name));
            }
            if (!seen.insert(name).second)
            {
                Complain(name, "this column stands here a second time");
            }
        }
        CheckHeader();
    }

    /** Complains of columns that are missing; what is incomplete is said once here and not read in any row. */
    void CheckHeader()
    {
        std::map<unsigned, std::vector<std::string>> missing; // by bound; those of all layers at 0
        std::set<unsigned> given;                             // bounds
        for (const auto& column : TraceColumns())
        {
            if (std::count(m_columns.begin(), m_columns.end(), &column) > 0)
            {
                given.insert(column.bound);
            }
            else if (column.required)
            {
                Complain(column.name, "this column is missing");
            }
            else
            {
                missing[column.bound].push_back(column.name);
            }
        }
        for (const auto& [bound, names] : missing)
        {
            if (bound == 0 || given.count(bound) == 0)
            {
                continue;
            }
            Complain(names.front(), "this column is missing; a bound has all four or none");
            for (auto& column : m_columns)
            {
                column = column != nullptr && column->bound == bound ? nullptr : column;
            }
        }
    }

    void ReadRow(const std::vector<std::string>& fields)
    {
        const auto count = fields.size();
        if (count != m_columns.size())
        {
            Complain(count < m_columns.size() ? m_columnNames[count]
                                              : Text("field ", m_columns.size() + 1),
                     Text("the row has ", count, " fields, the header row has ", m_columns.size()));
            return;
        }
        LayerRecord layer;
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto* column = m_columns[i];
            if (column != nullptr && !fields[i].empty())
            {
                ReadField(*column, fields[i], layer);
            }
            else if (column != nullptr && column->required)
            {
                Complain(column->name, "is empty; only a statistic may be unknown");
            }
        }
        CheckRow(layer);
        m_trace.layers.push_back(std::move(layer));
    }

    void CheckRow(const LayerRecord& layer)
    {
        if (!layer.name.empty() && !m_layerNames.insert(layer.name).second)
        {
            Complain("layer", "'" + layer.name + "' stands here a second time");
        }
        const auto sum = std::accumulate( // of at most a line's counts of 2^40 each
            layer.tensors.begin(),
            layer.tensors.end(),
            std::uint64_t{0});
        if (!layer.tensors.empty() && layer.elements > 0 && sum != layer.elements)
        {
            Complain("tensors",
                     Text("add up to ", sum, " elements, and the layer has ", layer.elements));
        }
        const auto before = m_tensors;
        m_tensors += layer.tensors.size();
        if (before <= g_mostTensors && m_tensors > g_mostTensors)
        {
            Complain("tensors", Text("there are more than ", g_mostTensors, " so far"));
        }
        for (const auto& [column, text] :
             StatisticsComplaints(layer.statistics, m_trace.statsWorkers))
        {
            Complain(column, text);
        }
        const std::pair<const char*, std::int64_t> times[] = {
            {"forward_ns", layer.forwardPs},
            {"backward_ns", layer.backwardPs},
            {"update_ns", layer.updatePs},
            {"aggregator_update_ns", layer.aggregatorUpdatePs.value_or(0)}};
        for (const auto& [column, ps] : times)
        {
            if (ps > g_mostPs - m_ps)
            {
                Complain(column,
                         "the times so far add up to more than 11 days; is this in nanoseconds?");
                continue;
            }
            m_ps += ps;
        }
        if (layer.elements > g_mostElements - m_elements)
        {
            Complain("elements", "the elements so far add up to more than 2^42");
            return;
        }
        m_elements += layer.elements;
    }

    std::string m_file;
    GradientTrace m_trace;
    std::vector<std::string> m_complaints;
    std::size_t m_complaintCount{0}; ///< with those that are left out
    unsigned m_line{0};
    bool m_hasHeader{false};
    std::vector<std::string> m_columnNames;    ///< as in the header row
    std::vector<const TraceColumn*> m_columns; ///< of the same; null = not read
    std::set<std::string> m_keys;              ///< metadata seen
    std::set<std::string> m_layerNames;        ///< layers seen
    std::uint64_t m_elements{0};
    std::size_t m_tensors{0};
    std::int64_t m_ps{0};
};

std::string
FormatMetadata(const std::string& key, const std::string& value)
{
    return PrintableAscii("# " + key + ": " + value) + "\n";
}

} // namespace

GradientTrace
ParseTrace(const std::string& text, const std::string& fileName)
{
    return TraceReader(fileName).Read(text);
}

GradientTrace
ReadTrace(const std::string& path)
{
    return ParseTrace(ReadInputFile(path, g_mostFileBytes, "larger than 64 MiB, which no trace is"),
                      path);
}

std::string
FormatTrace(const GradientTrace& trace)
{
    auto text = std::string(g_firstLine) + "\n";
    for (const auto& key : TraceKeys())
    {
        if (const auto value = key.write(trace); !value.empty())
        {
            text += FormatMetadata(key.name, value);
        }
    }
    for (const auto& [key, value] : trace.notes)
    {
        text += FormatMetadata(key, value);
    }
    std::string header;
    std::vector<std::string> rows(trace.layers.size());
    for (const auto& column : TraceColumns()) // those that some layer has a value for
    {
        const auto isKnown = [&column](const auto& layer) { return !column.write(layer).empty(); };
        if (!column.required && std::none_of(trace.layers.begin(), trace.layers.end(), isKnown))
        {
            continue;
        }
        const auto* comma = header.empty() ? "" : ",";
        header += comma + column.name;
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            rows[i] += comma + QuoteCsv(PrintableAscii(column.write(trace.layers[i])));
        }
    }
    text += header + "\n";
    for (const auto& row : rows)
    {
        text += row + "\n";
    }
    return text;
}

void
WriteTrace(const GradientTrace& trace, const std::string& path)
{
    WriteAtomically({{path, FormatTrace(trace)}});
}

} // namespace inca
