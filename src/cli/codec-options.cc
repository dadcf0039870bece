/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-options.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/value-text.h"
#include "codec/peeling-forecast.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostElements = 1ULL << 42U; ///< as of a trace
constexpr const char* g_safe = "safe";

/** What @p parse makes of an option's text. @throws InputError that names the option */
template <typename Parse>
auto
Parsed(const char* option, const std::string& text, const Parse& parse)
{
    try
    {
        return parse(text);
    }
    catch (const std::runtime_error& error)
    {
        throw InputError(std::string(option) + ": " + error.what());
    }
}

/** @throws InputError if an argument was given that the codec does not read */
void
CheckArguments(const CodecOptions& options)
{
    const auto& read = FindCodec(options.codec).arguments;
    for (const auto& argument : GivenArguments(options))
    {
        if (std::find(read.begin(), read.end(), argument) == read.end())
        {
            throw InputError("--" + argument + " is no argument of codec '" + options.codec + "'");
        }
    }
}

/** @return whether the ratio is to be the largest safe one */
bool
WantsSafeRatio(const CodecOptions& options)
{
    return options.ratio == g_safe;
}

double
RatioOption(const std::string& text)
{
    constexpr double most = std::numeric_limits<std::uint32_t>::max();
    return ParseDecimalNumber(text, 0, most);
}

/** By name, or by its bits alone. */
HomomorphicIndex
IndexOption(const std::string& text)
{
    return FindHomomorphicIndex(text == "1" || text == "4" ? "bits-" + text : text);
}

BloomSettings
BloomOptions(const CodecOptions& options)
{
    BloomSettings bloom;
    if (options.bloomBits)
    {
        bloom.bitsPerValue = Parsed("--bloom-bits", *options.bloomBits, [](const auto& text) {
            return ParseDecimalNumber(text, 0, 1);
        });
    }
    if (options.bloomHashes)
    {
        constexpr unsigned most = 16;
        bloom.hashes = Parsed("--bloom-hashes", *options.bloomHashes, [](const auto& text) {
            return static_cast<unsigned>(ParseInteger(text, 1, most));
        });
    }
    return bloom;
}

HomomorphicSettings
HomomorphicOptions(const CodecOptions& options)
{
    HomomorphicSettings settings;
    if (options.ratio && !WantsSafeRatio(options))
    {
        settings.ratio = Parsed("--ratio", *options.ratio, RatioOption);
    }
    if (options.index)
    {
        settings.index = Parsed("--index", *options.index, IndexOption);
    }
    settings.bloom = BloomOptions(options);
    if (settings.index != HomomorphicIndex::BLOOM && (options.bloomBits || options.bloomHashes))
    {
        throw InputError("--bloom-bits and --bloom-hashes are of --index bloom");
    }
    return settings;
}

} // namespace

void
AddCodecOptions(CLI::App& command, CodecOptions& options)
{
    command.add_option(
        "--bound",
        options.bound,
        "inceptionn: the bound, as in 2^-10; beyond 2^-7 errors stay below 2^-7 only");
    command.add_option("--drop-bits", options.dropBits, "truncate: 16, 22 or 24 low bits to drop");
    command.add_option("--cast", options.castTo, "cast: bf16 or fp16");
    AddHomomorphicOptions(command, options);
}

void
AddHomomorphicOptions(CLI::App& command, CodecOptions& options)
{
    command.add_option(
        "--ratio",
        options.ratio,
        "homomorphic: rows per counter row, 10 by default; safe: as many as are safe");
    command.add_option("--index,--index-bits",
                       options.index,
                       "homomorphic: bits-1 (or 1; the default), bits-4 (or 4) or bloom");
    command.add_option("--bloom-bits", options.bloomBits, "index bloom: bits per value; 0.5");
    command.add_option("--bloom-hashes", options.bloomHashes, "index bloom: bits a value sets; 7");
}

void
AddElementsOption(CLI::App& command, CodecOptions& options)
{
    command.add_option("--elements", options.elements, "the number of values in the stream")
        ->required();
}

bool
CodesFrames(const CodecOptions& options)
{
    return FindCodec(options.codec).codesFrames;
}

std::vector<std::string>
GivenArguments(const CodecOptions& options)
{
    std::vector<std::string> given;
    const auto add = [&](const auto& option, const char* name) {
        if (option)
        {
            given.emplace_back(name);
        }
    };
    add(options.bound, "bound");
    add(options.dropBits, "drop-bits");
    add(options.castTo, "cast");
    add(options.ratio, "ratio");
    add(options.index, "index");
    add(options.bloomBits, "bloom-bits");
    add(options.bloomHashes, "bloom-hashes");
    return given;
}

void
CompleteCodec(CodecOptions& options)
{
    const auto given = GivenArguments(options);
    for (const auto& entry : CodecCatalog())
    {
        const auto& read = entry.arguments;
        if (options.codec.empty() && !given.empty() &&
            std::find(read.begin(), read.end(), given.front()) != read.end())
        {
            options.codec = entry.name;
        }
    }
}

CodecSpec
SpecOf(const CodecOptions& options)
{
    CheckArguments(options);
    CodecSpec spec;
    spec.name = options.codec;
    spec.bound = options.bound ? Parsed("--bound", *options.bound, ParseBound) : spec.bound;
    spec.dropBits = options.dropBits.value_or(spec.dropBits);
    spec.castTo = options.castTo.value_or(spec.castTo);
    spec.homomorphic = HomomorphicOptions(options);
    return spec;
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
    const auto safe = TellableSafeRatio(rows, FoundDensity(settings, density));
    if (!safe)
    {
        throw InputError(fmt::format("--ratio safe: no ratio is safe for {} rows at a density of "
                                     "{:.3g} %; the smallest is 0.5",
                                     rows,
                                     density * 100));
    }
    settings.ratio = *safe;
    return settings;
}

HomomorphicSettings
ToldSettings(const CodecOptions& options)
{
    if (WantsSafeRatio(options))
    {
        throw InputError("--ratio safe is for encoding; here the number is needed that it chose");
    }
    return SpecOf(options).homomorphic;
}

std::optional<double>
UnionDensityOption(const CodecOptions& options)
{
    if (!options.unionDensity)
    {
        return std::nullopt;
    }
    return Parsed("--union-density", *options.unionDensity, [](const auto& text) {
        return ParseDecimalNumber(text, 0, 1);
    });
}

std::size_t
ElementsOption(const CodecOptions& options)
{
    return Parsed("--elements", options.elements, [](const auto& text) {
        return static_cast<std::size_t>(ParseInteger(text, 0, g_mostElements));
    });
}

} // namespace inca
