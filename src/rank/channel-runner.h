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
    std::uint32_t round{0};     ///< over all rounds of all exchanges; messages carry it
    std::uint32_t channel{0};   ///< its number in the round, from 0
    std::uint32_t channels{1};  ///< of the round
    std::uint32_t together{1};  ///< of its stage, which go on at the same time
    std::uint32_t firstStep{0}; ///< of the rank's, in the round's plan
};

/** What a step of a rank got: a message, or a sum of the network. (bytes, payload only) */
struct StepMessage
{
    std::uint32_t step{0};                   ///< of the receiver's, in the round's plan
    std::uint32_t round{0};                  ///< of the exchange
    PayloadKind kind{PayloadKind::GRADIENT}; ///< gradients, or the weights made of them
    std::uint64_t words{0};                  ///< that it carried, or that the sum has for this rank
    std::uint64_t plainBytes{0};             ///< of the gradients that the words stand for
    std::uint64_t wireBytes{0};              ///< as they came
    bool isAdded{false};                     ///< to what the receiver has
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
    /** Told of each message, and of each sum of the network, that a step got. */
    using MessageSeen = std::function<void(const StepMessage&)>;

    /**
     * @param host outlives it
     * @param place the channel's
     * @param steps outlives it
     * @param chunk which is exchanged; outlives it
     * @param content of the round, whose channels share it
     */
    ChannelRunner(RankHost& host,
                  ChannelPlace place,
                  const StepPlan& steps,
                  const JobChunk& chunk,
                  RoundContent& content);

    /** Reserves places for what it will ask switches for: the channels of a round when the round begins, in their order. */
    void ReserveReductions() const;

    /** Begins its first step. @p done may end this object. */
    void Start(MessageSeen messageSeen, Done done);

    /** Takes a message of this channel, data or grant, at any time, also before Start. */
    void Deliver(ReceivedMessage message);

    /** Whether the rank has done all its steps. */
    bool HasEnded() const
    {
        return m_stepIndex == m_steps.StepCount(m_host.rank);
    }

    /** For people, when a run stands still: "step 3 of 6, waits for a message from worker 2". */
    std::string State() const;

    /**
     * Shows how far it is, and what comes early. Steps in a row that are alike count as one that happens again and again; those that
     * are skipped are told of.
     */
    void VisitState(StateVisitor& visitor);

    /** How many steps from the current one on are alike, itself included. */
    std::uint32_t StepsAlike();

    /** The largest exponent over the workers, where switches have added words. */
    std::int16_t LargestExponent() const
    {
        return m_networkSum.LargestExponent();
    }

  private:
    /** What one receive of the current step has got. */
    struct Incoming
    {
        MessageKey key;    ///< who sends it, and its number
        bool here{false};  ///< decoded, or about to be, or the rank's own, which nobody awaits
        SharedBytes words; ///< none when only sizes travel
    };

    /** What one send of the current step carries. */
    struct Outgoing
    {
        MessageKey key;      ///< who gets it, and its number
        SendContent content; ///< as it was when the step began
    };

    /** How far the current step has come. */
    struct Progress
    {
        std::size_t nextSend{0};     ///< the send that is under way; those before it have left
        bool sendsBegun{false};      ///< it sends, or has sent
        bool waitsForGrant{false};   ///< the receiver has not come to the next send
        bool receivesBegun{false};   ///< it takes messages; before that they are kept
        std::size_t arrived{0};      ///< and decoded
        std::size_t firstMissing{0}; ///< all receives before it are here
        bool combining{false};       ///< what came is being added
        bool combined{false};        ///< what came is added, and updated if the step does that
        bool ended{false};           ///< the next step is about to begin
    };

    /** What a step has the rank's clock do, each time it is gone through. */
    enum class Act : std::uint8_t
    {
        BEGIN_STEP,
        POST,
        HAND,
        ARRIVE,
        ADD,
        COMBINED,
    };

