/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/byte-compressor.h"

#include "base/errors.h"

#include <lz4.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <climits>

namespace inca
{

namespace
{

constexpr int g_quickLevel = 1; ///< of zstd and zlib

std::size_t
PackLz4(const void* plain, std::size_t bytes, void* stream, std::size_t room)
{
    return static_cast<std::size_t>(
        LZ4_compress_default(static_cast<const char*>(plain),
                             static_cast<char*>(stream),
                             static_cast<int>(bytes),
                             static_cast<int>(std::min<std::size_t>(room, INT_MAX))));
}

bool
UnpackLz4(const void* stream, std::size_t bytes, void* plain, std::size_t room)
{
    return std::max(bytes, room) <= INT_MAX &&
           LZ4_decompress_safe(static_cast<const char*>(stream),
                               static_cast<char*>(plain),
                               static_cast<int>(bytes),
                               static_cast<int>(room)) == static_cast<int>(room);
}

std::size_t
PackZstd(const void* plain, std::size_t bytes, void* stream, std::size_t room)
{
    return ZSTD_compress(stream, room, plain, bytes, g_quickLevel);
}

bool
UnpackZstd(const void* stream, std::size_t bytes, void* plain, std::size_t room)
{
    return ZSTD_decompress(plain, room, stream, bytes) == room;
}

std::size_t
PackZlib(const void* plain, std::size_t bytes, void* stream, std::size_t room)
{
    const auto* const from = static_cast<const Bytef*>(plain);
    compress2(static_cast<Bytef*>(stream), &room, from, bytes, g_quickLevel);
    return room;
}

bool
UnpackZlib(const void* stream, std::size_t bytes, void* plain, std::size_t room)
{
    const auto* const from = static_cast<const Bytef*>(stream);
    auto made = room;
    auto read = bytes;
    return uncompress2(static_cast<Bytef*>(plain), &made, from, &read) == Z_OK && made == room &&
           read == bytes;
}

std::size_t
PackSnappy(const void* plain, std::size_t bytes, void* stream, std::size_t room)
{
    const auto* const from = static_cast<const char*>(plain);
    snappy::RawCompress(from, bytes, static_cast<char*>(stream), &room);
    return room;
}

bool
UnpackSnappy(const void* stream, std::size_t bytes, void* plain, std::size_t room)
{
    const auto* const from = static_cast<const char*>(stream);
    std::size_t length = 0;
    return snappy::GetUncompressedLength(from, bytes, &length) && length == room &&
           snappy::RawUncompress(from, bytes, static_cast<char*>(plain));
}

} // namespace

void
ByteCompressor::Append(const void* plain,
                       std::size_t bytes,
                       std::vector<std::uint8_t>& stream) const
{
    if (bytes > mostBytes)
    {
        throw InputError(name + ": a message has at most " + std::to_string(mostBytes) +
                         " bytes, not " + std::to_string(bytes));
    }
    const auto begin = stream.size();
    const auto room = bytes + bytes / 6 + 128; // as much as any of them asks for
    stream.resize(begin + room);
    const auto packed = pack(plain, bytes, stream.data() + begin, room);
    if (packed == 0 || packed > room)
    {
        throw InvariantError(name + ": " + std::to_string(bytes) + " bytes are not compressed");
    }
    stream.resize(begin + packed);
}

Catalog<ByteCompressor>&
ByteCompressors()
{
    static Catalog<ByteCompressor> rows("codec.backend",
                                        {{"lz4", LZ4_MAX_INPUT_SIZE, 255, PackLz4, UnpackLz4},
                                         {"zstd", SIZE_MAX, 1U << 15U, PackZstd, UnpackZstd},
                                         {"zlib", SIZE_MAX, 1032, PackZlib, UnpackZlib},
                                         {"snappy", UINT32_MAX, 64, PackSnappy, UnpackSnappy}});
    return rows;
}

} // namespace inca
