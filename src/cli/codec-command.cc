/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "cli/codec-bucket.h"
#include "cli/codec-input.h"
#include "cli/codec-measure-command.h"
#include "cli/codec-options.h"
#include "cli/commands.h"
#include "cli/whole-file.h"
#include "codec/codec-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** No codec of frames takes fewer bits per value; so a stream tells how many values it can hold at most. */
constexpr std::uint64_t g_mostValuesPerByte = 4;

void
List()
{
    for (const auto& entry : CodecCatalog())
    {
        fmt::print(
            "{:<12}{:<9}{}\n", entry.name, entry.codesFrames ? "frames" : "buckets", entry.meaning);
    }
}

/** @throws InputError if a codec of frames is told of a sum */
void
RefuseUnionDensity(const CodecOptions& options)
{
    if (options.unionDensity)
    {
        throw InputError("--union-density is no argument of codec '" + options.codec + "'");
    }
}

void
EncodeFile(const CodecOptions& options)
{
    if (!CodesFrames(options))
    {
        EncodeBucketFile(options);
        return;
    }
    RefuseUnionDensity(options);
    const auto codec = MakeCodec(SpecOf(options));
    WholeFile out(options.out);
    std::uint64_t values = 0;
    std::uint64_t wireBytes = 0;
    std::vector<std::uint8_t> stream;
    ForEachPart(options.in, [&](const float* part, std::size_t count) {
        stream.clear();
        codec->Encode(part, count, stream);
        out.Write(stream.data(), stream.size());
        values += count;
        wireBytes += stream.size();
    });
    out.Finish();
    fmt::print("{}: {} elements, {} bytes\n", options.out, values, wireBytes);
}

void
DecodeFile(const CodecOptions& options)
{
    if (!CodesFrames(options))
    {
        DecodeBucketFile(options);
        return;
    }
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
    AddBucketFiles(options);
}

void
AddIn(CLI::App& command, CodecOptions& options, const char* meaning)
{
    command.add_option("IN", options.in, meaning)->required();
}

void
AddElements(CLI::App& command, CodecOptions& options)
{
    command.add_option("--elements", options.elements, "the number of values in the stream")
        ->required();
}

void
AddEncode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("encode", "fp32 values to a codec's stream");
    command.add_option("--codec", options->codec, "a name of `inca codec list`")->required();
    AddCodecOptions(command, *options);
    command.add_option(
        "--union-density",
        options->unionDensity,
        "homomorphic: share of values set in the sum to come; by default this file's");
    AddIn(command, *options, g_codecInput);
    command.add_option("OUT", options->out, "the stream")->required();
    command.callback([options] { EncodeFile(*options); });
}

void
AddDecode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("decode", "a codec's stream to raw fp32 values");
    command.add_option("--codec", options->codec, "a name of `inca codec list`")->required();
    AddElements(command, *options);
    AddCodecOptions(command, *options);
    AddIn(command, *options, "the stream");
    command.add_option("OUT", options->out, "raw little-endian fp32")->required();
    command.callback([options] { DecodeFile(*options); });
}

void
AddAdd(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("add", "streams to the stream of their sum, undecoded");
    command.add_option("--codec", options->codec, "homomorphic")->required();
    AddElements(command, *options);
    AddHomomorphicOptions(command, *options);
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
    AddEncode(codec, options);
    AddDecode(codec, options);
    AddAdd(codec, options);
    AddCodecMeasure(codec, options);
}

} // namespace inca
