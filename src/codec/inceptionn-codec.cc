/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/inceptionn-codec.h"

#include "base/errors.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "codec/decode-parts.h"
#include "codec/inceptionn-widths.h"
#include "codec/little-endian.h"

#include <algorithm>
#include <array>
#include <string>

namespace inca
{

namespace
{

constexpr std::size_t g_group = 8;
constexpr std::size_t g_tagBytes = 2;
constexpr std::size_t g_floatBytes = 4;
/** The longest group; reading a group may look at so many bytes, whatever it uses. */
constexpr std::size_t g_groupBytes = g_tagBytes + g_group * g_floatBytes;
constexpr std::size_t g_blockBytes = g_widthBlock / g_group * g_groupBytes;

constexpr std::uint32_t g_signBit = 0x80000000;
constexpr float g_two15 = 32768.0F; ///< 2^15: the last bit of the two-byte class weighs 2^-15
constexpr float g_two15th = 1.0F / g_two15;
constexpr std::uint32_t g_byteData = 0x7F;
constexpr std::uint32_t g_halfData = 0x7FFF;
constexpr unsigned g_halfBits = 15; ///< of fraction, in the two-byte class
constexpr unsigned g_byteBits = 7;  ///< of fraction, in the one-byte class
constexpr unsigned g_printedShift = g_halfBits - g_byteBits;
constexpr unsigned g_largestKeptBound = 14;

/** Data bytes of each tag. */
constexpr std::array<std::uint8_t, 4> g_dataBytes{0, 1, 2, 4};

using Values = std::array<float, g_widthBlock>;

/** Per value its tag, and its data in the low bytes; what is above the data is ignored. */
struct Block
{
    std::array<std::uint32_t, g_widthBlock> tags;
    std::array<std::uint32_t, g_widthBlock> data;
};

/** Where the classes begin, and by how many bits the fraction of the one-byte class is shorter than of the two-byte class. */
struct Classes
{
    WidthLimits limits;
    unsigned byteShift;
};

/** All ones if @p condition, else zeros. */
std::uint32_t
Mask(bool condition)
{
    return condition ? 0xFFFFFFFFU : 0U;
}

/** Algorithm 2 for a block. */
[[gnu::always_inline]] inline void
CompressAt(const float* values, const WidthLimits& limits, unsigned byteShift, Block& block)
{
    const auto oneByte = static_cast<std::int32_t>(limits.oneByte << g_mantissaBits);
    const auto twoBytes = static_cast<std::int32_t>(limits.twoBytes << g_mantissaBits);
    const auto raw = static_cast<std::int32_t>(limits.raw << g_mantissaBits);
    for (std::size_t i = 0; i < g_widthBlock; ++i)
    {
        const auto bits = BitsOf(values[i]);
        const auto sign = bits & g_signBit;
        const auto magnitude = static_cast<std::int32_t>(bits & ~g_signBit);
        const auto isSome = Mask(magnitude >= oneByte);
        const auto isWide = Mask(magnitude >= twoBytes);
        const auto isRaw = Mask(magnitude >= raw);
        // Cutting the mantissa at 2^-15 is what converting |value| * 2^15 to an integer does; the
        // product is exact. Values of the other classes are no business of it: zeros.
        const auto fraction = FloatOf(static_cast<std::uint32_t>(magnitude) & isSome & ~isRaw);
        const auto fixed =
            static_cast<std::uint32_t>(static_cast<std::int32_t>(fraction * g_two15));
        const auto byteWord = (sign >> 24U) | (fixed >> byteShift);
        const auto halfWord = (sign >> 16U) | fixed;
        block.tags[i] = (isSome & 1U) + (isWide & 1U) + (isRaw & 1U);
        block.data[i] = (byteWord & ~isWide) | (halfWord & isWide & ~isRaw) | (bits & isRaw);
    }
}

/** With a shift that the compiler knows where it is the printed one, which is faster. */
[[gnu::always_inline]] inline void
Compress(const float* values, const Classes& classes, Block& block)
{
    classes.byteShift == g_printedShift
        ? CompressAt(values, classes.limits, g_printedShift, block)
        : CompressAt(values, classes.limits, classes.byteShift, block);
}

/** Algorithm 3 for a block; @p values has room for g_widthBlock values. */
[[gnu::always_inline]] inline void
DecompressAt(const Block& block, unsigned byteShift, float* values)
{
    for (std::size_t i = 0; i < g_widthBlock; ++i)
    {
        // Masks by arithmetic: compilers turn comparisons of tags into branches, which mispredict.
        const auto low = 0U - (block.tags[i] & 1U);
        const auto high = 0U - (block.tags[i] >> 1U);
        const auto isByte = low & ~high;
        const auto isHalf = high & ~low;
        const auto data = block.data[i];
        const auto fixed =
            ((data & g_byteData & isByte) << byteShift) | (data & g_halfData & isHalf);
        const auto sign = (((data << 24U) & isByte) | ((data << 16U) & isHalf)) & g_signBit;
        const auto fraction = static_cast<float>(static_cast<std::int32_t>(fixed)) * g_two15th;
        values[i] = FloatOf(BitsOf(fraction) | sign | (data & low & high));
    }
}

/** As Compress. */
[[gnu::always_inline]] inline void
Decompress(const Block& block, unsigned byteShift, float* values)
{
    byteShift == g_printedShift ? DecompressAt(block, g_printedShift, values)
                                : DecompressAt(block, byteShift, values);
}

INCA_VECTOR_CLONES void
RoundTripBlock(float* values, const Classes& classes)
{
    Block block;
    Compress(values, classes, block);
    Decompress(block, classes.byteShift, values);
}

/**
 * Writes a group's tag word and data. Each value stores four bytes and moves on by those that it
 * has, so the next one overwrites the rest: no branch, but up to four bytes behind the end change.
 * @return behind the group
 */
std::uint8_t*
WriteGroup(const std::uint32_t* tags, const std::uint32_t* data, std::uint8_t* out)
{
    auto* tagWord = out;
    std::uint32_t word = 0;
    out += g_tagBytes;
    for (std::size_t i = 0; i < g_group; ++i)
    {
        StoreLittle(data[i], out);
        out += g_dataBytes[tags[i]];
        word |= tags[i] << (2 * i);
    }
    StoreLittle(static_cast<std::uint16_t>(word), tagWord);
    return out;
}

/**
 * Reads a group; may look at g_groupBytes from @p in on.
 * @return behind the group
 */
const std::uint8_t*
ReadGroup(const std::uint8_t* in, std::uint32_t* tags, std::uint32_t* data)
{
    const std::uint32_t word = LoadLittle<std::uint16_t>(in);
    in += g_tagBytes;
    for (std::size_t i = 0; i < g_group; ++i)
    {
        tags[i] = (word >> (2 * i)) & 3U;
        data[i] = LoadLittle<std::uint32_t>(in);
        in += g_dataBytes[tags[i]];
    }
    return in;
}

/** Where decoding stands in a stream. */
class StreamReader
{
  public:
    StreamReader(const std::uint8_t* stream, std::size_t bytes)
        : m_at(stream),
          m_left(bytes)
    {
    }

