/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_HOMOMORPHIC_BUCKET_H
#define INCA_CODEC_HOMOMORPHIC_BUCKET_H

#include "inca/base/integer-scale.h"
#include "inca/base/word-sum.h"
#include "inca/codec/codec.h"
#include "inca/codec/homomorphic-shape.h"
#include "inca/codec/peeling-decoder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/**
 * Lossless homomorphic compression of buckets of one size (arXiv 2402.07529): sums of streams decode
 * to sums of values. A stream is index, sketch and tail, as HomomorphicShape sizes them: bytes up to
 * Shape().indexBytes are aggregated with AddIndex; the rest, 4-byte counters and then raw tail values,
 * with AddCounters. Both may travel apart: only decoding needs the two together.
 *
 * The index is set where a worker's value is not 0 (so -0.0 is not, NaN is), and stays set whatever
 * the values cancel to. It decodes exactly what the decoder peels (peeling-decoder.h); PeelingReport
 * says what it had to estimate.
 */
class HomomorphicBucket
{
  public:
    /** @throws InputError as ShapeOf does */
    HomomorphicBucket(const HomomorphicSettings& settings, std::uint64_t count);

    const HomomorphicShape& Shape() const
    {
        return m_shape;
    }

    // Counters are fp32; or int32 modulo 2^32, where all workers round values at the same scale.

    /** Appends the stream of the bucket's values: index, then counters. @throws Interrupted */
    void Encode(const float* values,
                std::vector<std::uint8_t>& stream,
                const IntegerScale* scale = nullptr) const;

    /** Appends sketch and tail alone. @param scale of int32; null: fp32 @throws Interrupted */
    void EncodeCounters(const float* values,
                        std::vector<std::uint8_t>& stream,
                        const IntegerScale* scale = nullptr) const;

    /**
     * Adds the counters and tail of another stream to those at @p sum; Bytes() - indexBytes each.
     * @param words FP32 or INT32
     */
    void AddCounters(const std::uint8_t* counters,
                     std::uint8_t* sum,
                     WordSum words = WordSum::FP32) const;

    /**
     * Reads the sum of any number of streams.
     * @param values of fp32 counters; of int32, sums of rounded values: IntegerScale::Restore makes fp32 of them
     * @throws InputError unless @p bytes is Shape().Bytes(); Interrupted
     * @{
     */
    PeelingReport Decode(const std::uint8_t* stream, std::size_t bytes, float* values) const;
    PeelingReport Decode(const std::uint8_t* stream, std::size_t bytes, std::int32_t* values) const;
    /** @} */

    /** Appends the index alone. */
    void EncodeIndex(const float* values, std::vector<std::uint8_t>& stream) const;

    /**
     * The most values that one counter counts, of those that an aggregated index marks: no counter is
     * larger than so many of the largest value. At least 1, as the tail's values count for themselves.
     */
    std::uint32_t MostPerCounter(const std::uint8_t* index) const;

    /**
     * Combines the index of another stream into the one at @p sum, by or or by addition.
     * @throws InputError if an index of 4 bits adds up more than 15 workers
     */
    void AddIndex(const std::uint8_t* index, std::uint8_t* sum) const;

    /** @return values of the whole rows that an aggregated index marks, by a Bloom filter's mistake, too */
    std::uint64_t CountMarked(const std::uint8_t* index) const;

  private:
    std::size_t CounterBytes() const;

    template <typename Counter, typename Value>
    PeelingReport DecodeAs(const std::uint8_t* stream, std::size_t bytes, Value* values) const;

    HomomorphicSettings m_settings;
    std::uint64_t m_count;
    HomomorphicShape m_shape;
};

/**
 * One worker's fp32 values as a stream of homomorphic-bucket.h, and back; all values of a call are one
 * bucket. It is lossless only while the sketch decodes, and over fp32 but for rounding, so it does
 * not call itself so. MeanBits is the index's size and 32 / ratio, as of a bucket of many rows.
 *
 * @throws InputError if a setting is out of its range; Encode, if there are 2^32 values or more
 */
std::unique_ptr<Codec> MakeHomomorphicCodec(const HomomorphicSettings& settings);

} // namespace inca

#endif // INCA_CODEC_HOMOMORPHIC_BUCKET_H
