/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/whole-file.h"
#include "cli/codec-bucket-text.h"
#include "cli/codec-commands.h"
#include "codec/codec-catalog.h"
#include "codec/codec-measurement.h"
#include "codec/homomorphic-bucket.h"
#include "codec/peeling-forecast.h"
#include "trace/float-file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace inca
{

namespace
{

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
EncodeFrames(const CodecOptions& options)
{
    RefuseUnionDensity(options);
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

} // namespace

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

} // namespace inca
