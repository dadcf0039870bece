/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/exponents-codec.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/word.h"
#include "codec/little-endian.h"
#include "codec/packed-bits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace inca
{

namespace
{

constexpr std::size_t g_exponentsBlock = 4096; ///< values
constexpr unsigned g_widestPlace = 7;          ///< bits
constexpr std::uint8_t g_shortValue = 2;       ///< bytes, of bf16
constexpr std::uint8_t g_longValue = 4;

using Bytes = std::array<std::uint8_t, g_exponentsBlock>;

/** How exponents of a block are coded. */
struct Places
{
    unsigned bits{0};
    std::vector<std::uint8_t> common{}; ///< 2^bits - 1 exponents
    double bytes{0};                    ///< that all takes, but for signs and mantissas
};

/** What takes the least. @param counts by exponent */
template <typename Count>
Places
BestPlaces(const std::array<Count, 256>& counts, Count all)
{
    std::vector<std::uint8_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    const auto end = std::stable_partition(
        order.begin(), order.end(), [&](auto exponent) { return counts[exponent] > 0; });
    std::stable_sort(order.begin(), end, [&](auto a, auto b) { return counts[a] > counts[b]; });
    Places best{0, {}, 1 + static_cast<double>(all)};
    Count others = all;
    for (unsigned bits = 1, known = 0; bits <= g_widestPlace; ++bits)
    {
        const auto size = (1U << bits) - 1;
        for (; known < size; ++known)
        {
            others -= counts[order[known]];
        }
        const auto places = std::ceil(static_cast<double>(all) * bits / 8);
        const auto bytes = 1 + size + places + static_cast<double>(others);
        if (bytes < best.bytes)
        {
            best = {bits, {order.begin(), order.begin() + size}, bytes};
        }
    }
    return best;
}

void
Append(const void* bytes, std::size_t count, std::vector<std::uint8_t>& stream)
{
    const auto* const begin = static_cast<const std::uint8_t*>(bytes);
    stream.insert(stream.end(), begin, begin + count);
}

void
Require(bool isRight, const std::string& why)
{
    if (!isRight)
    {
        throw InputError("exponents stream: " + why);
    }
}

/** What is left of a stream. */
struct StreamRest
{
    const std::uint8_t* at;
    std::size_t bytes;

    const std::uint8_t* Take(std::size_t count)
    {
        Require(count <= bytes, "ends within its values");
        bytes -= count;
        at += count;
        return at - count;
    }
};

class ExponentsCodec : public Codec
{
  public:
    explicit ExponentsCodec(unsigned valueBytes)
        : m_valueBytes(valueBytes)
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
        const bool isShort = std::all_of(
            values, values + count, [](float value) { return (BitsOf(value) & 0xFFFFU) == 0; });
        if (count > 0)
        {
            stream.push_back(isShort ? g_shortValue : g_longValue);
        }
        for (std::size_t begin = 0; begin < count; begin += g_exponentsBlock)
        {
            EncodeBlock(values + begin, std::min(g_exponentsBlock, count - begin), isShort, stream);
        }
    }

    static void EncodeBlock(const float* values,
                            std::size_t count,
                            bool isShort,
                            std::vector<std::uint8_t>& stream)
    {
        Bytes exponents;
        Bytes rest; // sign and mantissa
        std::array<std::uint16_t, g_exponentsBlock> low;
        std::array<std::uint32_t, 256> counts{};
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto bits = BitsOf(values[i]);
            exponents[i] = static_cast<std::uint8_t>(bits >> 23U);
            rest[i] = static_cast<std::uint8_t>((bits >> 24U & 0x80U) | (bits >> 16U & 0x7FU));
            low[i] = static_cast<std::uint16_t>(bits);
            ++counts[exponents[i]];
        }
        const auto places = BestPlaces(counts, static_cast<Word>(count));
        const auto other = static_cast<std::uint8_t>(places.common.size());
        std::array<std::uint8_t, 256> placeOf;
        placeOf.fill(other);
        for (std::uint8_t place = 0; place < other; ++place)
        {
            placeOf[places.common[place]] = place;
        }
        Bytes codes{};
        Bytes others;
        std::size_t otherCount = 0;
        for (std::size_t i = 0; i < count; ++i)
        {
            codes[i] = placeOf[exponents[i]];
            others[otherCount] = exponents[i];
            otherCount += codes[i] == other ? 1 : 0;
        }
        Pack(codes.data(), count, 0, places.bits, exponents.data());
        stream.push_back(static_cast<std::uint8_t>(places.bits));
        Append(places.common.data(), other, stream);
        Append(exponents.data(), PackedBytes(count, places.bits), stream);
        Append(others.data(), otherCount, stream);
        Append(rest.data(), count, stream);
        Append(low.data(), isShort ? 0 : count * sizeof low[0], stream);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        StreamRest in{stream, bytes};
        const auto valueBytes = count > 0 ? *in.Take(1) : g_shortValue;
        Require(valueBytes == g_shortValue || valueBytes == g_longValue,
                "begins with neither 2 nor 4");
        for (std::size_t begin = 0; begin < count; begin += g_exponentsBlock)
        {
            ThrowIfInterrupted();
            const auto some = std::min(g_exponentsBlock, count - begin);
            DecodeBlock(in, values + begin, some, valueBytes == g_shortValue);
        }
        Require(in.bytes == 0, std::to_string(in.bytes) + " bytes are left over");
    }

    static void DecodeBlock(StreamRest& in, float* values, std::size_t count, bool isShort)
    {
        const unsigned bits = *in.Take(1);
        Require(bits <= g_widestPlace,
                std::to_string(bits) + " bits for an exponent are more than 7");
        const auto other = static_cast<std::uint8_t>((1U << bits) - 1);
        const auto* const common = in.Take(other);
        Bytes codes{};
        Unpack(in.Take(PackedBytes(count, bits)), count, 0, bits, codes.data());
        const auto otherCount = std::count(codes.data(), codes.data() + count, other);
        const auto* others = in.Take(static_cast<std::size_t>(otherCount));
        const auto* const rest = in.Take(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            const Word exponent = codes[i] == other ? *others++ : common[codes[i]];
            const Word sign = rest[i] & 0x80U;
            const Word mantissa = rest[i] & 0x7FU;
            values[i] = FloatOf(sign << 24U | exponent << 23U | mantissa << 16U);
        }
        const auto* const low = in.Take(isShort ? 0 : 2 * count);
        for (std::size_t i = 0; !isShort && i < count; ++i)
        {
            values[i] = FloatOf(BitsOf(values[i]) | LoadLittle<std::uint16_t>(low + 2 * i));
        }
    }

    /** Of whole blocks that are like all values together. */
    std::optional<double> MeanBits(const ValueStatistics& statistics) const override
    {
        std::array<double, 256> counts{};
        double all = 0;
        for (const auto& [exponent, share] : statistics.exponents)
        {
            counts[exponent] += share * g_exponentsBlock;
            all += share * g_exponentsBlock;
        }
        const auto plainBytes = m_valueBytes - 1;
        return all == 0 ? std::optional<double>()
                        : 8 * (BestPlaces(counts, all).bytes / all + plainBytes);
    }

    unsigned m_valueBytes;
};

} // namespace

std::unique_ptr<Codec>
MakeExponentsCodec(unsigned valueBytes)
{
    return std::make_unique<ExponentsCodec>(valueBytes);
}

} // namespace inca
