/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_STATE_WALK_H
#define INCA_BASE_STATE_WALK_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace inca
{

/** Of packets that are numbered by themselves: at most so many sequences. */
constexpr std::size_t PACKET_SEQUENCES{2};

/** What a network looked like at one time. */
struct NetworkState
{
    /** A count, and where the network will do something else than before. */
    struct End
    {
        std::size_t count{0}; ///< its place among the counts
        std::uint64_t value{0};
    };

    /** What follows what is measured: among the counts, and then how much was measured. */
    struct Mean
    {
        std::size_t count{0};
        std::uint64_t kept{0}; ///< of what was measured, so much is known
    };

    std::int64_t timePs{0};
    std::uint64_t digest{0};           ///< of all that decides what it does next, relative to then
    bool repeats{true};                ///< false: something is under way that happens once
    std::vector<std::uint64_t> counts; ///< what only grows, in the order of the walk
    /** That was told, of each sequence. */
    std::array<std::optional<std::uint64_t>, PACKET_SEQUENCES> firstPackets;
    std::vector<End> ends;
    std::vector<Mean> means;
    std::unordered_set<std::uint64_t> apart; ///< pending events that are no part of it
    std::size_t steps{0};                    ///< of the walk: what it has cost
};

/**
 * Goes over the parts of a network, which say what they are about to do relative to now, and what they
 * count. A network without losses is a machine with integers for times: if it is twice in the same
 * state, all that happened between happens again, until something from outside comes in, or a count
 * comes to its end. A second walk, of the same network in the same order, moves all counts on by what
 * they would have grown, and it has lived through the periods between.
 *
 * What a part does not tell must not change what it does.
 */
class StateWalk
{
  public:
    /** Looks. @param state outlives it */
    StateWalk(NetworkState& state, std::int64_t nowPs);

    /** Moves every count on by @p times what it has grown from @p before to @p now. */
    StateWalk(const NetworkState& before, const NetworkState& now, std::uint64_t times);

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

    /** A time that matters while it is to come. (ps) */
    void Until(std::int64_t timePs)
    {
        At(timePs > m_nowPs ? timePs : m_nowPs);
    }

    /**
     * What grows by the same in every period.
     * @return by how much it was moved on; 0 when it looks
     */
    std::uint64_t Count(std::uint64_t& value);

    /** As Count; where it comes to @p end something else happens. */
    std::uint64_t CountUpTo(std::uint64_t& value, std::uint64_t end);

    /**
     * A mean that decides nothing as long as what is measured repeats itself, and comes to rest meanwhile. Who moves it
     * on takes again what a period has measured, Times() times.
     * @param measured how often it was
     * @param kept the last measurements, known to who moves it on: a period of more does not repeat itself before it
     *        is at rest
     * @return how often a period has measured; 0 when it looks, and if the mean is at rest
     */
    std::uint64_t Mean(std::int64_t value, std::uint64_t measured, std::uint64_t kept);

    /** Periods to be lived through; 0 when it looks. */
    std::uint64_t Times() const
    {
        return m_times;
    }

    /** The number of something on @p way, any number for each: relative to the first that was told. */
    void Number(std::uint64_t way, std::uint64_t number);

    /**
     * The number of a packet of a sum, of those that all of the network count alike: relative to the first of its
     * sequence that was told; it is moved on as that one is.
     */
    void Packet(std::uint64_t& number, std::size_t sequence = 0);

    /** The first packet that was told, or 0. */
    std::uint64_t FirstPacket(std::size_t sequence = 0) const
    {
        return m_state == nullptr ? 0 : m_state->firstPackets[sequence].value_or(0);
    }

    /** By how much packets are moved on; 0 when it looks. */
    std::uint64_t PacketsMoved(std::size_t sequence = 0) const;

    /** A pending event, by ns-3's number, which may come at another time. */
    void Apart(std::uint64_t eventUid);

    /** This state is one of a kind. */
    void Once();

    /** To be called at the end of a walk that looked. */
    void End();

    bool Looks() const
    {
        return m_state != nullptr;
    }

  private:
    static constexpr std::uint64_t MULTIPLIER{0x9e3779b97f4a7c15};
    static constexpr unsigned SHIFT{32};

    NetworkState* m_state{nullptr};
    const NetworkState* m_before{nullptr};
    const NetworkState* m_now{nullptr};
    std::uint64_t m_times{0};
    std::int64_t m_nowPs{0};
    std::uint64_t m_digest{0};
    std::size_t m_steps{0};
    std::size_t m_place{0};                                     ///< among the counts
    std::unordered_map<std::uint64_t, std::uint64_t> m_numbers; ///< the first, by way
};

/**
 * How often what happened between two states of a network may be taken to happen again, such that no count
 * comes to its end: at least one more time is left for it to be simulated.
 * @return 0 if the states differ
 */
std::uint64_t TimesToRepeat(const NetworkState& before, const NetworkState& now);

} // namespace inca

#endif // INCA_BASE_STATE_WALK_H
