/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/interrupt.h"
#include "base/mapped-file.h"
#include "base/value-text.h"
#include "base/whole-file.h"
#include "cli/codec-options.h"
#include "cli/commands.h"
#include "cli/scenario-options.h"
#include "codec/codec-measurement.h"
#include "codec/codec-catalog.h"
#include "codec/homomorphic-bucket.h"
#include "codec/homomorphic-shape.h"
#include "codec/peeling-forecast.h"
#include "codec/sketch-layout.h"
#include "trace/safetensors.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_percent = 100;

/** With three digits after the point, and so no more than it is. */
double
CutOff(double ratio)
{
    constexpr double thousand = 1000;
    return std::floor(ratio * thousand) / thousand;
}

/** "; at this density a ratio is safe ... up to 7.81 ..." */
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

/** @return the share of the rows' values that are marked; 0 if there are no rows */
double
ShareOfRows(std::uint64_t marked, const HomomorphicShape& shape)
{
    return shape.rows == 0 ? 0
                           : static_cast<double>(marked) / static_cast<double>(shape.RowValues());
}

/** What the stream is like, and how decoding it will go. Densities are those that a decoder finds. */
void
PrintShape(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density)
{
    const auto forecast = ForecastFound(shape, density);
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
        density * g_percent,
        forecast.load,
        forecast.figures.leftShare * g_percent);
}

/** Says beforehand that decoding will not be lossless. */
void
WarnIfUnsafe(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density)
{
    const auto forecast = ForecastFound(shape, density);
    const auto left = forecast.figures.leftShare;
    if (left > g_safeLeftShare)
    {
        Warn({fmt::format("ratio {} is not safe: at a load (set values per lane / counter rows) of "
                          "{:.3f}, decoding is expected to estimate {:.3g} % of the set values{}",
                          DecimalText(settings.ratio),
                          forecast.load,
                          left * g_percent,
                          SafeRatioText(shape.rows, density))});
    }
}

/** Says afterwards that decoding was not lossless. */
void
WarnOfEstimates(const PeelingReport& report, const HomomorphicShape& shape)
{
    if (report.estimated == 0)
    {
        return;
    }
    const auto marked = report.peeled + report.estimated;
    const auto density = ShareOfRows(marked, shape);
    Warn({fmt::format("{} of {} set values ({:.3g} %) could not be decoded and were estimated: the "
                      "load (set values per lane / counter rows) is {:.3f}{}",
                      report.estimated,
                      marked,
                      static_cast<double>(report.estimated) / static_cast<double>(marked) *
                          g_percent,
                      ForecastFound(shape, density).load,
                      SafeRatioText(shape.rows, density))});
}

/** @throws InputError that names the file unless it has as many bytes as a stream of @p bucket */
void
CheckStream(const std::string& path, std::size_t bytes, const HomomorphicBucket& bucket)
{
    const auto right = bucket.Shape().Bytes();
    if (bytes != right)
    {
        throw InputError(fmt::format("{}: has {} bytes, but a stream of --elements, --ratio and "
                                     "--index as given has {}",
                                     path,
                                     bytes,
                                     right));
    }
}

void
EncodeFrames(const CodecOptions& options)
{
    if (!options.unionDensity.empty())
    {
        throw InputError("--union-density is no argument of codec '" + options.codec + "'");
    }
    const auto codec = MakeCodec(SpecOf(options));
    WholeFile out(options.out);
    std::uint64_t values = 0;
    std::uint64_t wireBytes = 0;
    std::vector<std::uint8_t> stream;
    ForEachFloatPart(options.in, [&](const float* part, std::size_t count) {
        stream.clear();
        codec->Encode(part, count, stream);
        out.Write(stream.data(), stream.size());
        values += count;
        wireBytes += stream.size();
    });
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, values, wireBytes);
}

/** Warns if the values, or the union that is told of, are too dense for the ratio. */
void
EncodeBucket(const CodecOptions& options)
{
    const FloatFile in(options.in);
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

/** CodecEntry::codesFrames promises it; so a stream tells how many values it can hold at most. */
constexpr std::uint64_t g_mostValuesPerByte = 8;

void
DecodeFrames(const CodecOptions& options)
{
    const auto codec = MakeCodec(SpecOf(options));
    const auto count = ElementsOption(options);
    const MappedFile in(options.in);
    if (count / g_mostValuesPerByte > in.Bytes())
    {
        throw InputError(fmt::format("{} bytes cannot hold --elements {}", in.Bytes(), count));
    }
    WholeFile out(options.out);
    auto* values = static_cast<float*>(out.Map(count * sizeof(float)));
    try
    {
        codec->Decode(in.Data(), in.Bytes(), values, count);
    }
    catch (const InputError& error)
    {
        throw InputError(options.in + ": " + error.what());
    }
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, count, count * sizeof(float));
}

