/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_EXCHANGE_RUNNER_H
#define INCA_RANK_EXCHANGE_RUNNER_H

#include "inca/job/training-job.h"
#include "inca/rank/channel-runner.h"
#include "inca/rank/rank-host.h"
#include "inca/rank/round-content.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * One rank's part in one exchange: its rounds, and the coding around them. The words of a round are
 * encoded, then travel; rounds follow each other, or, if the coding overlaps, each leaves as soon
 * as it is encoded. When all have ended, the worker decodes: all, or its shard, of which it then makes weights,
 * and hands these on in a round of their own (JobRound::weights). Aggregators and servers encode and
 * decode nothing. A round without words takes no time.
 */
class ExchangeRunner
{
  public:
    using Done = ChannelRunner::Done;
    using MessageSeen = ChannelRunner::MessageSeen;

    ExchangeRunner(RankHost& host, std::uint32_t exchange, const JobChunk& chunk);

    void Start(MessageSeen messageSeen, Done done);

    /** Takes a message of this exchange at any time, also before Start. */
    void Deliver(ReceivedMessage message);

    /** For people, when a run stands still. */
    std::string State() const;

    ExchangeOutcome TakeOutcome();

  private:
    enum class Stage : std::uint8_t
    {
        WAITS,
        ENCODES,
        RUNS,
        ENDED,
    };

    struct Round
    {
        std::unique_ptr<RoundContent> content;
        std::vector<std::unique_ptr<ChannelRunner>> channels; ///< go on at the same time
        std::size_t running{0};                               ///< channels that have not ended
        Stage stage{Stage::WAITS};
        RoundResult result; ///< of a worker, when values travel
    };

    bool IsCodedHere() const; ///< on this rank
    bool Overlaps() const;    ///< all rounds begin at once
    void MakeChannels(std::uint32_t round);
    void BeginRound(std::size_t round);
    void RunRound(std::size_t round);
    void RoundEnded(std::size_t round);
    void SumsEnded();
    void Decode();
    void UpdateShard();
    void HandOn();
    void Finish();
    RoundInput InputOf(std::size_t round) const;
    RoundInput CodedInput(std::size_t round) const;
    RankValues::OwnWords DecodedWords() const;
    std::vector<float> OwnValues() const;
    RoundResult ResultOf(std::size_t round);

    RankHost& m_host;
    const TrainingJob& m_job;
    const JobChunk& m_chunk;
    std::uint32_t m_exchange;
    MessageSeen m_messageSeen;
    Done m_done;
    std::vector<Round> m_rounds;
    std::size_t m_sumRounds;     ///< before the one of weights, if there is one
    std::size_t m_endedCount{0}; ///< of those
    const char* m_doing{"is encoding"};
    std::shared_ptr<const std::vector<float>> m_decoded; ///< values of the chunk
    ExchangeOutcome m_outcome;
};

} // namespace inca

#endif // INCA_RANK_EXCHANGE_RUNNER_H
