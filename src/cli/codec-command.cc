/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "cli/codec-input.h"
#include "cli/codec-measure.h"
#include "cli/commands.h"
#include "cli/whole-file.h"
#include "codec/codec-catalog.h"
#include "scenario/key-text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** No codec takes fewer bits per value; so a stream tells how many values it can hold at most. */
constexpr std::uint64_t g_mostValuesPerByte = 4;

constexpr const char* g_boundNote =
    "\ninceptionn's errors stay below 2^-B for B up to 7; at a bound of 2^-8 to 2^-15 they stay "
    "below 2^-7\n";

constexpr std::uint64_t g_mostElements = 1ULL << 42U; ///< as of a trace

/** What the command line says; codec arguments that were not given have CodecSpec's defaults. */
struct CodecOptions
{
    std::string codec;
    std::optional<std::string> bound;
    std::optional<unsigned> dropBits;
    std::optional<std::string> castTo;
    std::string elements;
    std::string in;
    std::string out;
};

/** The codec arguments that were given, named as in CodecEntry. */
std::vector<std::string>
GivenArguments(const CodecOptions& options)
{
    std::vector<std::string> given;
    const auto add = [&](bool isGiven, const char* name) {
        if (isGiven)
        {
            given.emplace_back(name);
        }
    };
    add(options.bound.has_value(), "bound");
    add(options.dropBits.has_value(), "drop-bits");
    add(options.castTo.has_value(), "cast");
    return given;
}

/** @throws InputError if an argument was given that the codec does not read */
void
CheckArguments(const CodecOptions& options)
{
    const std::string read = FindCodec(options.codec).argument;
    for (const auto& argument : GivenArguments(options))
    {
        if (argument != read)
        {
            throw InputError("--" + argument + " is no argument of codec '" + options.codec + "'");
        }
    }
}

unsigned
BoundOption(const std::string& text)
{
    try
    {
        return ParseBound(text);
    }
    catch (const UnitError& error)
    {
        throw InputError(std::string("--bound: ") + error.what());
    }
}

std::size_t
ElementsOption(const std::string& text)
{
    try
    {
        return static_cast<std::size_t>(ParseInteger(text, 0, g_mostElements));
    }
    catch (const UnitError& error)
    {
        throw InputError(std::string("--elements: ") + error.what());
    }
}

CodecSpec
SpecOf(const CodecOptions& options)
{
    CheckArguments(options);
    CodecSpec spec;
    spec.name = options.codec;
    spec.bound = options.bound ? BoundOption(*options.bound) : spec.bound;
    spec.dropBits = options.dropBits.value_or(spec.dropBits);
    spec.castTo = options.castTo.value_or(spec.castTo);
    return spec;
}

void
List()
{
    for (const auto& entry : CodecCatalog())
    {
        fmt::print("{:<12}{}\n", entry.name, entry.meaning);
    }
}

void
EncodeFile(const CodecOptions& options)
{
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
    const auto codec = MakeCodec(SpecOf(options));
    const auto count = ElementsOption(options.elements);
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

/** What `measure` measures: the codec that was named in full, or all usual arguments. */
std::vector<CodecSpec>
SpecsToMeasure(const CodecOptions& options)
{
    if (!GivenArguments(options).empty())
    {
        return {SpecOf(options)};
    }
    if (!options.codec.empty())
    {
        return FindCodec(options.codec).usual;
    }
    std::vector<CodecSpec> specs;
    for (const auto& entry : CodecCatalog())
    {
        specs.insert(specs.begin(), entry.usual.begin(), entry.usual.end());
    }
    return specs;
}

/** Names the codec that reads the argument that was given, if none is named. */
void
CompleteCodec(CodecOptions& options)
{
    const auto given = GivenArguments(options);
    for (const auto& entry : CodecCatalog())
    {
        if (options.codec.empty() && !given.empty() && given.front() == entry.argument)
        {
            options.codec = entry.name;
        }
    }
}

void
MeasureFile(const CodecOptions& options)
{
    std::vector<CodecMeasurement> measurements;
    for (const auto& spec : SpecsToMeasure(options))
    {
        measurements.emplace_back(spec);
    }
    ForEachPart(options.in, [&](const float* part, std::size_t count) {
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
    fmt::print("{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n\n{}\n",
               options.in,
               values,
               HumanBytes(values * sizeof(float)),
               measurements.front().NonFiniteValues(),
               CodecMeasurement::Header());
    bool exceedsBound = false;
    for (const auto& measurement : measurements)
    {
        fmt::print("{}\n", measurement.Row());
        exceedsBound = exceedsBound || measurement.MayExceedBound();
    }
    fmt::print("{}", exceedsBound ? g_boundNote : "");
}

void
AddCodecOptions(CLI::App& command, CodecOptions& options)
{
    command.add_option(
        "--bound",
        options.bound,
        "inceptionn: the bound, as in 2^-10; beyond 2^-7 errors stay below 2^-7 only");
    command.add_option("--drop-bits", options.dropBits, "truncate: 16, 22 or 24 low bits to drop");
    command.add_option("--cast", options.castTo, "cast: bf16 or fp16");
    command.add_option("IN", options.in, "raw little-endian fp32, or a .safetensors file")
        ->required();
}

void
AddEncode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("encode", "fp32 values to a codec's stream");
    command.add_option("--codec", options->codec, "a name of `inca codec list`")->required();
    AddCodecOptions(command, *options);
    command.add_option("OUT", options->out, "the stream")->required();
    command.callback([options] { EncodeFile(*options); });
}

void
AddDecode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command = *codec.add_subcommand("decode", "a codec's stream to raw fp32 values");
    command.add_option("--codec", options->codec, "a name of `inca codec list`")->required();
    command.add_option("--elements", options->elements, "the number of values in the stream")
        ->required();
    AddCodecOptions(command, *options);
    command.add_option("OUT", options->out, "raw little-endian fp32")->required();
    command.callback([options] { DecodeFile(*options); });
}

void
AddMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command =
        *codec.add_subcommand("measure", "what codecs make of a file: widths, ratio and errors");
    command.add_option("--codec", options->codec, "a name of `inca codec list`; else all");
    AddCodecOptions(command, *options);
    command.callback([options] {
        CompleteCodec(*options);
        MeasureFile(*options);
    });
}

} // namespace

void
AddCodecCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto& codec = *app.add_subcommand("codec", "codecs on real files");
    codec.require_subcommand(1);
    const auto options = std::make_shared<CodecOptions>();
    codec.add_subcommand("list", "the codecs")->callback(List);
    AddEncode(codec, options);
    AddDecode(codec, options);
    AddMeasure(codec, options);
}

} // namespace inca
