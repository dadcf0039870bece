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
#include <optional>
#include <vector>

namespace inca
{

/** At which a host's codec works, plain. (bytes per second) */
struct CodingRates
{
    std::uint64_t encode{0}; ///< 0: it costs nothing
    std::uint64_t decode{0}; ///< likewise
};

/** Where the values of a message become a codec's stream. */
enum class CodingPlace : std::uint8_t
{
    NONE,   ///< they travel as they are
    HOST,   ///< on CPU or GPU, whole messages
    ENGINE, ///< in the NIC, frame by frame
};

/** What codes messages of gradients of one kind: within groups of ranks, or between them. */
struct GroupCoding
{
    CodingPlace place{CodingPlace::NONE};
    std::shared_ptr<const Codec> codec; ///< null: none
    std::uint64_t group{1};             ///< values that it decodes together (CodecEntry::group)
    /** Encoded size of a value of the model, by the trace (bits). */
    std::function<double(ElementRange)> meanBits{[](ElementRange) { return 32.0; }};
    bool countsTell{false}; ///< hosts' streams are as large as the number of their values says
    /** Plain bytes that a host encodes and decodes in a second; empty: by RankApplication's attributes. */
    std::optional<CodingRates> rates{};
};

/**
 * What a job's codecs make of the messages of its exchanges: where they code them, how many bytes they take, and what their
 * values are afterwards. Weights travel as they are. Ranks, plans, bounds, replays and exports all ask it.
 */
struct MessageCoding
{
    std::array<GroupCoding, 2> groups; ///< of messages within groups, and between them
    /**
     * By chunk, what engines make of its messages where their values were replayed, and only sizes travel; empty: by
     * meanBits.
     */
    std::vector<std::shared_ptr<const CodedSizes>> sizes;

    MessageCoding() = default;

    /** @param all messages are coded by that */
    explicit MessageCoding(const GroupCoding& all)
        : groups{all, all}
    {
    }

    /** What codes a message of gradients. */
    const GroupCoding& Of(const Transfer& transfer) const
    {
        return groups[transfer.crossesGroups];
    }

    CodingPlace PlaceOf(PayloadKind kind, bool crossesGroups) const
    {
        return kind == PayloadKind::GRADIENT ? groups[crossesGroups].place : CodingPlace::NONE;
    }

    CodingPlace PlaceOf(const Transfer& transfer) const
    {
        return PlaceOf(transfer.kind, transfer.crossesGroups);
    }

    /** Whether some messages are coded there. */
    bool IsAt(CodingPlace place) const
    {
        return groups[0].place == place || groups[1].place == place;
    }

    /** Whether some messages go through a codec. */
    bool IsSome() const
    {
        return IsAt(CodingPlace::HOST) || IsAt(CodingPlace::ENGINE);
    }

    /** Whether a message of @p from goes through a codec: engines do not see what stays (IsToSelf). */
    bool IsCoded(Rank from, const Transfer& transfer) const
    {
        const auto place = PlaceOf(transfer);
        return place == CodingPlace::HOST ||
               (place == CodingPlace::ENGINE && !IsToSelf(from, transfer));
    }

    /** What the host makes a message's stream with; null: it is sent as it is. */
    const Codec* HostCodecOf(const Transfer& transfer) const
    {
        return PlaceOf(transfer) == CodingPlace::HOST ? Of(transfer).codec.get() : nullptr;
    }

    /** What codes in NICs' engines, for those that have no other; null: nothing does. */
    std::shared_ptr<const Codec> EngineCodec() const;

    /** Values that frames hold a multiple of, for engines decode them together. */
    std::uint64_t FrameGroup() const;

    /** What gradients meet first on their way, within groups or between them; null: nothing. */
    std::shared_ptr<const Codec> FirstCodec() const
    {
        return groups[groups[0].place == CodingPlace::NONE].codec;
    }

    /** Whether some messages bring other values than were sent. */
    bool IsLossy() const
    {
        const auto isLossy = [](const GroupCoding& coding) {
            return coding.codec && !coding.codec->IsLossless();
        };
        return isLossy(groups[0]) || isLossy(groups[1]);
    }

    /** Whether values are decoded in groups of several. */
    bool DecodesTogether() const
    {
        return groups[0].group > 1 || groups[1].group > 1;
    }

    /** Encoded size of a value of @p range of the model, between groups or not. (bits) */
    double BitsOf(ElementRange range, bool crossesGroups) const
    {
        return groups[crossesGroups].meanBits(range);
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
