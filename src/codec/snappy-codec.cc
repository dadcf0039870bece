/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/snappy-codec.h"

#include "base/errors.h"
#include "base/interrupt.h"

#include <snappy.h>

#include <limits>
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
        const auto plain = count * sizeof(float);
        if (plain > std::numeric_limits<std::uint32_t>::max())
        {
            throw InputError("snappy: a message has less than 2^30 values (4GiB), not " +
                             std::to_string(count));
        }
        if (count == 0)
        {
            return;
        }
        const auto begin = stream.size();
        stream.resize(begin + snappy::MaxCompressedLength(plain));
        std::size_t bytes = 0;
        snappy::RawCompress(reinterpret_cast<const char*>(values),
                            plain,
                            reinterpret_cast<char*>(stream.data() + begin),
                            &bytes);
        stream.resize(begin + bytes);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        ThrowIfInterrupted();
        const auto* const packed = reinterpret_cast<const char*>(stream);
        std::size_t plain = 0;
        const bool isRead =
            count == 0 ? bytes == 0
                       : snappy::GetUncompressedLength(packed, bytes, &plain) &&
                             plain == count * sizeof(float) &&
                             snappy::RawUncompress(packed, bytes, reinterpret_cast<char*>(values));
        if (!isRead)
        {
            throw InputError("snappy stream: " + std::to_string(bytes) +
                             " bytes are no stream of " + std::to_string(count) + " values");
        }
    }

    void RoundTrip(float* /*values*/, std::size_t /*count*/) const override
    {
    }
};

} // namespace

std::unique_ptr<Codec>
MakeSnappyCodec()
{
    return std::make_unique<SnappyCodec>();
}

} // namespace inca
