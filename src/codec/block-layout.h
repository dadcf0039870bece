/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BLOCK_LAYOUT_H
#define INCA_CODEC_BLOCK_LAYOUT_H

#include "inca/codec/block-format.h"
#include "inca/codec/packed-bits.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

/** So many values are coded and stored at once. */
constexpr std::size_t g_piece = 1024;

using Codes = std::array<std::uint8_t, g_piece + 8>; ///< Pack and Unpack take 8 at once

/** Does @p use(index, first, count) with what [@p begin, @p end) has of each @p size values, counted from 0. */
template <typename Use>
void
ForEachOf(std::uint64_t size, std::size_t begin, std::size_t end, const Use& use)
{
    for (std::size_t index = begin / size; begin < end; ++index)
    {
        const auto next = std::min<std::uint64_t>(end, (index + 1) * size);
        use(index, begin, next - begin);
        begin = next;
    }
}

/** Of each 64 values, in place: @p Run of the first half, @p Run of the second one, and so on; or, unless it @p Joins, back. */
template <std::size_t Run, bool Joins, typename Value>
void
MoveHalves(Value* values, std::size_t count)
{
    constexpr std::size_t half = 32;
    for (auto* here = values; here < values + count; here += 2 * half)
    {
        std::array<Value, 2 * half> old;
        std::copy_n(here, 2 * half, old.begin());
        for (std::size_t i = 0; i < half; i += Run)
        {
            const auto next = 2 * i + Run;
            std::copy_n(&old[Joins ? i : 2 * i], Run, here + (Joins ? 2 * i : i));
            std::copy_n(&old[Joins ? half + i : next], Run, here + (Joins ? next : half + i));
        }
    }
}

/**
 * Where codes and scales of a message stand in its stream. It is made of units, each with its codes and scales: the message
 * itself, or rows, or atoms (BlockLayout). Behind them is the message's own scale, in rule TWO_LEVELS.
 */
class BlockPlaces
{
  public:
    /** @param format its group is a number; it outlives this */
    BlockPlaces(const BlockFormat& format, std::size_t count)
        : m_format(format),
          m_isRows(format.layout == BlockLayout::ROWS),
          m_planes(PlanesOf(format)),
          m_values(RoundUp(count, format.padTo)),
          m_unit(m_isRows                              ? format.group
                 : format.layout == BlockLayout::ATOMS ? 2048
                                                       : std::max<std::size_t>(m_values, 1)),
          m_unitGroups((m_unit - 1) / format.group + 1),
          m_unitBytes(UnitBytes(m_unit))
    {
    }

    /** @return the values, with zeros that fill up the message */
    std::size_t Values() const
    {
        return m_values;
    }

    /** @return the size of the stream */
    std::uint64_t Bytes() const
    {
        const bool hasOwn = m_format.rule == ScaleRule::TWO_LEVELS && m_values > 0;
        return m_values / m_unit * m_unitBytes + UnitBytes(m_values % m_unit) +
               (hasOwn ? sizeof(float) : 0);
    }

    /** @return where the scale of @p group stands */
    std::size_t ScaleAt(std::size_t group) const
    {
        const auto unit = group < m_unitGroups ? 0 : group / m_unitGroups;
        const auto at = m_isRows ? 0 : PackedBytes(m_unit, m_format.element->bits);
        return unit * m_unitBytes + at + (group - unit * m_unitGroups) * m_format.scale->bytes;
    }

    /** Codes of at most g_piece values, from a multiple of it on; what is read was 0. @{ */
    void Write(const Codes& codes, std::size_t first, std::size_t count, std::uint8_t* out) const
    {
        ForEachPlane(first, count, [&](const auto& plane, auto begin, auto some, auto at) {
            if (plane.join == nullptr)
            {
                Pack(&codes[begin], some, 0, plane.bits, out + at);
                return;
            }
            auto moved = codes;
            plane.join(moved.data(), some);
            Pack(moved.data(), some, plane.low, plane.bits, out + at);
        });
    }

    void Read(const std::uint8_t* in, std::size_t first, std::size_t count, Codes& codes) const
    {
        ForEachPlane(first, count, [&](const auto& plane, auto begin, auto some, auto at) {
            auto* const here = &codes[begin];
            if (plane.split == nullptr)
            {
                Unpack(in + at, some, 0, plane.bits, here);
                return;
            }
            Codes moved;
            Unpack(in + at, some, plane.low, plane.bits, moved.data());
            plane.split(moved.data(), some);
            std::transform(here, here + some, moved.data(), here, std::bit_or<>());
        });
    }
    /** @} */

  private:
    /** Bits of codes that stand together: each from the lowest one on. */
    struct Plane
    {
        unsigned low;
        unsigned bits;
        void (*join)(std::uint8_t* codes, std::size_t count); ///< null: they stay
        void (*split)(std::uint8_t* codes, std::size_t count);
    };

    template <std::size_t Run>
    static Plane PlaneOf(unsigned low, unsigned bits)
    {
        return {
            low, bits, MoveHalves<Run, true, std::uint8_t>, MoveHalves<Run, false, std::uint8_t>};
    }

    /** In atoms the codes of 32 even values are followed by those of 32 odd ones, before they are joined. */
    static std::vector<Plane> PlanesOf(const BlockFormat& format)
    {
        const auto bits = format.element->bits;
        if (format.layout != BlockLayout::ATOMS)
        {
            return {{0, bits, nullptr, nullptr}};
        }
        if (bits == 8)
        {
            return {format.element->floating != nullptr ? PlaneOf<1>(0, 8) : PlaneOf<2>(0, 8)};
        }
        std::vector<Plane> planes{PlaneOf<4>(0, 4), PlaneOf<1>(4, 2)};
        planes.resize(bits == 4 ? 1 : 2);
        return planes;
    }

    static std::size_t RoundUp(std::size_t count, std::size_t unit)
    {
        return (count + unit - 1) / unit * unit;
    }

    std::size_t UnitBytes(std::size_t values) const
    {
        const auto groups = values == 0 ? 0 : (values - 1) / m_format.group + 1;
        const auto codes = PackedBytes(values, m_format.element->bits);
        const auto bytes = codes + groups * m_format.scale->bytes;
        return m_isRows ? RoundUp(bytes, sizeof(float)) : bytes;
    }

    /** Does @p use(plane, code, count, byte of the stream) with codes that stand together. */
    template <typename Use>
    void ForEachPlane(std::size_t first, std::size_t count, const Use& use) const
    {
        ForEachOf(m_unit, first, first + count, [&](auto unit, auto begin, auto some) {
            auto at = unit * m_unitBytes + (m_isRows ? m_format.scale->bytes : 0);
            for (const auto& plane : m_planes)
            {
                use(plane, begin - first, some, at + (begin - unit * m_unit) * plane.bits / 8);
                at += PackedBytes(m_unit, plane.bits);
            }
        });
    }

    const BlockFormat& m_format;
    bool m_isRows;
    std::vector<Plane> m_planes;
    std::size_t m_values;
    std::size_t m_unit; ///< values
    std::size_t m_unitGroups;
    std::size_t m_unitBytes;
};

} // namespace inca

#endif // INCA_CODEC_BLOCK_LAYOUT_H
