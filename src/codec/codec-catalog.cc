/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-catalog.h"

#include "base/catalog.h"
#include "base/errors.h"
#include "base/units.h"
#include "codec/block-codec.h"
#include "codec/block-format.h"
#include "codec/cast-codec.h"
#include "codec/exponents-codec.h"
#include "codec/homomorphic-bucket.h"
#include "codec/inceptionn-codec.h"
#include "codec/inceptionn-widths.h"
#include "codec/netzip-codec.h"
#include "codec/snappy-codec.h"
#include "codec/truncate-codec.h"
#include "codec/zfp-codec.h"

#include <algorithm>
#include <sstream>
#include <utility>

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
    return {"none", "values as they are, 32 bits each", [](const CodecSpec&) {
                return MakeNullCodec();
            }};
}

/** A codec that loses something. */
CodecEntry
Losing(CodecEntry entry, std::function<std::string(const CodecSpec&)> loss)
{
    entry.loss = std::move(loss);
    return entry;
}

/** The last of the 23 bits of a mantissa that is kept counts; without one, an exponent is cut, too. */
std::string
TruncateLoss(const CodecSpec& spec)
{
    constexpr unsigned mantissaBits = 23;
    return spec.dropBits < mantissaBits
               ? "2^-" + std::to_string(mantissaBits - spec.dropBits) + " of each value"
               : "all but each value's order of magnitude";
}

/** Half a unit in the last place, of 8 or 11 significant bits. */
std::string
CastLoss(const CodecSpec& spec)
{
    return spec.castTo == "bf16" ? "2^-8 of each value" : "2^-11 of each value";
}

/** The last bit of its 8-bit class counts 2^-7, whatever the bound (docs/model.md). */
std::string
InceptionnLoss(const CodecSpec& spec)
{
    constexpr unsigned lastBit = 7;
    return "2^-" + std::to_string(std::min(spec.bound, lastBit)) + ", whatever the value";
}

CodecEntry
TruncateEntry()
{
    return Losing({"truncate",
                   "drops the low 16, 22 or 24 bits of each value",
                   [](const CodecSpec& spec) { return MakeTruncateCodec(spec.dropBits); },
                   {"drop-bits"},
                   [](const CodecSpec& spec) { return std::to_string(spec.dropBits); },
                   Each<unsigned>("truncate", &CodecSpec::dropBits, {16, 22, 24})},
                  TruncateLoss);
}

CodecEntry
CastEntry()
{
    return Losing({"cast",
                   "rounds each value to bf16 or fp16; sums in fp32 or in that type",
                   [](const CodecSpec& spec) { return MakeCastCodec(spec.castTo, spec.sum); },
                   {"cast"},
                   [](const CodecSpec& spec) { return spec.castTo; },
                   Each<std::string>("cast", &CodecSpec::castTo, {"bf16", "fp16"})},
                  CastLoss);
}

std::string
BoundText(const CodecSpec& spec)
{
    return FormatBound(spec.bound);
}

/** A codec of INCEPTIONN's width classes. */
CodecEntry
OfWidthClasses(const char* name, const char* meaning, std::unique_ptr<Codec> (*make)(unsigned))
{
    CodecEntry entry{name,
                     meaning,
                     [make](const CodecSpec& spec) { return make(spec.bound); },
                     {"bound"},
                     BoundText,
                     Each<unsigned>(name, &CodecSpec::bound, {10, 8, 6})};
    entry.hasWidthClasses = true;
    return entry;
}

CodecEntry
InceptionnEntry()
{
    return Losing(OfWidthClasses("inceptionn",
                                 "keeps 0, 8, 16 or 32 bits of each value by its exponent and a "
                                 "bound 2^-B, B in 1..15",
                                 MakeInceptionnCodec),
                  InceptionnLoss);
}

CodecEntry
BoundedInceptionnEntry()
{
    auto entry = OfWidthClasses("inceptionn-bounded",
                                "the same sizes, but the 8 bits are such that every error stays "
                                "below 2^-B, B in 1..14",
                                MakeBoundedInceptionnCodec);
    entry.largestBound = 14;
    return Losing(std::move(entry),
                  [](const CodecSpec& spec) { return BoundText(spec) + ", whatever the value"; });
}

/** Half a step of the element, of the value itself or of its group's largest. */
std::string
BlockLoss(const CodecSpec& spec)
{
    const auto& element = *ParseBlockFormat(spec.format).element;
    return element.floating != nullptr
               ? "2^-" + std::to_string(element.floating->mantissaBits + 1) +
                     " of each value that is not small in its group"
               : "2^-" + std::to_string(element.bits) + " of its group's largest value";
}

CodecEntry
BlockEntry()
{
    CodecEntry entry{
        "block",
        "values of 8, 6, 4 or 2 bits in groups that share a scale, of messages: MX, NVFP4, "
        "QuickReduce, ...",
        [](const CodecSpec& spec) {
            return MakeBlockCodec(ParseBlockFormat(spec.format), spec.block);
        },
        {"format", "row", "rounding"},
        [](const CodecSpec& spec) { return spec.format; }};
    for (const auto& format : BlockFormats())
    {
        auto& spec = entry.usual.emplace_back();
        spec.name = entry.name;
        spec.format = format.name;
    }
    entry.unit = CodedUnit::MESSAGE;
    entry.placement = CodecPlacement::GPU;
    entry.group = 32; // no window of a message may cut it
    return Losing(std::move(entry), BlockLoss);
}

