/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/block-codec.h"

#include "base/errors.h"
#include "base/half-float.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "codec/block-layout.h"
#include "codec/decode-parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace inca
{

namespace
{

constexpr float g_largestHalf = 65504;
constexpr Word g_magnitudeBits = 0x7FFFFFFF;
constexpr Word g_infinityBits = 0x7F800000;
constexpr int g_e8m0Bias = 127;
constexpr std::uint32_t g_e8m0Nan = 0xFF;
constexpr unsigned g_mantissa = 23; ///< bits of fp32

/** So many values are scaled, then coded, at once. */
using Scaled = std::array<float, 1024>;

struct ElementSpan
{
    std::size_t begin;
    std::size_t end;
};

/** What makes scaled values of a group's, and what is stored of it. */
struct GroupScale
{
    std::uint32_t stored; ///< in the scale's type
    float factor;         ///< of values; their divisor in rule DIVIDE
};

/** By what the scales of all groups of a message are multiplied, and divided again. */
struct MessageScale
{
    float scale;
    float inverse;
};

/** The bits of the largest magnitude: of a NaN they are above infinity's. */
INCA_VECTOR_CLONES Word
LargestMagnitude(const float* values, std::size_t count)
{
    Word largest = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        largest = std::max(largest, BitsOf(values[i]) & g_magnitudeBits);
    }
    return largest;
}

INCA_VECTOR_CLONES void
Multiply(const float* values, std::size_t count, float factor, float* out)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        out[i] = values[i] * factor;
    }
}

INCA_VECTOR_CLONES void
Divide(const float* values, std::size_t count, float divisor, float* out)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        out[i] = values[i] / divisor;
    }
}

INCA_VECTOR_CLONES void
ClampFinite(float* values, std::size_t count, float most)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto value = values[i];
        const auto held = std::copysign(most, value);
        const auto magnitude = BitsOf(value) & g_magnitudeBits;
        values[i] = magnitude > BitsOf(most) && magnitude < g_infinityBits ? held : value;
    }
}

/** The fp16 nearest to each; beyond the largest finite one, that one. Infinities and NaN stay what they are. */
void
RoundToHalf(float* values, std::size_t count)
{
    ClampFinite(values, count, g_largestHalf);
    RoundToFp16(values, count);
}

/** Whether a value has these bits. */
INCA_VECTOR_CLONES bool
Contains(const float* values, std::size_t count, Word bits)
{
    Word found = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        found |= BitsOf(values[i]) == bits ? 1U : 0U;
    }
    return found != 0;
}

INCA_VECTOR_CLONES void
CodeFloats(const MiniFloat& type, const float* scaled, std::size_t count, std::uint8_t* codes)
{
    const auto copy = type;
    for (std::size_t i = 0; i < count; ++i)
    {
        codes[i] = copy.Encode(scaled[i]);
    }
}

/** The integers of an element: codes hold them as they are, or with an offset. */
struct IntegerCodes
{
    float least;
    float most;
    std::int32_t offset;
    std::uint32_t mask;
};

/** 1.5 * 2^23: a float that this is added to is an integer in its low bits, rounded to nearest, ties to even. */
constexpr float g_roundingShift = 12582912.0F;

INCA_VECTOR_CLONES void
CodeIntegers(const IntegerCodes& type, const float* scaled, std::size_t count, std::uint8_t* codes)
{
    const auto [least, most, offset, mask] = type;
    const auto zero = BitsOf(g_roundingShift) - static_cast<Word>(offset);
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto number = std::isnan(scaled[i]) ? 0 : scaled[i]; // 0 times infinity
        const auto value = std::min(std::max(number, least), most);
        codes[i] = static_cast<std::uint8_t>((BitsOf(value + g_roundingShift) - zero) & mask);
    }
}

/** What the codes stand for. */
void
TakeValues(const float* table, const std::uint8_t* codes, std::size_t count, float* values)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        values[i] = table[codes[i]];
    }
}

/** Multiplies each @p size values by a Hadamard matrix of +-1, in Sylvester's order; 0 leaves them. */
void
Rotate(float* values, std::size_t count, std::size_t size)
{
    for (std::size_t step = 1; step < size; step *= 2)
    {
        for (std::size_t begin = 0; begin < count; begin += 2 * step)
        {
            for (std::size_t i = begin; i < begin + step; ++i)
            {
                const auto left = values[i];
                values[i] = left + values[i + step];
                values[i + step] = left - values[i + step];
            }
        }
    }
}

