/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CODED_SIZES_H
#define INCA_JOB_CODED_SIZES_H

#include "inca/base/word.h"
#include "inca/codec/codec.h"
#include "inca/exchange/step-plan.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace inca
{

/** Encoded sizes of a message's frames, in their order. (bytes) */
using FrameSizes = std::vector<std::uint16_t>;

/** One send of a step plan. */
struct PlannedSend
{
    Rank rank{0};
    std::uint32_t step{0};
    std::uint32_t send{0}; ///< of the step
};

/**
 * What codecs that code frame by frame make of every message of an exchange, by the values that are in
 * it. A message's values come in their order, in parts of any length: what begins a frame and does not
 * end it is kept.
 */
class CodedSizes
{
  public:
    /** What codes frames. */
    struct Frames
    {
        std::shared_ptr<const Codec> codec; ///< null: they are not coded
        std::uint64_t values{1};            ///< of a full frame
    };

    /** @param frames of messages within groups, and between them */
    explicit CodedSizes(std::array<Frames, 2> frames);

    /**
     * @param transfer the message, its range in elements of the exchange
     * @param part of it that is here; each ends where the next one begins
     * @throws InputError if a frame's coded values are more bytes than an IP packet has
     */
    void Add(const PlannedSend& send,
             const Transfer& transfer,
             ElementRange part,
             const Word* words);

    /** @return of a message that is whole; null for one that was never there */
    std::shared_ptr<const FrameSizes> Of(const PlannedSend& send) const;

    /** Of all messages. (bytes) */
    std::uint64_t TotalBytes() const
    {
        return m_totalBytes;
    }

  private:
    struct Sizes
    {
        std::shared_ptr<FrameSizes> frames;
        std::vector<float> begun; ///< values of a frame that is not full
    };

    static std::uint64_t KeyOf(const PlannedSend& send);

    std::array<Frames, 2> m_frames;
    std::uint64_t m_totalBytes{0};
    std::unordered_map<std::uint64_t, Sizes> m_sends;
};

} // namespace inca

#endif // INCA_JOB_CODED_SIZES_H
