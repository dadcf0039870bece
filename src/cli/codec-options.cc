/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-options.h"

#include "base/units.h"
#include "cli/options.h"
#include "codec/peeling-forecast.h"
#include "codec/sketch.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include <fmt/format.h>

#include <algorithm>

namespace inca
{

namespace
{

/** An argument of codecs: the key that says the same of a scenario's knows what may stand there. */
struct CodecArgument
{
    std::string name; ///< as in CodecEntry, and behind "--"
    const char* key;
    const char* meaning;
};

const std::vector<CodecArgument>&
Arguments()
{
    static const std::vector<CodecArgument> arguments{
        {"bound",
         "codec.bound",
         "inceptionn: the bound, as in 2^-10; beyond 2^-7 errors stay below 2^-7 only"},
        {"drop-bits", "codec.drop_bits", "truncate: 16, 22 or 24 low bits to drop"},
        {"cast", "codec.cast_to", "cast: bf16 or fp16"},
        {"ratio",
         "codec.ratio",
         "homomorphic: rows per counter row, 10 by default; safe: as many as are safe"},
        {"index", "codec.index", "homomorphic: bits-1 (or 1; the default), bits-4 (or 4) or bloom"},
        {"bloom-bits", "codec.bloom_bits", "index bloom: bits per value; 0.5"},
        {"bloom-hashes", "codec.bloom_hashes", "index bloom: bits a value sets; 7"},
    };
    return arguments;
}

bool
Reads(const CodecEntry& entry, const std::string& argument)
{
    const auto& read = entry.arguments;
    return std::find(read.begin(), read.end(), argument) != read.end();
}

/** A scenario with this codec; a ratio that it lacks is safe. */
Scenario
ScenarioOf(const CodecOptions& options)
{
    Scenario scenario;
    scenario.codec.name = FindCodec(options.codec).name;
    scenario.codec.ratio = HomomorphicSettings{}.ratio;
    scenario.training.values = true;
    for (const auto& argument : Arguments())
    {
        const auto given = options.arguments.find(argument.name);
        if (given == options.arguments.end())
        {
            continue;
        }
        const bool isShort = argument.name == "index" && given->second.size() == 1;
        try
        {
            SetKey(scenario, argument.key, (isShort ? "bits-" : "") + given->second);
        }
        catch (const UnitError& error)
        {
            throw InputError("--" + argument.name + ": " + error.what());
        }
        const auto reason = IdleReason(*FindKey(argument.key), scenario);
        if (!reason.empty())
        {
            throw InputError("--" + argument.name + ": has no effect: " + reason);
        }
    }
    return scenario;
}

} // namespace

void
AddCodecOptions(CLI::App& command, CodecOptions& options, bool homomorphicAlone)
{
    for (const auto& argument : Arguments())
    {
        if (!homomorphicAlone || Reads(FindCodec("homomorphic"), argument.name))
        {
            const auto take = [&options, name = argument.name](const std::string& text) {
                options.arguments[name] = text;
            };
            command.add_option_function<std::string>(
                "--" + argument.name + (argument.name == "index" ? ",--index-bits" : ""),
                take,
                argument.meaning);
        }
    }
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
    return MakeCodecSpec(ScenarioOf(options));
}

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
    const auto scenario = ScenarioOf(options);
    auto settings = MakeHomomorphicSettings(scenario);
    const auto rows = ShapeOf(settings, count).rows;
    if (scenario.codec.ratio || rows == 0)
    {
        return settings;
    }
    const auto safe = RoundedSafeRatio(rows, FoundDensity(settings, density));
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
    const auto scenario = ScenarioOf(options);
    if (!scenario.codec.ratio)
    {
        throw InputError("--ratio safe is for encoding; here the number is needed that it chose");
    }
    return MakeHomomorphicSettings(scenario);
}

} // namespace inca
