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
constexpr std::size_t g_exponentCount = 256;
constexpr unsigned g_mantissaBits = 23;
constexpr unsigned g_bf16Low = 16;

/** Of bf16, and of other fp32 values. */
constexpr unsigned g_fewPlainBytes = 1;
constexpr unsigned g_allPlainBytes = 3;

unsigned
ExponentOf(Word bits)
{
    return bits >> g_mantissaBits & 0xFFU;
}

/** Sign and mantissa, in 24 bits. */
Word
PlainOf(Word bits)
{
    return (bits >> 31U << g_mantissaBits) | (bits & 0x007FFFFFU);
}

Word
Joined(unsigned exponent, Word plain)
{
    return (plain >> g_mantissaBits << 31U) | (exponent << g_mantissaBits) | (plain & 0x007FFFFFU);
}

/** How exponents of a block are coded. */
struct Places
{
    unsigned bits{0};
    std::vector<std::uint8_t> common{}; ///< 2^bits - 1 exponents
};

/** What takes the least, of values whose exponents are so common. @param bytes that it takes, but for plain parts */
template <typename Count>
Places
BestPlaces(const std::array<Count, g_exponentCount>& counts, Count all, double& bytes)
{
    std::vector<std::uint8_t> order(g_exponentCount);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::stable_sort(
        order.begin(), order.end(), [&counts](auto a, auto b) { return counts[a] > counts[b]; });
    Places best;
    Count others = all;
    bytes = 1 + static_cast<double>(all);
    for (unsigned bits = 1, known = 0; bits <= g_widestPlace; ++bits)
    {
        const auto size = (1U << bits) - 1;
        for (; known < size; ++known)
        {
            others -= counts[order[known]];
        }
        const auto taken =
            1 + size + std::ceil(static_cast<double>(all) * bits / 8) + static_cast<double>(others);
        if (taken < bytes)
        {
            bytes = taken;
            best = {bits, {order.begin(), order.begin() + size}};
        }
    }
    return best;
}

