/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/block-codec.h"

#include "base/half-float.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "base/vector-clones.h"
#include "base/word.h"
#include "codec/block-layout.h"
#include "codec/decode-parts.h"

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

using Limits = std::numeric_limits<float>;

constexpr Word g_magnitudeBits = 0x7FFFFFFF;
constexpr Word g_infinityBits = 0x7F800000;

using Scaled = std::array<float, g_piece>;

/** Of a group what is stored, and what its values are multiplied by; their divisor in rule DIVIDE. */
struct GroupScale
{
    float stored;
    float factor;
};

/** Of values with a NaN it is one: its bits are above infinity's. */
INCA_VECTOR_CLONES float
LargestMagnitude(const float* values, std::size_t count)
{
    Word largest = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        largest = std::max(largest, BitsOf(values[i]) & g_magnitudeBits);
    }
    return FloatOf(largest);
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
ClampFinite(float* values, std::size_t count)
{
    constexpr float most = 65504; // of fp16
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
    ClampFinite(values, count);
    RoundToFp16(values, count);
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

/** The integers of an element: codes are their low bits, one of them flipped or none. */
struct IntegerCodes
{
    float least;
    float most;
    Word flip;
};

/** 1.5 * 2^23: a float that this is added to is an integer in its low bits, rounded to nearest, ties to even. */
constexpr float g_roundingShift = 12582912.0F;

INCA_VECTOR_CLONES void
CodeIntegers(const IntegerCodes& type, const float* scaled, std::size_t count, std::uint8_t* codes)
{
    const auto [least, most, flip] = type;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto number = std::isnan(scaled[i]) ? 0 : scaled[i]; // 0 times infinity
        const auto value = std::min(std::max(number, least), most);
        codes[i] = static_cast<std::uint8_t>(BitsOf(value + g_roundingShift) ^ flip);
    }
}

/** Multiplies each @p size values by a Hadamard matrix of +-1, in Sylvester's order. */
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

/** The power of two that is not above @p value; 0 for subnormal ones. */
float
PowerBelow(float value)
{
    return FloatOf(BitsOf(value) & g_infinityBits);
}

class BlockCodec : public Codec
{
  public:
    BlockCodec(BlockFormat format, const BlockSettings& settings)
        : m_format(std::move(format)),
          m_settings(settings),
          m_floating(m_format.element->floating),
          m_largest(m_format.element->largest),
          m_isHalf(m_format.rule == ScaleRule::HALF)
    {
        if (m_format.group == BlockFormat::ROW)
        {
            m_format.group = m_settings.rowValues;
        }
        m_floating != nullptr ? UseFloats() : UseIntegers();
    }

    bool IsLossless() const override
    {
        return false;
    }

  private:
    void UseFloats()
    {
        m_values = m_floating->Values();
        m_spoilt = m_format.element->bits == 8 ? m_values[m_floating->nan] : 0;
        m_halfStep = FromFp16(ToFp16(1 / m_largest));
        m_place = std::ldexp(1.0F, -static_cast<int>(m_floating->mantissaBits));
        m_leastStep = m_values[1];
        m_mostStep = PowerBelow(m_largest) * m_place;
    }

