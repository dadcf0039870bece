/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sparse-codec.h"

#include "base/errors.h"
#include "codec/little-endian.h"

#include <string>

namespace inca
{

namespace
{

constexpr std::size_t g_maskBits = 8;

std::size_t
MaskBytes(std::size_t count)
{
    return (count + g_maskBits - 1) / g_maskBits;
}

bool
IsSet(const std::uint8_t* mask, std::size_t i)
{
    return (mask[i / g_maskBits] >> (i % g_maskBits) & 1U) != 0;
}

class SparseCodec : public Codec
{
  public:
    bool IsLossless() const override
    {
        return true;
    }

  private:
    void DoEncode(const float* values,
                  std::size_t count,
                  std::vector<std::uint8_t>& stream) const override
    {
        const auto mask = stream.size();
        stream.resize(mask + MaskBytes(count));
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto bits = BitsOf(values[i]);
            if (bits != 0)
            {
                auto& byte = stream[mask + i / g_maskBits];
                byte = static_cast<std::uint8_t>(byte | 1U << (i % g_maskBits));
                stream.resize(stream.size() + sizeof bits);
                StoreLittle(bits, &stream[stream.size() - sizeof bits]);
            }
        }
    }

    void DoDecode(const std::uint8_t* stream,
                  std::size_t bytes,
                  float* values,
                  std::size_t count) const override
    {
        auto at = MaskBytes(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            const bool set = at <= bytes && IsSet(stream, i);
            if (at + (set ? sizeof(float) : 0) > bytes)
            {
                throw InputError("sparse stream: bytes are missing");
            }
            values[i] = set ? FloatOf(LoadLittle<std::uint32_t>(stream + at)) : 0.0F;
            at += set ? sizeof(float) : 0;
        }
        if (at != bytes)
        {
            throw InputError("sparse stream: " + std::to_string(bytes - at) + " bytes too many");
        }
    }

    std::uint64_t DoCountBytes(const float* values, std::size_t count) const override
    {
        std::uint64_t bytes = MaskBytes(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            bytes += BitsOf(values[i]) != 0 ? sizeof(float) : 0;
        }
        return bytes;
    }

    std::optional<double> DoMeanBits(const ValueStatistics& statistics) const override
    {
        constexpr double valueBits = 32;
        return statistics.density ? std::optional(1 + valueBits * *statistics.density)
                                  : std::nullopt;
    }
};

} // namespace

std::unique_ptr<Codec>
MakeSparseCodec()
{
    return std::make_unique<SparseCodec>();
}

} // namespace inca