    /** @throws InputError if the stream ends before the group does */
    void Next(std::uint32_t* tags, std::uint32_t* data)
    {
        if (m_left < g_groupBytes)
        {
            NextNearEnd(tags, data);
            return;
        }
        const auto* end = ReadGroup(m_at, tags, data);
        m_left -= static_cast<std::size_t>(end - m_at);
        m_at = end;
    }

    std::size_t Left() const
    {
        return m_left;
    }

  private:
    void NextNearEnd(std::uint32_t* tags, std::uint32_t* data)
    {
        std::array<std::uint8_t, g_groupBytes> last{};
        std::copy_n(m_at, m_left, last.begin());
        const auto used =
            static_cast<std::size_t>(ReadGroup(last.data(), tags, data) - last.data());
        if (used > m_left)
        {
            throw InputError("inceptionn stream: ends within a group: " + std::to_string(m_left) +
                             " bytes are left of the " + std::to_string(used) + " that it takes");
        }
        m_at += used;
        m_left -= used;
    }

    const std::uint8_t* m_at;
    std::size_t m_left;
};

/**
 * Reads the groups of up to g_widthBlock values; the rest of @p block must be zeros.
 * @throws InputError if bytes are missing, or a value behind the last has a tag
 */
void
ReadBlock(StreamReader& reader, std::size_t count, Block& block)
{
    std::size_t read = 0;
    for (; read < count; read += g_group)
    {
        reader.Next(block.tags.data() + read, block.data.data() + read);
    }
    for (; read > count; --read)
    {
        if (block.tags[read - 1] != 0)
        {
            throw InputError("inceptionn stream: the last tag word names a value behind the last");
        }
    }
}

void
DecodePart(StreamReader& reader, unsigned byteShift, float* values, std::size_t left)
{
    for (; left >= g_widthBlock; left -= g_widthBlock, values += g_widthBlock)
    {
        Block block;
        ReadBlock(reader, g_widthBlock, block);
        Decompress(block, byteShift, values);
    }
    Block last{};
    Values decoded;
    ReadBlock(reader, left, last);
    Decompress(last, byteShift, decoded.data());
    std::copy_n(decoded.begin(), left, values);
}

class InceptionnCodec : public Codec
{
  public:
    /** @param lastBit of the one-byte class: weighs 2^-lastBit; up to 15 */
    InceptionnCodec(unsigned bound, unsigned lastBit)
        : m_bound(bound),
          m_classes{LimitsAtBound(bound), g_halfBits - lastBit}
    {
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
        for (; count >= g_widthBlock; count -= g_widthBlock, values += g_widthBlock)
        {
            EncodeBlock(values, g_widthBlock, stream);
        }
        if (count > 0)
        {
            Values last{};
            std::copy_n(values, count, last.begin());
            EncodeBlock(last.data(), count, stream);
        }
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        StreamReader reader(stream, bytes);
        DecodeInParts(count, [&](std::size_t begin, std::size_t part) {
            DecodePart(reader, m_classes.byteShift, values + begin, part);
        });
        if (reader.Left() != 0)
        {
            throw InputError("inceptionn stream: " + std::to_string(reader.Left()) +
                             " bytes are left over behind " + std::to_string(count) + " values");
        }
    }