/** Warns if values had to be estimated. */
void
DecodeBucket(const CodecOptions& options)
{
    const auto count = ElementsOption(options);
    const HomomorphicBucket bucket(GivenSettings(options), count);
    const MappedFile in(options.in);
    CheckStream(options.in, in.Bytes(), bucket);
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
AddStream(const HomomorphicBucket& bucket, const std::string& path, std::uint8_t* sum)
{
    ThrowIfInterrupted();
    const MappedFile stream(path);
    CheckStream(path, stream.Bytes(), bucket);
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
    CheckStream(paths.front(), first.Bytes(), bucket);
    std::copy_n(first.Data(), first.Bytes(), sum);
    for (std::size_t i = 1; i < paths.size(); ++i)
    {
        AddStream(bucket, paths[i], sum);
    }
}

/** Adds streams of the same shape without decoding them. */
void
AddBuckets(const CodecOptions& options)
{
    const auto settings = GivenSettings(options);
    auto paths = options.streams;
    const auto outPath = paths.back();
    paths.pop_back();
    CheckWorkers(settings.index, static_cast<std::uint32_t>(paths.size()));
    const HomomorphicBucket bucket(settings, ElementsOption(options));
    const auto& shape = bucket.Shape();
    CheckStream(paths.front(), MappedFile(paths.front()).Bytes(), bucket);
    WholeFile out(outPath);
    auto* sum = static_cast<std::uint8_t*>(out.Map(shape.Bytes()));
    AddAll(bucket, paths, sum);
    const auto found = ShareOfRows(bucket.CountMarked(sum), shape);
    out.Finish();
    fmt::print("{}: {} streams, {} bytes\n", outPath, paths.size(), shape.Bytes());
    PrintShape(settings, shape, found);
    WarnIfUnsafe(settings, shape, found);
}

void
Add(const CodecOptions& options)
{
    if (CodesFrames(options))
    {
        throw InputError("codec '" + options.codec +
                         "': its streams cannot be added; those of 'homomorphic' can");
    }
    constexpr std::size_t fewestFiles = 3;
    if (options.streams.size() < fewestFiles)
    {
        throw InputError("add: needs two streams or more, and a file for their sum");
    }
    AddBuckets(options);
}

void
List()
{
    for (const auto& entry : CodecCatalog())
    {
        fmt::print(
            "{:<12}{:<9}{}\n", entry.name, entry.codesFrames ? "frames" : "buckets", entry.meaning);
    }
}

void
AddCodecEncode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("encode", "fp32 values to a codec's stream");
    command.add_option("--codec", options->codec, "a name of `inca codec list`")->required();
    AddCodecOptions(command, *options);
    command.add_option(
        "--union-density",
        options->unionDensity,
        "homomorphic: share of values set in the sum to come; by default this file's");
    command.add_option("IN", options->in, g_codecInput)->required();
    command.add_option("OUT", options->out, "the stream")->required();
    command.callback(
        [options] { CodesFrames(*options) ? EncodeFrames(*options) : EncodeBucket(*options); });
}

void
AddCodecDecode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("decode", "a codec's stream to raw fp32 values");
    command.add_option("--codec", options->codec, "a name of `inca codec list`")->required();
    AddElementsOption(command, *options);
    AddCodecOptions(command, *options);
    command.add_option("IN", options->in, "the stream")->required();
    command.add_option("OUT", options->out, "raw little-endian fp32")->required();
    command.callback(
        [options] { CodesFrames(*options) ? DecodeFrames(*options) : DecodeBucket(*options); });
}

void
AddCodecAdd(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("add", "streams to the stream of their sum, undecoded");
    command.add_option("--codec", options->codec, "homomorphic")->required();
    AddElementsOption(command, *options);
    AddCodecOptions(command, *options, true);
    command.add_option("STREAM... OUT", options->streams, "two or more, and where the sum goes")
        ->required()
        ->type_name("FILE");
    command.callback([options] { Add(*options); });
}

} // namespace

void
AddCodecCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto& codec = *app.add_subcommand("codec", "codecs on real files");
    codec.require_subcommand(1);
    const auto options = std::make_shared<CodecOptions>();
    codec.add_subcommand("list", "the codecs, and whether they code frames or buckets")
        ->callback(List);
    AddCodecEncode(codec, options);
    AddCodecDecode(codec, options);
    AddCodecAdd(codec, options);
    AddCodecMeasure(codec, options);
}

} // namespace inca
