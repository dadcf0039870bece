/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_ROUND_CONTENT_H
#define INCA_RANK_ROUND_CONTENT_H

#include "inca/base/integer-scale.h"
#include "inca/base/word.h"
#include "inca/job/rank-values.h"
#include "inca/rank/rank-host.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/** The words that a rank brings into a round; empty when only sizes travel, and where it has none. */
struct RoundInput
{
    RankValues::OwnWords own;           ///< counted from 0
    std::int16_t exponent{NO_EXPONENT}; ///< goes along where switches add words
};

/** What one send takes along: the words as they were when its step began. */
struct SendContent
{
    std::uint64_t bytes{0}; ///< of the message, as the transport gets it
    SharedBytes payload;    ///< none when only sizes travel
};

/**
 * What one rank holds in a round, and what its messages carry of that: words, or what the host's
 * codec makes of them, and how many bytes that is.
 */
class RoundContent
{
  public:
    /**
     * @param host outlives it
     * @param chunk which is exchanged; outlives it
     * @param round of the exchange, from 0
     */
    RoundContent(const RankHost& host, const JobChunk& chunk, std::uint32_t round);

    void Begin(RoundInput input); ///< takes what this rank brings along; before all else

    /** @return what this rank brings along where switches add words, or NO_EXPONENT */
    std::int16_t OwnExponent() const
    {
        return m_input.exponent;
    }

    /** The words that this rank holds; null when only sizes travel. */
    const RankValues* Words() const
    {
        return m_words.get();
    }

    /** Moves the words out; the round has none afterwards. */
    std::unique_ptr<RankValues> TakeWords();

    /** What @p step has received, in the order of its receives; not when only sizes travel. */
    void Receive(const Step& step, const std::vector<const Word*>& received);

    /** Writes a part of what the network makes in @p step; and makes weights of it, if the step says so. */
    void Store(ElementRange range, const Word* words, const Step& step);

    /** What a message carries, as this rank holds it now. */
    SendContent OfSend(const Transfer& transfer) const;

    /** @return a message's bytes as the words that they stand for; none when only sizes travel */
    SharedBytes WordsOf(const Transfer& transfer, ReceivedMessage message) const;

    /** Of words as hosts add them. */
    std::uint64_t WordBytes(ElementRange range) const;

    /** Of a message before a codec. */
    std::uint64_t PlainBytes(const Transfer& transfer) const;

    /**
     * What stands for @p range of gradients or weights: itself, or, of a coded chunk, its share of the last round
     * of these, such that pieces add up to the whole chunk. In bytes of their own type.
     */
    std::uint64_t OwnBytes(ElementRange range, PayloadKind kind) const;

  private:
    const Codec* StreamOf(const Transfer& transfer) const;

    const TrainingJob& m_job;    ///< of the rank
    const JobChunk& m_chunk;     ///< which is exchanged
    const JobRound& m_round;     ///< of the chunk
    std::uint64_t m_codedValues; ///< what it stands for; of coded rounds the last one alone does
    RoundInput m_input;          ///< what this rank brought along
    std::unique_ptr<RankValues> m_words; ///< what it holds; null: sizes only, or it was taken
};

} // namespace inca

#endif // INCA_RANK_ROUND_CONTENT_H
