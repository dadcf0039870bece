/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/block-layout.h"

#include "codec/little-endian.h"
#include "codec/packed-bits.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace inca
{

namespace
{

constexpr std::size_t g_rowUnit = 4;     ///< rows are whole words
constexpr std::size_t g_atom = 2048;     ///< values
constexpr std::size_t g_atomScales = 64; ///< in an atom
constexpr std::size_t g_neighbours = 64; ///< values that have two scales
constexpr std::uint64_t g_lowNibbles = 0x0F0F0F0F0F0F0F0F;

using Eight = std::array<std::uint8_t, g_eight>;

/** Where each of 8 values' codes stands in an atom. */
constexpr Eight g_inOrder{0, 1, 2, 3, 4, 5, 6, 7};
constexpr Eight g_ofBytes{0, 2, 1, 3, 4, 6, 5, 7};
constexpr Eight g_ofNibbles{0, 2, 4, 6, 1, 3, 5, 7};

/** Puts 8 codes into @p order, from or to that of their values. @{ */
std::uint64_t
InOrder(const std::uint8_t* codes, const Eight& order)
{
    Eight moved;
    for (std::size_t i = 0; i < g_eight; ++i)
    {
        moved[i] = codes[order[i]];
    }
    return LoadLittle<std::uint64_t>(moved.data());
}

void
OutOfOrder(std::uint64_t bytes, const Eight& order, std::uint8_t* codes)
{
    Eight moved;
    StoreLittle(bytes, moved.data());
    for (std::size_t i = 0; i < g_eight; ++i)
    {
        codes[order[i]] = moved[i];
    }
}

/** @} */

/** The codes of an atom, in the order of its values, to its planes of bits; and back. @{ */
void
PackAtom(const BlockElement& element, const std::uint8_t* codes, std::uint8_t* out)
{
    const auto& order = element.floating != nullptr ? g_inOrder
                        : element.bits == 8         ? g_ofBytes
                                                    : g_ofNibbles;
    const auto low = element.bits == 8 ? 8U : 4U;
    for (std::size_t i = 0; i < g_atom; i += g_eight, out += low)
    {
        const auto bytes = InOrder(codes + i, order);
        StoreLittle(Packed(low == 8 ? bytes : bytes & g_lowNibbles, low), out);
    }
    for (std::size_t i = 0; element.bits > low && i < g_atom; i += g_eight, out += 2)
    {
        const auto top = (LoadLittle<std::uint64_t>(codes + i) >> low) & g_lowNibbles;
        StoreLittle(static_cast<std::uint16_t>(Packed(top, 2)), out);
    }
}

void
UnpackAtom(const BlockElement& element, const std::uint8_t* in, std::uint8_t* codes)
{
    const auto& order = element.floating != nullptr ? g_inOrder
                        : element.bits == 8         ? g_ofBytes
                                                    : g_ofNibbles;
    const auto low = element.bits == 8 ? 8U : 4U;
    const auto* high = in + g_atom * low / 8;
    for (std::size_t i = 0; i < g_atom; i += g_eight, in += low)
    {
        std::uint64_t packed = 0;
        std::memcpy(&packed, in, low);
        OutOfOrder(Unpacked(packed, low), order, codes + i);
        if (element.bits > low)
        {
            const auto top = Unpacked(LoadLittle<std::uint16_t>(high), 2) << low;
            StoreLittle(LoadLittle<std::uint64_t>(codes + i) | top, codes + i);
            high += 2;
        }
    }
}

/** @} */

/** What stands at even and at odd places of 64, one after the other, or back. */
template <typename Value>
void
MoveParities(Value* values, std::size_t count, bool joins)
{
    constexpr auto half = g_neighbours / 2;
    std::array<Value, g_neighbours> moved;
    for (auto* here = values; here < values + count; here += g_neighbours)
    {
        for (std::size_t i = 0; joins && i < half; ++i)
        {
            moved[2 * i] = here[i];
            moved[2 * i + 1] = here[half + i];
        }
        for (std::size_t i = 0; !joins && i < half; ++i)
        {
            moved[i] = here[2 * i];
            moved[half + i] = here[2 * i + 1];
        }
        std::copy(moved.begin(), moved.end(), here);
    }
}

void
StoreScales(const std::uint32_t* scales, std::size_t count, std::size_t bytes, std::uint8_t* out)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        std::memcpy(out + i * bytes, &scales[i], bytes); // little-endian (base/word.h)
    }
}

void
LoadScales(const std::uint8_t* in, std::size_t count, std::size_t bytes, std::uint32_t* scales)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        scales[i] = 0;
        std::memcpy(&scales[i], in + i * bytes, bytes);
    }
}

std::size_t
AtomBytes(const BlockFormat& format)
{
    return PackedBytes(g_atom, format.element->bits) + g_atomScales * ScaleBytes(format.scale);
}

/** Of a row with so many values. */
std::size_t
RowBytes(const BlockFormat& format, std::size_t count)
{
    const auto codes = PackedBytes(count, format.element->bits);
    return ScaleBytes(format.scale) + (codes + g_rowUnit - 1) / g_rowUnit * g_rowUnit;
}

