/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/codec-measure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace inca
{

namespace
{

/** The only codec with width classes. */
constexpr const char* g_inceptionn = "inceptionn";

/** Its one-byte class keeps no bit below 2^-7. */
constexpr unsigned g_lastKeptBound = 7;

constexpr double g_percent = 100;
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

std::string
CodecMeasurement::Widths() const
{
    std::string text;
    for (const auto share : SharesOf(m_widths))
    {
        text += m_spec.name == g_inceptionn ? fmt::format("{:>8.2f}%", share * g_percent)
                                            : fmt::format("{:>9}", "-");
    }
    return text;
}

std::string
CodecMeasurement::Header()
{
    std::string widths;
    for (const auto bits : g_widthBits)
    {
        widths += fmt::format("{:>9}", fmt::format("{} bits", bits));
    }
    return fmt::format("{:<18}{}{:>12}{:>8}{:>15}{:>12}",
                       "codec",
                       widths,
                       "bits/value",
                       "ratio",
                       "largest error",
                       "mean error");
}

std::string
CodecMeasurement::Row() const
{
    const auto count = static_cast<double>(m_values);
    const auto bits = static_cast<double>(m_wireBytes) * g_bitsPerByte / count;
    return fmt::format("{:<18}{}{:>12.3f}{:>8.3f}{:>15.4g}{:>12.4g}",
                       CodecTitle(m_spec),
                       Widths(),
                       bits,
                       g_bitsPerByte * sizeof(float) / bits,
                       m_largestError,
                       MeanError());
}

} // namespace inca
