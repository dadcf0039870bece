/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/reduction-step.h"

#include "base/errors.h"
#include "base/wire-format.h"

#include <cstring>
#include <string>
#include <utility>

namespace inca
{

void
ReductionStep::Begin(const Step& step, std::function<void()> done)
{
    const auto client = m_host.SumsOf(step).client;
    if (!client)
    {
        throw InvariantError("rank " + std::to_string(m_host.rank) +
                             " has a step that the network adds, but no aggregation client");
    }
    const auto range = *step.reduction;
    const bool gathers = step.phase == SumPhase::ALL_GATHER;
    ReductionRequest request;
    request.size = {range.count, step.phase, 1, false, step.oneIn};
    request.worker = SummandsOf(step, m_host.rank, m_host.job->workers).member;
    const auto& type = m_host.job->TypeOf(step.gathered);
    if (gathers)
    {
        request.size.perWord = static_cast<std::uint32_t>(VALUE_BYTES / type.bytes);
    }
    else if (m_sum != WordSum::FP32)
    {
        request.words = m_sum;
        request.exponent = m_content.OwnExponent();
        request.writeExponent = [this](std::int16_t exponent) { m_largestExponent = exponent; };
    }
    if (m_content.Words() != nullptr)
    {
        const auto read = [this, range](ElementRange part, Word* out) {
            m_content.Words()->Read({range.begin + part.begin, part.count}, out);
        };
        // a packet whose sum is there is not made again, so its own words are not asked for any more
        const auto write = [this, range, step](ElementRange part, const Word* sum) {
            m_content.Store({range.begin + part.begin, part.count}, sum, step);
        };
        const bool isPacked = request.size.perWord > 1;
        request.read = isPacked ? Packed(read, type.narrow) : read;
        request.write = isPacked ? Unpacked(write, type.narrow) : write;
    }
    request.done = std::move(done);
    client->Sum(std::move(request));
}

/** As words of two values, each as @p codec encodes it. */
ReductionStep::Read
ReductionStep::Packed(Read read, std::shared_ptr<const Codec> codec)
{
    return [read = std::move(read), codec = std::move(codec)](ElementRange range, Word* out) {
        std::vector<Word> words(range.count);
        read(range, words.data());
        std::vector<float> values(range.count);
        CopyFloats(words.data(), words.size(), values.data());
        std::vector<std::uint8_t> stream;
        codec->Encode(values.data(), values.size(), stream);
        stream.resize((stream.size() + VALUE_BYTES - 1) / VALUE_BYTES * VALUE_BYTES);
        std::memcpy(out, stream.data(), stream.size());
    };
}

ReductionStep::Write
ReductionStep::Unpacked(Write write, std::shared_ptr<const Codec> codec)
{
    return [write = std::move(write), codec = std::move(codec)](ElementRange range,
                                                                const Word* packed) {
        std::vector<std::uint8_t> stream(range.count * VALUE_BYTES / 2);
        std::memcpy(stream.data(), packed, stream.size());
        std::vector<float> values(range.count);
        codec->Decode(stream.data(), stream.size(), values.data(), values.size());
        std::vector<Word> words(range.count);
        CopyBits(values.data(), values.size(), words.data());
        write(range, words.data());
    };
}

} // namespace inca
