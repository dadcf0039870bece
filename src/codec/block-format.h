/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BLOCK_FORMAT_H
#define INCA_CODEC_BLOCK_FORMAT_H

#include "inca/base/minifloat.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace inca
{

/** What a value becomes, once its group's scale is taken out: a small float, or an integer. */
struct BlockElement
{
    const char* name; ///< "e4m3", "int8"
    unsigned bits;
    float largest;             ///< the largest magnitude that has a code of either sign
    const MiniFloat* floating; ///< null: an integer
};

/** How a group's scale comes from its largest magnitude m, and what is done with it; L is the element's largest. */
enum class ScaleRule
{
    DIVIDE,   ///< d = m / L; values are x / d
    MULTIPLY, ///< d = m / L, and 0 where it is subnormal; values are x * fp32(1 / d)
    INVERSE,  ///< s = L / m is stored, 1 where that is infinite; values are x * s, decoded code / s
    WHOLE_RANGE, ///< s = 2^b / (2 m), 1 where m is 0; 1 / s is stored; x * s, and -2^(b - 1) has a code, too
    POWER,      ///< 2^(floor(log2 m) - floor(log2 L)), as OCP's MX has it
    TWO_LEVELS, ///< NVFP4's: scales of e4m3 over one of fp32 for the message
    HALF, ///< d = m * fp16(1 / L), or of integers m * -2^(1 - b), m having its sign, with codes + 2^(b - 1); values
          ///< are x * fp16(1 / fp16(d + 2^-24)); all of that, and sums, in fp16
};

/** The type of a scale. */
struct ScaleType
{
    const char* name; ///< "fp32"
    ScaleRule rule;   ///< of formats that are written with it
    std::size_t bytes;
    void (*store)(float scale,
                  std::uint8_t* out); ///< to nearest, but never from finite to infinite
    float (*load)(const std::uint8_t* in);
};

/** Where codes and scales stand in a stream. */
enum class BlockLayout
{
    APART, ///< all codes, the first in the lowest bits; then all scales; then the message's
    ROWS,  ///< of each group its scale, its codes of 8 bits, and zeros up to a multiple of 4 bytes
    ATOMS, ///< QuickReduce's: see MakeBlockCodec
};

/** A wire format of values that share scales by groups. */
struct BlockFormat
{
    std::string name;
    const BlockElement* element;
    std::uint64_t group; ///< values that share a scale; or one of the two below
    const ScaleType* scale;
    std::uint64_t rotation; ///< so many values go through a Hadamard matrix first; 1: none
    ScaleRule rule;
    BlockLayout layout{BlockLayout::APART};
    std::uint64_t padTo{1}; ///< a message is filled up with zeros to a multiple of that many values
    std::string between{};  ///< the format that goes with it between nodes; empty: the same

    static constexpr std::uint64_t ROW{0};
    static constexpr std::uint64_t MESSAGE{std::numeric_limits<std::uint64_t>::max()};
};

/** The presets, in the order in which people see them: a new format is a row of this table. */
const std::vector<BlockFormat>& BlockFormats();

/**
 * @param text a preset's name, or element/group/scale with /hadamard-R behind it or not: "e4m3/256/fp32",
 *        "int4/128/bf16/hadamard-32". The group is a multiple of 8 from 16 to 1024, "row" or "tensor", which is a
 *        message. A scale of e8m0 follows rule POWER, of e4m3 TWO_LEVELS, others DIVIDE.
 * @throws InputError saying what would be right
 */
BlockFormat ParseBlockFormat(const std::string& text);

/** @return what it is made of, for people: "e4m3 in groups of 32, scales of e8m0" */
std::string FormatMeaning(const BlockFormat& format);

} // namespace inca

#endif // INCA_CODEC_BLOCK_FORMAT_H
