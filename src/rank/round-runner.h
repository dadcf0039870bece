/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_ROUND_RUNNER_H
#define INCA_RANK_ROUND_RUNNER_H

#include "aggregation/aggregation-client.h"
#include "job/rank-values.h"
#include "job/timeline.h"
#include "job/training-job.h"
#include "rank/rank-addresses.h"
#include "rank/rank-resource.h"
#include "transport/host-path.h"
#include "transport/transport.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** What a rank lends to its exchanges; it outlives them. */
struct RankHost
{
    Rank rank{0};
    std::shared_ptr<const TrainingJob> job;
    std::shared_ptr<const RankAddresses> addresses;
    ns3::Ptr<Transport> transport;
    ns3::Ptr<HostPath> path;
    ns3::Ptr<AggregationClient> aggregation; ///< null: no switch adds for this rank
    Timeline timeline;
    RankResource codec{timeline};
    RankResource sum{timeline};
    RankResource update{timeline};
    std::uint64_t sumBytesPerSecond{0}; ///< added plain bytes; 0: adding costs nothing
    std::uint64_t encodeBytesPerSecond{
        0}; ///< plain bytes, of a codec on the host; 0: costs nothing
    std::uint64_t decodeBytesPerSecond{0};
};

/** What a step of a rank got: a message, or a sum of the network. (bytes, payload only) */
struct StepMessage
{
    std::uint32_t step{0}; ///< of the receiver's plan
    Leg leg{Leg::GRADIENT};
    std::uint64_t plainBytes{0};
    std::uint64_t wireBytes{0};
};

/** The words that a rank brings into a round; empty when only sizes travel, and where it has none. */
struct RoundInput
{
    RankValues::OwnWords own;           ///< counted from 0
    std::int16_t exponent{NO_EXPONENT}; ///< goes along where switches add words
};

/**
 * One rank's part in one round of one exchange: walks through the rank's plan in simulated time.
 *
 * A step begins when the one before has ended. A host that does both at once (duplex 1) starts to
 * send and to receive at the same time. Otherwise a step's operations follow each other, sends
 * first or receives first as the plan says: the second begins when the first has moved a share
 * of 1 - duplex of its bytes. Such a host sends only once the receiver, by a grant, has
 * said that it has come to that message (a blocking, rendezvous-style send and receive). Exchanges
 * that are in flight at the same time alternate each for itself.
 *
 * What was received is combined on the host's adder, whole messages at a time, and, on an
 * aggregator, the weights are updated; then the step ends. A host that alternates is one thread:
 * it adds when the messages of its step have moved, and not beside them.
 *
 * A host's codec encodes once what several sends of a step in a row carry alike.
 *
 * A step that the network adds is the AggregationClient's from begin to end; duplex means nothing
 * to it.
 */
class RoundRunner
{
  public:
    /** Called once, in an event of the exchange's last step. */
    using Done = std::function<void()>;
    using MessageSeen = std::function<void(const StepMessage&)>;

    /** @param number of the round, over all rounds of all exchanges; messages carry it */
    RoundRunner(RankHost& host, std::uint32_t number, const JobChunk& chunk);

    void Start(RoundInput input, MessageSeen messageSeen, Done done);

    /** Takes a message of this exchange, data or grant, at any time, also before Start. */
    void Deliver(ReceivedMessage message);

    /** For people, when a run stands still: "step 3 of 6, waits for a message from worker 2". */
    std::string State() const;

    /** The words that this rank holds; null when only sizes travel. */
    std::unique_ptr<RankValues> TakeValues();

    /** The largest exponent over the workers, where switches have added words. */
    std::int16_t LargestExponent() const
    {
        return m_largestExponent;
    }

  private:
    using MessageKey = std::pair<Rank, std::uint32_t>; ///< the other end, and which of its messages

    /** What one receive of the current step has got. */
    struct Incoming
    {
        MessageKey key;
        bool arrived{false};     ///< and decoded
        std::vector<Word> words; ///< empty when only sizes travel
    };

    /** What one send of the current step takes along: the values as they were when it began. */
    struct Outgoing
    {
        MessageKey key;
        std::uint64_t bytes{0};
        std::shared_ptr<const PayloadSource> payload; ///< null when only sizes travel
    };

    void BeginStep();
    void BeginMessages();
    void BeginNetworkSum(ElementRange range);
    void EndNetworkSum();
    void EndStep();
    void BeginSends();
    void BeginReceives();
    void SendNext();
    void Post();
    void SendHasLeft();
    void Grant(std::size_t index);
    void WatchForSends();
    void Take(std::size_t index, ReceivedMessage message);
    void Arrive(std::size_t index);
    void CombineIfDue();
    void Combine();
    void Combined();
    void EndStepIfDone();
    void NoteWait();
    Outgoing Prepare(const Transfer& transfer); ///< the next of the step's sends
    std::vector<Word> Decode(const Transfer& transfer, const ReceivedMessage& message) const;
    std::vector<Word> ReadWords(ElementRange range) const;
    bool Alternates() const;
    bool AddsOnArrival() const;
    bool IsHostCoded(const Transfer& transfer) const;
    std::uint64_t LeftBytes(std::uint64_t bytes) const;
    std::optional<Rank> WaitsFor() const;
    ElementRange InModel(ElementRange range) const;
    std::uint64_t GradientBytes(ElementRange range) const;
    std::uint64_t PlainBytes(ElementRange range) const;

    RankHost& m_host;
    const TrainingJob& m_job;
    const JobChunk& m_chunk;
    std::uint32_t m_number;
    std::uint32_t m_roundIndex;
    const JobRound& m_round;
    RoundInput m_input;
    MessageSeen m_messageSeen;
    Done m_done;
    std::unique_ptr<RankValues> m_values;

    std::uint32_t m_stepIndex{0};
    Step m_step;
    std::vector<Outgoing> m_outgoing;
    std::vector<Incoming> m_incoming;
    std::size_t m_nextSend{0};
    bool m_sendsBegun{false};
    bool m_waitsForGrant{false};
    bool m_receivesBegun{false};
    std::size_t m_arrivedCount{0};
    std::size_t m_watchedCount{0}; ///< receives of which a send need not wait any more
    bool m_combining{false};
    bool m_combined{false};
    std::int16_t m_largestExponent{NO_EXPONENT};
    std::vector<Word> m_networkSum; ///< as far as it has come; empty when only sizes travel

    std::map<Rank, std::uint32_t> m_sent;     ///< messages of this exchange to each rank so far
    std::map<Rank, std::uint32_t> m_expected; ///< and from each rank
    std::map<MessageKey, ReceivedMessage> m_early;
    std::set<MessageKey> m_grants;
    std::optional<Rank> m_waitsFor;
    std::int64_t m_waitSincePs{0};
};

} // namespace inca

#endif // INCA_RANK_ROUND_RUNNER_H
