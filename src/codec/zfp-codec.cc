/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/zfp-codec.h"

#include "base/errors.h"
#include "codec/decode-parts.h"
#include "codec/inceptionn-widths.h"
#include "codec/little-endian.h"

#include <zfp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace inca
{

namespace
{

constexpr std::size_t g_zfpBlock = 4; ///< values, in one dimension
/** The most that a block takes: 9 bits for its exponent, then for each of 32 planes 4 bits, and 3 more. */
constexpr std::size_t g_blockBits = 9 + 32 * g_zfpBlock + g_zfpBlock - 1;
constexpr std::size_t g_zfpWordBits = 64; ///< or a part of it: what zfp reads and writes at once
constexpr std::size_t g_zfpCountBytes = 4;
constexpr std::size_t g_exceptionBytes = 8;

using ZfpWords = std::vector<std::uint64_t>;

/** zfp's blocks in some memory, to be written or to be read. */
class ZfpBlocks
{
  public:
    ZfpBlocks(ZfpWords& words, unsigned bound)
        : m_bits(stream_open(words.data(), words.size() * sizeof(std::uint64_t))),
          m_zfp(zfp_stream_open(m_bits.get()))
    {
        zfp_stream_set_accuracy(m_zfp.get(), 1.0 / (1U << bound));
    }

    void Write(const float* block)
    {
        zfp_encode_block_float_1(m_zfp.get(), block);
    }

    /** @return the bits that it took */
    std::size_t Read(float* block)
    {
        return zfp_decode_block_float_1(m_zfp.get(), block);
    }

    /** @return the bytes of all that was written */
    std::size_t Finish()
    {
        zfp_stream_flush(m_zfp.get());
        return stream_size(m_bits.get());
    }

  private:
    struct Close
    {
        void operator()(bitstream* bits) const
        {
            stream_close(bits);
        }

        void operator()(zfp_stream* zfp) const
        {
            zfp_stream_close(zfp);
        }
    };

    std::unique_ptr<bitstream, Close> m_bits;
    std::unique_ptr<zfp_stream, Close> m_zfp;
};

/** What zfp does not take of the values: their number, and each one's index and bits. */
void
WriteExceptions(const float* values, std::size_t count, std::vector<std::uint8_t>& stream)
{
    const auto write = [&stream](std::uint32_t number) {
        stream.resize(stream.size() + sizeof number);
        StoreLittle(number, &*stream.end() - sizeof number);
    };
    const auto isTaken = [](float value) { return std::isfinite(value); };
    write(static_cast<std::uint32_t>(count - std::count_if(values, values + count, isTaken)));
    for (std::size_t i = 0; i < count; ++i)
    {
        if (!isTaken(values[i]))
        {
            write(static_cast<std::uint32_t>(i));
            write(BitsOf(values[i]));
        }
    }
}

[[noreturn]] void
Refuse(const std::string& why)
{
    throw InputError("zfp stream: " + why);
}

class ZfpCodec : public Codec
{
  public:
    explicit ZfpCodec(unsigned bound)
        : m_bound(bound)
    {
        if (bound < g_smallestBound || bound > g_largestBound)
        {
            throw InputError("zfp's bound is 2^-B with B from 1 to 15, not " +
                             std::to_string(bound));
        }
    }

    bool IsLossless() const override
    {
        return false;
    }

  private:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        CheckCount(count);
        if (count == 0)
        {
            return;
        }
        WriteExceptions(values, count, stream);
        const auto blockCount = (count + g_zfpBlock - 1) / g_zfpBlock;
        ZfpWords words(blockCount * g_blockBits / g_zfpWordBits + 2);
        ZfpBlocks blocks(words, m_bound);
        for (std::size_t at = 0; at < count; at += g_zfpBlock)
        {
            std::array<float, g_zfpBlock> block{};
            const auto* const end = values + std::min(at + g_zfpBlock, count);
            std::replace_copy_if(
                values + at, end, block.begin(), [](float v) { return !std::isfinite(v); }, 0.0F);
            blocks.Write(block.data());
        }
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(words.data());
        stream.insert(stream.end(), bytes, bytes + blocks.Finish());
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        CheckCount(count);
        const auto* const end = stream + bytes;
        if (count == 0 && bytes == 0)
        {
            return;
        }
        const auto left = bytes < g_zfpCountBytes ? 0 : bytes - g_zfpCountBytes;
        const auto exceptions = bytes < g_zfpCountBytes ? 0 : LoadLittle<std::uint32_t>(stream);
        if (count == 0 || left == 0 || exceptions > left / g_exceptionBytes)
        {
            Refuse(std::to_string(bytes) + " bytes are no stream of " + std::to_string(count) +
                   " values");
        }
        const auto* const blocks = stream + g_zfpCountBytes + exceptions * g_exceptionBytes;
        DecodeBlocks(blocks, static_cast<std::size_t>(end - blocks), values, count);
        std::uint64_t next = 0;
        for (const auto* at = stream + g_zfpCountBytes; at < blocks; at += g_exceptionBytes)
        {
            const auto index = LoadLittle<std::uint32_t>(at);
            const auto value = FloatOf(LoadLittle<std::uint32_t>(at + sizeof index));
            if (index < next || index >= count || std::isfinite(value))
            {
                Refuse("value " + std::to_string(index) + " stands where none can");
            }
            values[index] = value;
            next = std::uint64_t{index} + 1;
        }
    }

    static void CheckCount(std::size_t count)
    {
        constexpr std::uint64_t most = 1ULL << 32U;
        if (count >= most)
        {
            throw InputError("zfp: a message has less than 2^32 values (16GiB), not " +
                             std::to_string(count));
        }
    }

    /**
     * zfp reads on behind the end of what it is given. So it is given zeros behind it, more than a block takes, and is
     * asked for no block that would begin behind the end.
     */
    void DecodeBlocks(const std::uint8_t* stream,
                      std::size_t bytes,
                      float* values,
                      std::size_t count) const
    {
        constexpr std::size_t wordBytes = g_zfpWordBits / 8;
        constexpr std::size_t wordsBehind = g_blockBits / g_zfpWordBits + 2;
        ZfpWords words(bytes / wordBytes + wordsBehind);
        std::copy_n(stream, bytes, reinterpret_cast<std::uint8_t*>(words.data()));
        ZfpBlocks blocks(words, m_bound);
        std::size_t taken = 0;
        DecodeInParts(count, [&](std::size_t begin, std::size_t part) {
            for (std::size_t at = begin; at < begin + part; at += g_zfpBlock)
            {
                if (taken >= bytes * 8)
                {
                    Refuse("ends before value " + std::to_string(at));
                }
                std::array<float, g_zfpBlock> block;
                taken += blocks.Read(block.data());
                std::copy_n(block.begin(), std::min(g_zfpBlock, count - at), values + at);
            }
        });
        const auto fill = static_cast<std::size_t>(stream_word_bits);
        if ((taken + fill - 1) / fill * fill != bytes * 8)
        {
            Refuse("has " + std::to_string(bytes) + " bytes of blocks, of which " +
                   std::to_string(count) + " values take " + std::to_string(taken) + " bits");
        }
    }

    unsigned m_bound;
};

} // namespace

std::unique_ptr<Codec>
MakeZfpCodec(unsigned bound)
{
    return std::make_unique<ZfpCodec>(bound);
}

} // namespace inca
