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
    void DoEncode(const float* values,
                  std::size_t count,
                  std::vector<std::uint8_t>& stream) const override;
    void DoDecode(const std::uint8_t* stream,
                  std::size_t bytes,
                  float* values,
                  std::size_t count) const override;

    void DoRoundTrip(float* values, std::size_t count) const override
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] = FloatOf(BitsOf(values[i]) >> m_dropBits << m_dropBits);
        }
    }

    std::uint64_t DoCountBytes(const float* /*values*/, std::size_t count) const override
    {
        return Bytes(count);
    }

    std::optional<double> DoMeanBits(const ValueStatistics& /*statistics*/) const override
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
                    std::size_t count) const;
    std::uint64_t Pack(const float* values, std::size_t count) const;
    void Unpack(std::uint64_t bits, float* values, std::size_t count) const;
    void UnpackLast(const std::uint8_t* stream,
                    std::size_t bytes,
                    float* values,
                    std::size_t count) const;

    unsigned m_dropBits;
    unsigned m_keptBits; ///< 8, 10 or 16
};

/** @p count up to g_pack values, the first in the lowest bits */
std::uint64_t
TruncateCodec::Pack(const float* values, std::size_t count) const
{
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        bits |= std::uint64_t{BitsOf(values[i]) >> m_dropBits} << (i * m_keptBits);
    }
    return bits;
}

void
TruncateCodec::Unpack(std::uint64_t bits, float* values, std::size_t count) const
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = FloatOf(static_cast<std::uint32_t>(bits >> (i * m_keptBits)) << m_dropBits);
    }
}

void
TruncateCodec::UnpackLast(const std::uint8_t* stream,
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

void
TruncateCodec::DoEncode(const float* values,
                        std::size_t count,
                        std::vector<std::uint8_t>& stream) const
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

void
TruncateCodec::DoDecode(const std::uint8_t* stream,
                        std::size_t bytes,
                        float* values,
                        std::size_t count) const
{
    CheckStreamBytes("truncate", count, bytes, Bytes(count));
    DecodeInParts(count, [=](std::size_t begin, std::size_t part) {
        const auto from = Bytes(begin);
        DecodePart(stream + from, Bytes(begin + part) - from, values + begin, part);
    });
}

void
TruncateCodec::DecodePart(const std::uint8_t* stream,
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

class NullCodec : public Codec
{
  public:
    bool IsLossless() const override
    {
        return true;
    }

  private:
    void DoEncode(const float* values,
                  std::size_t count,
                  std::vector<std::uint8_t>& stream) const override;
    void DoDecode(const std::uint8_t* stream,
                  std::size_t bytes,
                  float* values,
                  std::size_t count) const override;

    std::uint64_t DoCountBytes(const float* /*values*/, std::size_t count) const override
    {
        return std::uint64_t{count} * sizeof(float);
    }

    std::optional<double> DoMeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return 8.0 * sizeof(float);
    }
};

void
NullCodec::DoEncode(const float* values, std::size_t count, std::vector<std::uint8_t>& stream) const
{
    const auto begin = stream.size();
    stream.resize(begin + count * sizeof(float));
    auto* out = stream.data() + begin;
    for (std::size_t i = 0; i < count; ++i)
    {
        StoreLittle(BitsOf(values[i]), out + i * sizeof(float));
    }
}

void
NullCodec::DoDecode(const std::uint8_t* stream,
                    std::size_t bytes,
                    float* values,
                    std::size_t count) const
{
    CheckStreamBytes("none", count, bytes, DoCountBytes(nullptr, count));
    DecodeInParts(count, [=](std::size_t begin, std::size_t part) {
        for (auto i = begin; i < begin + part; ++i)
        {
            values[i] = FloatOf(LoadLittle<std::uint32_t>(stream + i * sizeof(float)));
        }
    });
}

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
