/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/cast-codec.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/nearest.h"
#include "base/word.h"
#include "codec/decode-parts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace inca
{

namespace
{

/** A 16-bit type: its two conversions, and both in place. */
struct WireType
{
    const char* name;
    void (*narrow)(const float* values, std::size_t count, std::uint16_t* bits);
    void (*widen)(const std::uint16_t* bits, std::size_t count, float* values);
    void (*round)(float* values, std::size_t count);
};

constexpr WireType g_wireTypes[] = {
    {"bf16", ToBf16, FromBf16, RoundToBf16},
    {"fp16", ToFp16, FromFp16, RoundToFp16},
};

/** Values whose two bytes, little-endian as machines have them (base/word.h), are copied at once. */
using Piece = std::array<std::uint16_t, 1024>;

class CastCodec : public Codec
{
  public:
    CastCodec(const WireType& type, bool sumIsWire)
        : m_type(type),
          m_sumIsWire(sumIsWire)
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
        const auto begin = stream.size();
        stream.resize(begin + count * sizeof(std::uint16_t));
        Piece piece;
        for (std::size_t done = 0; done < count; done += piece.size())
        {
            const auto part = std::min(piece.size(), count - done);
            m_type.narrow(values + done, part, piece.data());
            std::memcpy(stream.data() + begin + done * sizeof(std::uint16_t),
                        piece.data(),
                        part * sizeof(std::uint16_t));
        }
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        CheckStreamBytes("cast", count, bytes, CountBytes(nullptr, count));
        DecodeInParts(count, [this, stream, values](std::size_t begin, std::size_t part) {
            Piece piece;
            for (auto done = begin; done < begin + part; done += piece.size())
            {
                const auto length = std::min(piece.size(), begin + part - done);
                std::memcpy(piece.data(),
                            stream + done * sizeof(std::uint16_t),
                            length * sizeof(std::uint16_t));
                m_type.widen(piece.data(), length, values + done);
            }
        });
    }

    void RoundTrip(float* values, std::size_t count) const override
    {
        m_type.round(values, count);
    }

    bool RoundsSums() const override
    {
        return m_sumIsWire;
    }

    void RoundSum(float* values, std::size_t count) const override
    {
        if (m_sumIsWire)
        {
            RoundTrip(values, count);
        }
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        return std::uint64_t{count} * sizeof(std::uint16_t);
    }

    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return 8.0 * sizeof(std::uint16_t);
    }

    WireType m_type;
    bool m_sumIsWire;
};

const WireType&
FindWireType(const std::string& name)
{
    std::vector<std::string> known;
    for (const auto& type : g_wireTypes)
    {
        if (name == type.name)
        {
            return type;
        }
        known.emplace_back(type.name);
    }
    throw InputError("cast to: " + UnknownName(name, known));
}

} // namespace

std::unique_ptr<Codec>
MakeCastCodec(const std::string& castTo, const std::string& sum)
{
    const auto& type = FindWireType(castTo);
    if (sum != "fp32" && sum != "wire")
    {
        throw InputError("cast sum: " + UnknownName(sum, {"fp32", "wire"}));
    }
    return std::make_unique<CastCodec>(type, sum == "wire");
}

} // namespace inca
