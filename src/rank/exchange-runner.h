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
    using Done = ChannelRunner::Done; ///< called once, when all has ended
    /** Told of each message, and of each sum of the network, that the rank got. */
    using MessageSeen = ChannelRunner::MessageSeen;

    /**
     * @param host outlives it
     * @param exchange its number, over all batches
     * @param chunk which is exchanged; outlives it
     */
    ExchangeRunner(RankHost& host, std::uint32_t exchange, const JobChunk& chunk);

    /** Begins the first round, or all that begin at once. @p done may end this object. */
    void Start(MessageSeen messageSeen, Done done);

    /** Takes a message of this exchange at any time, also before Start. */
    void Deliver(ReceivedMessage message);

    /** Shows how far it is. */
    void VisitState(StateVisitor& visitor);

    /** For people, when a run stands still. */
    std::string State() const;

    ExchangeOutcome TakeOutcome(); ///< what the rank has at the end; moved out

  private:
    /** How far a round is. */
    enum class Stage : std::uint8_t
    {
        WAITS,   ///< it has not begun
        ENCODES, ///< its words are being encoded
        RUNS,    ///< its channels go on
        ENDED,   ///< all its channels have ended
    };

    /** Channels of a round that go on at the same time. */
    struct ChannelStage
    {
        std::size_t first{0};               ///< channel
        std::size_t channels{0};            ///< from there on
        std::size_t running{0};             ///< channels that have not ended
        std::size_t awaited{0};             ///< stages before it that have not ended
        std::vector<std::uint32_t> waiting; ///< stages that await it
    };

    /** A round of the exchange. */
    struct Round
    {
        std::unique_ptr<RoundContent> content;                ///< what the rank holds in it
        std::vector<std::unique_ptr<ChannelRunner>> channels; ///< of its plan
        std::vector<ChannelStage> stages;                     ///< of these
        std::size_t running{0};                               ///< stages that have not ended
        Stage stage{Stage::WAITS};                            ///< how far it is
        RoundResult result;                                   ///< of a worker, when values travel
    };

    bool IsCodedHere() const;               ///< on this rank
    bool Overlaps() const;                  ///< all rounds begin at once
    void MakeChannels(std::uint32_t round); ///< of a round
    void BeginRound(std::size_t round);     ///< encodes its words if they are coded, then runs it
    /** Of so many @p channels: all of @p plan, or 1 that has their steps. */
    static void MakeStages(Round& round, const StepPlan& plan, std::size_t channels);
    void RunRound(std::size_t round); ///< starts its first channels
    void RunStages(std::size_t round, const std::vector<std::uint32_t>& stages);
    void ChannelEnded(std::size_t round, std::uint32_t stage); ///< of a stage
    void RoundEnded(std::size_t round);                        ///< all its channels have ended
    void SumsEnded(); ///< all rounds before that of weights have ended
    void Decode();    ///< makes the outcome of the rounds' results
    void UpdateShard();
    void HandOn();                                  ///< runs the round of weights, or finishes
    void Finish();                                  ///< calls done
    RoundInput InputOf(std::size_t round) const;    ///< words that this rank brings into a round
    RoundInput CodedInput(std::size_t round) const; ///< the same of a coded chunk
    RankValues::OwnWords DecodedWords() const;      ///< what was decoded, as words
    std::vector<float> OwnValues() const;           ///< this worker's gradients of the chunk
    RoundResult ResultOf(std::size_t round); ///< what a round has given this worker; moved out

    RankHost& m_host;                   ///< what the rank lends to it
    const TrainingJob& m_job;           ///< of the rank
    const JobChunk& m_chunk;            ///< which is exchanged
    std::uint32_t m_exchange;           ///< its number, over all batches
    MessageSeen m_messageSeen;          ///< is told what came
    Done m_done;                        ///< called at the end; empty: not started, or ended
    std::vector<Round> m_rounds;        ///< by their numbers in the exchange
    std::size_t m_sumRounds;            ///< before the one of weights, if there is one
    std::size_t m_endedCount{0};        ///< of those
    const char* m_doing{"is encoding"}; ///< for people, while it has started and no channel runs
    std::shared_ptr<const std::vector<float>> m_decoded; ///< values of the chunk
    ExchangeOutcome m_outcome;                           ///< what the rank has at the end
};

} // namespace inca

#endif // INCA_RANK_EXCHANGE_RUNNER_H