/** 2^(biased - 127), also where that is subnormal. @param biased 0..254 */
float
PowerOfTwo(int biased)
{
    return FloatOf(biased == 0 ? 1U << (g_mantissa - 1) : static_cast<Word>(biased) << g_mantissa);
}

class BlockCodec : public Codec
{
  public:
    BlockCodec(BlockFormat format, const BlockSettings& settings)
        : m_format(std::move(format)),
          m_settings(settings),
          m_rule(m_format.rule),
          m_largest(m_format.element->Largest()),
          m_isHalf(m_rule == ScaleRule::HALF || m_rule == ScaleRule::HALF_SIGNED),
          m_nanCode(m_format.element->floating != nullptr && m_format.element->bits == 8 ? 0x7F : 0)
    {
        if (m_format.group == BlockFormat::ROW)
        {
            m_format.group = m_settings.rowValues;
        }
        const auto span = std::int32_t{1} << (m_format.element->bits - 1);
        const auto least = static_cast<float>(-span);
        const bool usesLeast = m_rule == ScaleRule::HALF_SIGNED || m_rule == ScaleRule::WHOLE_RANGE;
        m_integers = {usesLeast ? least : least + 1,
                      static_cast<float>(span - 1),
                      m_rule == ScaleRule::HALF_SIGNED ? span : 0,
                      static_cast<std::uint32_t>(2 * span - 1)};
        MakeTable();
    }

    bool IsLossless() const override
    {
        return false;
    }

