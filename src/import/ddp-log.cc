/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-formats.h"

#include "base/errors.h"
#include "base/units.h"
#include "import/recorded-training.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* REBUILT = "rebuilt_bucket_sizes";

/** @return the rest of the line behind the first of @p keys that @p text has, without quotes; empty if it has none */
std::string_view
ValueOf(std::string_view text, std::initializer_list<std::string_view> keys)
{
    for (const auto key : keys)
    {
        if (const auto at = text.rfind(key); at != text.npos)
        {
            text.remove_prefix(at + key.size());
            text.remove_prefix(std::min(text.find_first_not_of(":' \""), text.size()));
            return text.substr(0, text.find_first_of("'\"\r\n"));
        }
    }
    return {};
}

std::string
WordOf(std::string_view text, std::initializer_list<std::string_view> keys)
{
    const auto value = ValueOf(text, keys);
    return std::string(value.substr(0, value.find_first_of(", ")));
}

/** The whole numbers that @p text begins with, between commas. */
std::vector<std::uint64_t>
NumbersOf(std::string_view text)
{
    std::vector<std::uint64_t> numbers;
    std::uint64_t number = 0;
    for (auto from = std::from_chars(text.data(), text.data() + text.size(), number);
         from.ec == std::errc();
         from = std::from_chars(text.data(), text.data() + text.size(), number))
    {
        numbers.push_back(number);
        text.remove_prefix(static_cast<std::size_t>(from.ptr - text.data()));
        text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    }
    return numbers;
}

std::optional<std::uint64_t>
FirstNumberOf(std::string_view text, std::initializer_list<std::string_view> keys)
{
    const auto numbers = NumbersOf(ValueOf(text, keys));
    return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

/** Gives layers, in order of readiness, the last mean times that a process logs: those over the most iterations. */
void
SetMeanTimes(std::string_view text,
             std::vector<std::uint64_t> elements,
             std::vector<RecordedLayer>& layers,
             ImportReport& report)
{
    const auto last = text.substr(std::min(text.rfind("Avg forward compute time"), text.size()));
    const auto time = [&last](const char* key) {
        constexpr std::uint64_t mostNs = 2 * MOST_RECORDED_PS / 1000; // which is refused
        return static_cast<std::int64_t>(std::min(FirstNumberOf(last, {key}).value_or(0), mostNs)) *
               1000;
    };
    const auto backward = time("Avg backward compute time");
    const auto overlap = time("Avg backward comm/comp overlap time");
    const auto forward = SharedOut(time("Avg forward compute time"), elements);
    const bool knowsFirst = layers.size() > 1 && overlap > 0 && overlap < backward;
    elements.front() = knowsFirst ? 0 : elements.front();
    const auto rest = SharedOut(knowsFirst ? overlap : backward, elements);
    for (std::size_t i = 0; i < layers.size(); ++i)
    {
        layers[i].forwardPs = forward[i];
        layers[i].backwardPs = rest[i];
    }
    if (knowsFirst) // for all-reduces begin with it
    {
        layers.front().backwardPs = backward - overlap;
    }
    report.Assume(last.empty() ? "the log has no times (TORCH_DISTRIBUTED_DEBUG=DETAIL)"
                  : knowsFirst ? "the first bucket is ready when all-reduces begin; the rest of "
                                 "backward, and forward, are shared out by elements"
                               : "forward and backward are shared out by elements");
    report.Assume("updates take no time: the log has none");
    if (const auto ps = time("Avg backward comm. time"); ps > 0)
    {
        report.LeaveOut("mean time of all-reduces",
                        HumanPicoseconds(ps) + " from the first's begin to the last's end");
    }
}

} // namespace

bool
IsDdpLog(std::string_view text)
{
    return text.find("DDP Initialized with") != text.npos || text.find(REBUILT) != text.npos;
}

RecordedTraining
ReadDdpLog(ByteSource& source, const ImportOptions& options, ImportReport& report)
{
    constexpr std::size_t mostBytes = 64U << 20U;
    const auto& file = source.Name();
    const auto text = source.ReadAll(mostBytes);
    const auto types = ValueOf(text, {"dtypes", "parameter_dtype"});
    const auto type = FindElementType(WordOf(text, {"dtypes", "parameter_dtype"}));
    const bool isKnown = type && BytesOfGradientType(type->name) > 0 &&
                         ValueOf(text, {"dtypes"}).find(", ") == types.npos;
    if (!isKnown && !types.empty() && options.gradientType.empty())
    {
        report.Doubt(fmt::format("{}: dtypes: '{}' is no one type of gradients (--gradient-type)",
                                 file,
                                 Excerpt(types)));
    }
    auto typed = options;
    typed.gradientType =
        options.gradientType.empty() && isKnown ? type->name : options.gradientType;
    std::vector<RecordedLayer> layers; // in order of readiness
    RecordedSums sums;
    std::vector<std::uint64_t> elements;
    for (const auto bytes : NumbersOf(ValueOf(text, {REBUILT, "bucket_sizes"})))
    {
        layers.push_back({fmt::format("bucket-{}", layers.size() + 1), {}});
        elements.push_back(
            ElementsOf(bytes, file + ": " + layers.back().name + ": ", typed, report));
        layers.back().tensors = {elements.back()};
        sums.each.push_back({bytes, {}});
    }
    if (layers.empty())
    {
        throw InputError(file + ": bucket_sizes: is missing");
    }
    report.Read("bucket", layers.size());
    report.Assume("each bucket is one layer: the log says no more");
    if (text.find(REBUILT) == text.npos)
    {
        report.Assume("buckets are those that DDP began with; rebuilt_bucket_sizes of "
                      "_get_ddp_logging_data() are those it went on with");
    }
    const auto total =
        FirstNumberOf(text, {"total_parameter_size_bytes", "total_parameter_size_in_bytes"});
    if (total && *total != report.bytesIn)
    {
        report.Doubt(
            fmt::format("{}: total_parameter_size_bytes: are {}, and those of all buckets {}",
                        file,
                        *total,
                        report.bytesIn));
    }
    SetMeanTimes(text, elements, layers, report);
    std::reverse(layers.begin(), layers.end());
    auto training = TrainingOfLayers(layers, report);
    training.workers = FirstNumberOf(text, {"world_size"});
    training.model = WordOf(text, {"module_name"});
    training.gradientType = typed.gradientType;
    training.sums = std::move(sums);
    return training;
}

} // namespace inca
