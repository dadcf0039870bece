/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "base/value-text.h"
#include "base/whole-file.h"
#include "cli/codec-options.h"
#include "codec/codec-measurement.h"
#include "codec/codec-catalog.h"
#include "codec/codec-measurement.h"
#include "codec/inceptionn-widths.h"
#include "codec/sketch-layout.h"
#include "record/csv-text.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "trace/safetensors.h"
#include "validation/published-peeling.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

std::vector<HomomorphicSettings>
SettingsToMeasure(const CodecOptions& options, std::size_t count, double density)
{
    if (!options.arguments.empty())
    {
        return {ChosenSettings(options, count, density)};
    }
    std::vector<HomomorphicSettings> settings;
    for (const auto& spec : FindCodec(options.codec).usual)
    {
        settings.push_back(spec.homomorphic);
    }
    return settings;
}

/** One line of what was measured, with all that its texts need. */
struct Line
{
    HomomorphicSettings settings;
    HomomorphicShape shape;
    std::uint64_t values;
    BucketMeasurement measured;

    double BytesPerValue() const
    {
        return static_cast<double>(measured.bytes) / static_cast<double>(values);
    }
};

std::string
TextOf(const std::vector<Line>& lines)
{
    TextTable table({"index",
                     "ratio",
                     "counter rows",
                     "load",
                     "left: forecast",
                     "measured",
                     "lanes decoded",
                     "rounds",
                     "(max)",
                     "bytes/value",
                     "reduction",
                     "largest error",
                     "rms error"},
                    1);
    for (const auto& line : lines)
    {
        const auto& measured = line.measured;
        table.AddRow({HomomorphicIndexName(line.settings.index),
                      DecimalText(line.settings.ratio),
                      std::to_string(line.shape.counterRows),
                      fmt::format("{:.3f}", measured.load),
                      fmt::format("{:.2f} %", measured.forecast.figures.leftShare * g_percent),
                      fmt::format("{:.2f} %", measured.LeftShare() * g_percent),
                      fmt::format("{:.1f} %", measured.DecodedLanesShare() * g_percent),
                      fmt::format("{:.1f}", measured.MeanRounds()),
                      fmt::format("({})", measured.report.rounds),
                      fmt::format("{:.4f}", line.BytesPerValue()),
                      fmt::format("{:.3f}", sizeof(float) / line.BytesPerValue()),
                      fmt::format("{:.4g}", measured.largestError),
                      fmt::format("{:.3g}", measured.rmsError)});
    }
    return table.Text();
}

std::string
CsvOf(const std::string& file, const std::vector<Line>& lines)
{
    std::string text =
        "file,values,index,ratio,rows,counter_rows,tail_values,density,load,left_share_forecast,"
        "left_share,decoded_lanes_share,rounds_mean,rounds_max,bytes_per_value,achieved_ratio,"
        "error_max,error_rms_relative\n";
    for (const auto& line : lines)
    {
        const auto& measured = line.measured;
        text += CsvLine({file,
                         std::to_string(line.values),
                         HomomorphicIndexName(line.settings.index),
                         NineDigits(line.settings.ratio),
                         std::to_string(line.shape.rows),
                         std::to_string(line.shape.counterRows),
                         std::to_string(line.shape.tail),
                         NineDigits(measured.density),
                         NineDigits(measured.load),
                         NineDigits(measured.forecast.figures.leftShare),
                         NineDigits(measured.LeftShare()),
                         NineDigits(measured.DecodedLanesShare()),
                         NineDigits(measured.MeanRounds()),
                         std::to_string(measured.report.rounds),
                         NineDigits(line.BytesPerValue()),
                         NineDigits(sizeof(float) / line.BytesPerValue()),
                         NineDigits(measured.largestError),
                         NineDigits(measured.rmsError)});
    }
    return text;
}

void
MeasureBucketFile(const CodecOptions& options)
{
    const FloatFile in(options.in);
    const auto count = in.Count();
    if (count == 0)
    {
        throw InputError(options.in + ": has no values to measure");
    }
    const auto csv = options.csv.empty() ? nullptr : std::make_unique<WholeFile>(options.csv);
    std::vector<Line> lines;
    for (const auto& settings : SettingsToMeasure(options, count, DensityOf(in.Data(), count)))
    {
        lines.push_back(
            {settings, ShapeOf(settings, count), count, MeasureBucket(settings, in.Data(), count)});
    }
    const auto& first = lines.front();
    fmt::print(
        "{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n"
        "one bucket: {} rows of {} and {} values behind them; density of the rows {:.4g} %\n\n{}",
        options.in,
        count,
        HumanBytes(count * sizeof(float)),
        first.measured.nonFinite,
        first.shape.rows,
        g_sketchLanes,
        first.shape.tail,
        first.measured.density * g_percent,
        TextOf(lines));
    if (csv)
    {
        csv->Write(CsvOf(options.in, lines));
        csv->Finish();
    }
}

constexpr const char* g_boundNote =
    "\ninceptionn's errors stay below 2^-B for B up to 7; at a bound of 2^-8 to 2^-15 they stay "
    "below 2^-7\n";

/** What `measure` measures: the codec that was named in full, or all usual arguments. */
std::vector<CodecSpec>
SpecsToMeasure(const CodecOptions& options)
{
    if (!options.arguments.empty())
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
TableOf(const std::vector<CodecMeasurement>& measurements)
{
    constexpr double plainBits = 32;
    std::vector<std::string> titles{"codec"};
    for (const auto bits : g_widthBits)
    {
        titles.push_back(fmt::format("{} bits", bits));
    }
    titles.insert(titles.end(), {"bits/value", "ratio", "largest error", "mean error"});
    TextTable table(titles, 1);
    for (const auto& measured : measurements)
    {
        const auto widths = measured.Widths();
        const auto bits = measured.BitsPerValue();
        std::vector<std::string> cells{CodecTitle(measured.Spec())};
        for (std::size_t i = 0; i < g_widthBits.size(); ++i)
        {
            cells.push_back(widths ? fmt::format("{:.2f}%", (*widths)[i] * g_percent) : "-");
        }
        cells.insert(cells.end(),
                     {fmt::format("{:.3f}", bits),
                      fmt::format("{:.3f}", plainBits / bits),
                      fmt::format("{:.4g}", measured.LargestError()),
                      fmt::format("{:.4g}", measured.MeanError())});
        table.AddRow(cells);
    }
    return table.Text();
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
    fmt::print("{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n\n{}",
               options.in,
               values,
               HumanBytes(values * sizeof(float)),
               measurements.front().NonFiniteValues(),
               TableOf(measurements));
    const bool exceedsBound =
        std::any_of(measurements.begin(), measurements.end(), [](const auto& measurement) {
            return measurement.MayExceedBound();
        });
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
    if (!options.in.empty() || !options.arguments.empty())
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
