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
#include "base/value-form.h"
#include "trace/csv-fields.h"
#include "trace/layer-statistics.h"

#include <boost/crc.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr unsigned g_nsPlaces = 3; // a nanosecond has three decimal places of picoseconds
constexpr std::int64_t g_psPerNs = 1000;
constexpr std::size_t g_longestName = 200;
constexpr std::uint64_t g_mostElementsOfLayer = 1ULL << 40U;
constexpr unsigned g_mostExponent = 255;
constexpr std::uint64_t g_mostBatch = 1'000'000'000;
constexpr std::uint64_t g_mostStatsWorkers = 1'000'000;

constexpr unsigned g_mostBound = 15; ///< bounds are 2^-1 to 2^-15

[[noreturn]] void
Refuse(std::string_view text, const std::string& why)
{
    constexpr std::size_t shown = 60;
    throw UnitError("'" + std::string(text.substr(0, shown)) + "': " + why);
}

double
ParseShare(std::string_view text)
{
    static const auto form = DecimalForm({0, 1});
    return form.parse(text) + 0.0; // -0 becomes 0
}

/** A value as text that is read back as the same; a signed one is a time, in ns with as many places as it needs. @{ */
std::string
Format(const std::string& text)
{
    return text;
}

template <typename Number>
std::enable_if_t<std::is_arithmetic_v<Number>, std::string>
Format(Number number)
{
    return NumberText(number);
}

std::string
Format(std::int64_t ps)
{
    auto text = std::to_string(ps / g_psPerNs);
    if (const auto rest = ps % g_psPerNs; rest != 0)
    {
        const auto digits = std::to_string(g_psPerNs + rest); // "1ddd"
        text += "." + digits.substr(1, digits.find_last_not_of('0'));
    }
    return text;
}

std::string
Format(const std::vector<std::uint64_t>& tensors)
{
    std::string text;
    for (const auto elements : tensors)
    {
        text += (text.empty() ? "" : " ") + std::to_string(elements);
    }
    return text;
}

std::string
Format(const std::vector<std::pair<unsigned, double>>& histogram)
{
    std::string text;
    for (const auto& [exponent, share] : histogram)
    {
        text += (text.empty() ? "" : ";") + std::to_string(exponent) + ":" + NumberText(share);
    }
    return text;
}

/** @} */

std::int64_t
ParseNs(const std::string& text)
{
    const auto point = text.find('.');
    const bool isNumber = text.find_first_not_of("0123456789.") == std::string::npos;
    if (!text.empty() && text.front() == '-')
    {
        Refuse(text, "is negative; a time is 0 or more");
    }
    if (isNumber && point != std::string::npos && text.size() - point - 1 > g_nsPlaces)
    {
        Refuse(text,
               "a time has at most 3 digits after the point, which are picoseconds; is this in "
               "nanoseconds?");
    }
    return ParseScaled(text, g_nsPlaces);
}

std::string
ParseName(const std::string& text)
{
    if (text.size() > g_longestName)
    {
        Refuse(text, Text("a layer's name has at most ", g_longestName, " characters"));
    }
    return text;
}

/** Takes a whole number from @p least to @p most. */
template <typename Number>
auto
ParseNumber(std::uint64_t least, std::uint64_t most)
{
    return [form = WholeForm({least, most})](const std::string& text) {
        return static_cast<Number>(form.parse(text));
    };
}

/** Calls @p use with each part of @p text between separators. */
template <typename Use>
void
ForEachPart(std::string_view text, char separator, Use use)
{
    for (std::size_t at = 0; at <= text.size();)
    {
        const auto end = std::min(text.find(separator, at), text.size());
        use(text.substr(at, end - at));
        at = end + 1;
    }
}