    void RoundTrip(float* values, std::size_t count) const override
    {
        for (; count >= g_widthBlock; count -= g_widthBlock, values += g_widthBlock)
        {
            RoundTripBlock(values, m_classes);
        }
        Values last{};
        std::copy_n(values, count, last.begin());
        RoundTripBlock(last.data(), m_classes);
        std::copy_n(last.begin(), count, values);
    }

    std::uint64_t CountBytes(const float* values, std::size_t count) const override
    {
        const auto counts = CountWidths(values, count, m_bound);
        std::uint64_t bytes = std::uint64_t{(count + g_group - 1) / g_group} * g_tagBytes;
        for (std::size_t i = 0; i < counts.size(); ++i)
        {
            bytes += counts[i] * g_dataBytes[i];
        }
        return bytes;
    }

    std::optional<double> MeanBits(const ValueStatistics& statistics) const override
    {
        const auto shares = SharesAtBound(statistics, m_bound);
        return shares ? std::optional<double>(MeanWidthBits(*shares)) : std::nullopt;
    }

    /** @p values has g_widthBlock values, of which the first @p count are encoded and the others are 0 */
    void EncodeBlock(const float* values,
                     std::size_t count,
                     std::vector<std::uint8_t>& stream) const
    {
        Block block;
        Compress(values, m_classes, block);
        std::array<std::uint8_t, g_blockBytes + g_floatBytes> bytes;
        auto* out = bytes.data();
        for (std::size_t i = 0; i < count; i += g_group)
        {
            out = WriteGroup(block.tags.data() + i, block.data.data() + i, out);
        }
        stream.insert(stream.end(), bytes.data(), out);
    }

    unsigned m_bound;
    Classes m_classes;
};

} // namespace

std::unique_ptr<Codec>
MakeInceptionnCodec(unsigned bound)
{
    return std::make_unique<InceptionnCodec>(bound, g_byteBits);
}

std::unique_ptr<Codec>
MakeBoundedInceptionnCodec(unsigned bound)
{
    if (bound > g_largestKeptBound)
    {
        throw InputError("inceptionn-bounded's bound is 2^-B with B from 1 to 14, not " +
                         std::to_string(bound));
    }
    return std::make_unique<InceptionnCodec>(bound, std::min(bound + 2, g_byteBits + bound / 2));
}

} // namespace inca
