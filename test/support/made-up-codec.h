/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_MADE_UP_CODEC_H
#define INCA_TEST_SUPPORT_MADE_UP_CODEC_H

#include "codec/codec.h"
#include "job/training-job.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/** Changes values as a function says; its streams are the changed values as they are. */
class MadeUpCodec : public Codec
{
  public:
    using Change = void (*)(float* values, std::size_t count);

    explicit MadeUpCodec(Change change)
        : m_change(change)
    {
    }

    void Encode(const float* values,
                std::size_t count,
                std::vector<std::uint8_t>& stream) const override
    {
        std::vector<float> changed(values, values + count);
        m_change(changed.data(), count);
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(changed.data());
        stream.insert(stream.end(), bytes, bytes + count * sizeof(float));
    }

    void Decode(const std::uint8_t* stream,
                std::size_t bytes,
                float* values,
                std::size_t) const override
    {
        std::memcpy(values, stream, bytes);
    }

    void RoundTrip(float* values, std::size_t count) const override
    {
        m_change(values, count);
    }

    bool IsLossless() const override
    {
        return false;
    }

  private:
    Change m_change;
};

/** @return @p job, whose hosts code gradients */
inline std::shared_ptr<TrainingJob>
CodedBy(std::shared_ptr<const Codec> codec, std::shared_ptr<TrainingJob> job)
{
    job->coding = MessageCoding({CodingPlace::HOST, std::move(codec)});
    return job;
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_MADE_UP_CODEC_H
