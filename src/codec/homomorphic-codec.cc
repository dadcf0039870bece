/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-codec.h"

#include "codec/homomorphic-bucket.h"

namespace inca
{

namespace
{

double
IndexBits(const HomomorphicSettings& settings)
{
    switch (settings.index)
    {
    case HomomorphicIndex::BITS_1:
        return 1;
    case HomomorphicIndex::BITS_4:
        return 4;
    case HomomorphicIndex::BLOOM:
        break;
    }
    return settings.bloom.bitsPerValue;
}

class HomomorphicCodec : public Codec
{
  public:
    explicit HomomorphicCodec(const HomomorphicSettings& settings)
        : m_settings(settings)
    {
        ShapeOf(settings, 0); // refuses settings out of their range
    }

    bool IsLossless() const override
    {
        return false;
    }

  private:
    void DoEncode(const float* values,
                  std::size_t count,
                  std::vector<std::uint8_t>& stream) const override
    {
        HomomorphicBucket(m_settings, count).Encode(values, stream);
    }

    void DoDecode(const std::uint8_t* stream,
                  std::size_t bytes,
                  float* values,
                  std::size_t count) const override
    {
        HomomorphicBucket(m_settings, count).Decode(stream, bytes, values);
    }

    std::uint64_t DoCountBytes(const float* /*values*/, std::size_t count) const override
    {
        return ShapeOf(m_settings, count).Bytes();
    }

    std::optional<double> DoMeanBits(const ValueStatistics& /*statistics*/) const override
    {
        constexpr double counterBits = 32;
        return IndexBits(m_settings) + counterBits / m_settings.ratio;
    }

    HomomorphicSettings m_settings;
};

} // namespace

std::unique_ptr<Codec>
MakeHomomorphicCodec(const HomomorphicSettings& settings)
{
    return std::make_unique<HomomorphicCodec>(settings);
}

} // namespace inca
