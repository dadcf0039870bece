/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/truncate-codec.h"

#include "base/errors.h"
#include "base/word.h"
#include "codec/decode-parts.h"
#include "codec/little-endian.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace inca
{

namespace
{

constexpr std::array<unsigned, 3> g_dropBits{16, 22, 24};

/** So many values fill whole bytes at every D, and at most one 64-bit word. */
constexpr std::size_t g_pack = 4;

class TruncateCodec : public Codec
{
  public:
    explicit TruncateCodec(unsigned dropBits)
        : m_dropBits(dropBits),
          m_keptBits(32 - dropBits)
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
        // A pack is stored as 8 bytes whatever it fills; the room for the last one is cut off again.
        const auto begin = stream.size();
        const auto end = begin + static_cast<std::size_t>(Bytes(count));
        stream.resize(end + sizeof(std::uint64_t));
        auto* out = stream.data() + begin;
        for (; count >= g_pack; count -= g_pack, values += g_pack, out += PackBytes())
        {
            StoreLittle(Pack(values, g_pack), out);
        }
        StoreLittle(Pack(values, count), out);
        stream.resize(end);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        CheckStreamBytes("truncate", count, bytes, Bytes(count));
        DecodeInParts(count, [this, stream, values](std::size_t begin, std::size_t part) {
            const auto from = Bytes(begin);
            DecodePart(stream + from, Bytes(begin + part) - from, values + begin, part);
        });
    }

    void RoundTrip(float* values, std::size_t count) const override
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] = FloatOf(BitsOf(values[i]) >> m_dropBits << m_dropBits);
        }
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        return Bytes(count);
    }

    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return m_keptBits;
    }

    std::uint64_t Bytes(std::size_t count) const
    {
        const std::uint64_t packs = count / g_pack;
        return packs * PackBytes() + (count % g_pack * m_keptBits + 7) / 8;
    }

    std::size_t PackBytes() const
    {
        return g_pack * m_keptBits / 8;
    }

    void DecodePart(const std::uint8_t* stream,
                    std::size_t bytes,
                    float* values,
                    std::size_t count) const
    {
        for (; bytes >= sizeof(std::uint64_t) && count >= g_pack; count -= g_pack, values += g_pack)
        {
            Unpack(LoadLittle<std::uint64_t>(stream), values, g_pack);
            stream += PackBytes();
            bytes -= PackBytes();
        }
        // Fewer than 8 bytes are left, or less than a pack: at most 7 bytes either way.
        while (bytes > 0)
        {
            const auto used = std::min(bytes, PackBytes());
            const auto present = std::min(count, g_pack);
            UnpackLast(stream, used, values, present);
            stream += used;
            bytes -= used;
            values += present;
            count -= present;
        }
    }

    /** @p count up to g_pack values, the first in the lowest bits */
    std::uint64_t Pack(const float* values, std::size_t count) const
    {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < count; ++i)
        {
            bits |= std::uint64_t{BitsOf(values[i]) >> m_dropBits} << (i * m_keptBits);
        }
        return bits;
    }

    void Unpack(std::uint64_t bits, float* values, std::size_t count) const
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] = FloatOf(static_cast<std::uint32_t>(bits >> (i * m_keptBits)) << m_dropBits);
        }
    }

    void UnpackLast(const std::uint8_t* stream,
                    std::size_t bytes,
                    float* values,
                    std::size_t count) const
    {
        std::array<std::uint8_t, sizeof(std::uint64_t)> last{};
        std::copy_n(stream, bytes, last.begin());
        const auto bits = LoadLittle<std::uint64_t>(last.data());
        if (count < g_pack && bits >> (count * m_keptBits) != 0)
        {
            throw InputError("truncate stream: the padding of the last byte is not zero");
        }
        Unpack(bits, values, count);
    }

    unsigned m_dropBits;
    unsigned m_keptBits; ///< 8, 10 or 16
};

class NullCodec : public Codec
{
  public:
    bool IsLossless() const override
    {
        return true;
    }

    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(values); // little-endian (word.h)
        stream.insert(stream.end(), bytes, bytes + count * sizeof(float));
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        CheckStreamBytes("none", count, bytes, CountBytes(nullptr, count));
        DecodeInParts(count, [this, stream, values](std::size_t begin, std::size_t part) {
            std::memcpy(values + begin, stream + begin * sizeof(float), part * sizeof(float));
        });
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        return std::uint64_t{count} * sizeof(float);
    }

    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return 8.0 * sizeof(float);
    }
};

} // namespace

std::unique_ptr<Codec>
MakeTruncateCodec(unsigned dropBits)
{
    if (std::find(g_dropBits.begin(), g_dropBits.end(), dropBits) == g_dropBits.end())
    {
        throw InputError("truncate drops 16, 22 or 24 bits of each value, not " +
                         std::to_string(dropBits));
    }
    return std::make_unique<TruncateCodec>(dropBits);
}

std::unique_ptr<Codec>
MakeNullCodec()
{
    return std::make_unique<NullCodec>();
}

} // namespace inca
