/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sparse-codec.h"

#include "inca/base/errors.h"
#include "inca/base/word.h"
#include "inca/codec/little-endian.h"

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

constexpr std::size_t g_group = 8;

/** Which of @p count values, eight at most, have any bit set. */
std::uint8_t
MaskOf(const float* values, std::size_t count)
{
    unsigned mask = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        mask |= BitsOf(values[i]) != 0 ? 1U << i : 0U;
    }
    return static_cast<std::uint8_t>(mask);
}

/** Reads a stream from its begin to its end. */
class Reader
{
  public:
    Reader(const std::uint8_t* stream, std::size_t bytes)
        : m_stream(stream),
          m_left(bytes)
    {
    }

    template <class Word>
    Word Take()
    {
        if (m_left < sizeof(Word))
        {
            throw InputError("sparse stream: bytes are missing");
        }
        const auto word = LoadLittle<Word>(m_stream);
        m_stream += sizeof(Word);
        m_left -= sizeof(Word);
        return word;
    }

    void CheckEnd() const
    {
        if (m_left != 0)
        {
            throw InputError("sparse stream: " + std::to_string(m_left) + " bytes too many");
        }
    }

  private:
    const std::uint8_t* m_stream;
    std::size_t m_left;
};

class SparseCodec : public Codec
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
        for (std::size_t i = 0; i < count; ++i)
        {
            if (i % g_group == 0)
            {
                stream.push_back(MaskOf(values + i, std::min(g_group, count - i)));
            }
            if (const auto bits = BitsOf(values[i]); bits != 0)
            {
                stream.resize(stream.size() + sizeof bits);
                StoreLittle(bits, &stream[stream.size() - sizeof bits]);
            }
        }
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        Reader reader(stream, bytes);
        unsigned mask = 0;
        for (std::size_t i = 0; i < count; ++i, mask >>= 1U)
        {
            mask = i % g_group == 0 ? reader.Take<std::uint8_t>() : mask;
            values[i] = (mask & 1U) != 0 ? FloatOf(reader.Take<std::uint32_t>()) : 0.0F;
        }
        reader.CheckEnd();
    }

    std::optional<double> MeanBits(const ValueStatistics& statistics) const override
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
