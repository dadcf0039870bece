/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_MODEL_HALF_CODEC_H
#define INCA_TEST_MODEL_HALF_CODEC_H

#include "base/errors.h"
#include "codec/codec.h"

#include <cstring>

namespace inca
{

/** Keeps the upper two bytes of each value: half the size, and a loss that a test can see. */
class HalfCodec : public Codec
{
  public:
    bool IsLossless() const override
    {
        return false;
    }

    static float Kept(float value)
    {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof(bits));
        bits &= 0xffff0000U;
        std::memcpy(&value, &bits, sizeof(bits));
        return value;
    }

  private:
    void DoEncode(const float* values,
                  std::size_t count,
                  std::vector<std::uint8_t>& stream) const override
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &values[i], sizeof(bits));
            stream.push_back(static_cast<std::uint8_t>(bits >> 16U));
            stream.push_back(static_cast<std::uint8_t>(bits >> 24U));
        }
    }

    void DoDecode(const std::uint8_t* stream,
                  std::size_t bytes,
                  float* values,
                  std::size_t count) const override
    {
        if (bytes != 2 * count)
        {
            throw InputError("a stream of another size");
        }
        for (std::size_t i = 0; i < count; ++i)
        {
            const std::uint32_t bits = static_cast<std::uint32_t>(stream[2 * i]) << 16U |
                                       static_cast<std::uint32_t>(stream[2 * i + 1]) << 24U;
            std::memcpy(&values[i], &bits, sizeof(bits));
        }
    }

    std::uint64_t DoCountBytes(const float* /*values*/, std::size_t count) const override
    {
        return 2 * count;
    }

    std::optional<double> DoMeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return 16;
    }
};

} // namespace inca

#endif // INCA_TEST_MODEL_HALF_CODEC_H
