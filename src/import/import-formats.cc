/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-formats.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "import/chakra-json.h"
#include "import/chakra-protobuf.h"
#include "import/chakra-training.h"
#include "import/ddp-logging.h"
#include "import/field-text.h"
#include "import/json-sign.h"
#include "import/param-trace.h"
#include "import/switchml-csv.h"
#include "import/torch-training.h"
#include "import/workload-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace inca
{

namespace
{

constexpr const char* EXECUTION_TRACE = "pytorch-et";
constexpr const char* KINETO = "kineto";

/** What a file's beginning says if it is JSON. */
std::optional<JsonSign>
SignOf(const ByteSource& source)
{
    const auto text = source.Prefix();
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || (text[first] != '{' && text[first] != '['))
    {
        return std::nullopt;
    }
    return SignOfJson(text);
}

bool
HasKey(const ByteSource& source, bool isArray, std::initializer_list<const char*> keys)
{
    const auto sign = SignOf(source);
    return sign && sign->isArray == isArray &&
           std::any_of(keys.begin(), keys.end(), [&sign](const char* key) {
               return std::find(sign->keys.begin(), sign->keys.end(), key) != sign->keys.end();
           });
}

bool
IsChakraJsonizer(const ByteSource& source)
{
    const auto sign = SignOf(source);
    return sign && !sign->isArray && !sign->keys.empty() &&
           std::all_of(sign->keys.begin(), sign->keys.end(), [](const std::string& key) {
               return key == "version" || key == "attr";
           });
}

using ChakraReader = ChakraGraph (*)(ByteSource&, ImportReport&);

auto
ReadChakraWith(ChakraReader read)
{
    return [read](ByteSource& source, const ImportOptions& options, ImportReport& report) {
        return TrainingOfChakra(read(source, report), options, report);
    };
}

std::vector<ImportFormat>
MakeFormats()
{
    return {{KINETO,
             "a profile of PyTorch (torch.profiler's export_chrome_trace)",
             [](const ByteSource& source) {
                 return HasKey(
                            source, false, {"traceEvents", "schemaVersion", "deviceProperties"}) ||
                        HasKey(source, true, {"ph"});
             },
             {}},
            {"chakra-feeder",
             "a Chakra graph as its C++ feeder reads JSON",
             [](const ByteSource& source) { return HasKey(source, false, {"workload_graph"}); },
             ReadChakraWith(ReadChakraFeeder)},
            {"ddp-logging",
             "PyTorch's ddp._get_ddp_logging_data() as JSON",
             [](const ByteSource& source) {
                 return HasKey(
                     source, false, {"bucket_sizes", "rebuilt_bucket_sizes", "bucket_cap_bytes"});
             },
             ReadDdpLogging},
            {EXECUTION_TRACE,
             "an execution trace of PyTorch (ExecutionTraceObserver)",
             [](const ByteSource& source) {
                 return HasKey(source, false, {"nodes", "schema"});
             },
             {}},
            {"chakra-json",
             "a Chakra trace as chakra_jsonizer writes it",
             IsChakraJsonizer,
             ReadChakraWith(ReadChakraJsonizer)},
            {"param",
             "a basic trace of PARAM's comms benchmark",
             [](const ByteSource& source) {
                 return HasKey(source, true, {"comms", "compute"});
             },
             ReadParamTrace},
            {"simai",
             "a workload of SimAI or AICB",
             [](const ByteSource& source) { return IsSimAiText(source.Prefix()); },
             ReadWorkloadText},
            {"astra-sim",
             "a workload of ASTRA-sim 1",
             [](const ByteSource& source) { return IsWorkloadText(source.Prefix()); },
             ReadWorkloadText},
            {"switchml",
             "a model of SwitchML's dnn_benchmark (CSV)",
             [](const ByteSource& source) { return IsSwitchMlCsv(source.Prefix()); },
             [](ByteSource& source, const ImportOptions&, ImportReport& report) {
                 return ReadSwitchMlCsv(source, report);
             }},
            {"chakra",
             "a Chakra execution trace (.et)",
             [](const ByteSource& source) { return IsChakraProtobuf(source.Prefix()); },
             ReadChakraWith(ReadChakraProtobuf)}};
}

void
CheckOptions(const ImportOptions& options)
{
    const auto& type = options.gradientType;
    if (!type.empty() && BytesOfGradientType(type) == 0)
    {
        throw InputError("--gradient-type: " + UnknownName(type, {"fp32", "fp16", "bf16"}));
    }
    if (!options.timeUnit.empty())
    {
        PsOfUnit(options.timeUnit);
    }
    constexpr std::uint64_t MOST_BATCH = 1'000'000'000;
    if (options.batch && (*options.batch == 0 || *options.batch > MOST_BATCH))
    {
        throw InputError("--batch: must be 1 to 10^9");
    }
}

const ImportFormat&
FormatOf(const ByteSource& source, const ImportOptions& options)
{
    if (options.format.empty())
    {
        return RecogniseFormat(source);
    }
    const auto& formats = ImportFormats();
    const auto found = std::find_if(formats.begin(), formats.end(), [&](const auto& format) {
        return format.name == options.format;
    });
    if (found == formats.end())
    {
        throw InputError("--format: " + UnknownName(options.format, ImportFormatNames()));
    }
    return *found;
}

/** Files, and what they are. */
struct ChosenFiles
{
    ByteSource* executionTrace{nullptr};
    ByteSource* profile{nullptr};
    ByteSource* other{nullptr};
    const ImportFormat* otherFormat{nullptr};
};

ChosenFiles
ChooseFiles(const std::vector<std::unique_ptr<ByteSource>>& sources, const ImportOptions& options)
{
    ChosenFiles chosen;
    for (const auto& source : sources)
    {
        const auto& format = FormatOf(*source, options);
        auto*& place = format.name == EXECUTION_TRACE ? chosen.executionTrace
                       : format.name == KINETO        ? chosen.profile
                                                      : chosen.other;
        if (place != nullptr)
        {
            throw InputError(place->Name() + " and " + source->Name() +
                             ": are of the same kind; give the record of one worker, as "
                             "data-parallel workers all do the same");
        }
        place = source.get();
        chosen.otherFormat = place == chosen.other ? &format : chosen.otherFormat;
    }
    if (chosen.other != nullptr && sources.size() > 1)
    {
        throw InputError(chosen.other->Name() +
                         ": can only be imported by itself; only an execution trace and a profile "
                         "of PyTorch complete each other");
    }
    return chosen;
}

/** Refuses an option that a file of that format has no use for. */
void
CheckOptionsOf(const std::string& format, const ImportOptions& options)
{
    const bool isTorch = format == KINETO || format == EXECUTION_TRACE;
    const bool isChakra = format.rfind("chakra", 0) == 0;
    const bool isWorkload = format == "astra-sim" || format == "simai";
    const bool isRecord = isTorch || isChakra || format == "param";
    const auto refuse = [&format](const char* option, const char* why) {
        throw InputError(std::string(option) + ": a file of the format " + format + " " + why);
    };
    if (options.iterations && !isRecord)
    {
        refuse("--iterations", "holds one iteration");
    }
    if (!options.group.empty() && !isRecord)
    {
        refuse("--group", "has no process groups");
    }
    if (!options.timeUnit.empty() && !isChakra && !isWorkload)
    {
        refuse("--time-unit", "has times of a known unit, or none");
    }
    if (options.kernelTimes && !isTorch)
    {
        refuse("--times", "has no kernels");
    }
}

RecordedTraining
ReadTraining(const ChosenFiles& files, const ImportOptions& options, ImportReport& report)
{
    if (files.other != nullptr)
    {
        CheckOptionsOf(files.otherFormat->name, options);
        return files.otherFormat->read(*files.other, options, report);
    }
    CheckOptionsOf(files.profile != nullptr ? KINETO : EXECUTION_TRACE, options);
    std::optional<TorchRecording> executionTrace;
    std::optional<TorchRecording> profile;
    if (files.executionTrace != nullptr)
    {
        executionTrace = ReadExecutionTrace(*files.executionTrace, report);
    }
    if (files.profile != nullptr)
    {
        profile = ReadKineto(*files.profile, report);
    }
    return TrainingOfTorch(executionTrace ? &*executionTrace : nullptr,
                           profile ? &*profile : nullptr,
                           options,
                           report);
}

void
AddFiles(const ChosenFiles& files, ImportReport& report)
{
    const auto add = [&report](const ByteSource* source, const std::string& format) {
        if (source != nullptr)
        {
            report.AddFile({source->Name(), format, source->UnpackedBytes(), source->IsPacked()});
        }
    };
    add(files.executionTrace, EXECUTION_TRACE);
    add(files.profile, KINETO);
    add(files.other, files.otherFormat == nullptr ? "" : files.otherFormat->name);
}

void
Conclude(const GradientTrace& trace, ImportReport& report)
{
    std::int64_t forward = 0;
    std::int64_t backward = 0;
    std::int64_t update = 0;
    for (const auto& layer : trace.layers)
    {
        forward += layer.forwardPs;
        backward += layer.backwardPs;
        update += layer.updatePs;
    }
    report.SetMapped(
        fmt::format("{} layer{}, {} elements of {}; forward {}, backward {}, update {}; "
                    "class {}",
                    trace.layers.size(),
                    trace.layers.size() == 1 ? "" : "s",
                    trace.Elements(),
                    trace.gradientType,
                    HumanPicoseconds(forward),
                    HumanPicoseconds(backward),
                    HumanPicoseconds(update),
                    trace.valueClass));
    report.SetBytes(report.BytesIn(), trace.Bytes());
    if (report.BytesIn() == report.BytesOut())
    {
        report.Check("as many bytes of gradients go out as came in");
    }
    else
    {
        report.Warn(fmt::format(
            "{} bytes of gradients came in, {} go out", report.BytesIn(), report.BytesOut()));
    }
}

} // namespace

