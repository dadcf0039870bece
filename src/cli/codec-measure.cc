/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/units.h"
#include "base/value-form.h"
#include "cli/codec-options.h"
#include "cli/figures.h"
#include "cli/options.h"
#include "codec/codec-catalog.h"
#include "codec/codec-measurement.h"
#include "codec/inceptionn-widths.h"
#include "codec/sketch.h"
#include "record/csv-text.h"
#include "trace/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/** What was measured with @p settings of a file's values. */
std::vector<Figure>
FiguresOf(const std::string& file,
          std::uint64_t values,
          const HomomorphicSettings& settings,
          const BucketMeasurement& measured)
{
    const auto shape = ShapeOf(settings, values);
    const auto bytes = static_cast<double>(measured.bytes) / static_cast<double>(values);
    const auto rounds = std::to_string(measured.report.rounds);
    const auto share = [](const char* title, const char* column, const char* form, double value) {
        return NumberFigure(title, column, form, value, g_percent);
    };
    return {
        NameFigure("", "file", file),
        NameFigure("", "values", std::to_string(values)),
        NameFigure("index", "index", HomomorphicIndexName(settings.index)),
        {"ratio", "ratio", DecimalText(settings.ratio), NineDigits(settings.ratio)},
        NameFigure("", "rows", std::to_string(shape.rows)),
        NameFigure("counter rows", "counter_rows", std::to_string(shape.counterRows)),
        NameFigure("", "tail_values", std::to_string(shape.tail)),
        NumberFigure("", "density", "{}", measured.density),
        NumberFigure("load", "load", "{:.3f}", measured.load),
        share("left: forecast",
              "left_share_forecast",
              "{:.2f} %",
              measured.forecast.figures.leftShare),
        share("measured", "left_share", "{:.2f} %", measured.LeftShare()),
        share("lanes decoded", "decoded_lanes_share", "{:.1f} %", measured.DecodedLanesShare()),
        NumberFigure("rounds", "rounds_mean", "{:.1f}", measured.MeanRounds()),
        {"(max)", "rounds_max", "(" + rounds + ")", rounds},
        NumberFigure("bytes/value", "bytes_per_value", "{:.4f}", bytes),
        NumberFigure("reduction", "achieved_ratio", "{:.3f}", sizeof(float) / bytes),
        NumberFigure("largest error", "error_max", "{:.4g}", measured.largestError),
        NumberFigure("rms error", "error_rms_relative", "{:.3g}", measured.rmsError),
    };
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
    const auto csv = options.csv.empty() ? nullptr : std::make_unique<AtomicFile>(options.csv);
    std::vector<std::vector<Figure>> rows;
    BucketMeasurement measured{};
    for (const auto& settings : SettingsToMeasure(options, count, DensityOf(in.Data(), count)))
    {
        measured = MeasureBucket(settings, in.Data(), count);
        rows.push_back(FiguresOf(options.in, count, settings, measured));
    }
    const auto shape = ShapeOf({}, count);
    fmt::print(
        "{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n"
        "one bucket: {} rows of {} and {} values behind them; density of the rows {:.4g} %\n\n{}",
        options.in,
        count,
        HumanBytes(count * sizeof(float)),
        measured.nonFinite,
        shape.rows,
        g_sketchLanes,
        shape.tail,
        measured.density * g_percent,
        FiguresText(rows, 1));
    if (csv)
    {
        csv->Write(FiguresCsv(rows));
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
    std::vector<std::vector<Figure>> rows;
    for (const auto& measured : measurements)
    {
        const auto widths = measured.Widths();
        const auto bits = measured.BitsPerValue();
        auto& row = rows.emplace_back();
        const auto add = [&row](const std::string& title,
                                const char* form,
                                const std::optional<double>& number) {
            row.push_back(NumberFigure(title, "", form, number));
        };
        row.push_back(NameFigure("codec", "", CodecTitle(measured.Spec())));
        for (std::size_t i = 0; i < g_widthBits.size(); ++i)
        {
            add(fmt::format("{} bits", g_widthBits[i]),
                "{:.2f}%",
                widths ? std::optional((*widths)[i] * g_percent) : std::nullopt);
        }
        add("bits/value", "{:.3f}", bits);
        add("ratio", "{:.3f}", plainBits / bits);
        add("largest error", "{:.4g}", measured.LargestError());
        add("mean error", "{:.4g}", measured.MeanError());
    }
    return FiguresText(rows, 1);
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

/** @throws InputError if what is given does not go together */
void
Check(const CodecOptions& options, bool measuresBucket)
{
    const auto complain = [](bool isWrong, const char* text) {
        if (isWrong)
        {
            throw InputError(text);
        }
    };
    complain(options.table,
             "--table: is gone; `inca validate homomorphic --model peeling` prints what it did");
    complain(options.in.empty(), "measure: needs a file");
    complain(!options.csv.empty() && !measuresBucket, "--csv is of codec 'homomorphic'");
}

void
Measure(CodecOptions& options)
{
    CompleteCodec(options);
    const bool measuresBucket = !options.codec.empty() && !CodesFrames(options);
    Check(options, measuresBucket);
    measuresBucket ? MeasureBucketFile(options) : MeasureFile(options);
}

} // namespace

void
AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command =
        *codec.add_subcommand("measure", "what codecs make of a file: widths, ratio and errors");
    const OptionAdder add(command);
    add("--codec CODEC", options->codec, "a name of `inca codec list`; else all that code frames");
    AddCodecOptions(command, *options);
    command.add_flag("--table", options->table)->group(""); // refused, saying what to use instead
    add("--csv FILE", options->csv, "homomorphic: writes the figures to this CSV file");
    command.add_option("IN", options->in, CODEC_INPUT);
    command.callback([options] { Measure(*options); });
}

} // namespace inca
