/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_COMMANDS_H
#define INCA_CLI_CODEC_COMMANDS_H

#include "cli/codec-options.h"

#include <memory>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/**
 * One function and one file per subcommand of `inca codec`: each adds itself, its options and a
 * callback that does the work. @{
 */
void AddCodecEncode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);
void AddCodecDecode(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);
void AddCodecAdd(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);
void AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);
/** @} */

/**
 * Part of `measure`: prints a table of options.in as one bucket, with the settings asked for, or with
 * each index if none was asked for, and writes it to options.csv if that is named.
 */
void MeasureBucketFile(const CodecOptions& options);

} // namespace inca

#endif // INCA_CLI_CODEC_COMMANDS_H
