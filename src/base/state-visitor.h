/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_STATE_VISITOR_H
#define INCA_BASE_STATE_VISITOR_H

#include "inca/base/path-log.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace inca
{

/** Packets are numbered in at most so many sequences. */
constexpr std::size_t PACKET_SEQUENCES{2};

/** What a period may hold. */
enum class PeriodKind : std::uint8_t
{
    FRAMES, ///< frames of the same messages: ranks do nothing
    STEPS,  ///< steps of ranks that are all alike, each with messages of its own
};

/** What happens in a step by an event. */
enum class StepEventKind : std::uint8_t
{
    ACT,  ///< a rank goes on with it
    LEFT, ///< a message has left
};

/** What a network looked like at one time. */
struct NetworkState
{
    /** A counter, and the value at which the network will do something else than before. */
    struct End
    {
        std::size_t count{0}; ///< index of the counter
        std::uint64_t value{0};
    };

    /** A running mean: it stands among the counts, followed by the number of its measurements. */
    struct Mean
    {
        std::size_t count{0};
        std::uint64_t kept{0}; ///< so many of the last measurements are known
    };

    /** A time of the past: it stays, or is a period later in the next one. */
    struct PastTime
    {
        std::size_t count{0};    ///< index of it among the counts
        bool isOfMessage{false}; ///< when a message was sent; how far that is stands behind it
    };

    PeriodKind kind{PeriodKind::FRAMES};
    std::int64_t timePs{0};
    std::uint64_t digest{0}; ///< of all that decides what it does next; times from timePs on
    bool repeats{true};      ///< false: something is under way that does not repeat
    std::vector<std::uint64_t> counts; ///< what only grows, in the order of the visit
    /** The first packet that was reported of each sequence. */
    std::array<std::optional<std::uint64_t>, PACKET_SEQUENCES> firstPackets;
    std::vector<End> ends;
    std::vector<Mean> means;
    std::vector<PastTime> pastTimes;
    /** Pending events of ranks' steps, by ns-3's numbers: what they do. */
    std::unordered_map<std::uint64_t, std::pair<StepEventKind, std::uint64_t>> stepEvents;
    std::unordered_set<std::uint64_t> foreignEvents; ///< pending events that are no part of it
    std::size_t steps{0};                            ///< of the visit: what it has cost
    std::vector<PathEnd> paths; ///< to all that is pending or busy, if they are remembered
};

/**
 * Visits the parts of a network. Each part reports what decides what it does next, relative to now, and what it counts.
 * A network without losses is a machine with integers for times. If it is in the same state twice, all that happened
 * between happens again, until something comes from outside or a counter reaches its end. A second visit, of the same
 * network in the same order, advances all counters by what they would have grown: the periods between are then done.
 *
 * What a part does not report must not change what it does.
 */
class StateVisitor
{
  public:
    /** Records @p state, which outlives this. @param kind of the period that it may begin or end */
    StateVisitor(NetworkState& state, std::int64_t nowPs, PeriodKind kind = PeriodKind::FRAMES);

    /** Advances every counter by @p times what it has grown from @p before to @p now. */
    StateVisitor(const NetworkState& before, const NetworkState& now, std::uint64_t times);

    /** What decides what happens next. */
    void State(std::uint64_t value)
    {
        m_digest = (m_digest ^ value) * MULTIPLIER;
        m_digest ^= m_digest >> SHIFT;
        ++m_steps;
    }

    /** A time, past or to come. (ps) */
    void At(std::int64_t timePs)
    {
        State(static_cast<std::uint64_t>(timePs - m_nowPs));
    }

    /** A time that matters only while it is in the future. (ps) */
    void Deadline(std::int64_t timePs)
    {
        At(timePs > m_nowPs ? timePs : m_nowPs);
    }

    /**
     * A counter, which grows by the same in every period.
     * @return by how much it was advanced; 0 when recording
     */
    std::uint64_t Count(std::uint64_t& value);

    /** Visits a counter as Count does; its owner does something else at @p end, before which periods stop to repeat. */
    std::uint64_t CountUpTo(std::uint64_t& value, std::uint64_t end);

    /**
     * A running mean that decides nothing while its measurements repeat, and that becomes constant meanwhile. To advance it, its
     * owner adds the measurements of a period again, Times() times.
     * @param measured number of measurements so far
     * @param kept so many of the last measurements are known to the owner: a period with more does not repeat before
     *        the mean is constant
     * @return measurements of a period; 0 when recording, and if the mean is constant
     */
    std::uint64_t Mean(std::int64_t value, std::uint64_t measured, std::uint64_t kept);

    /** Periods to advance by; 0 when recording. */
    std::uint64_t Times() const
    {
        return m_times;
    }

    /** Whether ranks may go through steps in a period. */
    bool HasSteps() const
    {
        return m_kind == PeriodKind::STEPS;
    }

    /** A sequence number on @p way, which any number may name: relative to the first one that was reported there. */
    void SequenceNumber(std::uint64_t way, std::uint64_t number);

    /** Which message it is of those that go @p way in a round, relative to the first one that was reported. Only where there are steps. */
    void MessageNumber(std::uint64_t way, std::uint32_t round, std::uint32_t ordinal);

    /**
     * A time of the past that decides nothing, and is only noted down later: it stays, or moves on by a period. Only where there
     * are steps.
     * @return by how much it was moved
     */
    std::int64_t PastTime(std::int64_t& timePs);

    /**
     * How far a message is, as CountUpTo says it. Where there are steps, it may also be another one, which is as far as that was.
     * @param sentPs when it was sent @param offset how far it is @param end its size; empty: who else shows the message says it
     * @return by how much @p offset was advanced
     */
    std::uint64_t Progress(std::int64_t& sentPs,
                           std::uint64_t& offset,
                           std::optional<std::uint64_t> end = std::nullopt)
    {
        if (HasSteps())
        {
            SentTime(sentPs);
        }
        return end ? CountUpTo(offset, *end) : Count(offset);
    }

    /** A pending event of a rank's step, by ns-3's number. @param what it does of its kind; a period later another one does the same */
    void StepEvent(std::uint64_t eventUid, StepEventKind kind, std::uint64_t what);

    /** From the first state to the second. 0 when recording (ps) */
    std::int64_t PeriodPs() const
    {
        return m_now == nullptr ? 0 : m_now->timePs - m_before->timePs;
    }

    /**
     * The number of a packet of a reduction, which the whole network counts in one sequence: relative to the first one of that
     * sequence that was reported; it is advanced as that one is.
     */
    void Packet(std::uint64_t& number, std::size_t sequence = 0);

    /** The first packet that was reported, or 0. */
    std::uint64_t FirstPacket(std::size_t sequence = 0) const
    {
        return m_state == nullptr ? 0 : m_state->firstPackets[sequence].value_or(0);
    }

    /** By how much packets are advanced; 0 when recording. */
    std::uint64_t PacketsMoved(std::size_t sequence = 0) const;

    /** A pending event, by ns-3's number, that is no part of the state: it may come at another time. */
    void ForeignEvent(std::uint64_t eventUid);

    /** Why something is pending, or busy for so long. When periods are skipped, it is so for as many more. */
    void Path(PathEnd& path);

    /** This state will not repeat. */
    void Aperiodic();

    /** To be called at the end of a visit that recorded. */
    void End();

    bool IsRecording() const
    {
        return m_state != nullptr;
    }

  private:
    void SentTime(std::int64_t& sentPs); ///< of a message whose place is the next counter

    static constexpr std::uint64_t MULTIPLIER{0x9e3779b97f4a7c15};
    static constexpr unsigned SHIFT{32};

    PeriodKind m_kind{PeriodKind::FRAMES};
    NetworkState* m_state{nullptr};
    const NetworkState* m_before{nullptr};
    const NetworkState* m_now{nullptr};
    std::uint64_t m_times{0};
    std::int64_t m_nowPs{0};
    std::uint64_t m_digest{0};
    std::size_t m_steps{0};
    std::size_t m_place{0};                                      ///< index of the next counter
    std::vector<PathEnd> m_paths;                                ///< as they are after the skip
    std::size_t m_path{0};                                       ///< index of the next one
    std::unordered_map<std::uint64_t, std::uint64_t> m_numbers;  ///< the first ones, by way
    std::unordered_map<std::uint64_t, std::uint64_t> m_ordinals; ///< the same, of messages
};

/**
 * How often what happened between two states of a network may be repeated, such that no counter reaches its end: at least one
 * more period is left to be simulated.
 * @return 0 if the states differ
 */
std::uint64_t TimesToRepeat(const NetworkState& before, const NetworkState& now);

} // namespace inca

#endif // INCA_BASE_STATE_VISITOR_H
