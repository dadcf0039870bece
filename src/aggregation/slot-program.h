/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_SLOT_PROGRAM_H
#define INCA_AGGREGATION_SLOT_PROGRAM_H

#include "inca/aggregation/aggregation-program.h"
#include "inca/device/kept-event.h"
#include "inca/exchange/slot-format.h"
#include "inca/exchange/slot-pool.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace inca
{

/**
 * A pool of slots in a switch (SwitchML, section 3), alone or in a tree of such switches. Takes
 * contributions as its SlotPool says: a complete packet goes to all children as their sum, or, with
 * a switch above, up as one contribution; the sum that comes down goes to all children.
 *
 * Words that are shared out (SlotPacket::phase) go to, or come from, their owner alone; all other packets of theirs
 * are without values, as are those of workers that have nothing to add, or are not to get what is handed on.
 *
 * Its adder works on one packet after the other, AdderRate values per second; what is made of a
 * packet leaves when it is added. Packets without values, or of what is gathered, and sums from above take no time.
 *
 * With two Sequences of packets (SlotFormat), each has a pool of its own, of a half of the slots.
 *
 * Its slots take SlotFormat::UsedBytes, at most Memory. A packet of more than ValuesPerPacket values has no slot.
 */
class SlotProgram : public AggregationProgram
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

  protected:
    void DoDispose() override;

  private:
    void DoInstall() override;
    AggregationOutcome DoTake(const AggregationSegment& segment) override;
    std::uint64_t DoMemoryBytes() const override; ///< of all slots
    std::string DoState() const override;
    void DoVisitState(StateVisitor& visitor) override;

    AggregationOutcome TakeSum(const SlotPacket& sum);             ///< hands on a sum from above
    AggregationOutcome TakeContribution(const SlotPacket& packet); ///< adds, or answers
    void OccupyAdder(const SlotPacket& packet); ///< lets a packet wait for the adder
    SlotPool& PoolOf(const SlotPacket& packet); ///< by sequence
    std::uint32_t Open() const;
    std::int64_t& AddedPs(const SlotPacket& packet); ///< when the adder has worked on a packet
    /** A method that sends what was added: up, down, or as an answer. */
    using Sending = void (SlotProgram::*)(SlotPacket);
    void SendWhenAdded(const SlotPacket& packet, Sending send);
    void SendAdded(); ///< sends what the adder has worked on
    SlotPacket SumOf(const SlotPacket& packet);
    void SendUp(SlotPacket packet);      ///< to the parent
    void SendUpAgain(SlotPacket packet); ///< to the parent, as it may have been lost
    void SendDown(SlotPacket packet);    ///< to all children
    void Answer(SlotPacket packet);      ///< a child that asks again
    ns3::Ptr<Frame> MakeFrame(const SlotPacket& packet,
                              bool down,
                              bool repeated) const;                       ///< of a packet
    std::string WaitOf(const OpenSlot& open, std::size_t sequence) const; ///< what a slot waits for

    std::uint32_t m_slots;           ///< attribute Slots
    std::uint32_t m_sequences;       ///< attribute Sequences
    std::uint32_t m_valuesPerPacket; ///< attribute ValuesPerPacket
    int m_adder;                     ///< its place
    std::uint64_t m_memoryBytes;     ///< attribute Memory
    std::uint64_t m_valuesPerSecond; ///< attribute AdderRate

    SlotFormat m_format; ///< of the attributes, from DoInstall on

    /** What leaves when the adder has come so far. */
    struct Adding
    {
        std::int64_t readyPs; ///< when it leaves
        SlotPacket packet;    ///< what leaves
        Sending send;         ///< to whom
        PathEnd path;         ///< to readyPs
    };

    /** Of one sequence of packets. */
    struct Pool
    {
        SlotPool slots;                    ///< for its packets
        std::vector<std::int64_t> addedPs; ///< by slot and copy: when what was added last is there
    };

    std::vector<Pool> m_pools;   ///< by sequence
    std::deque<Adding> m_adding; ///< by time
    KeptEvent m_firstAdded{KeptEvent::Of<&SlotProgram::SendAdded>(
        this)};                    ///< number of the first that waits to be sent
    PathEnd m_adderPath;           ///< to when the adder is free
    std::int64_t m_adderFreePs{0}; ///< when it takes the next packet
};

} // namespace inca

#endif // INCA_AGGREGATION_SLOT_PROGRAM_H
