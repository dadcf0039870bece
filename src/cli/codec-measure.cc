/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/units.h"
#include "cli/codec-options.h"
#include "cli/options.h"
#include "codec/codec-catalog.h"
#include "codec/inceptionn-widths.h"
#include "report/text-table.h"
#include "trace/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* INCEPTIONN = "inceptionn"; // the only codec with width classes
constexpr const char* BOUND_NOTE =
    "\ninceptionn's errors stay below 2^-B for B up to 7; at a bound of 2^-8 to 2^-15 they stay "
    "below 2^-7\n";

/** Of the columns: widths are those of inceptionn's classes. */
std::vector<std::string>
Titles()
{
    std::vector<std::string> titles{"codec"};
    for (const auto bits : g_widthBits)
    {
        titles.push_back(fmt::format("{} bits", bits));
    }
    titles.insert(titles.end(), {"bits/value", "ratio", "largest error", "mean error"});
    return titles;
}

/** What one codec makes of values that come in parts. Errors are of finite values. */
class Measurement
{
  public:
    explicit Measurement(const CodecSpec& spec)
        : m_spec(spec),
          m_codec(MakeCodec(spec))
    {
    }

    /** Encodes, decodes and compares; every part but the last is a multiple of 8 values, and a bucket is one part. */
    void Add(const float* values, std::size_t count)
    {
        m_stream.clear();
        m_codec->Encode(values, count, m_stream);
        m_decoded.resize(count);
        m_codec->Decode(m_stream.data(), m_stream.size(), m_decoded.data(), count);
        m_wireBytes += static_cast<double>(m_stream.size());
        m_values += static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            if (std::isfinite(values[i]))
            {
                const auto error = std::isfinite(m_decoded[i])
                                       ? std::abs(double{values[i]} - double{m_decoded[i]})
                                       : std::numeric_limits<double>::infinity();
                m_largestError = std::max(m_largestError, error);
                m_errorSum += error;
                ++m_finite;
            }
        }
        const auto widths = CountWidths(values, count, m_spec.bound);
        for (std::size_t i = 0; i < widths.size(); ++i)
        {
            m_widths[i] += widths[i];
        }
    }

    /** Of Titles(). */
    std::vector<std::string> Row() const
    {
        constexpr double PERCENT = 100;
        constexpr double PLAIN_BYTES = 4;
        constexpr double BITS_PER_BYTE = 8;
        std::vector<std::string> row{CodecTitle(m_spec)};
        for (const auto share : SharesOf(m_widths))
        {
            row.push_back(m_spec.name == INCEPTIONN ? fmt::format("{:.2f}%", share * PERCENT)
                                                    : "-");
        }
        const auto bytes = m_wireBytes / m_values;
        row.push_back(fmt::format("{:.3f}", bytes * BITS_PER_BYTE));
        row.push_back(fmt::format("{:.3f}", PLAIN_BYTES / bytes));
        row.push_back(fmt::format("{:.4g}", m_largestError));
        row.push_back(fmt::format("{:.4g}", m_finite > 0 ? m_errorSum / m_finite : 0));
        return row;
    }

    double NonFiniteValues() const
    {
        return m_values - m_finite;
    }

    /** Its one-byte class keeps no bit below 2^-7. */
    bool MayExceedBound() const
    {
        constexpr unsigned LAST_KEPT_BOUND = 7;
        return m_spec.name == INCEPTIONN && m_spec.bound > LAST_KEPT_BOUND;
    }

  private:
    CodecSpec m_spec;
    std::unique_ptr<Codec> m_codec;
    std::vector<std::uint8_t> m_stream;
    std::vector<float> m_decoded;
    WidthCounts m_widths{};
    double m_values{0};
    double m_finite{0};
    double m_wireBytes{0};
    double m_largestError{0};
    double m_errorSum{0};
};

/** What is measured: the codec that was named in full, or all usual arguments. */
std::vector<CodecSpec>
SpecsToMeasure(const CodecOptions& options, const FloatFile& in)
{
    if (!options.arguments.empty())
    {
        auto spec = SpecOf(options);
        if (!CodesFrames(options))
        {
            spec.homomorphic =
                ChosenSettings(options, in.Count(), DensityOf(in.Data(), in.Count()));
        }
        return {spec};
    }
    if (!options.codec.empty())
    {
        return UsualSpecs(FindCodec(options.codec));
    }
    std::vector<CodecSpec> specs;
    for (const auto& entry : CodecCatalog())
    {
        if (entry.codesFrames)
        {
            const auto usual = UsualSpecs(entry);
            specs.insert(specs.begin(), usual.begin(), usual.end());
        }
    }
    return specs;
}

void
Measure(CodecOptions& options)
{
    CompleteCodec(options);
    const FloatFile in(options.in);
    if (in.Count() == 0)
    {
        throw InputError(options.in + ": has no values to measure");
    }
    std::vector<Measurement> measurements;
    for (const auto& spec : SpecsToMeasure(options, in))
    {
        measurements.emplace_back(spec);
    }
    const auto add = [&measurements](const float* values, std::size_t count) {
        for (auto& measurement : measurements)
        {
            measurement.Add(values, count);
        }
    };
    const bool isBucket = !options.codec.empty() && !CodesFrames(options);
    isBucket ? add(in.Data(), in.Count()) : ForEachFloatPart(options.in, add);
    TextTable table(Titles(), 1);
    bool mayExceedBound = false;
    for (const auto& measurement : measurements)
    {
        table.AddRow(measurement.Row());
        mayExceedBound |= measurement.MayExceedBound();
    }
    fmt::print("{}: {} fp32 values, {}, {} of them infinite or NaN (not in the errors)\n\n{}{}",
               options.in,
               in.Count(),
               HumanBytes(in.Count() * sizeof(float)),
               measurements.front().NonFiniteValues(),
               table.Text(),
               mayExceedBound ? BOUND_NOTE : "");
}

} // namespace

void
AddCodecMeasure(CLI::App& codec, const std::shared_ptr<CodecOptions>& options)
{
    auto& command =
        *codec.add_subcommand("measure", "what codecs make of a file: widths, ratio and errors");
    const OptionAdder add(command);
    add("--codec CODEC", options->codec, "a name of `inca codec list`; else all that code frames");
    AddCodecOptions(command, *options);
    command.add_option("IN", options->in, CODEC_INPUT)->required();
    command.callback([options] { Measure(*options); });
}

} // namespace inca
