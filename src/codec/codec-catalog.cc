/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-catalog.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "codec/cast-codec.h"
#include "codec/homomorphic-codec.h"
#include "codec/inceptionn-codec.h"
#include "codec/inceptionn-widths.h"
#include "codec/null-codec.h"
#include "codec/truncate-codec.h"

#include <sstream>

namespace inca
{

namespace
{

/** The codec @p name once with each of @p arguments. */
template <typename Argument>
std::vector<CodecSpec>
Each(const char* name, Argument CodecSpec::*member, const std::vector<Argument>& arguments)
{
    std::vector<CodecSpec> specs;
    for (const auto& argument : arguments)
    {
        CodecSpec spec;
        spec.name = name;
        spec.*member = argument;
        specs.push_back(spec);
    }
    return specs;
}

CodecEntry
NoneEntry()
{
    return {"none",
            "values as they are, 32 bits each",
            [](const CodecSpec&) { return MakeNullCodec(); },
            {},
            [](const CodecSpec&) { return std::string(); },
            {CodecSpec{}}};
}

CodecEntry
TruncateEntry()
{
    return {"truncate",
            "drops the low 16, 22 or 24 bits of each value",
            [](const CodecSpec& spec) { return MakeTruncateCodec(spec.dropBits); },
            {"drop-bits"},
            [](const CodecSpec& spec) { return std::to_string(spec.dropBits); },
            Each<unsigned>("truncate", &CodecSpec::dropBits, {16, 22, 24})};
}

CodecEntry
CastEntry()
{
    return {"cast",
            "rounds each value to bf16 or fp16; sums in fp32 or in that type",
            [](const CodecSpec& spec) { return MakeCastCodec(spec.castTo, spec.sum); },
            {"cast"},
            [](const CodecSpec& spec) { return spec.castTo; },
            Each<std::string>("cast", &CodecSpec::castTo, {"bf16", "fp16"})};
}

CodecEntry
InceptionnEntry()
{
    return {"inceptionn",
            "keeps 0, 8, 16 or 32 bits of each value by its exponent and a bound 2^-B, B in 1..15",
            [](const CodecSpec& spec) { return MakeInceptionnCodec(spec.bound); },
            {"bound"},
            [](const CodecSpec& spec) { return FormatBound(spec.bound); },
            Each<unsigned>("inceptionn", &CodecSpec::bound, {10, 8, 6})};
}

HomomorphicSettings
WithIndex(HomomorphicIndex index)
{
    HomomorphicSettings settings;
    settings.index = index;
    return settings;
}

std::string
HomomorphicText(const CodecSpec& spec)
{
    std::ostringstream text;
    text << spec.homomorphic.ratio << ' ' << HomomorphicIndexName(spec.homomorphic.index);
    return text.str();
}

CodecEntry
HomomorphicEntry()
{
    return {"homomorphic",
            "a sketch and an index, which add undecoded; lossless in large buckets up to a load of "
            "0.78",
            [](const CodecSpec& spec) { return MakeHomomorphicCodec(spec.homomorphic); },
            {"ratio", "index", "bloom-bits", "bloom-hashes"},
            HomomorphicText,
            Each<HomomorphicSettings>("homomorphic",
                                      &CodecSpec::homomorphic,
                                      {WithIndex(HomomorphicIndex::BITS_1),
                                       WithIndex(HomomorphicIndex::BITS_4),
                                       WithIndex(HomomorphicIndex::BLOOM)}),
            false};
}

std::vector<std::string>
NamesIf(bool (*isWanted)(const CodecEntry&))
{
    std::vector<std::string> names;
    for (const auto& entry : CodecCatalog())
    {
        if (isWanted(entry))
        {
            names.emplace_back(entry.name);
        }
    }
    return names;
}

} // namespace

const std::vector<CodecEntry>&
CodecCatalog()
{
    static const std::vector<CodecEntry> catalog{
        NoneEntry(), TruncateEntry(), CastEntry(), InceptionnEntry(), HomomorphicEntry()};
    return catalog;
}

std::vector<std::string>
CodecNames()
{
    return NamesIf([](const CodecEntry&) { return true; });
}

std::vector<std::string>
FrameCodecNames()
{
    return NamesIf([](const CodecEntry& entry) { return entry.codesFrames; });
}

const CodecEntry&
FindCodec(const std::string& name)
{
    for (const auto& entry : CodecCatalog())
    {
        if (name == entry.name)
        {
            return entry;
        }
    }
    throw InputError("codec: " + UnknownName(name, CodecNames()));
}

std::unique_ptr<Codec>
MakeCodec(const CodecSpec& spec)
{
    return FindCodec(spec.name).make(spec);
}

std::string
CodecTitle(const CodecSpec& spec)
{
    const auto argument = FindCodec(spec.name).argumentText(spec);
    return argument.empty() ? spec.name : spec.name + ' ' + argument;
}

unsigned
ParseBound(std::string_view text)
{
    for (auto bound = g_smallestBound; bound <= g_largestBound; ++bound)
    {
        if (text == FormatBound(bound))
        {
            return bound;
        }
    }
    throw UnitError("'" + std::string(text.substr(0, 60)) +
                    "': a bound is 2^-B with B from 1 to 15, as in '2^-10'");
}

std::string
FormatBound(unsigned bound)
{
    return "2^-" + std::to_string(bound);
}

} // namespace inca
