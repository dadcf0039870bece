/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CODEC_CODING_H
#define INCA_JOB_CODEC_CODING_H

#include "inca/codec/codec-catalog.h"
#include "inca/job/message-coding.h"
#include "inca/trace/gradient-trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace inca
{

/** What is known of the values that a codec codes. */
struct CodedValues
{
    bool travel{false};         ///< then their streams are counted
    std::optional<double> bits; ///< that a value takes where only sizes travel, as somebody said
    const GradientTrace* trace{
        nullptr}; ///< whose statistics tell it otherwise; null: only the codec may
};

/**
 * How @p codec, made by @p entry, codes gradients at @p place.
 * @throws InputError if only sizes travel, and nothing tells what a value takes
 */
GroupCoding MakeCodecCoding(const CodecEntry& entry,
                            std::shared_ptr<const Codec> codec,
                            CodingPlace place,
                            const CodedValues& values);

/** What hosts do to sums of values that travel (Codec::RoundSum); empty: nothing. */
std::function<void(float*, std::uint64_t)> SumRounding(const std::shared_ptr<const Codec>& codec);

} // namespace inca

#endif // INCA_JOB_CODEC_CODING_H
