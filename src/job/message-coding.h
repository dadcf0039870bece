/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_MESSAGE_CODING_H
#define INCA_JOB_MESSAGE_CODING_H

#include "inca/codec/codec.h"
#include "inca/exchange/step-plan.h"
#include "inca/job/coded-sizes.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace inca
{

/** Where the values of a message become a codec's stream. */
enum class CodingPlace : std::uint8_t
{
    NONE,   ///< they travel as they are
    HOST,   ///< on CPU or GPU, whole messages
    ENGINE, ///< in the NIC, frame by frame
};

/**
 * What a job's codec makes of the messages of its exchanges: where it codes them, how many bytes they take, and what their
 * values are afterwards. Ranks, plans, bounds, replays and exports all ask it.
 */
struct MessageCoding
{
    CodingPlace place{CodingPlace::NONE}; ///< of gradients; weights travel as they are
    std::shared_ptr<const Codec> codec;   ///< null: there is none
    std::shared_ptr<const Codec>
        betweenCodec; ///< between groups (Transfer::crossesGroups); null: the same
    std::array<bool, 2> codes{true, true}; ///< messages within groups, and between them
    std::uint64_t group{1}; ///< values that the codec decodes together (CodecEntry::group)
    std::function<double(ElementRange)>
        meanBits;           ///< encoded size of a value of the model, by the trace (bits)
    double betweenBits{0};  ///< the same by betweenCodec
    bool countsTell{false}; ///< hosts' streams are as large as the number of their values says
    /**
     * By chunk, what engines make of its messages where their values were replayed, and only sizes travel; empty: by
     * meanBits.
     */
    std::vector<std::shared_ptr<const CodedSizes>> sizes;

    CodingPlace PlaceOf(PayloadKind kind, bool crossesGroups) const
    {
        return kind == PayloadKind::GRADIENT && codes[crossesGroups] ? place : CodingPlace::NONE;
    }

    CodingPlace PlaceOf(const Transfer& transfer) const
    {
        return PlaceOf(transfer.kind, transfer.crossesGroups);
    }

    bool IsInEngines() const
    {
        return place == CodingPlace::ENGINE;
    }

    /** Whether a message of @p from goes through a codec, if there is one: engines do not see what stays (IsToSelf). */
    bool IsCoded(Rank from, const Transfer& transfer) const
    {
        return PlaceOf(transfer) != CodingPlace::NONE &&
               !(IsInEngines() && IsToSelf(from, transfer));
    }

    /** What codes a message of gradients. */
    const std::shared_ptr<const Codec>& CodecOf(const Transfer& transfer) const
    {
        return transfer.crossesGroups && betweenCodec ? betweenCodec : codec;
    }

    /** What the host makes a message's stream with; null: it is sent as it is. */
    const Codec* HostCodecOf(const Transfer& transfer) const
    {
        return PlaceOf(transfer) == CodingPlace::HOST ? CodecOf(transfer).get() : nullptr;
    }

    /** Encoded size of a value of @p range of the model, between groups or not. (bits) */
    double BitsOf(ElementRange range, bool crossesGroups) const
    {
        return crossesGroups && betweenCodec ? betweenBits : meanBits(range);
    }

    /** The same of a chunk's values, counted from its first; what is behind its end is as large as its last one. (bits) */
    double BitsOf(ElementRange chunk, const Transfer& transfer) const;

    /** What a message of a chunk's gradients takes where only sizes travel. (bytes) */
    std::uint64_t StreamBytes(ElementRange chunk, const Transfer& transfer) const;

    /** What a message's values are when they have arrived, in place. */
    void RoundTrip(Rank from, const Transfer& transfer, float* values, std::uint64_t count) const;
};

} // namespace inca

#endif // INCA_JOB_MESSAGE_CODING_H
