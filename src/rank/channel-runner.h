/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_CHANNEL_RUNNER_H
#define INCA_RANK_CHANNEL_RUNNER_H

#include "inca/rank/rank-host.h"
#include "inca/rank/reduction-step.h"
#include "inca/rank/round-content.h"
#include "inca/rank/round-mailbox.h"
#include "inca/rank/wait-log.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** A channel of a round. */
struct ChannelPlace
{
    std::uint32_t round{0}; ///< over all rounds of all exchanges; messages carry it
    std::uint32_t channel{0};
    std::uint32_t channels{1};  ///< that go on at the same time
    std::uint32_t firstStep{0}; ///< of the rank's, in the round's plan
};

/** What a step of a rank got: a message, or a sum of the network. (bytes, payload only) */
struct StepMessage
{
    std::uint32_t step{0};  ///< of the receiver's, in the round's plan
    std::uint32_t round{0}; ///< of the exchange
    PayloadKind kind{PayloadKind::GRADIENT};
    std::uint64_t words{0};
    std::uint64_t plainBytes{0}; ///< of the gradients that the words stand for
    std::uint64_t wireBytes{0};
    bool isAdded{false}; ///< to what the receiver has
};

/**
 * One rank's part in one channel of a round of an exchange: walks through its steps in simulated time.
 *
 * A step begins when the one before has ended. A host in full duplex starts to send and to
 * receive at the same time. Otherwise a step's operations follow each other, sends first or
 * receives first as the plan says. Such a host sends only once the receiver, by a grant, has
 * said that it has come to that message (a blocking, rendezvous-style send and receive). Exchanges
 * that are in flight at the same time alternate each for itself.
 *
 * What was received is combined on the host's adder, whole messages at a time, and, on an
 * aggregator, the weights are updated; then the step ends. A host that alternates is one thread:
 * it adds when the messages of its step have moved, and not beside them.
 *
 * A host's codec encodes once what several sends of a step in a row carry alike. What a rank sends to itself
 * (IsToSelf) it takes as soon as it is encoded; the network, and whoever looks at messages, know nothing of it.
 *
 * A step that the network adds is the AggregationClient's from begin to end; duplex means nothing
 * to it.
 */
class ChannelRunner
{
  public:
    /** Called once, in an event of the last step. */
    using Done = std::function<void()>;
    using MessageSeen = std::function<void(const StepMessage&)>;

    /**
     * @param steps outlives it
     * @param content of the round, whose channels share it
     */
    ChannelRunner(RankHost& host,
                  ChannelPlace place,
                  const StepPlan& steps,
                  const JobChunk& chunk,
                  RoundContent& content);

    /** @param done may end this object */
    void Start(MessageSeen messageSeen, Done done);

    /** Takes a message of this channel, data or grant, at any time, also before Start. */
    void Deliver(ReceivedMessage message);

    bool HasEnded() const
    {
        return m_stepIndex == m_steps.StepCount(m_host.rank);
    }

    /** For people, when a run stands still: "step 3 of 6, waits for a message from worker 2". */
    std::string State() const;

    /** The largest exponent over the workers, where switches have added words. */
    std::int16_t LargestExponent() const
    {
        return m_networkSum.LargestExponent();
    }

  private:
    /** What one receive of the current step has got. */
    struct Incoming
    {
        MessageKey key;
        bool here{false};  ///< decoded, or about to be, or the rank's own, which nobody awaits
        SharedBytes words; ///< none when only sizes travel
    };

    struct Outgoing
    {
        MessageKey key;
        SendContent content;
    };

    /** How far the current step has come. */
    struct Progress
    {
        std::size_t nextSend{0};
        bool sendsBegun{false};
        bool waitsForGrant{false};
        bool receivesBegun{false};
        std::size_t arrived{0};      ///< and decoded
        std::size_t firstMissing{0}; ///< all receives before it are here
        bool combining{false};
        bool combined{false};
    };

    void BeginStep();
    void BeginMessages();
    void BeginReduction();
    void RequireOneOrder() const;
    void EndReduction();
    void TellOfSum() const;
    ElementRange OwnPart() const; ///< of a sum that is shared out
    void EndStepIfDone();
    void EndStep();

    // -- sending
    void PrepareSends();
    void BeginSends();
    void SendNext();
    void Post();
    void Keep();
    void Hand();
    std::shared_ptr<const FrameSizes> CodedSizesOf(std::size_t send) const;

    // -- receiving
    void BeginReceives();
    void Grant(std::size_t index);
    void Accept(const MessageKey& key, ReceivedMessage message);
    bool IsAdded(std::size_t index) const;
    void TellOf(std::size_t index, const ReceivedMessage& message);
    void PassOverHere();
    void Take(std::size_t index, ReceivedMessage message);
    void Arrive(std::size_t index);
    void CombineIfDue();
    void Combine();
    void Combined();

    std::optional<std::size_t> PlaceOf(const MessageKey& key) const; ///< among this step's receives
    bool UpdatesNow() const;
    bool SumsGoOn() const;
    void Update(ElementRange range, std::function<void()> done);
    bool Alternates() const;
    bool AddsOnArrival() const;
    std::optional<Awaited> WaitsFor() const;

    RankHost& m_host;
    const TrainingJob& m_job;
    const JobChunk& m_chunk;
    ChannelPlace m_place;
    std::uint32_t m_roundIndex;
    const StepPlan& m_steps;
    RoundContent& m_content;
    RoundMailbox m_mailbox;
    ReductionStep m_networkSum;
    WaitLog m_waits;
    MessageSeen m_messageSeen;
    Done m_done;

    std::uint32_t m_stepIndex{0}; ///< of the channel
    Step m_step;
    Progress m_progress;
    std::vector<Outgoing> m_outgoing;
    std::vector<Incoming> m_incoming;
    std::vector<std::pair<MessageKey, std::size_t>> m_places; ///< in m_incoming, by key
};

} // namespace inca

#endif // INCA_RANK_CHANNEL_RUNNER_H