CodecEntry
ExponentsEntry()
{
    CodecEntry entry{"exponents",
                     "lossless, of messages: codes exponents, with bf16 in mind",
                     [](const CodecSpec& spec) { return MakeExponentsCodec(spec.valueBytes); }};
    entry.unit = CodedUnit::MESSAGE;
    entry.placement = CodecPlacement::GPU;
    return entry;
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
    CodecEntry entry{
        "homomorphic",
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
        CodedUnit::BUCKET};
    entry.placement = CodecPlacement::GPU;
    return entry;
}

CodecEntry
NetzipEntry()
{
    CodecEntry entry{
        "netzip",
        "lossless: groups bytes or bits of values, then lz4, zstd, zlib or snappy (NetZIP)",
        [](const CodecSpec& spec) { return MakeNetzipCodec(spec.netzip); },
        {"grouping", "backend", "difference"},
        [](const CodecSpec& spec) { return spec.netzip.grouping + ' ' + spec.netzip.backend; },
        Each<NetzipSettings>("netzip",
                             &CodecSpec::netzip,
                             {{"bit", "lz4"},
                              {"bit", "zstd"},
                              {"bit", "zlib"},
                              {"bit", "snappy"},
                              {"byte", "lz4"},
                              {"none", "lz4"}})};
    entry.unit = CodedUnit::MESSAGE;
    entry.mostValuesPerByte = 1U << 14U; // zstd repeats a byte 2^15 times in 4
    entry.secondsPerValue = 40e-9;
    entry.cpuRates = {"130MBps", "160MBps"};
    return entry;
}

CodecEntry
SnappyEntry()
{
    CodecEntry entry{"snappy",
                     "Snappy on hosts: lossless, of messages; makes zeros smaller",
                     [](const CodecSpec&) { return MakeSnappyCodec(); }};
    entry.unit = CodedUnit::MESSAGE;
    entry.placement = CodecPlacement::CPU;
    entry.cpuRates = {"1.4GBps", "1.6GBps"};
    return entry;
}

CodecEntry
ZfpEntry()
{
    CodecEntry entry{"zfp",
                     "zfp on hosts, of messages, to an accuracy of 2^-B, B in 1..15",
                     [](const CodecSpec& spec) { return MakeZfpCodec(spec.bound); },
                     {"bound"},
                     BoundText,
                     Each<unsigned>("zfp", &CodecSpec::bound, {10, 8, 6})};
    entry.unit = CodedUnit::MESSAGE;
    entry.placement = CodecPlacement::CPU;
    entry.group = 4;
    entry.secondsPerValue = 70e-9;
    entry.cpuRates = {"340MBps", "490MBps"};
    return Losing(std::move(entry), [](const CodecSpec& spec) {
        constexpr unsigned most = 24; // zfp-codec.h
        return BoundText(spec) + " of values below 2^" + std::to_string(most - spec.bound);
    });
}

/** Can be added to until the first look-up: see base/catalog.h. */
Catalog<CodecEntry>&
Codecs()
{
    static Catalog<CodecEntry> codecs("codec",
                                      {NoneEntry(),
                                       TruncateEntry(),
                                       CastEntry(),
                                       InceptionnEntry(),
                                       BoundedInceptionnEntry(),
                                       BlockEntry(),
                                       ExponentsEntry(),
                                       NetzipEntry(),
                                       SnappyEntry(),
                                       ZfpEntry(),
                                       HomomorphicEntry()});
    return codecs;
}

} // namespace

void
RegisterCodec(CodecEntry entry)
{
    constexpr std::uint64_t most = 1U << 20U; // a part of a file that is coded part by part
    const auto group = entry.group;
    if (group == 0 || group > most || (group & (group - 1)) != 0)
    {
        throw InputError("codec '" + entry.name + "': its group must be a power of two up to 2^20");
    }
    Codecs().Register(std::move(entry));
}

const std::vector<CodecEntry>&
CodecCatalog()
{
    return Codecs().Rows();
}

std::vector<std::string>
CodecNames()
{
    return Codecs().Names();
}

const CodecEntry&
FindCodec(const std::string& name)
{
    return Codecs().Find(name);
}

std::unique_ptr<Codec>
MakeCodec(const CodecSpec& spec)
{
    return FindCodec(spec.name).make(spec);
}

std::vector<CodecSpec>
UsualSpecs(const CodecEntry& entry)
{
    CodecSpec plain;
    plain.name = entry.name;
    return entry.usual.empty() ? std::vector<CodecSpec>{plain} : entry.usual;
}

std::string
CodecTitle(const CodecSpec& spec)
{
    const auto& argumentText = FindCodec(spec.name).argumentText;
    return argumentText ? spec.name + ' ' + argumentText(spec) : spec.name;
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
