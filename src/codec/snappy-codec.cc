/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/snappy-codec.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "codec/byte-compressor.h"

#include <string>

namespace inca
{

namespace
{

class SnappyCodec : public Codec
{
  public:
    bool IsLossless() const override
    {
        return true;
    }

  private:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        if (count > 0)
        {
            m_snappy.Append(values, count * sizeof(float), stream);
        }
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        ThrowIfInterrupted();
        const bool isRead =
            count == 0 ? bytes == 0 : m_snappy.unpack(stream, bytes, values, count * sizeof(float));
        if (!isRead)
        {
            throw InputError("snappy stream: " + std::to_string(bytes) +
                             " bytes are no stream of " + std::to_string(count) + " values");
        }
    }

    void RoundTrip(float* /*values*/, std::size_t /*count*/) const override
    {
    }

    const ByteCompressor& m_snappy{ByteCompressors().Find("snappy")};
};

} // namespace

std::unique_ptr<Codec>
MakeSnappyCodec()
{
    return std::make_unique<SnappyCodec>();
}

} // namespace inca