    void BeginStep();      ///< the next one; behind the last, calls done
    void BeginMessages();  ///< of a step that sends and receives
    void BeginReduction(); ///< of a step that the network adds
    ReductionOrder& OrderOf(const Step& step) const;
    void RequireOneOrder() const;
    void EndReduction();          ///< the network's sum is there
    void TellOfSum() const;       ///< tells what this rank has got of the network's sum
    ElementRange OwnPart() const; ///< of a sum that is shared out
    void EndStepIfDone();         ///< once all is sent, received and combined
    void EndStep();               ///< the next one begins in an event of its own

    // -- sending
    void PrepareSends(); ///< takes what all sends of the step carry
    void BeginSends();   ///< unless they have begun
    void SendNext();     ///< waits for its grant, and encodes it; or all sends have left
    bool IsInside(const Transfer& transfer) const; ///< whether its peer is in this rank's node
    void Post();
    void Keep();
    void Hand();                                         ///< gives the message to the transport
    CodingRates RatesOf(const Transfer& transfer) const; ///< of the host's codec for it
    std::shared_ptr<const FrameSizes> CodedSizesOf(std::size_t send) const;

    // -- receiving
    void BeginReceives();          ///< grants messages, and takes those that were early
    void Grant(std::size_t index); ///< tells the sender that this rank has come to its message
    /** Takes a message of this step, or keeps it until its step begins to receive. */
    void Accept(const MessageKey& key, ReceivedMessage message);
    static bool IsAdded(const Step& step, std::size_t index);
    void TellOf(std::size_t index, const ReceivedMessage& message); ///< tells of what came
    void PassOverHere(); ///< moves firstMissing behind what is here
    void Take(std::size_t index, ReceivedMessage message); ///< decodes what has come for this step
    void Arrive(std::size_t index);                        ///< a message is decoded
    void CombineIfDue(); ///< once all has come, and the host may add
    void Combine();      ///< has the host add what came
    std::uint64_t BytesToAdd(const Transfer& receive) const;
    void Combined(); ///< what came is added

    std::optional<std::size_t> PlaceOf(const MessageKey& key) const; ///< among this step's receives
    bool UpdatesNow() const;
    bool SumsGoOn() const;
    void Update(ElementRange range, std::function<void()> done);
    bool Alternates() const;                 ///< whether the host sends and receives in turn
    bool AddsOnArrival() const;              ///< each message by itself, not all of a step together
    std::optional<Awaited> WaitsFor() const; ///< empty: it waits for nobody

    std::uint64_t NumberOf(Act act, std::size_t index = 0) const; ///< for the clock
    bool AreAsLarge(const std::vector<Transfer>& all, const std::vector<Transfer>& others) const;
    std::uint64_t WayTo(Rank peer) const;   ///< WayNumber of messages to it
    std::uint64_t WayFrom(Rank peer) const; ///< WayNumber of messages from it
    void TellOfSkipped(std::uint64_t steps);

    RankHost& m_host;           ///< what the rank lends to it
    const TrainingJob& m_job;   ///< of the rank
    const JobChunk& m_chunk;    ///< which is exchanged
    ChannelPlace m_place;       ///< in the round
    std::uint32_t m_roundIndex; ///< of the exchange, from 0
    const StepPlan& m_steps;    ///< of the channel, for all ranks
    RoundContent& m_content;    ///< of the round
    RoundMailbox m_mailbox;     ///< numbers messages, and keeps those that are early
    ReductionStep m_networkSum; ///< does steps that the network adds
    WaitLog m_waits;            ///< writes whom the rank waits for
    MessageSeen m_messageSeen;  ///< is told what came
    Done m_done;                ///< called behind the last step

    std::uint32_t m_stepIndex{0};           ///< of the channel
    std::uint32_t m_alikeUntil{0};          ///< the first step that is not like the current one
    Step m_step;                            ///< the current one
    Progress m_progress;                    ///< of the current step
    std::vector<Outgoing> m_outgoing;       ///< by send of the current step
    std::vector<Incoming> m_incoming;       ///< by receive of the current step
    std::vector<std::uint64_t> m_wireBytes; ///< of the last message of each receive
    std::vector<std::pair<MessageKey, std::size_t>> m_places; ///< in m_incoming, by key
};

} // namespace inca

#endif // INCA_RANK_CHANNEL_RUNNER_H