class ExponentsCodec : public Codec
{
  public:
    explicit ExponentsCodec(unsigned plainBytes)
        : m_plainBytes(plainBytes)
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
        const auto plainBytes = isShort ? g_fewPlainBytes : g_allPlainBytes;
        if (count > 0)
        {
            stream.push_back(static_cast<std::uint8_t>(plainBytes + 1));
        }
        for (std::size_t begin = 0; begin < count; begin += g_exponentsBlock)
        {
            EncodeBlock(
                values + begin, std::min(g_exponentsBlock, count - begin), plainBytes, stream);
        }
    }

    static void EncodeBlock(const float* values,
                            std::size_t count,
                            unsigned plainBytes,
                            std::vector<std::uint8_t>& stream)
    {
        std::array<std::uint32_t, g_exponentCount> counts{};
        for (std::size_t i = 0; i < count; ++i)
        {
            ++counts[ExponentOf(BitsOf(values[i]))];
        }
        double bytes = 0;
        const auto places = BestPlaces(counts, static_cast<std::uint32_t>(count), bytes);
        stream.push_back(static_cast<std::uint8_t>(places.bits));
        stream.insert(stream.end(), places.common.begin(), places.common.end());
        AppendPlaces(values, count, places, stream);
        const auto begin = stream.size();
        stream.resize(begin + count * plainBytes + sizeof(Word));
        plainBytes == g_fewPlainBytes
            ? AppendPlain<g_fewPlainBytes>(values, count, stream.data() + begin)
            : AppendPlain<g_allPlainBytes>(values, count, stream.data() + begin);
        stream.resize(begin + count * plainBytes);
    }

    /** @param out has room for a word behind the last value */
    template <unsigned Bytes>
    static void AppendPlain(const float* values, std::size_t count, std::uint8_t* out)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto plain = PlainOf(BitsOf(values[i]));
            StoreLittle(plain >> (Bytes == g_fewPlainBytes ? g_bf16Low : 0), out + i * Bytes);
        }
    }

    static void AppendPlaces(const float* values,
                             std::size_t count,
                             const Places& places,
                             std::vector<std::uint8_t>& stream)
    {
        const auto other = static_cast<std::uint8_t>((1U << places.bits) - 1);
        std::array<std::uint8_t, g_exponentCount> placeOf;
        placeOf.fill(other);
        for (std::size_t place = 0; place < places.common.size(); ++place)
        {
            placeOf[places.common[place]] = static_cast<std::uint8_t>(place);
        }
        std::array<std::uint8_t, g_exponentsBlock> codes;
        std::array<std::uint8_t, g_exponentsBlock> others;
        std::size_t otherCount = 0;
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto exponent = ExponentOf(BitsOf(values[i]));
            codes[i] = placeOf[exponent];
            others[otherCount] = static_cast<std::uint8_t>(exponent);
            otherCount += codes[i] == other ? 1 : 0;
        }
        const auto begin = stream.size();
        const auto packed = PackedBytes(count, places.bits);
        stream.resize(begin + packed + g_packRoom);
        Pack(codes.data(), count, places.bits, stream.data() + begin);
        stream.resize(begin + packed);
        stream.insert(stream.end(), others.begin(), others.begin() + otherCount);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        Reader in{stream, bytes};
        const auto plainBytes = count > 0 ? *in.Take(1) - 1U : g_fewPlainBytes;
        if (plainBytes != g_fewPlainBytes && plainBytes != g_allPlainBytes)
        {
            throw InputError("exponents stream: begins with neither 2 nor 4");
        }
        for (std::size_t begin = 0; begin < count; begin += g_exponentsBlock)
        {
            ThrowIfInterrupted();
            DecodeBlock(in, plainBytes, values + begin, std::min(g_exponentsBlock, count - begin));
        }
        if (in.bytes > 0)
        {
            throw InputError("exponents stream: " + std::to_string(in.bytes) +
                             " bytes are left over");
        }
    }

    /** What is left of a stream. */
    struct Reader
    {
        const std::uint8_t* at;
        std::size_t bytes;

        const std::uint8_t* Take(std::size_t count)
        {
            if (count > bytes)
            {
                throw InputError("exponents stream: ends within its values");
            }
            bytes -= count;
            at += count;
            return at - count;
        }
    };

    static void DecodeBlock(Reader& in, unsigned plainBytes, float* values, std::size_t count)
    {
        const unsigned bits = *in.Take(1);
        if (bits > g_widestPlace)
        {
            throw InputError("exponents stream: " + std::to_string(bits) +
                             " bits for an exponent are more than 7");
        }
        const auto other = (1U << bits) - 1;
        const auto* const common = in.Take(other);
        std::array<std::uint8_t, g_exponentsBlock> codes;
        Unpack(in.Take(PackedBytes(count, bits)), count, bits, codes.data());
        const auto otherCount = std::count(codes.begin(),
                                           codes.begin() + static_cast<std::ptrdiff_t>(count),
                                           static_cast<std::uint8_t>(other));
        const auto* others = in.Take(static_cast<std::size_t>(otherCount));
        const auto* plain = in.Take(count * plainBytes);
        std::array<std::uint8_t, 1U << g_widestPlace> exponents{};
        std::copy_n(common, other, exponents.begin());
        plainBytes == g_fewPlainBytes
            ? Join<g_fewPlainBytes>(
                  {codes.data(), exponents.data(), others, other}, plain, values, count)
            : Join<g_allPlainBytes>(
                  {codes.data(), exponents.data(), others, other}, plain, values, count);
    }

    /** Where the exponents of a block come from. */
    struct CodedExponents
    {
        const std::uint8_t* codes;
        const std::uint8_t* common; ///< by code
        const std::uint8_t* others; ///< of those with the last code
        unsigned other;
    };

    template <unsigned Bytes>
    static void Join(CodedExponents from,
                     const std::uint8_t* plain,
                     float* values,
                     std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            Word bits = 0;
            std::memcpy(&bits, plain + i * Bytes, Bytes);
            bits <<= Bytes == g_fewPlainBytes ? g_bf16Low : 0;
            const unsigned code = from.codes[i];
            const unsigned exponent = code == from.other ? *from.others++ : from.common[code];
            values[i] = FloatOf(Joined(exponent, bits));
        }
    }

    /** Of whole blocks that are like all values together. */
    std::optional<double> MeanBits(const ValueStatistics& statistics) const override
    {
        if (statistics.exponents.empty())
        {
            return std::nullopt;
        }
        std::array<double, g_exponentCount> counts{};
        double all = 0;
        for (const auto& [exponent, share] : statistics.exponents)
        {
            counts[exponent] += share * g_exponentsBlock;
            all += share * g_exponentsBlock;
        }
        double bytes = 0;
        BestPlaces(counts, all, bytes);
        return 8 * (bytes / all + m_plainBytes);
    }

    unsigned m_plainBytes;
};

} // namespace

std::unique_ptr<Codec>
MakeExponentsCodec(unsigned plainBytes)
{
    return std::make_unique<ExponentsCodec>(plainBytes);
}

} // namespace inca
