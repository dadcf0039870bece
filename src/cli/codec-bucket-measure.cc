/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-bucket-measure.h"

#include "base/errors.h"
#include "base/units.h"
#include "cli/codec-bucket.h"
#include "cli/codec-input.h"
#include "cli/text-table.h"
#include "codec/homomorphic-bucket.h"
#include "codec/sketch-layout.h"
#include "record/csv-file.h"
#include "record/csv-text.h"
#include "scenario/key-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

/** Sums over the finite values. */
struct Errors
{
    std::uint64_t nonFinite{0};
    double largest{0};
    double squares{0};
    double valueSquares{0};

    void Add(double value, double decoded)
    {
        if (!std::isfinite(value))
        {
            ++nonFinite;
            return;
        }
        const auto error = std::isfinite(decoded) ? std::abs(value - decoded)
                                                  : std::numeric_limits<double>::infinity();
        largest = std::max(largest, error);
        squares += error * error;
        valueSquares += value * value;
    }
};

Errors
ErrorsOf(const float* values, const std::vector<float>& decoded)
{
    Errors errors;
    for (std::size_t i = 0; i < decoded.size(); ++i)
    {
        errors.Add(static_cast<double>(values[i]), static_cast<double>(decoded[i]));
    }
    return errors;
}

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

double
LeftShare(const PeelingReport& report)
{
    const auto marked = report.peeled + report.estimated;
    return marked == 0 ? 0 : static_cast<double>(report.estimated) / static_cast<double>(marked);
}

double
MeanRounds(const PeelingReport& report)
{
    return static_cast<double>(report.laneRounds) / static_cast<double>(g_sketchLanes);
}

double
DecodedShare(const PeelingReport& report)
{
    return static_cast<double>(report.decodedLanes) / static_cast<double>(g_sketchLanes);
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
                      fmt::format("{:.2f} %", LeftShare(measured.report) * g_percent),
                      fmt::format("{:.1f} %", DecodedShare(measured.report) * g_percent),
                      fmt::format("{:.1f}", MeanRounds(measured.report)),
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
                         NineDigits(LeftShare(measured.report)),
                         NineDigits(DecodedShare(measured.report)),
                         NineDigits(MeanRounds(measured.report)),
                         std::to_string(measured.report.rounds),
                         NineDigits(line.BytesPerValue()),
                         NineDigits(sizeof(float) / line.BytesPerValue()),
                         NineDigits(measured.largestError),
                         NineDigits(measured.rmsError)});
    }
    return text;
}

} // namespace

BucketMeasurement
MeasureBucket(const HomomorphicSettings& settings, const float* values, std::size_t count)
{
    const HomomorphicBucket bucket(settings, count);
    const auto& shape = bucket.Shape();
    const auto density = DensityOf(values, count);
    std::vector<std::uint8_t> stream;
    bucket.Encode(values, stream);
    std::vector<float> decoded(count);
    const auto report = bucket.Decode(stream.data(), stream.size(), decoded.data());
    const auto errors = ErrorsOf(values, decoded);
    const auto marked = static_cast<double>(report.peeled + report.estimated);
    const auto counters = static_cast<double>(shape.counterRows * g_sketchLanes);
    return {density,
            shape.rows == 0 ? 0 : marked / counters,
            ForecastBucket(settings, count, density),
            report,
            stream.size(),
            errors.nonFinite,
            errors.largest,
            errors.valueSquares == 0 ? 0 : std::sqrt(errors.squares / errors.valueSquares)};
}

void
MeasureBucketFile(const CodecOptions& options)
{
    const FileValues in(options.in);
    const auto count = in.Count();
    if (count == 0)
    {
        throw InputError(options.in + ": has no values to measure");
    }
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
    if (!options.csv.empty())
    {
        WriteWholeFile(options.csv, CsvOf(options.in, lines));
    }
}

} // namespace inca
