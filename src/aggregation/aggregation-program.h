/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_AGGREGATION_PROGRAM_H
#define INCA_AGGREGATION_AGGREGATION_PROGRAM_H

#include "inca/aggregation/per-job.h"
#include "inca/base/aggregation-counters.h"
#include "inca/base/job-id.h"
#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"
#include "inca/device/switch.h"

#include "ns3/mac48-address.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A host or switch that contributes to a switch, or gets its sums. */
struct AggregationPeer
{
    std::size_t port{0};       ///< of the switch
    ns3::Mac48Address address; ///< which frames for it have
    std::string name;          ///< "worker 3", "leaf 1"
    /** Peers that this one represents in a folded run, with itself; counters grow by it. */
    std::uint32_t multiplicity{1};
};

/** The place of a switch in its aggregation tree. */
struct AggregationPlace
{
    ns3::Mac48Address address;             ///< the switch's own
    std::vector<AggregationPeer> children; ///< hosts or switches, by child number
    std::optional<AggregationPeer> parent; ///< empty: the root
    std::uint32_t childNumber{0};          ///< which of its parent's children this is
    JobId job{};                           ///< whose values are added
};

/** What became of a frame that a program took. One counter each. */
enum class AggregationOutcome : std::uint8_t
{
    COMBINED,  ///< a contribution, added to a sum
    FORWARDED, ///< a sum from above passed on, or a request passed up
    ANSWERED,  ///< a contribution that was answered with a finished sum
    DUPLICATE, ///< dropped: contributed before, and the sum is not finished
    LATE,      ///< dropped: of a round that is over
    NO_SLOT,   ///< dropped: the memory has no place for it
    FOREIGN,   ///< dropped: not from a child or the parent
};

/** "combined", "no-slot", ... */
const char* AggregationOutcomeName(AggregationOutcome outcome);

/** @return whether nothing was made of the frame */
constexpr bool
IsDropped(AggregationOutcome outcome)
{
    return outcome >= AggregationOutcome::DUPLICATE;
}

/**
 * @ingroup inca
 *
 * What a switch runs to add gradients: it takes the frames that are for it, and makes others. Its
 * memory is finite and traced. To add one: a file pair and a row in aggregation-catalog.
 *
 * It serves one job, and is among the SwitchPrograms of its switch: it gets every frame of
 * FrameKind::AGGREGATION of its job that comes in. A contribution must come in at the port of the
 * child that it names, and a sum at the parent's; the rest is foreign.
 */
class AggregationProgram : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /**
     * Makes its slots, and sends from @p owner from now on; called once. What arrives it gets when it
     * is among the SwitchPrograms of the switch.
     * Ends the program if the memory is too small.
     */
    void Install(ns3::Ptr<Switch> owner, AggregationPlace place);

    /** Takes a frame that came in at @p port; counts it, and what becomes of it. */
    void Take(ns3::Ptr<Frame> frame, std::size_t port);

    void VisitState(StateVisitor& visitor); ///< shows its state

    /** Frames so far, by what became of them. */
    const AggregationCounters& Counters() const
    {
        return m_counters;
    }

    /**
     * Counts packets that a flow stands for, each of which is added, and whose sum goes on.
     * @param packets of each child
     * @param slots in use at once
     */
    void CountFlow(std::uint64_t packets, std::uint32_t slots);

    /** Of which it adds a packet each; hosts or switches. */
    std::uint32_t Children() const
    {
        return static_cast<std::uint32_t>(m_place.children.size());
    }

    /** The largest number of slots that were in use at once. */
    std::uint64_t SlotsPeak() const
    {
        return m_slotsPeak;
    }

    /** What the program's slots take. (bytes) */
    std::uint64_t MemoryBytes() const
    {
        return DoMemoryBytes();
    }

    /**
     * For people, when a run makes no progress: which slots wait for whom, and what was dropped so far;
     * empty: neither.
     */
    std::string State() const;

    /** What a Slots sink looks like. */
    typedef void (*SlotsTracedCallback)(std::uint32_t before, std::uint32_t now);

    /** What a Combined sink looks like. */
    typedef void (*FrameTracedCallback)(ns3::Ptr<const Frame> frame);

    /** What a Completed sink looks like: the number of the packet whose last contribution came. */
    typedef void (*CompletedTracedCallback)(std::uint64_t number);

    /** What a Dropped sink looks like. */
    typedef void (*DroppedTracedCallback)(ns3::Ptr<const Frame> frame, AggregationOutcome why);

    /** Whether it is installed: attributes that it reads then stay as they are. */
    bool IsInUse() const
    {
        return m_switch != nullptr;
    }

  protected:
    void DoDispose() override;

    /** Its place, as it was installed. */
    const AggregationPlace& Place() const
    {
        return m_place;
    }

    /** Sends a frame of the program's own to a child or the parent; addresses and job are set here. */
    void Send(ns3::Ptr<Frame> frame, const AggregationPeer& peer);

    /** Tells that the last contribution to packet @p number came. */
    void Complete(std::uint64_t number)
    {
        m_completedTrace(number);
    }

    /** Tells how many slots are in use now. */
    void UseSlots(std::uint32_t slots);

  private:
    /** Makes the slots; ends the program if the memory is too small. */
    virtual void DoInstall() = 0;

    /** Takes a contribution of one of the children, or a sum from the parent. */
    virtual AggregationOutcome DoTake(const AggregationSegment& segment) = 0;

    /** Walks what it does with the next frames; a program that does not is simulated frame by frame. */
    virtual void DoVisitState(StateVisitor& visitor)
    {
        visitor.Aperiodic();
    }

    virtual std::uint64_t DoMemoryBytes() const = 0; ///< what MemoryBytes says
    virtual std::string DoState() const = 0; ///< which slots wait for whom; empty: none does

    bool IsForeign(const AggregationSegment& segment,
                   std::size_t port) const; ///< whether a frame is of no child and no parent here
    void Count(AggregationOutcome outcome,
               std::uint32_t times); ///< counts frames, and tells the trace sources
    std::uint32_t MultiplicityOf(
        const AggregationSegment& segment) const; ///< how many children a contribution stands for
    std::string Drops() const;                    ///< frames that were dropped, by reason

    ns3::Ptr<Switch> m_switch;                                  ///< on which it is
    std::uint32_t m_headerBytes;                                ///< attribute HeaderBytes
    AggregationPlace m_place;                                   ///< as it was installed
    AggregationCounters m_counters;                             ///< frames so far
    ns3::TracedValue<std::uint32_t> m_slots{0};                 ///< trace source Slots
    std::uint32_t m_slotsPeak{0};                               ///< the most slots in use
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_combinedTrace; ///< trace source Combined
    ns3::TracedCallback<std::uint64_t> m_completedTrace;        ///< trace source Completed
    ns3::TracedCallback<ns3::Ptr<const Frame>, AggregationOutcome>
        m_droppedTrace; ///< trace source Dropped
};

/**
 * The aggregation programs that a switch runs, one for each job; aggregated to the switch. Each gets
 * the frames of its job. A frame of a job without a program here is forwarded as any other.
 */
class SwitchPrograms : public PerJob<AggregationProgram>
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    SwitchPrograms();

    /** @return those of @p owner; made if there are none yet */
    static ns3::Ptr<SwitchPrograms> Of(const ns3::Ptr<Switch>& owner);

  private:
    /** Gives a frame to its job's program. Without one, the switch forwards it. */
    void Take(ns3::Ptr<Frame> frame, std::size_t port);
};

} // namespace inca

#endif // INCA_AGGREGATION_AGGREGATION_PROGRAM_H
