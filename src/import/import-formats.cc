/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/import-formats.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "import/chakra-file.h"
#include "import/recorded-training.h"
#include "import/torch-steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>

namespace inca
{

namespace
{

constexpr const char* EXECUTION_TRACE = "pytorch-et";
constexpr const char* KINETO = "kineto";

/** @return whether @p text begins with @p bracket, and has one of @p keys */
bool
IsJson(std::string_view text, char bracket, std::initializer_list<const char*> keys)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == bracket &&
           std::any_of(keys.begin(), keys.end(), [&text](const char* key) {
               return text.find(key) != std::string_view::npos;
           });
}

/** By its own activities, whatever the list that it never closes. */
bool
IsHorovod(std::string_view text)
{
    return IsJson(text, '[', {"\"NEGOTIATE_", "_FUSION_BUFFER\"", "\"CYCLE_START\""});
}

bool
IsKineto(std::string_view text)
{
    return IsJson(text, '{', {"\"traceEvents\"", "\"schemaVersion\"", "\"deviceProperties\""}) ||
           (IsJson(text, '[', {"\"ph\""}) && !IsHorovod(text));
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

/** Refuses an option that a file of that format has no use for. */
void
CheckOptionsOf(const ImportFormat& format, const ImportOptions& options)
{
    const auto refuseIf = [&format](bool isUseless, const char* option, const char* why) {
        if (isUseless)
        {
            throw InputError(
                fmt::format("{}: a file of the format {} {}", option, format.name, why));
        }
    };
    refuseIf(!options.group.empty() && !format.hasGroups, "--group", "has no process groups");
    refuseIf(!options.timeUnit.empty() && format.hasOwnUnit,
             "--time-unit",
             "has times of a known unit, or none");
}

/** A file, and what it is. */
struct ChosenFile
{
    ByteSource* source{nullptr};
    const ImportFormat* format{nullptr};
};

/** @return the files; of PyTorch's two, the execution trace before the profile */
std::vector<ChosenFile>
ChooseFiles(const std::vector<std::unique_ptr<ByteSource>>& sources, const ImportOptions& options)
{
    const auto& formats = ImportFormats();
    const auto asked = std::find_if(formats.begin(), formats.end(), [&](const auto& format) {
        return format.name == options.format;
    });
    if (!options.format.empty() && asked == formats.end())
    {
        throw InputError("--format: " + UnknownName(options.format, ImportFormatNames()));
    }
    std::vector<ChosenFile> files;
    std::string names;
    for (const auto& source : sources)
    {
        files.push_back(
            {source.get(), asked == formats.end() ? &RecogniseFormat(*source) : &*asked});
        names += (names.empty() ? "" : " and ") + source->Name();
    }
    const auto isProfile = [](const ChosenFile& file) { return file.format->name == KINETO; };
    std::stable_partition(files.begin(), files.end(), std::not_fn(isProfile));
    const bool completeEachOther = files.size() == 2 &&
                                   files.front().format->name == EXECUTION_TRACE &&
                                   isProfile(files.back());
    if (files.size() > 1 && !completeEachOther)
    {
        throw InputError(names + ": only an execution trace and a profile of PyTorch complete each "
                                 "other; give the record of one worker, as data-parallel workers "
                                 "all do the same");
    }
    return files;
}

RecordedTraining
ReadTraining(const std::vector<ChosenFile>& files,
             const ImportOptions& options,
             ImportReport& report)
{
    const auto& format = *files.back().format;
    CheckOptionsOf(format, options);
    if (format.read)
    {
        return format.read(*files.front().source, options, report);
    }
    std::optional<TorchRecording> executionTrace;
    std::optional<TorchRecording> profile;
    for (const auto& file : files)
    {
        const bool isProfile = file.format->name == KINETO;
        (isProfile ? profile : executionTrace) =
            (isProfile ? ReadKineto : ReadExecutionTrace)(*file.source, report);
    }
    return TrainingOfTorch(executionTrace ? &*executionTrace : nullptr,
                           profile ? &*profile : nullptr,
                           options,
                           report);
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
    report.mapped =
        fmt::format("{} layer{}, {} elements of {}; forward {}, backward {}, update {}; "
                    "class {}",
                    trace.layers.size(),
                    trace.layers.size() == 1 ? "" : "s",
                    trace.Elements(),
                    trace.gradientType,
                    HumanPicoseconds(forward),
                    HumanPicoseconds(backward),
                    HumanPicoseconds(update),
                    trace.valueClass);
    report.bytesOut = trace.Bytes();
    if (report.bytesIn == report.bytesOut)
    {
        report.Check("as many bytes of gradients go out as came in");
    }
    else
    {
        report.Warn(fmt::format(
            "{} bytes of gradients came in, {} go out", report.bytesIn, report.bytesOut));
    }
}

/** Says of files that often come, and cannot be imported, what would help. */
void
RefuseWhatIsKnown(const ByteSource& source)
{
    static constexpr const char* ARCHIVE =
        "is an archive, or packed otherwise than by gzip; unpack it "
        "first, and give one worker's record";
    static constexpr const char* MEASURED =
        "has measured times of collectives, and no layers: it says how fast a cluster is, and no "
        "trace can be made of it; inca calibrate makes a preset of such logs";

    struct Known
    {
        std::string sign;
        bool atBegin;
        const char* text;
    };

    static const std::vector<Known> known{
        {"#inca-trace", true, "is a trace of INCA already"},
        {"\xff\xfe", true, "is a text in UTF-16; save it in UTF-8"},
        {"\xfe\xff", true, "is a text in UTF-16; save it in UTF-8"},
        {"PK\x03\x04", true, ARCHIVE},
        {"\x28\xb5\x2f\xfd", true, ARCHIVE},
        {"\xfd\x37zXZ", true, ARCHIVE},
        {"BZh", true, ARCHIVE},
        {"7z\xbc\xaf", true, ARCHIVE},
        {"ustar", false, ARCHIVE},
        {"comm_type,",
         true,
         "is AICB's list of collectives for real machines, which has no layers; import the "
         "workload "
         "that AICB writes for SimAI (.txt)"},
        {"# nThread", false, MEASURED},
        {"NCCL INFO", false, MEASURED},
        {"# OSU ", false, MEASURED},
        {"#repetitions", false, MEASURED},
        {"busbw", false, MEASURED},
        {"\"busBw\"", false, MEASURED},
        {"\"coll_perf\"", false, MEASURED},
        {"Comm. Op", false, MEASURED}};
    for (const auto& [sign, atBegin, text] : known)
    {
        const auto at = source.Prefix().find(sign);
        if (at == 0 || (at != std::string_view::npos && !atBegin))
        {
            throw InputError(source.Name() + ": " + text);
        }
    }
    if (IsHorovod(source.Prefix()))
    {
        throw InputError(source.Name() +
                         ": is a Horovod timeline, which has no times of computing; record the "
                         "training by torch.profiler, and import its export_chrome_trace");
    }
}

} // namespace

const std::vector<ImportFormat>&
ImportFormats()
{
    static const std::vector<ImportFormat> formats{
        {KINETO, IsKineto, {}, true, true},
        {EXECUTION_TRACE,
         [](std::string_view text) {
             return IsJson(text, '{', {"\"nodes\"", "\"schema\""});
         },
         {},
         true,
         true},
        {"simai", IsSimAiText, ReadWorkloadText},
        {"astra-sim", IsWorkloadText, ReadWorkloadText},
        {"ddp-log", IsDdpLog, ReadDdpLog, false, true},
        {"chakra", IsChakra, ReadChakraTraining, true}};
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

const ImportFormat&
RecogniseFormat(const ByteSource& source)
{
    for (const auto& format : ImportFormats())
    {
        if (format.isThis(source.Prefix()))
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
    for (const auto& [source, format] : files)
    {
        report.files.push_back(
            {source->Name(), format->name, source->UnpackedBytes(), source->IsPacked()});
    }
    auto trace = TraceOf(training, options, report);
    Conclude(trace, report);
    return {std::move(trace), std::move(report), training.sums, training.workers};
}

} // namespace inca