  private:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        WriteBlocks(m_format, Coded(values, count), stream);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        CheckStreamBytes(m_format.name.c_str(), count, bytes, CountBytes(nullptr, count));
        Restore(ReadBlocks(m_format, stream, count), values, count);
    }

    void RoundTrip(float* values, std::size_t count) const override
    {
        Restore(Coded(values, count), values, count);
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        return BlockBytes(m_format, count);
    }

    /** Of a large message. */
    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        constexpr std::uint64_t many = 1U << 30U;
        const auto whole = m_format.group < many ? many / m_format.group * m_format.group : many;
        return 8.0 * static_cast<double>(BlockBytes(m_format, whole)) / static_cast<double>(whole);
    }

    /** A sum that begins with +0 is never -0. */
    void RoundSum(float* values, std::size_t count) const override
    {
        if (!m_format.sumsInHalf)
        {
            return;
        }
        RoundToHalf(values, count);
        for (std::size_t i = 0; i < count; ++i)
        {
            values[i] += 0.0F;
        }
    }

    /** @return what is coded of @p values, in groups one after the other; @p room holds it if they must change */
    const float* Prepared(const float* values, std::size_t count, std::vector<float>& room) const
    {
        const auto padded = PaddedValues(m_format, count);
        if (padded == count && m_format.rotation == 0 && !m_isHalf)
        {
            return values;
        }
        room.assign(values, values + count);
        room.resize(padded, 0.0F);
        ForEachPiece(padded, [&](ElementSpan piece) {
            auto* const here = room.data() + piece.begin;
            const auto some = piece.end - piece.begin;
            Rotate(here, some, m_format.rotation);
            if (m_isHalf)
            {
                RoundToHalf(here, some);
                SplitParities(here, some);
            }
        });
        return room.data();
    }

    /** So many values of a message are prepared and coded at once: as many as caches hold, if that cuts nothing. */
    std::size_t PartOf(std::size_t count) const
    {
        constexpr std::size_t part = 16384;
        return part % m_format.group == 0 && m_rule != ScaleRule::TWO_LEVELS ? part : count;
    }

    BlockCodes Coded(const float* values, std::size_t count) const
    {
        BlockCodes coded;
        coded.codes.resize(PaddedValues(m_format, count));
        coded.scales.resize(GroupCount(m_format, count));
        std::vector<float> room;
        std::vector<float> factors;
        const auto part = PartOf(count);
        for (std::size_t begin = 0; begin < count; begin += part)
        {
            const auto some = std::min(part, count - begin);
            const auto* const prepared = Prepared(values + begin, some, room);
            const auto padded = PaddedValues(m_format, some);
            auto* const scales = &coded.scales[begin / m_format.group];
            coded.scale = WholeScale(prepared, padded);
            TakeScales(prepared, padded, MessageScaleOf(coded.scale), scales, factors);
            ForEachPiece(padded, [&](ElementSpan piece) {
                CodePiece(prepared, piece, factors, &coded.codes[begin]);
            });
        }
        return coded;
    }

    /** Of TWO_LEVELS the largest magnitude, or NaN; else 0. */
    float WholeScale(const float* values, std::size_t count) const
    {
        if (m_rule != ScaleRule::TWO_LEVELS)
        {
            return 0;
        }
        const auto largest = LargestMagnitude(values, count);
        return largest > g_infinityBits ? std::numeric_limits<float>::quiet_NaN()
                                        : FloatOf(largest);
    }

    void TakeScales(const float* values,
                    std::size_t count,
                    const MessageScale& whole,
                    std::uint32_t* scales,
                    std::vector<float>& factors) const
    {
        factors.clear();
        ForEachGroup({0, count}, [&](std::size_t group, std::size_t begin, std::size_t some) {
            const auto scale = ScaleOf(values + begin, some, whole);
            scales[group] = scale.stored;
            factors.push_back(scale.factor);
        });
        if (m_isHalf)
        {
            RoundScales(factors, scales);
        }
    }

    /** Does @p use(group, first value, values) with each group, or part of one, that is in @p span. */
    template <typename Use>
    void ForEachGroup(ElementSpan span, const Use& use) const
    {
        auto begin = span.begin;
        for (auto group = begin / m_format.group; begin < span.end; ++group)
        {
            const auto rest = m_format.group - begin % m_format.group;
            const auto some = std::min<std::uint64_t>(rest, span.end - begin);
            use(group, begin, some);
            begin += some;
        }
    }

    /** Does @p use with spans of values that fit into Scaled. */
    template <typename Use>
    static void ForEachPiece(std::size_t count, const Use& use)
    {
        constexpr std::size_t size = std::tuple_size<Scaled>::value;
        for (std::size_t begin = 0; begin < count; begin += size)
        {
            use(ElementSpan{begin, std::min(begin + size, count)});
        }
    }

    /** Of values whose largest is finite, and if there is only one scale, by m alone. */
    GroupScale FiniteScale(float largest) const
    {
        switch (m_rule)
        {
        case ScaleRule::POWER:
            return PowerScale(largest);
        case ScaleRule::INVERSE:
        {
            const auto scale = m_largest / largest;
            return {BitsOf(std::isinf(scale) ? 1.0F : scale), std::isinf(scale) ? 1.0F : scale};
        }
        case ScaleRule::WHOLE_RANGE:
        {
            const auto scale = largest == 0 ? 1.0F : -2 * m_integers.least / (2 * largest);
            return {BitsOf(1 / scale), scale};
        }
        case ScaleRule::MULTIPLY:
        {
            const auto scale = largest / m_largest;
            const bool isTiny = scale < std::numeric_limits<float>::min();
            return {isTiny ? 0 : BitsOf(scale), isTiny ? 0.0F : 1 / scale};
        }
        default:
        {
            const auto stored = StoredOf(largest / m_largest);
            const auto scale = Decoding(stored);
            return {stored, scale == 0 ? std::numeric_limits<float>::infinity() : scale};
        }
        }
    }

    /** Of a group. @param whole of TWO_LEVELS */
    GroupScale ScaleOf(const float* values, std::size_t count, const MessageScale& whole) const
    {
        const auto bits = LargestMagnitude(values, count);
        if (bits >= g_infinityBits || std::isnan(whole.scale))
        {
            return {NanScale(), std::numeric_limits<float>::quiet_NaN()};
        }
        const auto largest = FloatOf(bits);
        if (m_rule == ScaleRule::TWO_LEVELS)
        {
            return FinerScale(largest, whole);
        }
        return m_isHalf ? GroupScale{0, HalfScale(values, count, largest)} : FiniteScale(largest);
    }

    GroupScale PowerScale(float largest) const
    {
        const auto exponent = static_cast<int>(BitsOf(largest) >> g_mantissa);
        const auto most = static_cast<int>(BitsOf(m_largest) >> g_mantissa);
        const auto stored = std::clamp(exponent - most + g_e8m0Bias, 0, 2 * g_e8m0Bias);
        return {static_cast<std::uint32_t>(stored), PowerOfTwo(2 * g_e8m0Bias - stored)};
    }

    /** NVFP4's. */
    GroupScale FinerScale(float largest, const MessageScale& whole) const
    {
        const auto wanted = std::min(m_finer[E4M3.largest], largest / m_largest * whole.scale);
        const auto stored = E4M3.Encode(wanted);
        const auto factor = 1 / (m_finer[stored] * whole.inverse);
        return {stored, std::min(factor, std::numeric_limits<float>::max())};
    }

    /** What of fp16 scales is there before it is rounded. */
    float HalfScale(const float* values, std::size_t count, float largest) const
    {
        if (m_rule == ScaleRule::HALF)
        {
            return largest * FromFp16(ToFp16(1 / m_largest));
        }
        const bool isNegative = Contains(values, count, BitsOf(-largest)); // also if both are there
        return (isNegative ? -largest : largest) / m_integers.least;
    }

    /** Makes the scales, and their inverses, of what HalfScale gives. */
    static void RoundScales(std::vector<float>& factors, std::uint32_t* scales)
    {
        constexpr float tiny = 1.0F / (1U << 24U);
        RoundToHalf(factors.data(), factors.size());
        for (auto& factor : factors)
        {
            *scales++ = ToFp16(factor);
            factor += tiny;
        }
        RoundToHalf(factors.data(), factors.size());
        for (auto& factor : factors)
        {
            factor = 1 / factor;
        }
        RoundToHalf(factors.data(), factors.size());
    }

    /** Of TWO_LEVELS. @param largest magnitude of the message */
    MessageScale MessageScaleOf(float largest) const
    {
        const auto most = m_finer[E4M3.largest] * m_largest;
        auto scale = std::min(most / largest, std::numeric_limits<float>::max());
        scale = largest == 0 || scale == 0 ? 1 : scale;
        return {scale, 1 / scale};
    }

    std::uint32_t StoredOf(float scale) const
    {
        const auto largestBf16 = FromBf16(0x7F7F);
        return m_format.scale == ScaleType::FP16   ? ToFp16(std::min(scale, g_largestHalf))
               : m_format.scale == ScaleType::BF16 ? ToBf16(std::min(scale, largestBf16))
                                                   : BitsOf(scale);
    }

    std::uint32_t NanScale() const
    {
        return m_format.scale == ScaleType::E8M0 ? g_e8m0Nan
               : m_format.scale == ScaleType::UE4M3
                   ? E4M3.nan
                   : StoredOf(std::numeric_limits<float>::quiet_NaN());
    }

    /** What @p stored says. */
    float Decoding(std::uint32_t stored) const
    {
        switch (m_format.scale)
        {
        case ScaleType::FP16:
            return FromFp16(static_cast<std::uint16_t>(stored));
        case ScaleType::BF16:
            return FromBf16(static_cast<std::uint16_t>(stored));
        case ScaleType::UE4M3:
            return m_finer[stored];
        case ScaleType::E8M0:
            return stored == g_e8m0Nan ? std::numeric_limits<float>::quiet_NaN()
                                       : PowerOfTwo(static_cast<int>(stored));
        case ScaleType::FP32:
            break;
        }
        return FloatOf(stored);
    }

    void CodePiece(const float* values,
                   ElementSpan piece,
                   const std::vector<float>& factors,
                   std::uint8_t* codes) const
    {
        Scaled scaled;
        const auto count = piece.end - piece.begin;
        const auto scale = m_rule == ScaleRule::DIVIDE ? Divide : Multiply;
        ForEachGroup(piece, [&](std::size_t group, std::size_t begin, std::size_t some) {
            scale(values + begin, some, factors[group], &scaled[begin - piece.begin]);
        });
        if (m_isHalf)
        {
            RoundToHalf(scaled.data(), count);
        }
        if (m_settings.isStochastic)
        {
            RoundByChance(scaled.data(), count);
        }
        Code(scaled.data(), count, codes + piece.begin);
        ForEachGroup(piece, [&](std::size_t group, std::size_t begin, std::size_t some) {
            if (const auto factor = factors[group]; std::isnan(factor) || factor == 0)
            {
                std::fill_n(codes + begin, some, factor == 0 ? 0 : m_nanCode);
            }
        });
    }

    void Code(const float* scaled, std::size_t count, std::uint8_t* codes) const
    {
        m_format.element->floating != nullptr
            ? CodeFloats(*m_format.element->floating, scaled, count, codes)
            : CodeIntegers(m_integers, scaled, count, codes);
    }

    /** Takes one of the two values around each that have codes: the upper one with a chance of what is cut off. */
    void RoundByChance(float* scaled, std::size_t count) const
    {
        const auto* const floating = m_format.element->floating;
        auto key = m_settings.seed;
        std::for_each_n(scaled, count, [&key](float value) { key = MixBits(key ^ BitsOf(value)); });
        for (std::size_t i = 0; i < count; ++i)
        {
            auto step = 0; // as a power of two
            if (floating != nullptr)
            {
                const auto least = 1 - static_cast<int>(floating->bias);
                step = std::max(std::ilogb(scaled[i]), least) -
                       static_cast<int>(floating->mantissaBits);
            }
            const auto steps = std::ldexp(double{scaled[i]}, -step);
            const auto below = std::floor(steps);
            const auto up = UniformOf(BitsAt(key, i)) < steps - below ? 1 : 0;
            scaled[i] = static_cast<float>(std::ldexp(below + up, step));
        }
    }

    /** What every code stands for. */
    void MakeTable()
    {
        if (m_format.element->floating != nullptr)
        {
            m_values = m_format.element->floating->Values();
            return;
        }
        const auto count = 1 << m_format.element->bits;
        for (int code = 0; code < static_cast<int>(m_values.size()); ++code)
        {
            const auto value = code % count - m_integers.offset;
            const bool wraps = m_integers.offset == 0 && value >= count / 2;
            m_values[static_cast<std::size_t>(code)] =
                static_cast<float>(value - (wraps ? count : 0));
        }
    }

    void Restore(const BlockCodes& coded, float* values, std::size_t count) const
    {
        const auto padded = coded.codes.size();
        std::vector<float> room(padded == count ? 0 : padded);
        auto* const out = padded == count ? values : room.data();
        const auto whole = MessageScaleOf(coded.scale).inverse;
        ForEachPiece(padded, [&](ElementSpan piece) {
            const auto some = piece.end - piece.begin;
            TakeValues(m_values.data(), &coded.codes[piece.begin], some, out + piece.begin);
            ForEachGroup(piece, [&](std::size_t group, std::size_t begin, std::size_t size) {
                RestoreGroup(Decoding(coded.scales[group]), whole, out + begin, size);
            });
            if (m_isHalf)
            {
                RoundToHalf(out + piece.begin, some);
                JoinParities(out + piece.begin, some);
            }
            if (m_format.rotation > 0)
            {
                Rotate(out + piece.begin, some, m_format.rotation);
                Multiply(out + piece.begin,
                         some,
                         1 / static_cast<float>(m_format.rotation),
                         out + piece.begin);
            }
        });
        if (padded != count)
        {
            std::copy_n(out, count, values);
        }
    }

    /** @param whole of TWO_LEVELS: the message's scale */
    void RestoreGroup(float scale, float whole, float* values, std::size_t count) const
    {
        ThrowIfInterrupted();
        if (m_rule == ScaleRule::INVERSE)
        {
            Divide(values, count, scale, values);
            return;
        }
        constexpr float subnormal = 0x1p-127F; // whose products take long: half of a normal one
        const bool isSubnormal = scale == subnormal;
        Multiply(values, count, isSubnormal ? 2 * scale : scale, values);
        if (isSubnormal || m_rule == ScaleRule::TWO_LEVELS)
        {
            Multiply(values, count, isSubnormal ? 0.5F : whole, values);
        }
    }

    BlockFormat m_format;
    BlockSettings m_settings;
    ScaleRule m_rule;
    float m_largest; ///< the element's
    bool m_isHalf;   ///< values are fp16, and so is what is made of them
    IntegerCodes m_integers{};
    std::uint8_t m_nanCode;                        ///< of values in a group without a scale
    std::array<float, 256> m_finer{E4M3.Values()}; ///< scales of TWO_LEVELS
    std::array<float, 256> m_values{};
};

} // namespace

std::unique_ptr<Codec>
MakeBlockCodec(const BlockFormat& format, const BlockSettings& settings)
{
    return std::make_unique<BlockCodec>(format, settings);
}

} // namespace inca
