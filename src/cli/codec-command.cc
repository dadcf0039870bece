/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-commands.h"
#include "cli/commands.h"
#include "codec/codec-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace inca
{

namespace
{

void
List()
{
    for (const auto& entry : CodecCatalog())
    {
        fmt::print(
            "{:<12}{:<9}{}\n", entry.name, entry.codesFrames ? "frames" : "buckets", entry.meaning);
    }
}

} // namespace

void
AddCodecCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto& codec = *app.add_subcommand("codec", "codecs on real files");
    codec.require_subcommand(1);
    const auto options = std::make_shared<CodecOptions>();
    codec.add_subcommand("list", "the codecs, and whether they code frames or buckets")
        ->callback(List);
    AddCodecEncode(codec, options);
    AddCodecDecode(codec, options);
    AddCodecAdd(codec, options);
    AddCodecMeasure(codec, options);
}

} // namespace inca