    void UseIntegers()
    {
        const auto span = static_cast<int>(m_largest) + 1;
        const bool usesLeast = m_isHalf || m_format.rule == ScaleRule::WHOLE_RANGE;
        const auto flip = m_isHalf ? span : 0;
        m_integers = {usesLeast ? -m_largest - 1 : -m_largest, m_largest, static_cast<Word>(flip)};
        for (int code = 0; code < 2 * span; ++code)
        {
            m_values[static_cast<std::size_t>(code)] =
                static_cast<float>((code ^ flip ^ span) - span);
        }
        m_spoilt = m_values[0];
        m_halfStep = -1 / static_cast<float>(span);
    }

    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        const BlockPlaces places(m_format, count);
        const auto begin = stream.size();
        stream.resize(begin + places.Bytes());
        auto* const out = stream.data() + begin;
        std::vector<float> room;
        std::vector<float> factors;
        ForEachOf(PartSize(), 0, places.Values(), [&](auto, auto first, auto some) {
            const auto* const part =
                Prepared(values + first, std::min(some, count - first), some, room);
            float largest = 0;
            if (m_format.rule == ScaleRule::TWO_LEVELS)
            {
                largest = LargestMagnitude(part, some);
                largest = std::isnan(largest) ? Limits::quiet_NaN() : largest;
                StoreLittle(largest, out + places.Bytes() - sizeof largest);
            }
            const auto scales = ScalesOf(part, some, MessageScale(largest), factors);
            for (std::size_t group = 0; group < scales.size(); ++group)
            {
                const auto place = places.ScaleAt(first / m_format.group + group);
                m_format.scale->store(scales[group], out + place);
            }
            ForEachOf(g_piece, 0, some, [&](auto, auto at, auto size) {
                Codes codes{};
                CodePiece(part, at, size, factors, codes.data());
                places.Write(codes, first + at, size, out);
            });
        });
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        const BlockPlaces places(m_format, count);
        CheckStreamBytes(m_format.name.c_str(), count, bytes, places.Bytes());
        const bool hasOwn = m_format.rule == ScaleRule::TWO_LEVELS && count > 0;
        const auto whole =
            1 / MessageScale(hasOwn ? LoadLittle<float>(stream + bytes - sizeof(float)) : 0);
        ForEachOf(g_piece, 0, count, [&](auto, auto first, auto some) {
            ThrowIfInterrupted();
            const auto padded = std::min(g_piece, places.Values() - first);
            Codes codes{};
            Scaled room;
            auto* const out = padded == some ? values + first : room.data();
            places.Read(stream, first, padded, codes);
            std::transform(codes.data(), codes.data() + padded, out, [this](auto code) {
                return m_values[code];
            });
            ForEachOf(m_format.group, first, first + padded, [&](auto group, auto at, auto size) {
                const auto scale = m_format.scale->load(stream + places.ScaleAt(group));
                RestoreGroup(scale, whole, out + at - first, size);
            });
            Restore(out, padded);
            std::copy_n(out, padded == some ? 0 : some, values + first);
        });
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        return BlockPlaces(m_format, count).Bytes();
    }

    /** Of a large message. */
    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        constexpr std::uint64_t many = 1U << 30U;
        const auto whole = m_format.group < many ? many / m_format.group * m_format.group : many;
        return 8.0 * static_cast<double>(CountBytes(nullptr, whole)) / static_cast<double>(whole);
    }

    bool RoundsSums() const override
    {
        return true;
    }

    /** A sum that begins with +0 is never -0. */
    void RoundSum(float* values, std::size_t count) const override
    {
        if (m_isHalf)
        {
            RoundToHalf(values, count);
            std::for_each_n(values, count, [](float& value) { value += 0.0F; });
        }
    }

    /** So many values of a message are coded at once: as many as caches hold, if that cuts nothing. */
    std::size_t PartSize() const
    {
        constexpr std::size_t part = 16384;
        const bool cuts = part % m_format.group != 0 || m_format.rule == ScaleRule::TWO_LEVELS;
        return cuts ? BlockFormat::MESSAGE : part;
    }

    /** @return what is coded of @p values, in groups one after the other; @p room holds it if they must change */
    const float* Prepared(const float* values,
                          std::size_t count,
                          std::size_t padded,
                          std::vector<float>& room) const
    {
        if (padded == count && m_format.rotation == 1 && !m_isHalf)
        {
            return values;
        }
        room.assign(values, values + count);
        room.resize(padded, 0.0F);
        ForEachOf(g_piece, 0, padded, [&](auto, auto begin, auto some) {
            auto* const here = room.data() + begin;
            Rotate(here, some, m_format.rotation);
            if (m_isHalf)
            {
                RoundToHalf(here, some);
                MoveHalves<1, false>(here, some);
            }
        });
        return room.data();
    }

    /** Takes back what Prepared has done. */
    void Restore(float* values, std::size_t count) const
    {
        if (m_isHalf)
        {
            RoundToHalf(values, count);
            MoveHalves<1, true>(values, count);
        }
        if (m_format.rotation > 1)
        {
            Rotate(values, count, m_format.rotation);
            Multiply(values, count, 1 / static_cast<float>(m_format.rotation), values);
        }
    }

    /** In rule TWO_LEVELS, by what all scales are multiplied; else 1. @param largest magnitude of the message, or 0 */
    float MessageScale(float largest) const
    {
        const auto scale = std::min(448 * m_largest / largest, Limits::max());
        return largest == 0 || scale == 0 ? 1 : scale;
    }

    /** @return what is stored of groups, the first of which begins with @p values @param factors of their values */
    std::vector<float> ScalesOf(const float* values,
                                std::size_t count,
                                float whole,
                                std::vector<float>& factors) const
    {
        std::vector<float> scales;
        factors.clear();
        ForEachOf(m_format.group, 0, count, [&](auto, auto begin, auto some) {
            const auto [stored, factor] = ScaleOf(values + begin, some, whole);
            scales.push_back(stored);
            factors.push_back(factor);
        });
        if (m_isHalf)
        {
            RoundToHalf(scales.data(), scales.size());
            const auto then = [&](auto change) {
                std::transform(factors.begin(), factors.end(), factors.begin(), change);
                RoundToHalf(factors.data(), factors.size());
            };
            factors = scales;
            then([](float scale) { return scale + 0x1p-24F; });
            then([](float scale) { return 1 / scale; });
        }
        return scales;
    }

    /** Of HALF before it is rounded. @param whole the message's, in rule TWO_LEVELS */
    GroupScale ScaleOf(const float* values, std::size_t count, float whole) const
    {
        const auto m = LargestMagnitude(values, count);
        if (!std::isfinite(m) || std::isnan(whole))
        {
            return {Limits::quiet_NaN(), Limits::quiet_NaN()};
        }
        auto scale = m / m_largest;
        switch (m_format.rule)
        {
        case ScaleRule::DIVIDE:
            scale = AsStored(scale);
            return {scale, scale == 0 ? Limits::infinity() : scale};
        case ScaleRule::MULTIPLY:
            scale = scale < Limits::min() ? 0 : scale;
            return {scale, scale == 0 ? 0 : 1 / scale};
        case ScaleRule::INVERSE:
            scale = std::isinf(m_largest / m) ? 1 : m_largest / m;
            return {scale, scale};
        case ScaleRule::WHOLE_RANGE:
            scale = m == 0 ? 1 : -2 * m_integers.least / (2 * m);
            return {1 / scale, scale};
        case ScaleRule::POWER:
            scale = AsStored(PowerBelow(m) / PowerBelow(m_largest));
            return {scale, 1 / scale};
        case ScaleRule::TWO_LEVELS:
            scale = AsStored(scale * whole);
            return {scale, std::min(1 / (scale * (1 / whole)), Limits::max())};
        case ScaleRule::HALF:
            break;
        }
        const auto isLeast = [least = BitsOf(-m)](float value) { return BitsOf(value) == least; };
        const bool isNegative =
            m_floating == nullptr && std::count_if(values, values + count, isLeast) > 0;
        return {(isNegative ? -m : m) * m_halfStep, 0};
    }

    float AsStored(float scale) const
    {
        std::array<std::uint8_t, sizeof scale> stored;
        m_format.scale->store(scale, stored.data());
        return m_format.scale->load(stored.data());
    }

    /** Codes of @p count values from @p first on. */
    void CodePiece(const float* values,
                   std::size_t first,
                   std::size_t count,
                   const std::vector<float>& factors,
                   std::uint8_t* codes) const
    {
        Scaled scaled;
        ForEachOf(m_format.group, first, first + count, [&](auto group, auto begin, auto some) {
            ScaleGroup(values + begin, some, factors[group], &scaled[begin - first]);
        });
        if (m_isHalf)
        {
            RoundToHalf(scaled.data(), count);
        }
        if (m_settings.isStochastic)
        {
            RoundByChance(scaled.data(), count);
        }
        m_floating != nullptr ? CodeFloats(*m_floating, scaled.data(), count, codes)
                              : CodeIntegers(m_integers, scaled.data(), count, codes);
    }

    void ScaleGroup(const float* values, std::size_t count, float factor, float* scaled) const
    {
        if (std::isnan(factor) || factor == 0)
        {
            std::fill_n(scaled, count, factor == 0 ? 0 : m_spoilt);
            return;
        }
        m_format.rule == ScaleRule::DIVIDE ? Divide(values, count, factor, scaled)
                                           : Multiply(values, count, factor, scaled);
    }

    /** Takes one of the two values around each that have codes: the upper one with a chance of what is cut off. */
    void RoundByChance(float* scaled, std::size_t count) const
    {
        auto key = m_settings.seed;
        std::for_each_n(scaled, count, [&key](float value) { key = MixBits(key ^ BitsOf(value)); });
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto step = std::clamp(PowerBelow(scaled[i]) * m_place, m_leastStep, m_mostStep);
            const auto steps = double{scaled[i]} / step;
            const auto below = std::floor(steps);
            const auto up = UniformOf(BitsAt(key, i)) < steps - below ? 1 : 0;
            scaled[i] = static_cast<float>((below + up) * step);
        }
    }

    /** @param whole by what the scales of all groups are multiplied */
    void RestoreGroup(float scale, float whole, float* values, std::size_t count) const
    {
        if (m_format.rule == ScaleRule::INVERSE)
        {
            Divide(values, count, scale, values);
            return;
        }
        const bool isSubnormal = scale == 0x1p-127F; // products take long: half of a normal one
        Multiply(values, count, isSubnormal ? 2 * scale : scale, values);
        if (const auto more = isSubnormal ? 0.5F : whole; more != 1)
        {
            Multiply(values, count, more, values);
        }
    }

    BlockFormat m_format;
    BlockSettings m_settings;
    const MiniFloat* m_floating; ///< null: integers
    float m_largest;             ///< the element's
    bool m_isHalf;               ///< values are fp16, and so is what is made of them
    IntegerCodes m_integers{};
    std::array<float, 256> m_values{}; ///< what each code stands for
    float m_spoilt{};                  ///< what values become in a group without a scale
    float m_halfStep{};                ///< what makes scales of largest magnitudes in rule HALF
    float m_place{1};                  ///< of a float the weight of its last place
    float m_leastStep{1};              ///< between values that have codes
    float m_mostStep{1};
};

} // namespace

std::unique_ptr<Codec>
MakeBlockCodec(const BlockFormat& format, const BlockSettings& settings)
{
    return std::make_unique<BlockCodec>(format, settings);
}

} // namespace inca
