/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/recorded-training.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace inca
{

namespace
{

constexpr std::size_t MOST_LAYERS = 100'000;
constexpr std::size_t MOST_NOTED = 1'000;    ///< exchanges
constexpr std::size_t MOST_NAME_BYTES = 180; ///< of 200, for a number after it
constexpr std::uint64_t MOST_ELEMENTS = 1ULL << 40U;
constexpr std::uint64_t MOST_TRACE_ELEMENTS = 1ULL << 42U;

/** The place of @p key, or, if there are too many, that of all others. */
template <typename Key, typename Value>
Value&
Place(std::map<Key, Value>& places, const Key& key, const Key& others)
{
    const auto found = places.find(key);
    if (found != places.end())
    {
        return found->second;
    }
    return places[places.size() < ImportReport::MOST_LINES ? key : others];
}

std::string
Section(const char* title, const std::vector<std::string>& lines)
{
    std::string text;
    for (const auto& line : lines)
    {
        text += fmt::format("{:<10} {}\n", text.empty() ? title : "", line);
    }
    return text;
}

/** @return @p name in lower case, without the characters in @p dropped */
std::string
Lowered(const std::string& name, const std::string& dropped)
{
    std::string text;
    for (const auto letter : name)
    {
        if (dropped.find(letter) == std::string::npos)
        {
            text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
        }
    }
    return text;
}

/** A trace's layers have names of their own. */
class LayerNames
{
  public:
    std::string Unique(std::string name)
    {
        name = PrintableAscii(name.substr(0, MOST_NAME_BYTES));
        name = name.empty() || name.front() == '#' ? "layer" + name : name;
        const auto count = ++m_counts[name];
        if (count == 1)
        {
            return name;
        }
        return Unique(fmt::format("{}-{}", name, count));
    }

  private:
    std::map<std::string, std::size_t> m_counts;
};

/** @throws InputError unless it is one that a trace can be made of */
void
RequireTrace(const RecordedTraining& training, const ImportReport& report)
{
    std::string files;
    for (const auto& file : report.files)
    {
        files += (files.empty() ? "" : ", ") + file.path;
    }
    if (training.layers.empty())
    {
        std::vector<std::string> complaints{
            files + ": nothing to import: has no gradients that data-parallel workers exchange"};
        for (const auto& line : report.LeftOutLines())
        {
            complaints.push_back("left out: " + line);
        }
        throw InputError(complaints);
    }
    if (training.layers.size() > MOST_LAYERS)
    {
        throw InputError(fmt::format(
            "{}: {} layers; a trace has at most {}", files, training.layers.size(), MOST_LAYERS));
    }
    std::uint64_t elements = 0;
    std::int64_t times = 0;
    for (const auto& layer : training.layers)
    {
        const auto place = fmt::format("{}: layer '{}' ", files, Printable(layer.name));
        if (layer.Elements() == 0 || layer.Elements() > MOST_ELEMENTS)
        {
            throw InputError(fmt::format(
                "{}has {} elements; 1 to 2^40 can be imported", place, layer.Elements()));
        }
        elements += layer.Elements();
        for (const auto ps : {layer.forwardPs, layer.backwardPs, layer.updatePs})
        {
            if (ps < 0)
            {
                throw InputError(place + "takes a negative time");
            }
            times = AddSaturated(times, ps);
        }
    }
    if (elements > MOST_TRACE_ELEMENTS || times > MOST_RECORDED_PS)
    {
        throw InputError(files +
                         ": the model is larger than 2^42 elements, or takes longer than 10^6 s");
    }
}

std::string
TypeOf(const RecordedTraining& training, const ImportOptions& options, ImportReport& report)
{
    if (!options.gradientType.empty() && options.gradientType != training.gradientType)
    {
        report.Assume(
            "gradient type " + options.gradientType + ": as asked" +
            (training.gradientType.empty() ? "" : "; the file says " + training.gradientType));
        return options.gradientType;
    }
    if (training.gradientType.empty())
    {
        report.Assume("gradient type fp32: the file does not say");
        return "fp32";
    }
    return training.gradientType;
}

void
AddTimes(const RecordedLayer& from, RecordedLayer& to)
{
    to.forwardPs = AddSaturated(to.forwardPs, from.forwardPs);
    to.backwardPs = AddSaturated(to.backwardPs, from.backwardPs);
    to.updatePs = AddSaturated(to.updatePs, from.updatePs);
}

} // namespace

void
ImportReport::AddOnce(Lines& lines, const std::string& text)
{
    if (std::find(lines.begin(), lines.end(), text) != lines.end())
    {
        return;
    }
    if (lines.size() == MOST_LINES)
    {
        ++m_unsaid;
        return;
    }
    lines.push_back(text);
}

void
ImportReport::Read(const std::string& kind, std::uint64_t count)
{
    Place<std::string, std::uint64_t>(m_read, kind, "others") += count;
}

void
ImportReport::LeaveOut(const std::string& what,
                       const std::string& why,
                       std::uint64_t bytes,
                       std::uint64_t count)
{
    using Key = std::pair<std::string, std::string>;
    auto& counted = Place<Key, CountedBytes>(m_leftOut, {what, why}, {"others", "of more kinds"});
    counted.count += count;
    counted.bytes += bytes;
}

void
ImportReport::Doubt(const std::string& text)
{
    if (!m_isLenient)
    {
        throw InputError(text + " (--lenient goes on all the same)");
    }
    AddOnce(m_warnings, text);
}

std::vector<std::string>
ImportReport::LeftOutLines() const
{
    std::vector<std::string> lines;
    for (const auto& [what, counted] : m_leftOut)
    {
        lines.push_back(fmt::format("{} x {}{}: {}",
                                    counted.count,
                                    what.first,
                                    counted.bytes > 0 ? ", " + HumanBytes(counted.bytes) : "",
                                    what.second));
    }
    return lines;
}

std::string
ImportReport::Text() const
{
    std::vector<std::string> fileLines;
    for (const auto& file : files)
    {
        fileLines.push_back(fmt::format("{}: {}, {}{}",
                                        file.path,
                                        file.format,
                                        HumanBytes(file.bytes),
                                        file.packed ? " unpacked" : ""));
    }
    std::vector<std::string> read;
    for (const auto& [kind, count] : m_read)
    {
        read.push_back(fmt::format("{} x {}", count, kind));
    }
    const std::vector<std::string> bytes{
        fmt::format("{} of gradients in, {} out", bytesIn, bytesOut)};
    return Section("file", fileLines) + Section("read", read) + Section("taken", {mapped}) +
           Section("bytes", bytes) + Section("all-reduce", sums) +
           Section("left out", LeftOutLines()) + Section("checked", m_checks) +
           Section("assumed", m_assumed) + Section("warning", m_warnings) +
           (m_unsaid > 0 ? fmt::format("{:<10} {} lines more\n", "", m_unsaid) : "");
}

std::optional<ElementType>
FindElementType(const std::string& name)
{
    static const std::vector<std::pair<ElementType, std::vector<std::string>>> types{
        {{"fp32", 4}, {"float", "float32", "fp32"}},
        {{"fp16", 2}, {"half", "float16", "fp16"}},
        {{"bf16", 2}, {"bfloat16", "bf16"}},
        {{"fp64", 8}, {"double", "float64"}},
        {{"int64", 8}, {"long", "longint", "int64"}},
        {{"int32", 4}, {"int", "int32"}},
        {{"int16", 2}, {"short", "int16"}},
        {{"int8", 1}, {"char", "int8", "signedchar"}},
        {{"uint8", 1}, {"byte", "uint8", "unsignedchar"}},
        {{"uint32", 4}, {"uint32"}},
        {{"uint64", 8}, {"uint64"}},
        {{"bool", 1}, {"bool"}},
        {{"fp8", 1}, {"float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"}},
        {{"complex64", 8}, {"complexfloat"}},
        {{"complex128", 16}, {"complexdouble"}}};
    const auto key = Lowered(name.substr(name.find_last_of(":.") + 1), " ");
    for (const auto& [type, names] : types)
    {
        if (std::find(names.begin(), names.end(), key) != names.end())
        {
            return type;
        }
    }
    return std::nullopt;
}

std::uint64_t
BytesOfGradientType(const std::string& type)
{
    return type == "fp32" ? 4 : type == "fp16" || type == "bf16" ? 2 : 0;
}

std::string
NormalisedCollective(const std::string& name)
{
    return Lowered(name, "_ ");
}

bool
IsSum(const std::string& collective)
{
    return collective.rfind("allreduce", 0) == 0 || collective.find("reducescatter") < 2;
}

bool
IsScattered(const std::string& collective)
{
    return collective.rfind("allreduce", 0) != 0;
}

void
AssumeOfSum(const std::string& collective, ImportReport& report)
{
    if (IsScattered(collective))
    {
        report.Assume(
            "a reduce-scatter of gradients is exchanged as an all-reduce of as many bytes");
    }
}

std::string
WhyCollectiveLeftOut(const std::string& collective, std::uint64_t bytes)
{
    if (bytes == 0)
    {
        return "moves nothing, or has no size";
    }
    if (collective.find("alltoall") != std::string::npos)
    {
        return "expert parallel (or embeddings), which INCA does not simulate";
    }
    if (collective == "send" || collective == "recv")
    {
        return "pipeline parallel, which INCA does not simulate";
    }
    if (collective.rfind("allgather", 0) == 0)
    {
        return "gathers weights or activations; INCA gathers weights itself (training.sharding)";
    }
    return IsSum(collective)
               ? "outside backward or of another group, as sums of tensor parallelism "
                 "are, which INCA does not simulate"
               : "no sum of gradients";
}

std::uint64_t
RecordedLayer::Elements() const
{
    std::uint64_t sum = 0;
    for (const auto count : tensors)
    {
        sum = std::min(sum, UINT64_MAX - count) + count;
    }
    return sum;
}

std::int64_t
PsOfUnit(const std::string& unit)
{
    static const std::map<std::string, std::int64_t> units{
        {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
    const auto found = units.find(unit);
    if (found == units.end())
    {
        throw InputError("--time-unit: " + UnknownName(unit, {"ns", "us", "ms", "s"}));
    }
    return found->second;
}

std::uint64_t
ElementsOf(std::uint64_t bytes,
           const std::string& place,
           const ImportOptions& options,
           ImportReport& report)
{
    const auto type = options.gradientType.empty() ? "fp32" : options.gradientType;
    if (bytes % BytesOfGradientType(type) != 0)
    {
        throw InputError(
            fmt::format("{}{} bytes are no whole {} values (--gradient-type)", place, bytes, type));
    }
    report.bytesIn += bytes;
    return bytes / BytesOfGradientType(type);
}

RecordedTraining
TrainingOfLayers(const std::vector<RecordedLayer>& layers, ImportReport& report)
{
    RecordedTraining training;
    auto& joined = training.layers;
    RecordedLayer before;
    for (const auto& layer : layers)
    {
        if (layer.Elements() > 0)
        {
            joined.push_back(layer);
        }
        else
        {
            AddTimes(layer, joined.empty() ? before : joined.back());
        }
    }
    if (joined.size() < layers.size() && !joined.empty())
    {
        AddTimes(before, joined.front());
        report.Assume(
            fmt::format("lines without a gradient ({}): their times are added to the layer "
                        "before them that has one, else to the first that has",
                        layers.size() - joined.size()));
    }
    if (joined.size() == 1)
    {
        report.Warn("all gradients are those of one layer, '" + Printable(joined.front().name) +
                    "': no exchange can overlap with the backward pass");
    }
    for (auto layer = joined.rbegin(); layer != joined.rend(); ++layer)
    {
        training.buckets.push_back(layer->Elements());
    }
    return training;
}

GradientTrace
TraceOf(const RecordedTraining& training, const ImportOptions& options, ImportReport& report)
{
    RequireTrace(training, report);
    GradientTrace trace;
    trace.model = options.model.empty() ? training.model : options.model;
    const bool hasTimes =
        std::any_of(training.layers.begin(), training.layers.end(), [](const RecordedLayer& layer) {
            return layer.forwardPs > 0 || layer.backwardPs > 0 || layer.updatePs > 0;
        });
    trace.valueClass = hasTimes ? training.valueClass : "assumed";
    trace.device = training.device;
    trace.batch = options.batch;
    trace.gradientType = TypeOf(training, options, report);
    for (const auto& file : report.files)
    {
        trace.source += (trace.source.empty() ? "" : ", ") + file.path + " (" + file.format + ")";
    }
    if (training.workers)
    {
        trace.notes.emplace_back("data_parallel_workers", std::to_string(*training.workers));
    }
    if (!training.buckets.empty() && training.buckets.size() <= MOST_NOTED)
    {
        std::string text;
        for (const auto elements : training.buckets)
        {
            text += (text.empty() ? "" : " ") + std::to_string(elements);
        }
        trace.notes.emplace_back("exchanged_elements", text);
    }
    for (const auto& assumed : report.Assumed())
    {
        trace.notes.emplace_back("assumed", assumed);
    }
    LayerNames names;
    for (const auto& layer : training.layers)
    {
        auto& record = trace.layers.emplace_back();
        record.name = names.Unique(layer.name);
        record.elements = layer.Elements();
        record.tensors = layer.tensors.size() > 1 ? layer.tensors : std::vector<std::uint64_t>();
        record.forwardPs = layer.forwardPs;
        record.backwardPs = layer.backwardPs;
        record.updatePs = layer.updatePs;
    }
    return trace;
}

void
WarnOfRepeats(const std::vector<std::uint64_t>& sums, ImportReport& report)
{
    const auto repeat = [&sums](std::size_t times) {
        const auto period = static_cast<std::ptrdiff_t>(sums.size() / times);
        return sums.size() % times == 0 &&
               std::equal(sums.begin() + period, sums.end(), sums.begin());
    };
    auto repeats =
        std::max<std::size_t>(sums.size(), 1); // of the shortest part that all is made of
    while (!repeat(repeats))
    {
        --repeats;
    }
    if (repeats > 1)
    {
        report.Warn(fmt::format("nothing marks iterations, so all {} sums of gradients are taken "
                                "for one; they repeat {} times: record one iteration, or mark each "
                                "(PyTorch: profile.step())",
                                sums.size(),
                                repeats));
    }
}

void
GroupSums::Add(const std::string& group,
               std::uint64_t bytes,
               bool isScattered,
               std::uint64_t workers)
{
    auto& sums = m_groups[group];
    ++sums.count;
    sums.bytes += bytes;
    if (isScattered)
    {
        m_scatteredIn = group;
        m_scattered = bytes;
        m_parts = workers;
        return;
    }
    const bool isPart = group != m_scatteredIn && bytes > 0 && bytes < m_scattered &&
                        m_scattered % bytes == 0 &&
                        (m_parts == 0 || m_scattered / bytes == m_parts);
    sums.ofParts += isPart ? 1 : 0;
    m_scattered = isPart ? 0 : m_scattered;
}

std::string
GroupSums::DataParallelGroup(const ImportOptions& options, ImportReport& report) const
{
    auto most = m_groups.begin();
    std::string text;
    for (auto group = m_groups.begin(); group != m_groups.end(); ++group)
    {
        const auto& [name, sums] = *group;
        if (sums.ofParts * 2 > sums.count)
        {
            throw InputError(fmt::format("{}: hybrid sharding, which INCA cannot replay yet: the "
                                         "parts that reduce-scatters of group '{}' leave are "
                                         "summed by all-reduces of group '{}' ({} of {})",
                                         m_file,
                                         Printable(m_scatteredIn),
                                         Printable(name),
                                         sums.count,
                                         HumanBytes(sums.bytes)));
        }
        text += fmt::format("{}'{}' ({} of {})",
                            text.empty() ? "" : ", ",
                            Printable(name),
                            sums.count,
                            HumanBytes(sums.bytes));
        most = sums.bytes > most->second.bytes ? group : most;
    }
    if (!options.group.empty() && m_groups.count(options.group) == 0)
    {
        throw InputError(fmt::format("--group: no sums of gradients are of a group '{}'; those of "
                                     "{} are of {}",
                                     options.group,
                                     m_file,
                                     text.empty() ? "none" : text));
    }
    if (options.group.empty() && m_groups.size() > 1)
    {
        report.Doubt(m_file +
                     ": which group's sums are data-parallel gradients? --group says: " + text);
    }
    return !options.group.empty() ? options.group : m_groups.empty() ? "" : most->first;
}

std::int64_t
MedianOf(std::vector<std::int64_t> values)
{
    if (values.empty())
    {
        return 0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<std::int64_t>
SharedOut(std::int64_t total, const std::vector<std::uint64_t>& weights)
{
    long double sum = 0;
    for (const auto weight : weights)
    {
        sum += static_cast<long double>(weight);
    }
    std::vector<std::int64_t> parts;
    long double reached = 0;
    std::int64_t given = 0;
    for (const auto weight : weights)
    {
        reached += sum > 0 ? static_cast<long double>(weight) / sum
                           : 1.0L / static_cast<long double>(weights.size());
        const auto end = std::min(
            total, static_cast<std::int64_t>(static_cast<long double>(total) * reached + 0.5L));
        parts.push_back(std::max<std::int64_t>(end - given, 0));
        given += parts.back();
    }
    if (!parts.empty())
    {
        parts.back() += total - given;
    }
    return parts;
}

} // namespace inca
