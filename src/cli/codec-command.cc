/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/input-file.h"
#include "base/interrupt.h"
#include "base/value-form.h"
#include "cli/codec-options.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "codec/codec-catalog.h"
#include "codec/homomorphic-bucket.h"
#include "codec/homomorphic-shape.h"
#include "codec/peeling-forecast.h"
#include "codec/sketch.h"
#include "trace/safetensors.h"

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

/**
 * Prints what the stream is like and how decoding it will go, and warns where it will not be lossless.
 * @param density as a decoder finds it
 */
void
PrintShape(const HomomorphicSettings& settings, const HomomorphicShape& shape, double density)
{
    const auto forecast = ForecastFound(shape, density);
    const auto left = forecast.figures.leftShare;
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
        left * g_percent);
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

/** Does @p step, which reads @p path: what it complains about names the file. */
template <class Step>
void
ReadNamed(const std::string& path, Step step)
{
    try
    {
        step();
    }
    catch (const InputError& error)
    {
        throw InputError(path + ": " + error.what());
    }
}

void
EncodeFrames(const CodecOptions& options)
{
    if (options.unionDensity)
    {
        throw InputError("--union-density is no argument of codec '" + options.codec + "'");
    }
    const auto codec = MakeCodec(SpecOf(options));
    AtomicFile out(options.out);
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

/** Warns if the values, or their union as --union-density says it, are too dense for the ratio. */
void
EncodeBucket(const CodecOptions& options)
{
    const FloatFile in(options.in);
    const auto density = options.unionDensity.value_or(DensityOf(in.Data(), in.Count()));
    const auto settings = ChosenSettings(options, in.Count(), density);
    const HomomorphicBucket bucket(settings, in.Count());
    const auto found = FoundDensity(settings, density);
    std::vector<std::uint8_t> stream;
    bucket.Encode(in.Data(), stream);
    AtomicFile out(options.out);
    out.Write(stream.data(), stream.size());
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, in.Count(), stream.size());
    PrintShape(settings, bucket.Shape(), found);
}

/** Writes the values that @p decode makes of the stream. */
template <class Decode>
void
WriteDecoded(const CodecOptions& options, const MappedFile& in, Decode decode)
{
    AtomicFile out(options.out);
    const auto bytes = options.elements * sizeof(float);
    auto* values = static_cast<float*>(out.Map(bytes));
    ReadNamed(options.in, [&] { decode(in.Data(), in.Bytes(), values); });
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, options.elements, bytes);
}

void
DecodeFrames(const CodecOptions& options)
{
    constexpr std::uint64_t mostValuesPerByte = 8; // as CodecEntry::codesFrames promises
    const auto codec = MakeCodec(SpecOf(options));
    const MappedFile in(options.in);
    if (options.elements / mostValuesPerByte > in.Bytes())
    {
        throw InputError(
            fmt::format("{} bytes cannot hold --elements {}", in.Bytes(), options.elements));
    }
    WriteDecoded(options, in, [&](const auto* stream, std::size_t bytes, float* values) {
        codec->Decode(stream, bytes, values, options.elements);
    });
}

/** Warns if values had to be estimated. */
void
DecodeBucket(const CodecOptions& options)
{
    const HomomorphicBucket bucket(GivenSettings(options), options.elements);
    const MappedFile in(options.in);
    CheckStream(options.in, in.Bytes(), bucket);
    PeelingReport report;
    WriteDecoded(options, in, [&](const auto* stream, std::size_t bytes, float* values) {
        report = bucket.Decode(stream, bytes, values);
    });
    fmt::print("{} values decoded, {} estimated, {} rounds; {} of {} lanes decoded\n",
               report.peeled,
               report.estimated,
               report.rounds,
               report.decodedLanes,
               g_sketchLanes);
    WarnOfEstimates(report, bucket.Shape());
}

/** Puts the sum of all streams to @p sum, in the order given: over fp32 it decides the rounding. */
void
AddStreams(const HomomorphicBucket& bucket,
           const std::vector<std::string>& paths,
           std::uint8_t* sum)
{
    const auto counters = bucket.Shape().indexBytes;
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        ThrowIfInterrupted();
        const MappedFile stream(paths[i]);
        CheckStream(paths[i], stream.Bytes(), bucket);
        if (i == 0)
        {
            std::copy_n(stream.Data(), stream.Bytes(), sum);
            continue;
        }
        ReadNamed(paths[i], [&] { bucket.AddIndex(stream.Data(), sum); });
        bucket.AddCounters(stream.Data() + counters, sum + counters);
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
    const HomomorphicBucket bucket(settings, options.elements);
    const auto& shape = bucket.Shape();
    CheckStream(paths.front(), MappedFile(paths.front()).Bytes(), bucket);
    AtomicFile out(outPath);
    auto* sum = static_cast<std::uint8_t*>(out.Map(shape.Bytes()));
    AddStreams(bucket, paths, sum);
    const auto found = ShareOfRows(bucket.CountMarked(sum), shape);
    out.Finish();
    fmt::print("{}: {} streams, {} bytes\n", outPath, paths.size(), shape.Bytes());
    PrintShape(settings, shape, found);
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

/** Adds a command that codes IN to OUT. */
CLI::App&
AddCoding(CLI::App& codec, CodecOptions& options, const char* name, const char* meaning)
{
    auto& command = *codec.add_subcommand(name, meaning);
    const OptionAdder add(command);
    add("--codec CODEC", options.codec, "a name of `inca codec list`")->required();
    AddCodecOptions(command, options, name == std::string("add"));
    return command;
}

void
AddElements(CLI::App& command, CodecOptions& options)
{
    const OptionAdder add(command);
    constexpr std::uint64_t most = 1ULL << 42U; // as of a trace
    const auto parse = [](const std::string& text) { return WholeForm({0, most}).parse(text); };
    const auto* meaning = "the number of values in the stream";
    add("--elements N", options.elements, parse, meaning)->required();
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

    auto& encode = AddCoding(codec, *options, "encode", "fp32 values to a codec's stream");
    OptionAdder{encode}(
        "--union-density SHARE",
        options->unionDensity,
        [](const auto& text) {
            return DecimalForm({0, 1}).parse(text);
        },
        "homomorphic: share of values set in the sum to come; by default this file's");
    encode.add_option("IN", options->in, CODEC_INPUT)->required();
    encode.add_option("OUT", options->out, "the stream")->required();
    encode.callback(
        [options] { CodesFrames(*options) ? EncodeFrames(*options) : EncodeBucket(*options); });

    auto& decode = AddCoding(codec, *options, "decode", "a codec's stream to raw fp32 values");
    AddElements(decode, *options);
    decode.add_option("IN", options->in, "the stream")->required();
    decode.add_option("OUT", options->out, "raw little-endian fp32")->required();
    decode.callback(
        [options] { CodesFrames(*options) ? DecodeFrames(*options) : DecodeBucket(*options); });

    auto& add = AddCoding(codec, *options, "add", "streams to the stream of their sum, undecoded");
    AddElements(add, *options);
    add.add_option("STREAM... OUT", options->streams, "two or more, and where the sum goes")
        ->required()
        ->type_name("FILE");
    add.callback([options] { Add(*options); });
    AddCodecMeasure(codec, options);
}

} // namespace inca
