/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_AGGREGATION_ONE_COPY_PROGRAM_H
#define INCA_AGGREGATION_ONE_COPY_PROGRAM_H

#include "inca/aggregation/aggregation-program.h"
#include "inca/base/word.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/**
 * Slots for networks that lose nothing: a sum is not kept once it is sent, so that a slot needs one
 * copy and half the memory. What is lost is lost for good. Packets are numbered as for SlotProgram.
 */
class OneCopyProgram : public AggregationProgram
{
  public:
    static ns3::TypeId GetTypeId();

  private:
    struct Slot
    {
        std::uint64_t round{0}; ///< of the packet that it is for: number / slots
        std::uint32_t contributed{0};
        std::vector<bool> seen; ///< by child
        SlotPacket sum;
        std::vector<Word> words; ///< of the sum; empty: sizes only
    };

    void DoInstall() override;
    AggregationOutcome DoTake(const AggregationSegment& segment) override;
    std::uint64_t DoMemoryBytes() const override;
    std::string DoState() const override;

    AggregationOutcome Contribute(Slot& slot, const SlotPacket& packet);
    void Combine(Slot& slot, const SlotPacket& packet) const;
    void SendUp(const Slot& slot);
    void Finish(Slot& slot, const SlotPacket& sum);
    ns3::Ptr<Frame> MakeFrame(SlotPacket packet, bool down) const;

    std::uint32_t m_slotCount;
    std::uint32_t m_valuesPerPacket;
    std::uint64_t m_memoryBytes; ///< that the switch has for its slots
    std::vector<Slot> m_slots;
    std::uint32_t m_open{0};
};

} // namespace inca

#endif // INCA_AGGREGATION_ONE_COPY_PROGRAM_H