/** Does @p use(place, first value, values, group) for each row. */
template <typename Use>
void
ForEachRow(const BlockFormat& format, std::size_t count, const Use& use)
{
    std::size_t at = 0;
    std::size_t group = 0;
    for (std::size_t begin = 0; begin < count; begin += format.group)
    {
        const auto some = std::min<std::uint64_t>(format.group, count - begin);
        use(at, begin, some, group++);
        at += RowBytes(format, some);
    }
}

} // namespace

std::size_t
PaddedValues(const BlockFormat& format, std::size_t count)
{
    return (count + format.padTo - 1) / format.padTo * format.padTo;
}

std::size_t
GroupCount(const BlockFormat& format, std::size_t count)
{
    const auto padded = PaddedValues(format, count);
    return padded / format.group + (padded % format.group > 0 ? 1 : 0);
}

std::uint64_t
BlockBytes(const BlockFormat& format, std::size_t count)
{
    const auto padded = PaddedValues(format, count);
    if (format.layout == BlockLayout::ATOMS)
    {
        return padded / g_atom * AtomBytes(format);
    }
    if (format.layout == BlockLayout::ROWS)
    {
        const auto rest = padded % format.group;
        return padded / format.group * RowBytes(format, format.group) +
               (rest > 0 ? RowBytes(format, rest) : 0);
    }
    const bool hasOwn = format.rule == ScaleRule::TWO_LEVELS && count > 0;
    return PackedBytes(padded, format.element->bits) +
           GroupCount(format, count) * ScaleBytes(format.scale) + (hasOwn ? sizeof(float) : 0);
}

void
WriteBlocks(const BlockFormat& format, const BlockCodes& coded, std::vector<std::uint8_t>& stream)
{
    const auto bits = format.element->bits;
    const auto count = coded.codes.size();
    const auto begin = stream.size();
    const auto end = begin + BlockBytes(format, count);
    const auto scaleBytes = ScaleBytes(format.scale);
    stream.resize(end + g_packRoom);
    auto* const out = stream.data() + begin;
    switch (format.layout)
    {
    case BlockLayout::ATOMS:
        for (std::size_t atom = 0; atom < count / g_atom; ++atom)
        {
            auto codes = std::vector<std::uint8_t>(&coded.codes[atom * g_atom],
                                                   &coded.codes[atom * g_atom] + g_atom);
            MoveParities(codes.data(), g_atom, true);
            auto* const here = out + atom * AtomBytes(format);
            PackAtom(*format.element, codes.data(), here);
            StoreScales(&coded.scales[atom * g_atomScales],
                        g_atomScales,
                        scaleBytes,
                        here + PackedBytes(g_atom, bits));
        }
        break;
    case BlockLayout::ROWS:
        ForEachRow(format, count, [&](auto at, auto first, auto some, auto group) {
            Pack(&coded.codes[first], some, bits, out + at + scaleBytes);
            StoreScales(&coded.scales[group], 1, scaleBytes, out + at);
        });
        break;
    case BlockLayout::APART:
    {
        Pack(coded.codes.data(), count, bits, out);
        auto* const scales = out + PackedBytes(count, bits);
        StoreScales(coded.scales.data(), coded.scales.size(), scaleBytes, scales);
        if (format.rule == ScaleRule::TWO_LEVELS && count > 0)
        {
            std::memcpy(scales + coded.scales.size() * scaleBytes, &coded.scale, sizeof(float));
        }
    }
    }
    stream.resize(end);
}

BlockCodes
ReadBlocks(const BlockFormat& format, const std::uint8_t* stream, std::size_t count)
{
    const auto bits = format.element->bits;
    const auto padded = PaddedValues(format, count);
    const auto scaleBytes = ScaleBytes(format.scale);
    BlockCodes coded;
    coded.codes.resize(padded);
    coded.scales.resize(GroupCount(format, count));
    switch (format.layout)
    {
    case BlockLayout::ATOMS:
        for (std::size_t atom = 0; atom < padded / g_atom; ++atom)
        {
            const auto* const here = stream + atom * AtomBytes(format);
            auto* const codes = &coded.codes[atom * g_atom];
            UnpackAtom(*format.element, here, codes);
            MoveParities(codes, g_atom, false);
            LoadScales(here + PackedBytes(g_atom, bits),
                       g_atomScales,
                       scaleBytes,
                       &coded.scales[atom * g_atomScales]);
        }
        break;
    case BlockLayout::ROWS:
        ForEachRow(format, padded, [&](auto at, auto first, auto some, auto group) {
            LoadScales(stream + at, 1, scaleBytes, &coded.scales[group]);
            Unpack(stream + at + scaleBytes, some, bits, &coded.codes[first]);
        });
        break;
    case BlockLayout::APART:
    {
        Unpack(stream, padded, bits, coded.codes.data());
        const auto* const scales = stream + PackedBytes(padded, bits);
        LoadScales(scales, coded.scales.size(), scaleBytes, coded.scales.data());
        if (format.rule == ScaleRule::TWO_LEVELS && padded > 0)
        {
            std::memcpy(&coded.scale, scales + coded.scales.size() * scaleBytes, sizeof(float));
        }
    }
    }
    return coded;
}

void
SplitParities(float* values, std::size_t count)
{
    MoveParities(values, count, false);
}

void
JoinParities(float* values, std::size_t count)
{
    MoveParities(values, count, true);
}

} // namespace inca