/** "64 36864": the elements of one tensor after the other. */
std::vector<std::uint64_t>
ParseTensors(const std::string& text)
{
    static const auto parse = ParseNumber<std::uint64_t>(1, g_mostElementsOfLayer);
    std::vector<std::uint64_t> tensors;
    ForEachPart(text, ' ', [&](std::string_view count) {
        if (count.empty())
        {
            Refuse(text, "tensors are their elements, one blank between two, as in '36864 64'");
        }
        tensors.push_back(parse(std::string(count)));
    });
    return tensors;
}

std::pair<unsigned, double>
ParseHistogramEntry(std::string_view entry)
{
    const auto colon = entry.find(':');
    unsigned exponent = 0;
    const auto* end = entry.data() + std::min(colon, entry.size());
    const auto [rest, error] = std::from_chars(entry.data(), end, exponent);
    if (colon == std::string_view::npos || error != std::errc{} || rest != end ||
        exponent > g_mostExponent)
    {
        Refuse(
            entry,
            "an entry is a biased exponent from 0 to 255, a colon and its share, as in '117:0.25'");
    }
    return {exponent, ParseShare(entry.substr(colon + 1))};
}

std::vector<std::pair<unsigned, double>>
ParseHistogram(std::string_view text)
{
    std::vector<std::pair<unsigned, double>> histogram;
    double sum = 0;
    ForEachPart(text, ';', [&](std::string_view part) {
        const auto entry = ParseHistogramEntry(part);
        if (!histogram.empty() && histogram.back().first >= entry.first)
        {
            Refuse(part, "exponents stand in ascending order, each once");
        }
        sum += entry.second;
        histogram.push_back(entry);
    });
    if (sum < 1 - g_shareTolerance || sum > 1 + g_shareTolerance)
    {
        Refuse(text, "the shares add up to " + NumberText(sum) + ", not to 1");
    }
    return histogram;
}

template <typename Value>
std::string
Format(const std::optional<Value>& value)
{
    return value ? Format(*value) : "";
}

enum Need
{
    OPTIONAL,
    REQUIRED,
};

/** A field of the @p member of @p Record. */
template <typename Record, typename Member, typename Parse>
TraceField<Record>
Field(const char* name, Need need, Member Record::*member, Parse parse)
{
    return {name,
            need == REQUIRED,
            0,
            [=](const auto& text, auto& record) { record.*member = parse(text); },
            [=](const auto& record) { return Format(record.*member); }};
}

/** A column of a @p member of a layer's statistics. */
template <typename Member, typename Parse>
TraceColumn
Statistic(const char* name, Member LayerStatistics::*member, Parse parse)
{
    return {name,
            false,
            0,
            [=](const auto& text, auto& layer) { layer.statistics.*member = parse(text); },
            [=](const auto& layer) { return Format(layer.statistics.*member); }};
}

TraceColumn
WidthColumn(unsigned bound, std::size_t widthIndex)
{
    return {WidthColumnName(bound, widthIndex),
            false,
            bound,
            [=](const auto& text, auto& layer) {
                // What stays NaN was not given; the reader refuses such a row.
                constexpr double missing = std::numeric_limits<double>::quiet_NaN();
                auto& widths = layer.statistics.widths;
                const auto shares = widths.try_emplace(
                    bound, std::array<double, 4>{missing, missing, missing, missing});
                shares.first->second[widthIndex] = ParseShare(text);
            },
            [=](const auto& layer) {
                const auto shares = layer.statistics.widths.find(bound);
                return shares == layer.statistics.widths.end()
                           ? ""
                           : NumberText(shares->second[widthIndex]);
            }};
}

