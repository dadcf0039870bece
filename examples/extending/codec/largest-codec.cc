/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/largest-codec.h"

#include "inca/base/errors.h"
#include "inca/base/word.h"
#include "inca/codec/little-endian.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr std::size_t g_kept = 2;

/** Which of @p count values are the two largest, earlier ones first; a NaN is smaller than any. */
unsigned
MaskOf(const float* values, std::size_t count)
{
    unsigned mask = 0;
    for (std::size_t kept = 0; kept < std::min(g_kept, count); ++kept)
    {
        std::size_t largest = count;
        for (std::size_t i = 0; i < count; ++i)
        {
            const bool isFree = (mask >> i & 1U) == 0;
            const bool isLarger =
                largest == count || std::fabs(values[i]) > std::fabs(values[largest]);
            largest = isFree && isLarger ? i : largest;
        }
        mask |= 1U << largest;
    }
    return mask;
}

class LargestCodec : public Codec
{
  public:
    bool IsLossless() const override
    {
        return false;
    }

  private:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        for (std::size_t begin = 0; begin < count; begin += LARGEST_GROUP)
        {
            const auto mask = MaskOf(values + begin, std::min(LARGEST_GROUP, count - begin));
            stream.push_back(static_cast<std::uint8_t>(mask));
            for (std::size_t i = 0; i < LARGEST_GROUP; ++i)
            {
                if ((mask >> i & 1U) != 0)
                {
                    stream.resize(stream.size() + sizeof(float));
                    StoreLittle(BitsOf(values[begin + i]), &stream[stream.size() - sizeof(float)]);
                }
            }
        }
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        if (bytes != CountBytes(values, count))
        {
            throw InputError("largest stream: " + std::to_string(bytes) + " bytes for " +
                             std::to_string(count) + " values");
        }
        std::fill_n(values, count, 0.0F);
        for (std::size_t begin = 0; begin < count; begin += LARGEST_GROUP)
        {
            const unsigned mask = *stream++;
            const auto group = std::min(LARGEST_GROUP, count - begin);
            std::size_t kept = 0;
            for (std::size_t i = 0; i < group && kept < g_kept; ++i)
            {
                if ((mask >> i & 1U) != 0)
                {
                    values[begin + i] = FloatOf(LoadLittle<std::uint32_t>(stream));
                    stream += sizeof(float);
                    ++kept;
                }
            }
            if (mask >> group != 0 || kept != std::min(g_kept, group))
            {
                throw InputError("largest stream: a group without its two values");
            }
        }
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        const auto groups = (count + LARGEST_GROUP - 1) / LARGEST_GROUP;
        const std::uint64_t alone = count % LARGEST_GROUP == 1 ? 1 : 0; // the last group has one
        return groups * (1 + g_kept * sizeof(float)) - alone * sizeof(float);
    }

    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        return 9;
    }
};

} // namespace

std::unique_ptr<Codec>
MakeLargestCodec()
{
    return std::make_unique<LargestCodec>();
}

} // namespace inca
