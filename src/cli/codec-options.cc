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
#include <array>
#include <cstdint>
#include <limits>

namespace inca
{

namespace
{

constexpr std::uint64_t g_mostElements = 1ULL << 42U; ///< as of a trace
constexpr const char* g_safe = "safe";
constexpr double g_mostRatio = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned g_mostHashes = 16;
constexpr unsigned g_mostDroppedBits = 32;

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

/** An argument of a codec. */
struct CodecArgument
{
    const char* name;  ///< as in CodecEntry
    const char* flags; ///< of the command line
    const char* meaning;
};

constexpr std::array<CodecArgument, 7> g_arguments{{
    {"bound",
     "--bound",
     "inceptionn: the bound, as in 2^-10; beyond 2^-7 errors stay below 2^-7 only"},
    {"drop-bits", "--drop-bits", "truncate: 16, 22 or 24 low bits to drop"},
    {"cast", "--cast", "cast: bf16 or fp16"},
    {"ratio",
     "--ratio",
     "homomorphic: rows per counter row, 10 by default; safe: as many as are safe"},
    {"index",
     "--index,--index-bits",
     "homomorphic: bits-1 (or 1; the default), bits-4 (or 4) or bloom"},
    {"bloom-bits", "--bloom-bits", "index bloom: bits per value; 0.5"},
    {"bloom-hashes", "--bloom-hashes", "index bloom: bits a value sets; 7"},
}};

bool
Reads(const CodecEntry& entry, const std::string& argument)
{
    const auto& read = entry.arguments;
    return std::find(read.begin(), read.end(), argument) != read.end();
}

/** @return @p otherwise if the argument was not given. @throws InputError that names it */
template <typename Value, typename Parse>
Value
Argument(const CodecOptions& options, const char* name, Value otherwise, const Parse& parse)
{
    const auto given = options.arguments.find(name);
    return given == options.arguments.end()
               ? otherwise
               : Parsed(("--" + given->first).c_str(), given->second, parse);
}

/** @return whether the ratio is to be the largest safe one */
bool
WantsSafeRatio(const CodecOptions& options)
{
    const auto given = options.arguments.find("ratio");
    return given != options.arguments.end() && given->second == g_safe;
}

HomomorphicSettings
HomomorphicOptions(const CodecOptions& options)
{
    HomomorphicSettings settings;
    auto& bloom = settings.bloom;
    if (!WantsSafeRatio(options))
    {
        settings.ratio = Argument(options, "ratio", settings.ratio, [](const auto& text) {
            return ParseDecimalNumber(text, 0, g_mostRatio);
        });
    }
    settings.index = Argument(options, "index", settings.index, [](const auto& text) {
        return FindHomomorphicIndex(text == "1" || text == "4" ? "bits-" + text : text);
    });
    bloom.bitsPerValue = Argument(options, "bloom-bits", bloom.bitsPerValue, [](const auto& text) {
        return ParseDecimalNumber(text, 0, 1);
    });
    bloom.hashes = Argument(options, "bloom-hashes", bloom.hashes, [](const auto& text) {
        return static_cast<unsigned>(ParseInteger(text, 1, g_mostHashes));
    });
    if (settings.index != HomomorphicIndex::BLOOM &&
        options.arguments.count("bloom-bits") + options.arguments.count("bloom-hashes") > 0)
    {
        throw InputError("--bloom-bits and --bloom-hashes are of --index bloom");
    }
    return settings;
}

} // namespace

void
AddCodecOptions(CLI::App& command, CodecOptions& options, bool homomorphicAlone)
{
    for (const auto& argument : g_arguments)
    {
        if (!homomorphicAlone || Reads(FindCodec("homomorphic"), argument.name))
        {
            const auto take = [&options, name = argument.name](const std::string& text) {
                options.arguments[name] = text;
            };
            command.add_option_function<std::string>(argument.flags, take, argument.meaning);
        }
    }
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

void
CompleteCodec(CodecOptions& options)
{
    for (const auto& entry : CodecCatalog())
    {
        if (options.codec.empty() && !options.arguments.empty() &&
            Reads(entry, options.arguments.begin()->first))
        {
            options.codec = entry.name;
        }
    }
}

CodecSpec
SpecOf(const CodecOptions& options)
{
    for (const auto& [argument, text] : options.arguments)
    {
        if (!Reads(FindCodec(options.codec), argument))
        {
            throw InputError("--" + argument + " is no argument of codec '" + options.codec + "'");
        }
    }
    CodecSpec spec;
    spec.name = options.codec;
    spec.bound = Argument(options, "bound", spec.bound, ParseBound);
    spec.dropBits = Argument(options, "drop-bits", spec.dropBits, [](const auto& text) {
        return static_cast<unsigned>(ParseInteger(text, 0, g_mostDroppedBits));
    });
    spec.castTo =
        Argument(options, "cast", spec.castTo, [](const std::string& text) { return text; });
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
GivenSettings(const CodecOptions& options)
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
    if (options.unionDensity.empty())
    {
        return std::nullopt;
    }
    return Parsed("--union-density", options.unionDensity, [](const auto& text) {
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
