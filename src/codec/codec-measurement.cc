/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-measurement.h"

#include "codec/homomorphic-bucket.h"
#include "codec/sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace inca
{

namespace
{

/** The only codec with width classes. */
constexpr const char* g_inceptionn = "inceptionn";

/** Its one-byte class keeps no bit below 2^-7. */
constexpr unsigned g_lastKeptBound = 7;

constexpr double g_bitsPerByte = 8;

} // namespace

void
ValueErrors::Add(const float* values, const float* decoded, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        const double value{values[i]};
        if (!std::isfinite(value))
        {
            ++nonFinite;
            continue;
        }
        const auto error = std::isfinite(decoded[i]) ? std::abs(value - double{decoded[i]})
                                                     : std::numeric_limits<double>::infinity();
        largest = std::max(largest, error);
        sum += error;
        squares += error * error;
        valueSquares += value * value;
    }
}

CodecMeasurement::CodecMeasurement(const CodecSpec& spec)
    : m_spec(spec),
      m_codec(MakeCodec(spec))
{
}

void
CodecMeasurement::Add(const float* values, std::size_t count)
{
    m_stream.clear();
    m_codec->Encode(values, count, m_stream);
    m_decoded.resize(count);
    m_codec->Decode(m_stream.data(), m_stream.size(), m_decoded.data(), count);
    m_wireBytes += m_stream.size();
    m_values += count;
    m_errors.Add(values, m_decoded.data(), count);
    const auto widths = CountWidths(values, count, m_spec.bound);
    for (std::size_t i = 0; i < widths.size(); ++i)
    {
        m_widths[i] += widths[i];
    }
}

bool
CodecMeasurement::MayExceedBound() const
{
    return m_spec.name == g_inceptionn && m_spec.bound > g_lastKeptBound;
}

double
CodecMeasurement::MeanError() const
{
    const auto finite = m_values - m_errors.nonFinite;
    return finite == 0 ? 0 : m_errors.sum / static_cast<double>(finite);
}

std::optional<WidthShares>
CodecMeasurement::Widths() const
{
    return m_spec.name == g_inceptionn ? std::optional(SharesOf(m_widths)) : std::nullopt;
}

double
CodecMeasurement::BitsPerValue() const
{
    return static_cast<double>(m_wireBytes) * g_bitsPerByte / static_cast<double>(m_values);
}

double
BucketMeasurement::LeftShare() const
{
    const auto marked = report.peeled + report.estimated;
    return marked == 0 ? 0 : static_cast<double>(report.estimated) / static_cast<double>(marked);
}

double
BucketMeasurement::DecodedLanesShare() const
{
    return static_cast<double>(report.decodedLanes) / static_cast<double>(g_sketchLanes);
}

double
BucketMeasurement::MeanRounds() const
{
    return static_cast<double>(report.laneRounds) / static_cast<double>(g_sketchLanes);
}

double
DensityOf(const float* values, std::size_t count)
{
    const auto whole = count - count % g_sketchLanes;
    const auto set = whole - static_cast<std::size_t>(std::count(values, values + whole, 0.0F));
    return whole == 0 ? 0 : static_cast<double>(set) / static_cast<double>(whole);
}

BucketMeasurement
MeasureBucket(const HomomorphicSettings& settings, const float* values, std::size_t count)
{
    const HomomorphicBucket bucket(settings, count);
    const auto& shape = bucket.Shape();
    const auto density = DensityOf(values, count);
    std::vector<std::uint8_t> stream;
    bucket.Encode(values, stream);
    std::vector<float> decoded(count);
    const auto report = bucket.Decode(stream.data(), stream.size(), decoded.data());
    ValueErrors errors;
    errors.Add(values, decoded.data(), count);
    const auto marked = static_cast<double>(report.peeled + report.estimated);
    const auto counters = static_cast<double>(shape.counterRows * g_sketchLanes);
    return {density,
            shape.rows == 0 ? 0 : marked / counters,
            ForecastBucket(settings, count, density),
            report,
            stream.size(),
            errors.nonFinite,
            errors.largest,
            errors.valueSquares == 0 ? 0 : std::sqrt(errors.squares / errors.valueSquares)};
}

} // namespace inca
