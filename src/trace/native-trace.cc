/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/native-trace.h"

#include "base/checksum.h"
#include "base/errors.h"
#include "base/input-file.h"
#include "base/nearest.h"
#include "base/units.h"
#include "trace/complaint-list.h"
#include "trace/csv-fields.h"
#include "trace/layer-statistics.h"
#include "trace/trace-columns.h"
#include "trace/trace-header.h"
#include "trace/trace-metadata.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

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

/** Reads a trace line by line; what is wrong is collected, and reading goes on. */
class TraceReader
{
  public:
    explicit TraceReader(const std::string& fileName)
        : m_complaints(fileName)
    {
        const auto base = fileName.substr(fileName.find_last_of('/') + 1);
        const auto suffix = base.size() - std::min<std::size_t>(base.size(), 4);
        m_trace.name = base.substr(suffix) == ".csv" ? base.substr(0, suffix) : base;
    }

    GradientTrace Read(std::string_view text);

  private:
    void ReadLine(std::string_view line);
    bool IsReadable(std::string_view line);
    void ReadMetadata(std::string_view line);
    void ReadKey(const std::string& key, const std::string& value);
    void ReadHeader(std::string_view line);
    void ReadRow(std::string_view line);
    void ReadFields(const std::vector<std::string>& fields, LayerRecord& layer);
    void CheckRow(const LayerRecord& layer);
    void CheckTensors(const LayerRecord& layer);
    void CheckTotals(const LayerRecord& layer);
    void CheckWhole();

    void Complain(const std::string& key, const std::string& text)
    {
        m_complaints.Add(m_line, key, text);
    }

    /** @param index of a character in the line */
    void ComplainAt(std::size_t index, const std::string& text)
    {
        m_complaints.Add(m_line, "", text, static_cast<unsigned>(index) + 1);
    }

    GradientTrace m_trace;
    ComplaintList m_complaints;
    unsigned m_line{0};
    bool m_hasHeader{false};
    std::vector<std::string> m_columnNames;            ///< as in the header row
    std::vector<std::optional<TraceColumn>> m_columns; ///< as in the header row, known ones only
    std::set<std::string> m_keys;                      ///< metadata seen
    std::set<std::string> m_layerNames;                ///< layers seen
    std::uint64_t m_elements{0};
    std::size_t m_tensors{0};
    std::int64_t m_ps{0};
};

GradientTrace
TraceReader::Read(std::string_view text)
{
    m_trace.checksum = Crc32(text.data(), text.size());
    if (text.substr(0, g_byteOrderMark.size()) == g_byteOrderMark)
    {
        text.remove_prefix(g_byteOrderMark.size());
    }
    if (text.substr(0, g_firstLine.size()) != g_firstLine)
    {
        m_complaints.Add(
            1, "", "no INCA trace: its first line is '" + std::string(g_firstLine) + "'");
        m_complaints.ThrowIfAny();
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
    CheckWhole();
    m_complaints.ThrowIfAny();
    return std::move(m_trace);
}

void
TraceReader::ReadLine(std::string_view line)
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
    else if (!m_hasHeader)
    {
        ReadHeader(line);
    }
    else
    {
        ReadRow(line);
    }
}

bool
TraceReader::IsReadable(std::string_view line)
{
    if (line.size() > g_mostLineBytes)
    {
        Complain("", "longer than " + std::to_string(g_mostLineBytes) + " bytes");
        return false;
    }
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        const auto byte = static_cast<unsigned char>(line[i]);
        if ((byte < ' ' && byte != '\t') || byte > '~')
        {
            ComplainAt(i, "byte " + std::to_string(byte) + " is not ASCII text");
            return false;
        }
    }
    return true;
}

void
TraceReader::ReadMetadata(std::string_view line)
{
    const auto colon = line.find(':');
    const auto key = Trimmed(line.substr(0, colon));
    if (m_hasHeader)
    {
        Complain("", "'#' lines stand above the header row");
    }
    else if (colon == std::string_view::npos || key.empty())
    {
        Complain("", "a '#' line reads '# key: value'");
    }
    else
    {
        ReadKey(std::string(key), std::string(Trimmed(line.substr(colon + 1))));
    }
}

