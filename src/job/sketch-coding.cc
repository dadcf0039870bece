/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sketch-coding.h"

#include "base/integer-scale.h"
#include "base/wire-format.h"
#include "codec/homomorphic-bucket.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace inca
{

namespace
{

constexpr std::size_t INDEX{0};
constexpr std::size_t COUNTERS{1};

/** Whether the index round tells workers at which scale they round. */
bool
CarriesExponent(const SketchSpec& spec)
{
    return spec.adder != WordSum::FP32 && !spec.fixedExponent;
}

/** Bytes as words, the last one filled up with zeros. */
std::vector<Word>
WordsOfBytes(const std::vector<std::uint8_t>& bytes)
{
    std::vector<Word> words((bytes.size() + VALUE_BYTES - 1) / VALUE_BYTES);
    if (!bytes.empty())
    {
        words.back() = 0;
        std::memcpy(words.data(), bytes.data(), bytes.size());
    }
    return words;
}

void
AppendBytes(const void* words, std::uint64_t bytes, std::vector<std::uint8_t>& stream)
{
    const auto begin = stream.size();
    stream.resize(begin + bytes);
    if (bytes > 0)
    {
        std::memcpy(stream.data() + begin, words, bytes);
    }
}

class SketchCoding : public ChunkCoding
{
  public:
    explicit SketchCoding(const SketchSpec& spec)
        : m_spec(spec),
          m_bucket(spec.settings, TotalCount(spec.coded))
    {
    }

    bool Overlaps() const override
    {
        return m_spec.overlaps;
    }

    std::int64_t EncodePs(std::size_t round) const override
    {
        return round == INDEX ? m_spec.indexPs : m_spec.sketchPs;
    }

    std::int64_t DecodePs() const override
    {
        return m_spec.decodePs;
    }

    std::int16_t Exponent(const std::vector<float>& values) const override
    {
        if (!CarriesExponent(m_spec))
        {
            return NO_EXPONENT;
        }
        return LargestExponent(values.data(), values.size());
    }

    std::vector<Word> Encode(std::size_t round,
                             const std::vector<float>& values,
                             const std::vector<RoundResult>& ended) const override
    {
        const auto coded = Gathered(values, m_spec.coded);
        std::vector<std::uint8_t> stream;
        if (round == INDEX)
        {
            m_bucket.EncodeIndex(coded.data(), stream);
            stream.resize(WordsOf(m_spec).index * VALUE_BYTES);
        }
        else if (m_spec.adder == WordSum::FP32)
        {
            m_bucket.EncodeCounters(coded.data(), stream);
            const auto plain = Gathered(values, m_spec.plain);
            AppendBytes(plain.data(), plain.size() * VALUE_BYTES, stream);
        }
        else
        {
            const auto plain = Gathered(values, m_spec.plain);
            const auto scale = ScaleOf(ended[INDEX]);
            m_bucket.EncodeCounters(coded.data(), stream, &scale);
            std::vector<Word> rounded(plain.size());
            scale.Round(plain.data(), plain.size(), rounded.data());
            AppendBytes(rounded.data(), rounded.size() * VALUE_BYTES, stream);
        }
        return WordsOfBytes(stream);
    }

    ChunkReport Decode(const std::vector<RoundResult>& results,
                       std::vector<float>& values) const override
    {
        const auto& counters = results[COUNTERS].words;
        const auto counterBytes = m_bucket.Shape().SketchBytes() + m_bucket.Shape().TailBytes();
        std::vector<std::uint8_t> stream;
        AppendBytes(results[INDEX].words.data(), m_bucket.Shape().indexBytes, stream);
        AppendBytes(counters.data(), counterBytes, stream);
        const auto* plain = counters.data() + counterBytes / VALUE_BYTES;
        std::vector<float> coded(TotalCount(m_spec.coded));
        ChunkReport report;
        if (m_spec.adder == WordSum::FP32)
        {
            report = ReportOf(m_bucket.Decode(stream.data(), stream.size(), coded.data()));
            Scatter(FloatsOf(plain), m_spec.plain, values);
        }
        else
        {
            const auto scale = ScaleOf(results[INDEX]);
            report = DecodeRounded(stream, scale, coded);
            Scatter(Restored(plain, scale), m_spec.plain, values);
        }
        Scatter(coded, m_spec.coded, values);
        m_spec.gradientType.Round(values.data(), values.size());
        return report;
    }

    /**
     * Over integers, each worker's value is rounded once (IntegerScale), and the sum once more, to
     * fp32. Values beyond a fixed exponent are clamped, and their error is not bounded.
     */
    double ErrorBound(const std::vector<RoundResult>& results) const override
    {
        if (!CarriesExponent(m_spec))
        {
            return std::numeric_limits<double>::infinity();
        }
        const auto scale = ScaleOf(results[INDEX]);
        if (scale.Scale() == 0)
        {
            return 0;
        }
        constexpr double scaling = 1 + 1.0 / (1U << 21U);
        constexpr double rounding = 1.0 / (1U << 24U);
        const auto largestSum = std::ldexp(m_spec.workers, results[INDEX].exponent);
        return m_spec.workers / (2 * scale.Scale()) * scaling + largestSum * rounding;
    }

  private:
    IntegerScale ScaleOf(const RoundResult& index) const
    {
        const auto exponent = m_spec.fixedExponent.value_or(index.exponent);
        const std::uint64_t headroom =
            ScalesByIndex(m_spec) ? m_bucket.MostPerCounter(BytesOf(index.words)) : 1;
        constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
        return {static_cast<std::uint32_t>(std::min(m_spec.workers * headroom, most)), exponent};
    }

    static const std::uint8_t* BytesOf(const std::vector<Word>& words)
    {
        return reinterpret_cast<const std::uint8_t*>(words.data());
    }

    static ChunkReport ReportOf(const PeelingReport& report)
    {
        return {report.estimated, report.peeled + report.estimated};
    }

    ChunkReport DecodeRounded(const std::vector<std::uint8_t>& stream,
                              const IntegerScale& scale,
                              std::vector<float>& coded) const
    {
        std::vector<std::int32_t> sums(coded.size());
        const auto report = m_bucket.Decode(stream.data(), stream.size(), sums.data());
        scale.Restore(sums.data(), sums.size(), coded.data());
        return ReportOf(report);
    }

    /** Of the plain words of a sum. */
    std::vector<float> FloatsOf(const Word* words) const
    {
        std::vector<float> values(TotalCount(m_spec.plain));
        CopyFloats(words, values.size(), values.data());
        return values;
    }

    std::vector<float> Restored(const Word* words, const IntegerScale& scale) const
    {
        std::vector<float> values(TotalCount(m_spec.plain));
        std::transform(words, words + values.size(), values.begin(), [&scale](Word sum) {
            return scale.Restore(static_cast<std::int32_t>(sum));
        });
        return values;
    }

    SketchSpec m_spec;
    HomomorphicBucket m_bucket;
};

} // namespace

SketchWords
WordsOf(const SketchSpec& spec)
{
    const auto shape = ShapeOf(spec.settings, TotalCount(spec.coded));
    const std::uint64_t least = CarriesExponent(spec) ? 1 : 0;
    return {std::max(least, (shape.indexBytes + VALUE_BYTES - 1) / VALUE_BYTES),
            (shape.SketchBytes() + shape.TailBytes()) / VALUE_BYTES + TotalCount(spec.plain)};
}

bool
ScalesByIndex(const SketchSpec& spec)
{
    return spec.adder == WordSum::INT32_SATURATING;
}

WordSum
IndexSum(HomomorphicIndex index)
{
    return index == HomomorphicIndex::BITS_4 ? WordSum::INT32 : WordSum::OR;
}

std::shared_ptr<const ChunkCoding>
MakeSketchCoding(const SketchSpec& spec)
{
    return std::make_shared<const SketchCoding>(spec);
}

} // namespace inca
