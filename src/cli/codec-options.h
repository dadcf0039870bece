/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_OPTIONS_H
#define INCA_CLI_CODEC_OPTIONS_H

#include "codec/codec-catalog.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** What IN may be, for --help. */
constexpr const char* g_codecInput = "raw little-endian fp32, or a .safetensors file";

/** What `inca codec` was asked for; codec arguments that were not given have CodecSpec's defaults. */
struct CodecOptions
{
    std::string codec;
    std::map<std::string, std::string> arguments; ///< of the codec, by their names: "bound"
    std::string unionDensity;                     ///< empty: as the file's
    std::string elements;
    std::string in;
    std::string out;
    std::vector<std::string> streams; ///< to be added; the last is where the sum goes
    bool table{false};
    std::string csv;
};

/** Adds the arguments of all codecs, or those of codec homomorphic alone. */
void AddCodecOptions(CLI::App& command, CodecOptions& options, bool homomorphicAlone = false);

/** Adds --elements, which decoding needs. */
void AddElementsOption(CLI::App& command, CodecOptions& options);

/** @return whether the codec makes streams of parts of a file; else a file is one bucket */
bool CodesFrames(const CodecOptions& options);

/** Names the codec that reads the argument that was given, if none is named. */
void CompleteCodec(CodecOptions& options);

/**
 * A ratio that is to be safe, and so depends on the values, keeps its default here.
 * @throws InputError if an argument is wrong, or was given that the codec does not read
 */
CodecSpec SpecOf(const CodecOptions& options);

/**
 * The settings for a bucket of @p count values; a ratio that is to be safe is the largest for
 * @p density, as TellableSafeRatio has it.
 * @throws InputError as SpecOf does, or if no ratio is safe
 */
HomomorphicSettings ChosenSettings(const CodecOptions& options, std::size_t count, double density);

/** The settings of streams that are there. @throws InputError as SpecOf does, or if no ratio is given */
HomomorphicSettings GivenSettings(const CodecOptions& options);

/** @throws InputError unless it is a share of 0..1 */
std::optional<double> UnionDensityOption(const CodecOptions& options);

/** @throws InputError unless it is a possible number of values */
std::size_t ElementsOption(const CodecOptions& options);

/** Adds `inca codec measure`. */
void AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);

} // namespace inca

#endif // INCA_CLI_CODEC_OPTIONS_H
