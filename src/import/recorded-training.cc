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
constexpr std::int64_t MOST_PS = 1'000'000'000'000'000'000;

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
    if (elements > MOST_TRACE_ELEMENTS || times > MOST_PS)
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

bool
Repeat(const std::vector<std::uint64_t>& sums, std::size_t times)
{
    if (times == 0 || sums.size() % times != 0 || (sums.empty() && times > 1))
    {
        return false;
    }
    const auto period = static_cast<std::ptrdiff_t>(sums.size() / times);
    return std::equal(sums.begin() + period, sums.end(), sums.begin());
}

} // namespace

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

std::size_t
IterationsOf(const std::vector<std::uint64_t>& sums,
             const ImportOptions& options,
             ImportReport& report)
{
    if (options.iterations)
    {
        const auto count = static_cast<std::size_t>(*options.iterations);
        if (!Repeat(sums, count))
        {
            throw InputError(fmt::format(
                "--iterations: the {} sums of gradients in the record do not repeat {} times",
                sums.size(),
                count));
        }
        report.Assume(fmt::format("{} iterations, as asked: nothing marks them", count));
        return count;
    }
    auto repeats =
        std::max<std::size_t>(sums.size(), 1); // of the shortest part that all is made of
    while (!Repeat(sums, repeats))
    {
        --repeats;
    }
    if (repeats > 1)
    {
        report.Warn(fmt::format("nothing marks iterations, so all {} sums of gradients are taken "
                                "for one; they repeat {} times: --iterations N says how many "
                                "were recorded",
                                sums.size(),
                                repeats));
    }
    return 1;
}

void
WarnOfIterations(const ImportOptions& options, std::size_t count, ImportReport& report)
{
    if (options.iterations)
    {
        report.Warn(fmt::format("--iterations is not needed: the record marks {} iterations itself",
                                count));
    }
}

std::string
DataParallelGroup(const std::map<std::string, CountedBytes>& groups,
                  const ImportOptions& options,
                  ImportReport& report)
{
    if (!options.group.empty())
    {
        if (groups.count(options.group) == 0)
        {
            throw InputError("--group: no sums of gradients are of a group '" + options.group +
                             "'");
        }
        return options.group;
    }
    auto most = groups.begin();
    std::string text;
    for (auto group = groups.begin(); group != groups.end(); ++group)
    {
        text += fmt::format("{}'{}' ({} of {})",
                            text.empty() ? "" : ", ",
                            Printable(group->first),
                            group->second.count,
                            HumanBytes(group->second.bytes));
        most = group->second.bytes > most->second.bytes ? group : most;
    }
    if (groups.size() > 1)
    {
        report.Doubt("which group's sums are data-parallel gradients? --group says: " + text);
    }
    return groups.empty() ? "" : most->first;
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
