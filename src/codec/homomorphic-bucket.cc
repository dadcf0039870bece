/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-bucket.h"

#include "base/word.h"
#include "codec/bitmap-index.h"
#include "codec/decode-parts.h"
#include "codec/sketch.h"

#include <algorithm>

namespace inca
{

namespace
{

/** A bit per value: the index itself where it is a bitmap, else written to @p room. */
const std::uint8_t*
IndexMarks(const HomomorphicSettings& settings,
           const HomomorphicShape& shape,
           const std::uint8_t* index,
           std::vector<std::uint8_t>& room)
{
    if (settings.index == HomomorphicIndex::BITS_1)
    {
        return index;
    }
    room.resize(shape.RowValues() / 8);
    if (settings.index == HomomorphicIndex::BITS_4)
    {
        BitsOfNibbles(index, shape.RowValues(), room.data());
    }
    else
    {
        BloomIndex(settings.bloom).Find(index, shape.rows, room.data());
    }
    return room.data();
}

double
IndexBits(const HomomorphicSettings& settings)
{
    switch (settings.index)
    {
    case HomomorphicIndex::BITS_1:
        return 1;
    case HomomorphicIndex::BITS_4:
        return 4;
    case HomomorphicIndex::BLOOM:
        break;
    }
    return settings.bloom.bitsPerValue;
}

class HomomorphicCodec : public Codec
{
  public:
    explicit HomomorphicCodec(const HomomorphicSettings& settings)
        : m_settings(settings)
    {
        ShapeOf(settings, 0); // refuses settings out of their range
    }

    bool IsLossless() const override
    {
        return false;
    }

  private:
    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        HomomorphicBucket(m_settings, count).Encode(values, stream);
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t count) const override
    {
        HomomorphicBucket(m_settings, count).Decode(stream, bytes, values);
    }

    std::uint64_t CountBytes(const float* /*values*/, std::size_t count) const override
    {
        return ShapeOf(m_settings, count).Bytes();
    }

    std::optional<double> MeanBits(const ValueStatistics& /*statistics*/) const override
    {
        constexpr double counterBits = 32;
        return IndexBits(m_settings) + counterBits / m_settings.ratio;
    }

    HomomorphicSettings m_settings;
};

} // namespace

HomomorphicBucket::HomomorphicBucket(const HomomorphicSettings& settings, std::uint64_t count)
    : m_settings(settings),
      m_count(count),
      m_shape(ShapeOf(settings, count))
{
}

std::size_t
HomomorphicBucket::CounterBytes() const
{
    return m_shape.SketchBytes() + m_shape.TailBytes();
}

void
HomomorphicBucket::EncodeIndex(const float* values, std::vector<std::uint8_t>& stream) const
{
    const auto begin = stream.size();
    stream.resize(begin + m_shape.indexBytes);
    auto* index = stream.data() + begin;
    switch (m_settings.index)
    {
    case HomomorphicIndex::BITS_1:
        MarkBits(values, m_shape.RowValues(), index);
        break;
    case HomomorphicIndex::BITS_4:
        MarkNibbles(values, m_shape.RowValues(), index);
        break;
    case HomomorphicIndex::BLOOM:
        BloomIndex(m_settings.bloom).Mark(values, m_shape.rows, index);
        break;
    }
}

void
HomomorphicBucket::EncodeCounters(const float* values,
                                  std::vector<std::uint8_t>& stream,
                                  const IntegerScale* scale) const
{
    const auto begin = stream.size();
    stream.resize(begin + CounterBytes());
    auto* counters = stream.data() + begin;
    BuildSketch(SketchLayout(m_shape.rows, m_shape.counterRows), values, scale, counters);
    auto* tail = counters + m_shape.SketchBytes();
    for (auto at = m_shape.RowValues(); at < m_count; ++at, tail += sizeof(Word))
    {
        auto word = BitsOf(values[at]);
        if (scale != nullptr)
        {
            scale->Round(values + at, 1, &word);
        }
        StoreLittle(word, tail);
    }
}

void
HomomorphicBucket::Encode(const float* values,
                          std::vector<std::uint8_t>& stream,
                          const IntegerScale* scale) const
{
    stream.reserve(stream.size() + m_shape.Bytes());
    EncodeIndex(values, stream);
    EncodeCounters(values, stream, scale);
}

void
HomomorphicBucket::AddIndex(const std::uint8_t* index, std::uint8_t* sum) const
{
    if (m_settings.index == HomomorphicIndex::BITS_4)
    {
        AddNibbles(index, m_shape.indexBytes, sum);
    }
    else
    {
        OrBits(index, m_shape.indexBytes, sum);
    }
}

void
HomomorphicBucket::AddCounters(const std::uint8_t* counters, std::uint8_t* sum, WordSum words) const
{
    AddWordBytes(words, counters, sum, CounterBytes() / sizeof(Word));
}

std::uint64_t
HomomorphicBucket::CountMarked(const std::uint8_t* index) const
{
    std::vector<std::uint8_t> room;
    return CountBits(IndexMarks(m_settings, m_shape, index, room), m_shape.RowValues());
}

std::uint32_t
HomomorphicBucket::MostPerCounter(const std::uint8_t* index) const
{
    std::vector<std::uint8_t> room;
    const auto* bits = IndexMarks(m_settings, m_shape, index, room);
    const SketchLayout layout(m_shape.rows, m_shape.counterRows);
    std::vector<std::uint32_t> counts(std::size_t{m_shape.counterRows} * g_sketchLanes, 0);
    std::uint32_t most = 1;
    for (std::uint64_t at = 0; at < m_shape.RowValues(); ++at)
    {
        if ((bits[at / 8] >> (at % 8) & 1U) != 0)
        {
            for (const auto place : layout.PlacesOf(static_cast<std::uint32_t>(at / g_sketchLanes)))
            {
                auto& count = counts[CounterRowOf(place) * g_sketchLanes + at % g_sketchLanes];
                most = std::max(most, ++count);
            }
        }
    }
    return most;
}

template <typename Counter, typename Value>
PeelingReport
HomomorphicBucket::DecodeAs(const std::uint8_t* stream, std::size_t bytes, Value* values) const
{
    CheckStreamBytes("homomorphic", m_count, bytes, m_shape.Bytes());
    std::vector<std::uint8_t> room;
    const auto* bits = IndexMarks(m_settings, m_shape, stream, room);
    const auto* counters = stream + m_shape.indexBytes;
    const SketchLayout layout(m_shape.rows, m_shape.counterRows);
    const auto report = Peel(layout, bits, counters, values);
    const auto* tail = counters + m_shape.SketchBytes();
    for (auto at = m_shape.RowValues(); at < m_count; ++at, tail += sizeof(Word))
    {
        values[at] = static_cast<Value>(SketchArithmetic<Counter>::Load(tail));
    }
    return report;
}

PeelingReport
HomomorphicBucket::Decode(const std::uint8_t* stream, std::size_t bytes, float* values) const
{
    return DecodeAs<float>(stream, bytes, values);
}

PeelingReport
HomomorphicBucket::Decode(const std::uint8_t* stream, std::size_t bytes, std::int32_t* values) const
{
    return DecodeAs<std::uint32_t>(stream, bytes, values);
}

std::unique_ptr<Codec>
MakeHomomorphicCodec(const HomomorphicSettings& settings)
{
    return std::make_unique<HomomorphicCodec>(settings);
}

} // namespace inca
