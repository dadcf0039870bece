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
#include <string>
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
    void Encode(const float* values, std::size_t count, std::vector<std::uint8_t>& stream) const
    {
        DoEncode(values, count, stream);
    }

    /**
     * Reads exactly @p count values from a stream of exactly @p bytes.
     * @throws InputError if bytes are missing, left over, or cannot come from an encoder; Interrupted
     */
    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const
    {
        DoDecode(stream, bytes, values, count);
    }

    /**
     * What Decode(Encode(values)) gives, in place, to the bit, by a way that need not make a stream: a second
     * opinion on those that do.
     */
    void RoundTrip(float* values, std::size_t count) const
    {
        DoRoundTrip(values, count);
    }

    /** The size of Encode's stream without writing it. (bytes) */
    std::uint64_t CountBytes(const float* values, std::size_t count) const
    {
        return DoCountBytes(values, count);
    }

    /**
     * Mean size of a value in the stream, everything included, by statistics alone. (bits)
     * @return empty if @p statistics cannot tell
     */
    std::optional<double> MeanBits(const ValueStatistics& statistics) const
    {
        return DoMeanBits(statistics);
    }

    /** Rounds sums to the format in which this codec's user adds; by default nothing changes. */
    void RoundSum(float* values, std::size_t count) const
    {
        DoRoundSum(values, count);
    }

    /** @return whether Decode(Encode(v)) is v to the bit, for every v */
    virtual bool IsLossless() const = 0;

  private:
    virtual void DoEncode(const float* values,
                          std::size_t count,
                          std::vector<std::uint8_t>& stream) const = 0;
    virtual void DoDecode(const std::uint8_t* stream,
                          std::size_t bytes,
                          float* values,
                          std::size_t count) const = 0;
    virtual std::uint64_t DoCountBytes(const float* values, std::size_t count) const = 0;
    virtual std::optional<double> DoMeanBits(const ValueStatistics& statistics) const = 0;

    virtual void DoRoundTrip(float* values, std::size_t count) const
    {
        std::vector<std::uint8_t> stream;
        DoEncode(values, count, stream);
        DoDecode(stream.data(), stream.size(), values, count);
    }

    virtual void DoRoundSum(float* /*values*/, std::size_t /*count*/) const
    {
    }
};

} // namespace inca

#endif // INCA_CODEC_CODEC_H
