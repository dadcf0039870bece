/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/codec-measurement.h"

#include <algorithm>
#include <cmath>

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
    for (std::size_t i = 0; i < count; ++i)
    {
        Compare(values[i], m_decoded[i]);
    }
    const auto widths = CountWidths(values, count, m_spec.bound);
    for (std::size_t i = 0; i < widths.size(); ++i)
    {
        m_widths[i] += widths[i];
    }
}

void
CodecMeasurement::Compare(float value, float decoded)
{
    if (!std::isfinite(value))
    {
        ++m_nonFinite;
        return;
    }
    const auto error = std::abs(static_cast<double>(value) - static_cast<double>(decoded));
    m_largestError = std::max(m_largestError, error);
    m_errorSum += error;
}

bool
CodecMeasurement::MayExceedBound() const
{
    return m_spec.name == g_inceptionn && m_spec.bound > g_lastKeptBound;
}

double
CodecMeasurement::MeanError() const
{
    const auto finite = m_values - m_nonFinite;
    return finite == 0 ? 0 : m_errorSum / static_cast<double>(finite);
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

} // namespace inca