const std::vector<ImportFormat>&
ImportFormats()
{
    static const auto formats = MakeFormats();
    return formats;
}

std::vector<std::string>
ImportFormatNames()
{
    std::vector<std::string> names;
    for (const auto& format : ImportFormats())
    {
        names.push_back(format.name);
    }
    return names;
}

namespace
{

/** Says of files that often come, and cannot be imported, what would help. */
void
RefuseWhatIsKnown(const ByteSource& source)
{
    const auto begins = [&source](std::string_view text) {
        return source.Prefix().substr(0, text.size()) == text;
    };
    if (begins("#inca-trace"))
    {
        throw InputError(source.Name() + ": is a trace of INCA already");
    }
    if (begins("\xff\xfe") || begins("\xfe\xff"))
    {
        throw InputError(source.Name() + ": is a text in UTF-16; save it in UTF-8");
    }
    if (begins("PK\x03\x04") || begins("\x28\xb5\x2f\xfd") ||
        begins("\xfd"
               "7zXZ"))
    {
        throw InputError(source.Name() + ": is packed, and not by gzip; unpack it first");
    }
    if (begins("comm_type,"))
    {
        throw InputError(source.Name() + ": is AICB's list of collectives for real machines, "
                                         "which has no layers; import the workload that AICB "
                                         "writes for SimAI (.txt)");
    }
}

} // namespace

const ImportFormat&
RecogniseFormat(const ByteSource& source)
{
    for (const auto& format : ImportFormats())
    {
        if (format.isThis(source))
        {
            return format;
        }
    }
    RefuseWhatIsKnown(source);
    throw InputError(source.Name() +
                     fmt::format(": looks like nothing that can be imported; --format says what it "
                                 "is: {}",
                                 fmt::join(ImportFormatNames(), ", ")));
}

ImportedTrace
ImportTrace(const std::vector<std::unique_ptr<ByteSource>>& sources, const ImportOptions& options)
{
    CheckOptions(options);
    const auto files = ChooseFiles(sources, options);
    ImportReport report(options.lenient);
    const auto training = ReadTraining(files, options, report);
    AddFiles(files, report);
    auto trace = TraceOf(training, options, report);
    Conclude(trace, report);
    return {std::move(trace), std::move(report), training.sums, training.workers};
}

} // namespace inca
