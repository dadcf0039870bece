/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-catalog.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "codec/cast-codec.h"
#include "codec/inceptionn-codec.h"
#include "codec/inceptionn-widths.h"
#include "codec/null-codec.h"
#include "codec/truncate-codec.h"

namespace inca
{

const std::vector<CodecEntry>&
CodecCatalog()
{
    static const std::vector<CodecEntry> catalog{
        {"none",
         "values as they are, 32 bits each",
         [](const CodecSpec&) { return MakeNullCodec(); }},
        {"truncate",
         "drops the low 16, 22 or 24 bits of each value",
         [](const CodecSpec& spec) { return MakeTruncateCodec(spec.dropBits); }},
        {"cast",
         "rounds each value to bf16 or fp16; sums in fp32 or in that type",
         [](const CodecSpec& spec) { return MakeCastCodec(spec.castTo, spec.sum); }},
        {"inceptionn",
         "keeps 0, 8, 16 or 32 bits of each value by its exponent and a bound 2^-B, B in 1..15",
         [](const CodecSpec& spec) { return MakeInceptionnCodec(spec.bound); }},
    };
    return catalog;
}

std::vector<std::string>
CodecNames()
{
    std::vector<std::string> names;
    for (const auto& entry : CodecCatalog())
    {
        names.emplace_back(entry.name);
    }
    return names;
}

std::unique_ptr<Codec>
MakeCodec(const CodecSpec& spec)
{
    for (const auto& entry : CodecCatalog())
    {
        if (spec.name == entry.name)
        {
            return entry.make(spec);
        }
    }
    throw InputError("codec: " + UnknownName(spec.name, CodecNames()));
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
