/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/codec-coding.h"

#include "base/errors.h"
#include "job/mean-bits.h"

#include <algorithm>
#include <utility>

namespace inca
{

GroupCoding
MakeCodecCoding(const CodecEntry& entry,
                std::shared_ptr<const Codec> codec,
                CodingPlace place,
                const CodedValues& values)
{
    const auto& reads = entry.arguments;
    const bool readsFormat = std::find(reads.begin(), reads.end(), "format") != reads.end();
    GroupCoding coding;
    coding.place = place;
    coding.codec = std::move(codec);
    coding.group = entry.group;
    coding.countsTell = readsFormat && (values.travel || !values.bits);
    const auto own = coding.codec->MeanBits({});
    if (!values.travel && values.trace != nullptr)
    {
        coding.meanBits = MeanBitsOf(*values.trace, *coding.codec, values.bits);
        return coding;
    }
    const auto known = values.travel ? own.value_or(0) : values.bits ? values.bits : own;
    if (!known)
    {
        throw InputError(
            "inca::CodecFactory::MeanBits: nothing tells what a value takes in codec " +
            entry.name +
            ": set it, let the job have a trace, or values (TrainingJob::ownGradient)");
    }
    // Where values travel, what they take is counted; the bound takes what is known of any value.
    coding.meanBits = [bits = *known](ElementRange) { return bits; };
    return coding;
}

std::function<void(float*, std::uint64_t)>
SumRounding(const std::shared_ptr<const Codec>& codec)
{
    if (!codec || !codec->RoundsSums())
    {
        return {};
    }
    return [codec](float* values, std::uint64_t count) { codec->RoundSum(values, count); };
}

} // namespace inca
