/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_NETZIP_CODEC_H
#define INCA_CODEC_NETZIP_CODEC_H

#include "inca/codec/codec.h"

#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** What NetZIP does to values, and to the bytes that this makes. */
struct NetzipSettings
{
    std::string grouping{"bit"}; ///< one of NETZIP_GROUPINGS
    std::string backend{"lz4"};  ///< a name of ByteCompressors
    /** Values' bits less those of the message's 1st percentile, as integers; else as they are. */
    bool isShifted{false};
};

/** "none": values one after the other; "byte": all lowest bytes, then all next ones; "bit": the same of bits. */
inline const std::vector<std::string> NETZIP_GROUPINGS{"none", "byte", "bit"};

/**
 * NetZIP's lossless codec (MICRO 2025): regroups the bytes or bits of values, such that those that are alike come together,
 * and has a light compressor of bytes find them (byte-compressor.h). docs/formats.md has the stream.
 *
 * NetZIP's differences to the values of the step before are left out: a codec has no memory. Its shift, by a percentile of that
 * step, is of floats and rounds; here it is of integers and loses nothing.
 *
 * Source: github.com/ece-fast-lab/MICRO-2025-NetZIP 44b2fa9, compression_ratio_calculation.py.
 *
 * @throws InputError if a name is unknown
 */
std::unique_ptr<Codec> MakeNetzipCodec(const NetzipSettings& settings);

} // namespace inca

#endif // INCA_CODEC_NETZIP_CODEC_H
