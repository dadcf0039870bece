/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/null-codec.h"

#include "base/word.h"
#include "codec/decode-parts.h"
#include "codec/little-endian.h"
#include "codec/stream-checks.h"

namespace inca
{

namespace
{

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
MakeNullCodec()
{
    return std::make_unique<NullCodec>();
}

} // namespace inca
