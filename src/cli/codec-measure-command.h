/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_CODEC_MEASURE_COMMAND_H
#define INCA_CLI_CODEC_MEASURE_COMMAND_H

#include "cli/codec-options.h"

#include <memory>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** Adds `measure` to the command `inca codec`: what codecs make of a file, and --table. */
void AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options);

} // namespace inca

#endif // INCA_CLI_CODEC_MEASURE_COMMAND_H
