/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/block-format.h"

#include "base/errors.h"
#include "base/nearest.h"

#include <algorithm>
#include <charconv>

namespace inca
{

namespace
{

/** A type of scales, as custom formats name it. */
struct ScaleRow
{
    const char* name;
    ScaleType type;
    ScaleRule rule; ///< of custom formats
    std::size_t bytes;
};

constexpr ScaleRow g_scales[] = {
    {"fp32", ScaleType::FP32, ScaleRule::DIVIDE, 4},
    {"fp16", ScaleType::FP16, ScaleRule::DIVIDE, 2},
    {"bf16", ScaleType::BF16, ScaleRule::DIVIDE, 2},
    {"e4m3", ScaleType::UE4M3, ScaleRule::TWO_LEVELS, 1},
    {"e8m0", ScaleType::E8M0, ScaleRule::POWER, 1},
};

constexpr BlockElement g_e4m3{"e4m3", 8, &E4M3};
constexpr BlockElement g_e4m3Fnuz{"e4m3fnuz", 8, &E4M3_FNUZ};
constexpr BlockElement g_e5m2{"e5m2", 8, &E5M2};
constexpr BlockElement g_e3m2{"e3m2", 6, &E3M2};
constexpr BlockElement g_e2m3{"e2m3", 6, &E2M3};
constexpr BlockElement g_e2m1{"e2m1", 4, &E2M1};
constexpr BlockElement g_int8{"int8", 8, nullptr};
constexpr BlockElement g_int6{"int6", 6, nullptr};
constexpr BlockElement g_int4{"int4", 4, nullptr};
constexpr BlockElement g_int2{"int2", 2, nullptr};

constexpr const BlockElement* g_elements[] = {
    &g_e4m3, &g_e4m3Fnuz, &g_e5m2, &g_e3m2, &g_e2m3, &g_e2m1, &g_int8, &g_int6, &g_int4, &g_int2};

constexpr std::uint64_t g_atomValues = 2048;

/** OCP Microscaling Formats, version 1.0. */
BlockFormat
Mx(const char* name, const BlockElement& element)
{
    return {name, &element, 32, ScaleType::E8M0, ScaleRule::POWER};
}

/** QuickReduce (2025): a group is the values of one parity among 64 neighbours. */
BlockFormat
QuickReduce(const char* name, const BlockElement& element)
{
    const auto rule = element.floating != nullptr ? ScaleRule::HALF : ScaleRule::HALF_SIGNED;
    return {name, &element, 32, ScaleType::FP16, rule, BlockLayout::ATOMS, g_atomValues, 0, true};
}

/** The one of @p rows that is called @p name. @param what they are, for people: "scale: " */
template <typename Rows, typename NameOf>
auto
Named(const Rows& rows, const std::string& name, const std::string& what, NameOf nameOf)
{
    std::vector<std::string> known;
    for (const auto& row : rows)
    {
        if (name == nameOf(row))
        {
            return row;
        }
        known.emplace_back(nameOf(row));
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

/** @return @p text as a number from @p least to @p most; else 0 */
std::uint64_t
NumberIn(const std::string& text, std::uint64_t least, std::uint64_t most)
{
    std::uint64_t number = 0;
    const auto* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    const bool isRight = error == std::errc() && last == end && number >= least && number <= most;
    return isRight ? number : 0;
}

std::uint64_t
GroupOf(const std::string& text)
{
    constexpr std::uint64_t unit = 8;
    if (text == "tensor" || text == "row")
    {
        return text == "row" ? BlockFormat::ROW : BlockFormat::MESSAGE;
    }
    const auto group = NumberIn(text, 16, 1024);
    if (group == 0 || group % unit != 0)
    {
        throw InputError("group '" + text +
                         "': must be a multiple of 8 from 16 to 1024, row or tensor");
    }
    return group;
}

std::uint64_t
RotationOf(const std::string& text)
{
    const std::string prefix = "hadamard-";
    const bool isPrefixed = text.rfind(prefix, 0) == 0;
    const auto size = isPrefixed ? NumberIn(text.substr(prefix.size()), 2, 1024) : 0;
    if (size == 0 || (size & (size - 1)) != 0)
    {
        throw InputError("'" + text +
                         "': behind the scale may stand hadamard-R, R a power of two up to 1024");
    }
    return size;
}

} // namespace

float
BlockElement::Largest() const
{
    return floating != nullptr ? floating->Decode(static_cast<std::uint8_t>(floating->largest))
                               : static_cast<float>((1U << (bits - 1)) - 1);
}

const std::vector<BlockFormat>&
BlockFormats()
{
    using Format = BlockFormat;
    constexpr auto apart = BlockLayout::APART;
    constexpr auto fp32 = ScaleType::FP32;
    static const std::vector<BlockFormat> formats{
        Mx("mxfp8", g_e4m3),
        Mx("mxfp8-e5m2", g_e5m2),
        Mx("mxfp6", g_e3m2),
        Mx("mxfp6-e2m3", g_e2m3),
        Mx("mxfp4", g_e2m1),
        {"nvfp4", &g_e2m1, 16, ScaleType::UE4M3, ScaleRule::TWO_LEVELS},
        QuickReduce("quickreduce-fp8", g_e4m3Fnuz),
        QuickReduce("quickreduce-q8", g_int8),
        QuickReduce("quickreduce-q6", g_int6),
        QuickReduce("quickreduce-q4", g_int4),
        {"torchft-fp8", &g_e4m3, Format::ROW, fp32, ScaleRule::INVERSE, BlockLayout::ROWS},
        {"loongforge-fp8", &g_e4m3, 256, fp32, ScaleRule::MULTIPLY, apart, 2048},
        {"zeropp-int4", &g_int4, Format::ROW, fp32, ScaleRule::WHOLE_RANGE},
        {"sdp4bit", &g_int8, 512, fp32, ScaleRule::DIVIDE, apart, 32, 32, false, "sdp4bit-between"},
        {"sdp4bit-between", &g_int4, 128, fp32, ScaleRule::DIVIDE, apart, 32, 32},
    };
    return formats;
}

BlockFormat
ParseBlockFormat(const std::string& text)
{
    const auto nameOf = [](const auto& row) { return row.name; };
    const auto parts = Split(text);
    if (parts.size() == 1)
    {
        return Named(BlockFormats(), text, "", nameOf);
    }
    if (parts.size() != 3 && parts.size() != 4)
    {
        throw InputError("format '" + text +
                         "': must be a name such as mxfp8, or element/group/scale such as "
                         "int4/128/fp32");
    }
    const auto* const element =
        Named(g_elements, parts[0], "element: ", [](const auto* row) { return row->name; });
    const auto scale = Named(g_scales, parts[2], "scale: ", nameOf);
    const auto rotation = parts.size() == 4 ? RotationOf(parts[3]) : 0;
    return {text,
            element,
            GroupOf(parts[1]),
            scale.type,
            scale.rule,
            BlockLayout::APART,
            std::max<std::uint64_t>(rotation, 1),
            rotation};
}

std::string
FormatMeaning(const BlockFormat& format)
{
    const auto group = format.group == BlockFormat::ROW       ? "a row"
                       : format.group == BlockFormat::MESSAGE ? "the tensor"
                                                              : std::to_string(format.group);
    const auto& scale = g_scales[static_cast<std::size_t>(format.scale)];
    return std::string(format.element->name) + " in groups of " + group + ", scales of " +
           scale.name +
           (format.rotation > 0 ? ", behind a Hadamard matrix of " + std::to_string(format.rotation)
                                : "") +
           (format.sumsInHalf ? "; adds in fp16" : "");
}

std::size_t
ScaleBytes(ScaleType type)
{
    return g_scales[static_cast<std::size_t>(type)].bytes;
}

} // namespace inca
