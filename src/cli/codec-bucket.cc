/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-bucket.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "cli/codec-input.h"
#include "cli/scenario-options.h"
#include "cli/whole-file.h"
#include "codec/homomorphic-bucket.h"
#include "codec/peeling-forecast.h"
#include "codec/sketch-layout.h"
#include "scenario/key-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

/** With six digits after the point: the same number of counter rows, for a text that can be given again. */
double
WithDigits(double ratio)
{
    constexpr double million = 1e6;
    return std::ceil(ratio * million) / million;
}

/** With three digits after the point, and so no more than it is. */
double
CutOff(double ratio)
{
    constexpr double thousand = 1000;
    return std::floor(ratio * thousand) / thousand;
}

/** Marked values per lane, to counter rows. @param found share of the rows' values that are marked */
double
LoadOf(double found, const HomomorphicShape& shape)
{
    return shape.rows == 0 ? 0 : found * shape.rows / shape.counterRows;
}

double
ShareOfRows(std::uint64_t marked, const HomomorphicShape& shape)
{
    return shape.rows == 0 ? 0
                           : static_cast<double>(marked) / static_cast<double>(shape.RowValues());
}

/** Of the marked values, those that decoding is expected to estimate. */
double
ExpectedLeft(double found, const HomomorphicShape& shape)
{
    return ForecastPeeling(shape.counterRows, LoadOf(found, shape)).leftShare;
}

/** Says beforehand that decoding will not be lossless. */
void
WarnIfUnsafe(const HomomorphicSettings& settings, const HomomorphicShape& shape, double found)
{
    const auto left = ExpectedLeft(found, shape);
    if (left > g_safeLeftShare)
    {
        Warn({fmt::format("ratio {} is not safe: at a load (set values per lane / counter rows) of "
                          "{:.3f}, decoding is expected to estimate {:.3g} % of the set values{}",
                          DecimalText(settings.ratio),
                          LoadOf(found, shape),
                          left * g_percent,
                          SafeRatioText(shape.rows, found))});
    }
}

void
PrintShape(const HomomorphicSettings& settings, const HomomorphicShape& shape, double found)
{
    fmt::print(
        "ratio {}, index {}: {} rows of {}, {} counter rows, {} values behind the rows\n"
        "density as a decoder finds it {:.4g} %, load {:.3f}: {:.3g} % of the set values are "
        "expected to be estimated\n",
        DecimalText(settings.ratio),
        HomomorphicIndexName(settings.index),
        shape.rows,
        g_sketchLanes,
        shape.counterRows,
        shape.tail,
        found * g_percent,
        LoadOf(found, shape),
        ExpectedLeft(found, shape) * g_percent);
}

HomomorphicSettings
SettingsOf(const CodecOptions& options)
{
    if (WantsSafeRatio(options))
    {
        throw InputError("--ratio safe is for encoding; here the number is needed that it chose");
    }
    return SpecOf(options).homomorphic;
}

void
WarnOfEstimates(const PeelingReport& report, const HomomorphicShape& shape)
{
    if (report.estimated == 0)
    {
        return;
    }
    const auto marked = report.peeled + report.estimated;
    const auto found = ShareOfRows(marked, shape);
    Warn({fmt::format("{} of {} set values ({:.3g} %) could not be decoded and were estimated: the "
                      "load (set values per lane / counter rows) is {:.3f}{}",
                      report.estimated,
                      marked,
                      static_cast<double>(report.estimated) / static_cast<double>(marked) *
                          g_percent,
                      LoadOf(found, shape),
                      SafeRatioText(shape.rows, found))});
}

/** @throws InputError that names the file unless it is a stream of @p bucket */
void
CheckStream(const MappedFile& file, const std::string& path, const HomomorphicBucket& bucket)
{
    const auto right = bucket.Shape().Bytes();
    if (file.Bytes() != right)
    {
        throw InputError(fmt::format("{}: has {} bytes, but a stream of --elements, --ratio and "
                                     "--index as given has {}",
                                     path,
                                     file.Bytes(),
                                     right));
    }
}

void
AddStream(const HomomorphicBucket& bucket, const std::string& path, std::uint8_t* sum)
{
    ThrowIfInterrupted();
    const MappedFile stream(path);
    CheckStream(stream, path, bucket);
    const auto counters = bucket.Shape().indexBytes;
    try
    {
        bucket.AddIndex(stream.Data(), sum);
    }
    catch (const InputError& error)
    {
        throw InputError(path + ": " + error.what());
    }
    bucket.AddCounters(stream.Data() + counters, sum + counters);
}

