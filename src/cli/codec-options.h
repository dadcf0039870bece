/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_OPTIONS_H
#define INCA_CLI_CODEC_OPTIONS_H

#include "codec/codec-catalog.h"

#include <cstdint>
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

/** What `inca codec` is asked on the command line. */
struct CodecOptions
{
    std::string codec;
    std::map<std::string, std::string> arguments; ///< of the codec, by their names: "bound"
    std::optional<double> unionDensity;           ///< of the sum to come; empty: as the file's
    std::uint64_t elements{0};
    std::string in;
    std::string out;
    std::vector<std::string> streams; ///< to be added; the last is where the sum goes
};

/** What `encode` and `measure` read. */
constexpr const char* CODEC_INPUT = "raw little-endian fp32, or a .safetensors file";

/** Adds the arguments of codecs. @param homomorphicAlone only those of codec 'homomorphic' */
void AddCodecOptions(CLI::App& command, CodecOptions& options, bool homomorphicAlone = false);

/** @return whether the codec codes frames. @throws InputError if it is unknown */
bool CodesFrames(const CodecOptions& options);

/** The codec whose argument was given, if none is named. */
void CompleteCodec(CodecOptions& options);

/** @throws InputError if an argument is wrong, or has no effect on the codec */
CodecSpec SpecOf(const CodecOptions& options);

/** Share of the values of whole rows that are not 0; 0 if there is no whole row. */
double DensityOf(const float* values, std::size_t count);

/**
 * Of codec 'homomorphic', to encode: --ratio safe is the largest that is safe for @p count values.
 * @param density of their union, 0..1
 * @throws InputError as SpecOf, and if no ratio is safe
 */
HomomorphicSettings ChosenSettings(const CodecOptions& options, std::size_t count, double density);

/** The same for a stream that is there already. @throws InputError as SpecOf, and for --ratio safe */
HomomorphicSettings GivenSettings(const CodecOptions& options);

/** Adds `inca codec measure`. */
void AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);

} // namespace inca

#endif // INCA_CLI_CODEC_OPTIONS_H
