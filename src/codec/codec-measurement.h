/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_CODEC_MEASUREMENT_H
#define INCA_CODEC_CODEC_MEASUREMENT_H

#include "codec/codec-catalog.h"
#include "codec/homomorphic-shape.h"
#include "codec/inceptionn-widths.h"
#include "codec/peeling-decoder.h"
#include "codec/peeling-forecast.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What decoded values differ by from the finite ones of what was encoded; infinite where a cast overflows. */
struct ValueErrors
{
    std::uint64_t nonFinite{0}; ///< infinities and NaNs, which the rest leaves out
    double largest{0};
    double sum{0};
    double squares{0};
    double valueSquares{0};

    void Add(const float* values, const float* decoded, std::size_t count);
};

/**
 * What one codec does to values that come in parts: identities are values = non-finite values +
 * those that the errors are over, and, for inceptionn, the sum of the width counts.
 */
class CodecMeasurement
{
  public:
    /** @throws InputError as MakeCodec does */
    explicit CodecMeasurement(const CodecSpec& spec);

    /** Encodes, decodes and compares; every part but the last is a multiple of 8 values. */
    void Add(const float* values, std::size_t count);

    const CodecSpec& Spec() const
    {
        return m_spec;
    }

    /** Share of the values per width class; empty unless the codec has such classes. */
    std::optional<WidthShares> Widths() const;

    /** On the wire, of a value. */
    double BitsPerValue() const;

    /** Infinities and NaNs, which the errors leave out. */
    std::uint64_t NonFiniteValues() const
    {
        return m_errors.nonFinite;
    }

    std::uint64_t Values() const
    {
        return m_values;
    }

    /** |value - decoded| over all finite values. @{ */
    double LargestError() const
    {
        return m_errors.largest;
    }

    double MeanError() const;
    /** @} */

    /** @return whether the codec's errors may reach beyond the bound that it is given */
    bool MayExceedBound() const;

  private:
    CodecSpec m_spec;
    std::unique_ptr<Codec> m_codec;
    std::vector<std::uint8_t> m_stream;
    std::vector<float> m_decoded;
    WidthCounts m_widths{};
    std::uint64_t m_values{0};
    std::uint64_t m_wireBytes{0};
    ValueErrors m_errors;
};

/** What homomorphic compression makes of values that are one bucket. */
struct BucketMeasurement
{
    double density; ///< share of the rows' values that are not 0
    double load;    ///< as the decoder found it
    PeelingForecast forecast;
    PeelingReport report;
    std::uint64_t bytes; ///< of the stream
    std::uint64_t nonFinite;
    double largestError; ///< over the finite values; infinite if one came back as no number
    double rmsError;     ///< in units of the finite values' root mean square; 0 if they are all 0

    /** Of the marked values, those that were estimated; 0 if none is marked. */
    double LeftShare() const;

    double DecodedLanesShare() const;

    /** Of a lane, with the last, which finds nothing. */
    double MeanRounds() const;
};

/** Share of the values of whole rows that are not 0; 0 if there is no whole row. */
double DensityOf(const float* values, std::size_t count);

/** Encodes, decodes and compares; takes the values' size and the stream's in memory. */
BucketMeasurement MeasureBucket(const HomomorphicSettings& settings,
                                const float* values,
                                std::size_t count);

} // namespace inca

#endif // INCA_CODEC_CODEC_MEASUREMENT_H
