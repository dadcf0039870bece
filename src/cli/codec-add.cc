/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/interrupt.h"
#include "base/mapped-file.h"
#include "base/whole-file.h"
#include "cli/codec-bucket-text.h"
#include "cli/codec-commands.h"
#include "codec/homomorphic-bucket.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace inca
{

namespace
{

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
    const auto settings = ToldSettings(options);
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

} // namespace

void
AddCodecAdd(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("add", "streams to the stream of their sum, undecoded");
    command.add_option("--codec", options->codec, "homomorphic")->required();
    AddElementsOption(command, *options);
    AddHomomorphicOptions(command, *options);
    command.add_option("STREAM... OUT", options->streams, "two or more, and where the sum goes")
        ->required()
        ->type_name("FILE");
    command.callback([options] { Add(*options); });
}

} // namespace inca
