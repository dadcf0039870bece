/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/mapped-file.h"
#include "base/whole-file.h"
#include "cli/codec-bucket-text.h"
#include "cli/codec-commands.h"
#include "codec/codec-catalog.h"
#include "codec/homomorphic-bucket.h"
#include "codec/sketch-layout.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

namespace inca
{

namespace
{

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
    const HomomorphicBucket bucket(ToldSettings(options), count);
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

} // namespace

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

} // namespace inca
