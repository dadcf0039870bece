/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "base/value-text.h"
#include "base/whole-file.h"
#include "cli/codec-commands.h"
#include "codec/codec-catalog.h"
#include "codec/codec-measurement.h"
#include "codec/sketch-layout.h"
#include "record/csv-text.h"
#include "report/text-table.h"
#include "trace/float-file.h"

#include <fmt/format.h>

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
    if (!GivenArguments(options).empty())
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
    auto text = CsvLine({"file",
                         "values",
                         "index",
                         "ratio",
                         "rows",
                         "counter_rows",
                         "tail_values",
                         "density",
                         "load",
                         "left_share_forecast",
                         "left_share",
                         "decoded_lanes_share",
                         "rounds_mean",
                         "rounds_max",
                         "bytes_per_value",
                         "achieved_ratio",
                         "error_max",
                         "error_rms_relative"});
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

} // namespace

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

} // namespace inca