/** The sum of all, in the order given: over fp32 it decides the rounding. */
void
AddAll(const HomomorphicBucket& bucket, const std::vector<std::string>& paths, std::uint8_t* sum)
{
    const MappedFile first(paths.front());
    CheckStream(first, paths.front(), bucket);
    std::copy_n(first.Data(), first.Bytes(), sum);
    for (std::size_t i = 1; i < paths.size(); ++i)
    {
        AddStream(bucket, paths[i], sum);
    }
}

} // namespace

double
DensityOf(const float* values, std::size_t count)
{
    const auto whole = count - count % g_sketchLanes;
    const auto set = whole - static_cast<std::size_t>(std::count(values, values + whole, 0.0F));
    return whole == 0 ? 0 : static_cast<double>(set) / static_cast<double>(whole);
}

HomomorphicSettings
ChosenSettings(const CodecOptions& options, std::size_t count, double density)
{
    auto settings = SpecOf(options).homomorphic;
    const auto rows = ShapeOf(settings, count).rows;
    if (!WantsSafeRatio(options) || rows == 0)
    {
        return settings;
    }
    const auto safe = LargestSafeRatio(rows, FoundDensity(settings, density));
    if (!safe)
    {
        throw InputError(fmt::format("--ratio safe: no ratio is safe for {} rows at a density of "
                                     "{:.3g} %; the smallest is 0.5",
                                     rows,
                                     density * g_percent));
    }
    settings.ratio = WithDigits(*safe);
    return settings;
}

std::string
SafeRatioText(std::uint32_t rows, double density)
{
    const auto safe = LargestSafeRatio(rows, density);
    return safe ? fmt::format(
                      "; at this density a ratio is safe ({:g} % at most) up to {:g} for {} rows",
                      g_safeLeftShare * g_percent,
                      CutOff(*safe),
                      rows)
                : fmt::format("; at this density no ratio is safe for {} rows", rows);
}

void
EncodeBucketFile(const CodecOptions& options)
{
    const FileValues in(options.in);
    const auto density = UnionDensityOption(options).value_or(DensityOf(in.Data(), in.Count()));
    const auto settings = ChosenSettings(options, in.Count(), density);
    const HomomorphicBucket bucket(settings, in.Count());
    const auto found = FoundDensity(settings, density);
    WarnIfUnsafe(settings, bucket.Shape(), found);
    std::vector<std::uint8_t> stream;
    bucket.Encode(in.Data(), stream);
    WholeFile out(options.out);
    out.Write(stream.data(), stream.size());
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, in.Count(), stream.size());
    PrintShape(settings, bucket.Shape(), found);
}

void
DecodeBucketFile(const CodecOptions& options)
{
    const auto count = ElementsOption(options);
    const HomomorphicBucket bucket(SettingsOf(options), count);
    const MappedFile in(options.in);
    CheckStream(in, options.in, bucket);
    WholeFile out(options.out);
    auto* values = static_cast<float*>(out.Map(count * sizeof(float)));
    const auto report = bucket.Decode(in.Data(), in.Bytes(), values);
    out.Finish();
    fmt::print(
        "{}: {} elements, {} bytes\n{} values decoded, {} estimated, {} rounds; {} of {} lanes "
        "decoded\n",
        options.out,
        count,
        count * sizeof(float),
        report.peeled,
        report.estimated,
        report.rounds,
        report.decodedLanes,
        g_sketchLanes);
    WarnOfEstimates(report, bucket.Shape());
}

void
AddBucketFiles(const CodecOptions& options)
{
    const auto settings = SettingsOf(options);
    auto paths = options.streams;
    const auto outPath = paths.back();
    paths.pop_back();
    CheckWorkers(settings.index, static_cast<std::uint32_t>(paths.size()));
    const HomomorphicBucket bucket(settings, ElementsOption(options));
    const auto& shape = bucket.Shape();
    CheckStream(MappedFile(paths.front()), paths.front(), bucket);
    WholeFile out(outPath);
    auto* sum = static_cast<std::uint8_t*>(out.Map(shape.Bytes()));
    AddAll(bucket, paths, sum);
    const auto found = ShareOfRows(bucket.CountMarked(sum), shape);
    out.Finish();
    fmt::print("{}: {} streams, {} bytes\n", outPath, paths.size(), shape.Bytes());
    PrintShape(settings, shape, found);
    WarnIfUnsafe(settings, shape, found);
}

} // namespace inca
