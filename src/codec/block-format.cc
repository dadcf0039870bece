/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/block-format.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/nearest.h"
#include "codec/little-endian.h"

#include <charconv>
#include <optional>

namespace inca
{

namespace
{

constexpr BlockElement g_elements[] = {
    {"e4m3", 8, 448, &E4M3},
    {"e4m3fnuz", 8, 240, &E4M3_FNUZ},
    {"e5m2", 8, 57344, &E5M2},
    {"e3m2", 6, 28, &E3M2},
    {"e2m3", 6, 7.5F, &E2M3},
    {"e2m1", 4, 6, &E2M1},
    {"int8", 8, 127, nullptr},
    {"int6", 6, 31, nullptr},
    {"int4", 4, 7, nullptr},
    {"int2", 2, 1, nullptr},
};

constexpr ScaleType g_scales[] = {
    {"fp32", ScaleRule::DIVIDE, 4, StoreLittle<float>, LoadLittle<float>},
    {"fp16",
     ScaleRule::DIVIDE,
     2,
     [](float scale, std::uint8_t* out) { StoreLittle(ToFp16(std::min(scale, 65504.0F)), out); },
     [](const std::uint8_t* in) { return FromFp16(LoadLittle<std::uint16_t>(in)); }},
    {"bf16",
     ScaleRule::DIVIDE,
     2,
     [](float scale, std::uint8_t* out) { StoreLittle(ToBf16(std::min(scale, 0x1.FEp127F)), out); },
     [](const std::uint8_t* in) { return FromBf16(LoadLittle<std::uint16_t>(in)); }},
    {"e4m3",
     ScaleRule::TWO_LEVELS,
     1,
     [](float scale, std::uint8_t* out) { *out = E4M3.Encode(scale); },
     [](const std::uint8_t* in) { return E4M3.Decode(*in); }},
    {"e8m0",
     ScaleRule::POWER,
     1,
     [](float scale, std::uint8_t* out) { *out = static_cast<std::uint8_t>(BitsOf(scale) >> 23U); },
     [](const std::uint8_t* in) { // as fp32, 2^-127 is subnormal, and a NaN has a mantissa, too
         return FloatOf(Word{*in} << 23U | (*in % 0xFF == 0 ? 1U << 22U : 0U));
     }},
};

/** The one of @p rows that is called @p name. @param what they are, for people: "scale: " */
template <typename Rows>
const auto&
Named(const Rows& rows, const std::string& name, const char* what)
{
    std::vector<std::string> known;
    for (const auto& row : rows)
    {
        if (name == row.name)
        {
            return row;
        }
        known.emplace_back(row.name);
    }
    throw InputError(what + UnknownName(name, known));
}

std::vector<std::string>
Split(const std::string& text)
{
    std::vector<std::string> parts{""};
    for (const auto letter : text)
    {
        letter == '/' ? void(parts.emplace_back()) : parts.back().push_back(letter);
    }
    return parts;
}

/** @return the number that @p text is, up to 1024 @throws InputError that says @p why unless it @p isRight */
std::uint64_t
NumberOf(const std::string& text, bool (*isRight)(std::uint64_t), const std::string& why)
{
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || last != end || number > 1024 || !isRight(number))
    {
        throw InputError(why);
    }
    return number;
}

std::uint64_t
GroupOf(const std::string& text)
{
    if (text == "tensor" || text == "row")
    {
        return text == "row" ? BlockFormat::ROW : BlockFormat::MESSAGE;
    }
    return NumberOf(
        text,
        [](std::uint64_t group) { return group >= 16 && group % 8 == 0; },
        "group '" + text + "': must be a multiple of 8 from 16 to 1024, row or tensor");
}

std::uint64_t
RotationOf(const std::string& text)
{
    const std::string prefix = "hadamard-";
    return NumberOf(
        text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : "",
        [](std::uint64_t size) { return size >= 2 && (size & (size - 1)) == 0; },
        "'" + text + "': behind the scale may stand hadamard-R, R a power of two up to 1024");
}

/** What is written as element/group/scale, with a rotation or not. */
BlockFormat
Written(const std::string& text)
{
    const auto parts = Split(text);
    if (parts.size() != 3 && parts.size() != 4)
    {
        throw InputError("format '" + text +
                         "': must be a name such as mxfp8, or element/group/scale such as "
                         "int4/128/fp32");
    }
    const auto& element = Named(g_elements, parts[0], "element: ");
    const auto& scale = Named(g_scales, parts[2], "scale: ");
    const auto rotation = parts.size() == 4 ? RotationOf(parts[3]) : 1;
    return {text, &element, GroupOf(parts[1]), &scale, rotation, scale.rule, {}, rotation};
}

/** What is written as @p text, but for what is given. */
BlockFormat
Preset(const char* name,
       const char* text,
       std::optional<ScaleRule> rule = {},
       BlockLayout layout = BlockLayout::APART,
       std::uint64_t padTo = 1,
       const char* between = "")
{
    auto format = Written(text);
    format.name = name;
    format.rule = rule.value_or(format.rule);
    format.layout = layout;
    format.padTo = std::max(format.padTo, padTo);
    format.between = between;
    return format;
}

} // namespace

const std::vector<BlockFormat>&
BlockFormats()
{
    constexpr auto apart = BlockLayout::APART;
    constexpr auto atoms = BlockLayout::ATOMS;
    static const std::vector<BlockFormat> formats{
        Preset("mxfp8", "e4m3/32/e8m0"),
        Preset("mxfp8-e5m2", "e5m2/32/e8m0"),
        Preset("mxfp6", "e3m2/32/e8m0"),
        Preset("mxfp6-e2m3", "e2m3/32/e8m0"),
        Preset("mxfp4", "e2m1/32/e8m0"),
        Preset("nvfp4", "e2m1/16/e4m3"),
        Preset("quickreduce-fp8", "e4m3fnuz/32/fp16", ScaleRule::HALF, atoms, 2048),
        Preset("quickreduce-q8", "int8/32/fp16", ScaleRule::HALF, atoms, 2048),
        Preset("quickreduce-q6", "int6/32/fp16", ScaleRule::HALF, atoms, 2048),
        Preset("quickreduce-q4", "int4/32/fp16", ScaleRule::HALF, atoms, 2048),
        Preset("torchft-fp8", "e4m3/row/fp32", ScaleRule::INVERSE, BlockLayout::ROWS),
        Preset("loongforge-fp8", "e4m3/256/fp32", ScaleRule::MULTIPLY, apart, 2048),
        Preset("zeropp-int4", "int4/row/fp32", ScaleRule::WHOLE_RANGE),
        Preset("sdp4bit", "int8/512/fp32/hadamard-32", {}, apart, 32, "sdp4bit-between"),
        Preset("sdp4bit-between", "int4/128/fp32/hadamard-32"),
    };
    return formats;
}

BlockFormat
ParseBlockFormat(const std::string& text)
{
    return text.find('/') == std::string::npos ? Named(BlockFormats(), text, "") : Written(text);
}

std::string
FormatMeaning(const BlockFormat& format)
{
    const auto group = format.group == BlockFormat::ROW       ? "a row"
                       : format.group == BlockFormat::MESSAGE ? "the tensor"
                                                              : std::to_string(format.group);
    const auto rotation = format.rotation > 1
                              ? ", behind a Hadamard matrix of " + std::to_string(format.rotation)
                              : "";
    return std::string(format.element->name) + " in groups of " + group + ", scales of " +
           format.scale->name + rotation + (format.rule == ScaleRule::HALF ? "; adds in fp16" : "");
}

} // namespace inca
