/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/cast-codec.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/nearest.h"
#include "codec/decode-parts.h"
#include "codec/little-endian.h"
#include "codec/stream-checks.h"

namespace inca
{

namespace
{

/** A 16-bit type: its two conversions. */
struct WireType
{
    const char* name;
    std::uint16_t (*narrow)(float);
    float (*widen)(std::uint16_t);
};

constexpr WireType g_wireTypes[] = {
    {"bf16", ToBf16, FromBf16},
    {"fp16", ToFp16, FromFp16},
};

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
    void DoEncode(const float* values,
                  std::size_t count,
                  std::vector<std::uint8_t>& stream) const override;
    void DoDecode(const std::uint8_t* stream,
                  std::size_t bytes,
                  float* values,
                  std::size_t count) const override;
    void DoRoundTrip(float* values, std::size_t count) const override;
    void DoRoundSum(float* values, std::size_t count) const override;

    std::uint64_t DoCountBytes(const float* /*values*/, std::size_t count) const override
    {
        return std::uint64_t{count} * sizeof(std::uint16_t);
    }

    std::optional<double> DoMeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return 8.0 * sizeof(std::uint16_t);
    }

    WireType m_type;
    bool m_sumIsWire;
};

void
CastCodec::DoEncode(const float* values, std::size_t count, std::vector<std::uint8_t>& stream) const
{
    const auto begin = stream.size();
    stream.resize(begin + count * sizeof(std::uint16_t));
    auto* out = stream.data() + begin;
    for (std::size_t i = 0; i < count; ++i)
    {
        StoreLittle(m_type.narrow(values[i]), out + i * sizeof(std::uint16_t));
    }
}

void
CastCodec::DoDecode(const std::uint8_t* stream,
                    std::size_t bytes,
                    float* values,
                    std::size_t count) const
{
    CheckStreamBytes("cast", count, bytes, DoCountBytes(nullptr, count));
    DecodeInParts(count, [=](std::size_t begin, std::size_t part) {
        for (auto i = begin; i < begin + part; ++i)
        {
            values[i] = m_type.widen(LoadLittle<std::uint16_t>(stream + i * sizeof(std::uint16_t)));
        }
    });
}

void
CastCodec::DoRoundTrip(float* values, std::size_t count) const
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = m_type.widen(m_type.narrow(values[i]));
    }
}

void
CastCodec::DoRoundSum(float* values, std::size_t count) const
{
    if (m_sumIsWire)
    {
        DoRoundTrip(values, count);
    }
}

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
