/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "base/whole-file.h"
#include "cli/codec-commands.h"
#include "codec/codec-measurement.h"
#include "codec/inceptionn-widths.h"
#include "report/progress.h"
#include "trace/float-file.h"
#include "validation/published-peeling.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* g_boundNote =
    "\ninceptionn's errors stay below 2^-B for B up to 7; at a bound of 2^-8 to 2^-15 they stay "
    "below 2^-7\n";

/** What `measure` measures: the codec that was named in full, or all usual arguments. */
std::vector<CodecSpec>
SpecsToMeasure(const CodecOptions& options)
{
    if (!GivenArguments(options).empty())
    {
        return {SpecOf(options)};
    }
    if (!options.codec.empty())
    {
        return UsualSpecs(FindCodec(options.codec));
    }
    std::vector<CodecSpec> specs;
    for (const auto& entry : CodecCatalog())
    {
        if (entry.codesFrames)
        {
            const auto usual = UsualSpecs(entry);
            specs.insert(specs.begin(), usual.begin(), usual.end());
        }
    }
    return specs;
}

std::string
TableHeader()
{
    std::string widths;
    for (const auto bits : g_widthBits)
    {
        widths += fmt::format("{:>9}", fmt::format("{} bits", bits));
    }
    return fmt::format("{:<18}{}{:>12}{:>8}{:>15}{:>12}",
                       "codec",
                       widths,
                       "bits/value",
                       "ratio",
                       "largest error",
                       "mean error");
}

std::string
WidthsText(const CodecMeasurement& measured)
{
    constexpr double percent = 100;
    const auto widths = measured.Widths();
    std::string text;
    for (std::size_t i = 0; i < g_widthBits.size(); ++i)
    {
        text +=
            widths ? fmt::format("{:>8.2f}%", (*widths)[i] * percent) : fmt::format("{:>9}", "-");
    }
    return text;
}

std::string
TableRow(const CodecMeasurement& measured)
{
    constexpr double plainBits = 32;
    const auto bits = measured.BitsPerValue();
    return fmt::format("{:<18}{}{:>12.3f}{:>8.3f}{:>15.4g}{:>12.4g}",
                       CodecTitle(measured.Spec()),
                       WidthsText(measured),
                       bits,
                       plainBits / bits,
                       measured.LargestError(),
                       measured.MeanError());
}

void
MeasureFile(const CodecOptions& options)
{
    std::vector<CodecMeasurement> measurements;
    for (const auto& spec : SpecsToMeasure(options))
    {
        measurements.emplace_back(spec);
    }
    ForEachFloatPart(options.in, [&](const float* part, std::size_t count) {
        for (auto& measurement : measurements)
        {
            measurement.Add(part, count);
        }
    });
    const auto values = measurements.front().Values();
    if (values == 0)
    {
        throw InputError(options.in + ": has no values to measure");
    }
    fmt::print("{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n\n{}\n",
               options.in,
               values,
               HumanBytes(values * sizeof(float)),
               measurements.front().NonFiniteValues(),
               TableHeader());
    bool exceedsBound = false;
    for (const auto& measurement : measurements)
    {
        fmt::print("{}\n", TableRow(measurement));
        exceedsBound = exceedsBound || measurement.MayExceedBound();
    }
    fmt::print("{}", exceedsBound ? g_boundNote : "");
}

/** Peeling of drawn positions beside published figures. */
void
MeasurePeelings(const std::string& csv)
{
    const auto out = csv.empty() ? nullptr : std::make_unique<WholeFile>(csv);
    Progress progress("peeling");
    std::vector<PeelingComparison> comparisons;
    const auto& published = PublishedPeelings();
    for (const auto& row : published)
    {
        comparisons.push_back(ComparePeeling(row));
        progress.Update(static_cast<double>(comparisons.size()) /
                        static_cast<double>(published.size()));
    }
    progress.Done();
    fmt::print("{}", PeelingText(comparisons));
    if (out)
    {
        out->Write(PeelingCsv(comparisons));
        out->Finish();
    }
}

/** @throws InputError if --table goes with something that it does not read */
void
CheckTable(const CodecOptions& options)
{
    if (!options.in.empty() || !GivenArguments(options).empty())
    {
        throw InputError("--table draws its own values: it takes neither a file nor an argument");
    }
    if (!options.codec.empty() && CodesFrames(options))
    {
        throw InputError("--table is of codec 'homomorphic'");
    }
}

/** @throws InputError unless there is a file to measure */
void
CheckFile(const CodecOptions& options, bool measuresBucket)
{
    if (options.in.empty())
    {
        throw InputError("measure: needs a file (only --table goes without)");
    }
    if (!options.csv.empty() && !measuresBucket)
    {
        throw InputError("--csv is of codec 'homomorphic'");
    }
}

void
Measure(CodecOptions& options)
{
    if (options.table)
    {
        CheckTable(options);
        MeasurePeelings(options.csv);
        return;
    }
    CompleteCodec(options);
    const bool measuresBucket = !options.codec.empty() && !CodesFrames(options);
    CheckFile(options, measuresBucket);
    measuresBucket ? MeasureBucketFile(options) : MeasureFile(options);
}

} // namespace

void
AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command =
        *codec.add_subcommand("measure", "what codecs make of a file: widths, ratio and errors");
    command.add_option(
        "--codec", options->codec, "a name of `inca codec list`; else all that code frames");
    AddCodecOptions(command, *options);
    command.add_flag("--table",
                     options->table,
                     "homomorphic: how drawn positions decode, beside published figures; no file");
    command.add_option("--csv", options->csv, "homomorphic: writes the figures to this CSV file")
        ->type_name("FILE");
    command.add_option("IN", options->in, g_codecInput);
    command.callback([options] { Measure(*options); });
}

} // namespace inca
