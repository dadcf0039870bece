/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_CODEC_H
#define INCA_CODEC_CODEC_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

/** Shares (0..1) of INCEPTIONN's four encoded widths, tag included: 2, 10, 18 and 34 bits. */
using WidthShares = std::array<double, 4>;

/** What is known of a gradient's values when the values themselves do not travel. */
struct ValueStatistics
{
    std::optional<double> density; ///< share of non-zero values, 0..1
    /** Biased fp32 exponent (0..255) and its share; empty = unknown. Shares add up to about 1. */
    std::vector<std::pair<unsigned, double>> exponents;
    /** Published width shares by bound: key B stands for 2^-B. They win over the histogram. */
    std::map<unsigned, WidthShares> widths;
};

/**
 * Turns fp32 gradients into bytes and back. A codec has no state: what it does to a value depends
 * on the values of that call only, and may be called from anywhere. A stream is self-contained but
 * for the number of its values, which the caller must know.
 *
 * For all input: CountBytes(v) = size of Encode(v), and Decode(Encode(v)) is RoundTrip(v) and never
 * fails.
 */
class Codec
{
  public:
    virtual ~Codec() = default;

    /** Appends the stream of @p count values to @p stream. */
    virtual void Encode(const float* values,
                        std::size_t count,
                        std::vector<std::uint8_t>& stream) const = 0;

    /**
     * Reads exactly @p count values from a stream of exactly @p bytes.
     * @throws InputError if bytes are missing, left over, or cannot come from an encoder; Interrupted
     */
    virtual void Decode(const std::uint8_t* stream,
                        std::size_t bytes,
                        float* values,
                        std::size_t count) const = 0;

    /**
     * What Decode(Encode(values)) gives, in place, to the bit, by a way that need not make a stream: a second
     * opinion on those that do.
     */
    virtual void RoundTrip(float* values, std::size_t count) const
    {
        std::vector<std::uint8_t> stream;
        Encode(values, count, stream);
        Decode(stream.data(), stream.size(), values, count);
    }

    /** The size of Encode's stream. Codecs that know it without writing the stream say so. (bytes) */
    virtual std::uint64_t CountBytes(const float* values, std::size_t count) const
    {
        std::vector<std::uint8_t> stream;
        Encode(values, count, stream);
        return stream.size();
    }

    /**
     * Mean size of a value in the stream, everything included, by statistics alone. (bits)
     * @return empty if @p statistics do not determine it
     */
    virtual std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const
    {
        return std::nullopt;
    }

    /** @return whether RoundSum changes anything */
    virtual bool RoundsSums() const
    {
        return false;
    }

    /** Rounds sums to the format in which this codec's user adds; by default nothing changes. */
    virtual void RoundSum(float* /*values*/, std::size_t /*count*/) const
    {
    }

    /** @return whether Decode(Encode(v)) is v to the bit, for every v */
    virtual bool IsLossless() const = 0;
};

} // namespace inca

#endif // INCA_CODEC_CODEC_H
