/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_CODEC_CATALOG_H
#define INCA_CODEC_CODEC_CATALOG_H

#include "codec/codec.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Everything that any codec can be told; each reads what concerns it. */
struct CodecSpec
{
    std::string name{"none"};
    unsigned bound{10};         ///< inceptionn: the error bound is 2^-bound; 1..15
    unsigned dropBits{16};      ///< truncate: low bits of each value that do not travel; 16, 22, 24
    std::string castTo{"bf16"}; ///< cast: "bf16" or "fp16"
    std::string sum{"fp32"};    ///< cast: sums are kept in "fp32" or rounded to the "wire" type
};

/** One row per codec: a new codec is a file pair and a row. */
struct CodecEntry
{
    const char* name;
    const char* meaning; ///< one line for people
    std::unique_ptr<Codec> (*make)(const CodecSpec&);
    const char* argument; ///< what it reads of a CodecSpec: "bound", "drop-bits", "cast" or nothing
    std::string (*argumentText)(const CodecSpec&); ///< as on the command line: "2^-10"
    std::vector<CodecSpec> usual;                  ///< with each argument that is usual for it
};

const std::vector<CodecEntry>& CodecCatalog();

std::vector<std::string> CodecNames();

/** @throws InputError if the name is unknown */
const CodecEntry& FindCodec(const std::string& name);

/** @throws InputError if the name or an argument is unknown or out of range */
std::unique_ptr<Codec> MakeCodec(const CodecSpec& spec);

/** @return name and argument, "inceptionn 2^-10", "truncate 22", "cast fp16" or "none" */
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
