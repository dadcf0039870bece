/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/netzip-codec.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/nearest.h"
#include "base/word.h"
#include "codec/byte-compressor.h"
#include "codec/little-endian.h"
#include "codec/packed-bits.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr unsigned g_octet = 8;
constexpr unsigned g_fp32Bits = 32;
constexpr std::uint8_t g_bf16Bytes = 2;
constexpr std::uint8_t g_fp32Bytes = 4;
constexpr Word g_lowHalf = 0xFFFF;

using Parts = std::vector<std::uint8_t>;

/** Bits of the value above which 99 % of a message's are, as unsigned integers. */
Word
FirstPercentile(const float* values, std::size_t count)
{
    std::vector<Word> words(count);
    std::memcpy(words.data(), values, count * sizeof(Word));
    const auto place = words.begin() + static_cast<std::ptrdiff_t>(count / 100);
    std::nth_element(words.begin(), place, words.end());
    return *place;
}

class NetzipCodec : public Codec
{
  public:
    explicit NetzipCodec(const NetzipSettings& settings)
        : m_compressor(ByteCompressors().Find(settings.backend)),
          m_isGrouped(settings.grouping != "none"),
          m_partBits(settings.grouping == "bit" ? 1 : g_octet),
          m_isShifted(settings.isShifted)
    {
    }

    bool IsLossless() const override
    {
        return true;
    }

  private:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        if (count == 0)
        {
            return;
        }
        const bool isShort = std::all_of(
            values, values + count, [](float value) { return (BitsOf(value) & g_lowHalf) == 0; });
        const auto valueBytes = isShort ? g_bf16Bytes : g_fp32Bytes;
        stream.push_back(valueBytes);
        const auto base = m_isShifted ? FirstPercentile(values, count) : 0;
        if (m_isShifted)
        {
            stream.resize(stream.size() + sizeof base);
            StoreLittle(base, stream.data() + stream.size() - sizeof base);
        }
        const auto grouped = Group(values, count, valueBytes, base);
        m_compressor.Append(grouped.data(), grouped.size(), stream);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        ThrowIfInterrupted();
        if (count == 0 && bytes == 0)
        {
            return;
        }
        const auto head = m_isShifted ? 1 + sizeof(Word) : 1;
        const bool hasHead = count > 0 && bytes > head;
        const unsigned valueBytes = hasHead ? *stream : 0;
        const auto base = hasHead && m_isShifted ? LoadLittle<Word>(stream + 1) : 0;
        const bool isKnown =
            valueBytes == g_fp32Bytes || (valueBytes == g_bf16Bytes && (base & g_lowHalf) == 0);
        const auto size = isKnown ? GroupedBytes(count, valueBytes) : 0;
        const bool mayFit = isKnown && size / m_compressor.mostRatio <= bytes;
        Parts grouped(mayFit ? size : 0);
        if (!mayFit ||
            !m_compressor.unpack(stream + head, bytes - head, grouped.data(), grouped.size()))
        {
            throw InputError("netzip stream: " + std::to_string(bytes) + " bytes are no " +
                             m_compressor.name + " stream of " + std::to_string(count) + " values");
        }
        std::fill_n(values, count, FloatOf(base));
        Ungroup(grouped, valueBytes, values, count);
    }

    void RoundTrip(float* /*values*/, std::size_t /*count*/) const override
    {
    }

    std::size_t GroupedBytes(std::size_t count, unsigned valueBytes) const
    {
        return g_octet * valueBytes / m_partBits * PackedBytes(count, m_partBits);
    }

    /** Of the upper @p valueBytes of each value's bits, less @p base. */
    Parts Group(const float* values, std::size_t count, unsigned valueBytes, Word base) const
    {
        Parts grouped(GroupedBytes(count, valueBytes));
        auto* out = grouped.data();
        Parts codes(g_octet * PackedBytes(count, 1)); // zeros behind the last
        const auto run = m_isGrouped ? count : 1;     // values that are grouped together
        for (const auto* at = values; at < values + count; at += run)
        {
            for (auto low = g_octet * (g_fp32Bytes - valueBytes); low < g_fp32Bits;
                 low += m_partBits)
            {
                std::transform(at, at + run, codes.begin(), [=](float value) {
                    return static_cast<std::uint8_t>((BitsOf(value) - base) >> low);
                });
                Pack(codes.data(), run, 0, m_partBits, out);
                out += PackedBytes(run, m_partBits);
            }
        }
        return grouped;
    }

    /** Adds what was grouped to the bits of @p values. */
    void Ungroup(const Parts& grouped, unsigned valueBytes, float* values, std::size_t count) const
    {
        const auto* in = grouped.data();
        Parts codes(g_octet * PackedBytes(count, 1));
        const auto run = m_isGrouped ? count : 1;
        for (auto* at = values; at < values + count; at += run)
        {
            for (auto low = g_octet * (g_fp32Bytes - valueBytes); low < g_fp32Bits;
                 low += m_partBits)
            {
                Unpack(in, run, 0, m_partBits, codes.data());
                std::transform(at, at + run, codes.begin(), at, [=](float value, Word code) {
                    return FloatOf(BitsOf(value) + (code << low));
                });
                in += PackedBytes(run, m_partBits);
            }
        }
    }

    const ByteCompressor& m_compressor;
    bool m_isGrouped;
    unsigned m_partBits; ///< 1 or 8, that are put together
    bool m_isShifted;
};

} // namespace

std::unique_ptr<Codec>
MakeNetzipCodec(const NetzipSettings& settings)
{
    if (!IsAmong(settings.grouping, NETZIP_GROUPINGS))
    {
        throw InputError("netzip: " + UnknownName(settings.grouping, NETZIP_GROUPINGS));
    }
    return std::make_unique<NetzipCodec>(settings);
}

} // namespace inca
