/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_BYTE_COMPRESSOR_H
#define INCA_CODEC_BYTE_COMPRESSOR_H

#include "inca/base/catalog.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** A lossless compressor of bytes. Another version of its library may find other repetitions, and so have other sizes. */
struct ByteCompressor
{
    std::string name;
    std::uint64_t mostBytes; ///< that it takes at once
    std::uint64_t mostRatio; ///< plain bytes for each byte of a stream, at most
    /** @return the bytes of the stream of @p bytes, which fit @p room */
    std::size_t (*pack)(const void* plain, std::size_t bytes, void* stream, std::size_t room);
    /** @return whether the stream of @p bytes is one of exactly @p room, which are then at @p plain */
    bool (*unpack)(const void* stream, std::size_t bytes, void* plain, std::size_t room);
    bool isExtension{false};

    /** Appends the stream of @p bytes, at least 1, to @p stream. @throws InputError if they are too many */
    void Append(const void* plain, std::size_t bytes, std::vector<std::uint8_t>& stream) const;
};

/** lz4 (a block), zstd (a frame, level 1), zlib (level 1) and snappy (a block). */
Catalog<ByteCompressor>& ByteCompressors();

} // namespace inca

#endif // INCA_CODEC_BYTE_COMPRESSOR_H
