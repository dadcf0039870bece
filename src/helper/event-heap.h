/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_EVENT_HEAP_H
#define INCA_HELPER_EVENT_HEAP_H

#include "inca/base/path-log.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/scheduler.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace inca
{

/** Orders events by time, and those of one time as they were scheduled, which is ns-3's order. */
struct EventOrder
{
    /**
     * Has events of one time run node by node. Then their order on a node does not depend on other nodes' events, and a rank
     * that stands for others does what each of them would do, also where links take no time.
     */
    bool byNode{false};

    /** @return whether @p a comes before @p b */
    bool operator()(const ns3::Scheduler::Event& a, const ns3::Scheduler::Event& b) const;
};

/**
 * The events that are to come, as a radix heap (Ahuja et al., 1990): a few that come next, in their order,
 * and piles of later ones, by the highest bit in which their time differs from that of the last of the
 * few. An event is moved from pile to pile only, and always to a nearer one; what a simulation of many
 * hosts spends on finding the next event is mostly waiting for memory, and a search tree, as ns-3's
 * default, has a piece of it for every event. The order of events is exact, so results are the same to the picosecond.
 */
class EventHeap : public ns3::Scheduler
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    EventHeap();
    ~EventHeap() override;

    /** From now on. */
    void SetOrder(EventOrder order);

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

    /** Takes as long as all events do: a simulation does not ask for it. */
    Event PeekNext() const override;

    /** The one that simulates now, or null. */
    static EventHeap* Current();

    /** All events that are to come, in their order. */
    std::vector<Event> Pending() const;

    /** After each so many events, about, onManyEvents is called. */
    static constexpr std::uint64_t MANY_EVENTS{std::uint64_t{1} << 16U};
    /**
     * Called before the next event: much may happen at one time of the simulation. May be empty.
     */
    std::function<void()> onManyEvents;

    /**
     * Has events come earlier, in the order that they had among themselves.
     * @param uids ns-3's numbers of them @param byPs at most so much that none is in the past
     */
    void BringForward(const std::unordered_set<std::uint64_t>& uids, std::uint64_t byPs);

  private:
    static constexpr std::size_t BITS{64}; ///< of a time; there is a pile for each
    /** Below so many events, none are tidied. */
    static constexpr std::size_t FEW{std::size_t{1} << 14U};
    static constexpr std::size_t PATH_COUNTS{4096}; ///< by so many numbers paths are counted

    std::size_t PileOf(std::uint64_t time) const; ///< of a time behind those of the near ones
    std::size_t NearestPile() const;
    void Put(const Event& event);        ///< among the near ones, or on a pile
    void Pile(const Event& event);       ///< puts it on the pile of its time
    void InsertNear(const Event& event); ///< among the near ones, or into the crowd
    void KeepNear(std::uint64_t nearUntil);
    Event TakeNext(); ///< the earliest of the near ones and the crowd
    void KeepPath(const Event& event);
    void ResumePath(const Event& event); ///< things happen for what the event was scheduled for
    void ForgetPath(std::uint32_t uid);  ///< of the event with ns-3's number @p uid
    void TellOfMany();                   ///< calls onManyEvents, if it is time to
    void Tidy();
    Event Ghost() const;
    void Refill();
    void TakePile(std::size_t number);
    void SplitPile(std::size_t number);

    EventOrder m_isEarlier;       ///< the order of all events
    std::vector<Event> m_near;    ///< in their order; those before m_next are gone
    std::size_t m_next{0};        ///< which of them is next
    std::uint64_t m_nearUntil{0}; ///< all that come until then are near, and only they
    std::vector<Event> m_crowd; ///< a heap of those that came when many near ones were due at once
    /** By the highest bit in which a time differs from m_nearUntil. */
    std::array<std::vector<Event>, BITS> m_piles;
    std::uint64_t m_filled{0}; ///< bit i: pile i holds something
    std::size_t m_size{0};     ///< events that are to come, with those that were cancelled
    std::unordered_set<std::uint64_t>
        m_removed;             ///< ns-3's numbers of events that are still near or piled
    std::size_t m_tidyAt{FEW}; ///< the size at which cancelled events are looked for
    std::size_t m_ghosts{0};   ///< events that were cancelled and let go; ns-3 still counts them
    ns3::Ptr<ns3::EventImpl> m_ghost;                   ///< stands for each of them
    std::uint64_t m_ghostsUntil{0};                     ///< the latest time of them
    std::unordered_map<std::uint32_t, PathEnd> m_paths; ///< why they come, by ns-3's numbers
    std::vector<std::uint32_t>
        m_pathCounts;        ///< of these, by the last bits of the numbers: most events have none
    std::uint64_t m_gone{0}; ///< events, since onManyEvents was called
};

/** Has ns-3 use it, from now on in this process. */
void UseEventHeap(EventOrder order = {});

} // namespace inca

#endif // INCA_HELPER_EVENT_HEAP_H
