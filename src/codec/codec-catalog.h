/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_CODEC_CATALOG_H
#define INCA_CODEC_CODEC_CATALOG_H

#include "inca/codec/block-codec.h"
#include "inca/codec/codec.h"
#include "inca/codec/homomorphic-shape.h"
#include "inca/codec/netzip-codec.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

/** The arguments of all codecs; each reads its own. */
struct CodecSpec
{
    std::string name{"none"};
    unsigned bound{10};         ///< of 2^-bound, 1..15: of inceptionn, inceptionn-bounded, zfp
    unsigned dropBits{16};      ///< truncate: low bits of each value that do not travel; 16, 22, 24
    std::string castTo{"bf16"}; ///< cast: "bf16" or "fp16"
    std::string sum{"fp32"};    ///< cast: sums are kept in "fp32" or rounded to the "wire" type
    std::string format{"mxfp8"}; ///< block: ParseBlockFormat
    BlockSettings block;         ///< block
    unsigned valueBytes{4};      ///< exponents: 2 of bf16
    NetzipSettings netzip;
    HomomorphicSettings homomorphic;
};

/** What a codec makes one stream of. */
enum class CodedUnit
{
    /**
     * Any part of the values, a frame's payload, is a stream of its own. Streams of parts of a multiple of 8 values each,
     * joined, are then the stream of the whole: code that streams a file relies on it.
     */
    FRAME,
    /** All that a host sends at once; hosts decode, add and encode. To a NIC's engine each frame's payload is one. */
    MESSAGE,
    BUCKET, ///< a whole bucket, in words that are added undecoded
};

/** Plain bytes that are encoded, and decoded, a second, about; for advice. */
using CodecRates = std::pair<const char*, const char*>;

/** What tools/torch/codec_rates.py measures on an H100. */
constexpr CodecRates GPU_CODEC_RATES{"2.8TBps", "2.9TBps"};

/** codec.placement: where codecs run. */
enum class CodecPlacement
{
    NIC, ///< in its engines
    CPU,
    GPU,
};

/** One row per codec: a new codec is a file pair and a row. */
struct CodecEntry
{
    std::string name;
    std::string meaning; ///< one line for people
    std::function<std::unique_ptr<Codec>(const CodecSpec&)> make;
    std::vector<std::string> arguments{}; ///< what it reads of a CodecSpec: "bound", "drop-bits"
    std::function<std::string(const CodecSpec&)> argumentText{}; ///< "2^-10"; empty: has none
    std::vector<CodecSpec> usual{}; ///< with each argument that is usual for it; empty: has none
    CodedUnit unit{CodedUnit::FRAME};
    std::uint64_t mostValuesPerByte{32}; ///< in a stream, but of buckets
    /** @return what a value may lose, for people: "2^-8 of each value"; unset: it says nothing */
    std::function<std::string(const CodecSpec&)> loss{};
    /**
     * Values that are decoded together, such as a block that shares a scale, counted from a frame's first: frames are cut
     * at multiples of them. 1: each value by itself. A power of two.
     */
    std::uint64_t group{1};
    bool hasWidthClasses{
        false}; ///< a value's size is its class's of inceptionn-widths.h, at its bound
    unsigned largestBound{15};                     ///< of a codec that reads "bound"
    CodecPlacement placement{CodecPlacement::NIC}; ///< where it runs if nobody says so
    /** CPU time in which INCA encodes and decodes a value, about; estimates of a run's cost need it. */
    double secondsPerValue{5e-9};
    CodecRates cpuRates{"4.1GBps", "5.2GBps"}; ///< of a core (software-codecs.toml)
    bool isExtension{false};                   ///< registered, no codec of INCA's own

    /** @return whether a NIC's engines may run it: it codes frames, or its messages may be frames' payloads */
    bool RunsInNics() const
    {
        return unit == CodedUnit::FRAME || placement == CodecPlacement::NIC;
    }
};

/**
 * Adds a codec, before anything looks for a codec.
 * @throws InputError if the name is taken or is none, its group is no power of two up to 2^20, or a codec was looked for already
 */
void RegisterCodec(CodecEntry entry);

const std::vector<CodecEntry>& CodecCatalog();

std::vector<std::string> CodecNames();

/** @throws InputError if the name is unknown */
const CodecEntry& FindCodec(const std::string& name);

/** @throws InputError if the name or an argument is unknown or out of range */
std::unique_ptr<Codec> MakeCodec(const CodecSpec& spec);

/** @return a codec with each of its usual arguments, one spec at least */
std::vector<CodecSpec> UsualSpecs(const CodecEntry& entry);

/** @return name and arguments: "inceptionn 2^-10", "cast fp16", "homomorphic 10 bits-1" or "none" */
std::string CodecTitle(const CodecSpec& spec);

/**
 * @return 10 for "2^-10"
 * @throws UnitError unless @p text is 2^-B with B from 1 to 15
 */
unsigned ParseBound(std::string_view text);

/** @return "2^-10" for 10 */
std::string FormatBound(unsigned bound);

} // namespace inca

#endif // INCA_CODEC_CODEC_CATALOG_H