void
TraceReader::ReadKey(const std::string& key, const std::string& value)
{
    const auto& keys = TraceKeys();
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&key](const auto& k) { return k.name == key; });
    if (found == keys.end())
    {
        if (const auto nearest = Nearest(key, TraceKeyNames()); !nearest.empty())
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
    if (value.empty())
    {
        return; // unknown
    }
    try
    {
        found->read(value, m_trace);
    }
    catch (const UnitError& error)
    {
        Complain(key, error.what());
    }
}

void
TraceReader::ReadHeader(std::string_view line)
{
    m_hasHeader = true;
    const auto names = SplitCsv(line);
    if (!names)
    {
        ComplainAt(line.find('"'), "a quote is not closed, or text follows it");
    }
    else if (names->size() > g_mostColumns)
    {
        Complain("", "has more than " + std::to_string(g_mostColumns) + " columns");
    }
    if (!names || names->size() > g_mostColumns)
    {
        m_complaints.ThrowIfAny(); // without columns, no row can be read
    }
    m_columnNames = *names;
    m_columns = ReadTraceHeader(*names, m_line, m_complaints);
}

void
TraceReader::ReadRow(std::string_view line)
{
    const auto fields = SplitCsv(line);
    if (!fields)
    {
        ComplainAt(line.find('"'), "a quote is not closed, or text follows it");
        return;
    }
    const auto count = fields->size();
    if (count != m_columns.size())
    {
        Complain(count < m_columns.size() ? m_columnNames[count]
                                          : "field " + std::to_string(m_columns.size() + 1),
                 "the row has " + std::to_string(count) + " fields, the header row has " +
                     std::to_string(m_columns.size()));
        return;
    }
    LayerRecord layer;
    ReadFields(*fields, layer);
    CheckRow(layer);
    CheckTotals(layer);
    m_trace.layers.push_back(std::move(layer));
}

void
TraceReader::ReadFields(const std::vector<std::string>& fields, LayerRecord& layer)
{
    for (std::size_t i = 0; i < fields.size(); ++i)
    {
        const auto& column = m_columns[i];
        if (!column)
        {
            continue; // the header row was complained of
        }
        if (fields[i].empty())
        {
            if (column->required)
            {
                Complain(column->name, "is empty; only a statistic may be unknown");
            }
            continue;
        }
        try
        {
            column->read(fields[i], layer);
        }
        catch (const UnitError& error)
        {
            Complain(column->name, error.what());
        }
    }
}

void
TraceReader::CheckRow(const LayerRecord& layer)
{
    if (!layer.name.empty() && !m_layerNames.insert(layer.name).second)
    {
        Complain("layer", "'" + layer.name + "' stands here a second time");
    }
    CheckTensors(layer);
    for (const auto& [column, text] : StatisticsComplaints(layer.statistics, m_trace.statsWorkers))
    {
        Complain(column, text);
    }
}

void
TraceReader::CheckTensors(const LayerRecord& layer)
{
    std::uint64_t sum = 0; // of at most a line's counts of 2^40 each
    for (const auto elements : layer.tensors)
    {
        sum += elements;
    }
    if (!layer.tensors.empty() && layer.elements > 0 && sum != layer.elements)
    {
        Complain("tensors",
                 "add up to " + std::to_string(sum) + " elements, and the layer has " +
                     std::to_string(layer.elements));
    }
    const auto before = m_tensors;
    m_tensors += layer.tensors.size();
    if (before <= g_mostTensors && m_tensors > g_mostTensors)
    {
        Complain("tensors", "there are more than " + std::to_string(g_mostTensors) + " so far");
    }
}

void
TraceReader::CheckTotals(const LayerRecord& layer)
{
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

void
TraceReader::CheckWhole()
{
    if (!m_hasHeader)
    {
        m_complaints.Add(0, "", "has no header row, as in 'layer,elements,forward_ns,...'");
    }
    else if (m_trace.layers.size() > g_mostLayers)
    {
        m_complaints.Add(0, "", "has more than " + std::to_string(g_mostLayers) + " layers");
    }
    else if (m_trace.layers.empty() && m_complaints.IsEmpty())
    {
        m_complaints.Add(0, "", "has no layers");
    }
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

} // namespace inca