std::vector<TraceColumn>
AllColumns()
{
    using Layer = LayerRecord;
    using Statistics = LayerStatistics;
    std::vector<TraceColumn> columns{
        Field("layer", REQUIRED, &Layer::name, ParseName),
        Field("elements",
              REQUIRED,
              &Layer::elements,
              ParseNumber<std::uint64_t>(1, g_mostElementsOfLayer)),
        Field("tensors", OPTIONAL, &Layer::tensors, ParseTensors),
        Field("forward_ns", REQUIRED, &Layer::forwardPs, ParseNs),
        Field("backward_ns", REQUIRED, &Layer::backwardPs, ParseNs),
        Field("update_ns", REQUIRED, &Layer::updatePs, ParseNs),
        Field("aggregator_update_ns", OPTIONAL, &Layer::aggregatorUpdatePs, ParseNs),
        Statistic("density", &Statistics::density, ParseShare),
        Statistic("union_density", &Statistics::unionDensity, ParseShare),
        Statistic("exponents", &Statistics::exponents, ParseHistogram),
    };
    for (unsigned bound = 1; bound <= g_mostBound; ++bound)
    {
        for (std::size_t i = 0; i < g_publishedWidths.size(); ++i)
        {
            columns.push_back(WidthColumn(bound, i));
        }
    }
    return columns;
}

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
        constexpr std::uint64_t mostElementsOfPs =
            100; // writing their gradients would take 200 TB/s
        const auto leastPs = g_psPerNs + static_cast<std::int64_t>(m_elements / mostElementsOfPs);
        if (m_hasFractions && m_ps < leastPs)
        {
            Add({m_file, 0, 0, ""},
                Text("all times add up to ",
                     Format(m_ps),
                     " ns for ",
                     m_elements,
                     " elements, which nothing is fast enough for; are they in seconds or ms?"));
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

    /** Complains of columns that are missing; of those of a bound, CheckRow does. */
    void CheckHeader()
    {
        for (const auto& column : TraceColumns())
        {
            if (column.required && std::count(m_columns.begin(), m_columns.end(), &column) == 0)
            {
                Complain(column.name, "this column is missing");
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
            m_hasFractions = m_hasFractions || ps % g_psPerNs != 0;
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
    bool m_hasFractions{false}; ///< of ns, in some time
};

std::string
FormatMetadata(const std::string& key, const std::string& value)
{
    return PrintableAscii("# " + key + ": " + value) + "\n";
}

} // namespace

const std::vector<TraceColumn>&
TraceColumns()
{
    static const auto columns = AllColumns();
    return columns;
}

const std::vector<TraceKey>&
TraceKeys()
{
    using Trace = GradientTrace;
    static const std::vector<TraceKey> keys{
        Field("model", OPTIONAL, &Trace::model, [](const std::string& text) { return text; }),
        Field("source", OPTIONAL, &Trace::source, [](const std::string& text) { return text; }),
        Field("class",
              OPTIONAL,
              &Trace::valueClass,
              NameForm({"printed", "measured", "derived", "assumed"}).parse),
        Field("device", OPTIONAL, &Trace::device, [](const std::string& text) { return text; }),
        Field("batch", OPTIONAL, &Trace::batch, ParseNumber<std::uint64_t>(1, g_mostBatch)),
        Field("gradient_type",
              OPTIONAL,
              &Trace::gradientType,
              NameForm({"fp32", "fp16", "bf16"}).parse),
        Field("stats_workers",
              OPTIONAL,
              &Trace::statsWorkers,
              ParseNumber<std::uint32_t>(2, g_mostStatsWorkers)),
    };
    return keys;
}

std::string
UnknownTraceColumn(const std::string& name)
{
    if (name == "block_density" || name == "union_block_density")
    {
        return "'" + name + "' is no more: nothing simulates blocks; leave the column out";
    }
    std::vector<std::string> all;
    std::vector<std::string> fixed;
    for (const auto& column : TraceColumns())
    {
        all.push_back(column.name);
        if (column.bound == 0)
        {
            fixed.push_back(column.name);
        }
    }
    const bool isNear = !Nearest(name, all).empty();
    return isNear ? UnknownName(name, all)
                  : UnknownName(name, fixed) + ", and b1_w2 to b15_w34 (widths 2, 10, 18, 34)";
}

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
