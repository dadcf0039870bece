/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/one-copy-program.h"

#include "inca/base/errors.h"
#include "inca/base/word-sum.h"
#include "inca/device/frame.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(OneCopyProgram);

ns3::TypeId
OneCopyProgram::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::OneCopyProgram")
            .SetParent<AggregationProgram>()
            .SetGroupName("Inca")
            .AddConstructor<OneCopyProgram>()
            .AddAttribute("Slots",
                          "of the pool",
                          ns3::UintegerValue(128),
                          ns3::MakeUintegerAccessor(&OneCopyProgram::m_slotCount),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, 1U << 20U))
            .AddAttribute("ValuesPerPacket",
                          "values of 4 bytes in a packet, and in a slot",
                          ns3::UintegerValue(256),
                          ns3::MakeUintegerAccessor(&OneCopyProgram::m_valuesPerPacket),
                          ns3::MakeUintegerChecker<std::uint16_t>(1))
            .AddAttribute("Memory",
                          "bytes of the switch for its slots",
                          ns3::UintegerValue(16U << 20U),
                          ns3::MakeUintegerAccessor(&OneCopyProgram::m_memoryBytes),
                          ns3::MakeUintegerChecker<std::uint64_t>(1));
    return tid;
}

void
OneCopyProgram::DoInstall()
{
    if (DoMemoryBytes() > m_memoryBytes)
    {
        throw InputError("the switch has too little memory for its slots");
    }
    m_slots.resize(m_slotCount);
    for (auto& slot : m_slots)
    {
        slot.seen.assign(Place().children.size(), false);
    }
}

AggregationOutcome
OneCopyProgram::DoTake(const AggregationSegment& segment)
{
    const auto& packet = segment.packet;
    auto& slot = m_slots[packet.number % m_slotCount];
    const auto round = packet.number / m_slotCount;
    if (round != slot.round || packet.values > m_valuesPerPacket)
    {
        return round < slot.round ? AggregationOutcome::LATE : AggregationOutcome::NO_SLOT;
    }
    if (!segment.down)
    {
        return Contribute(slot, packet);
    }
    Finish(slot, packet);
    return AggregationOutcome::FORWARDED;
}

AggregationOutcome
OneCopyProgram::Contribute(Slot& slot, const SlotPacket& packet)
{
    if (slot.seen[packet.child])
    {
        return AggregationOutcome::DUPLICATE;
    }
    slot.seen[packet.child] = true;
    Combine(slot, packet);
    UseSlots(m_open += ++slot.contributed == 1 ? 1 : 0);
    if (slot.contributed == Place().children.size())
    {
        Complete(packet.number);
        Place().parent ? SendUp(slot) : Finish(slot, slot.sum);
    }
    return AggregationOutcome::COMBINED;
}

void
OneCopyProgram::Combine(Slot& slot, const SlotPacket& packet) const
{
    if (slot.contributed == 0)
    {
        slot.sum = packet;
        slot.words = packet.payload ? packet.payload->words : std::vector<Word>();
        return;
    }
    slot.sum.exponent = std::max(slot.sum.exponent, packet.exponent);
    if (packet.payload)
    {
        const auto& adder = packet.orWords ? WordSum::OR : WordSum::INT32;
        auto& sum = slot.words;
        adder.add(packet.payload->words.data(), sum.data(), sum.data(), sum.size());
    }
}

void
OneCopyProgram::SendUp(const Slot& slot)
{
    auto sum = slot.sum;
    sum.payload = sum.payload ? std::make_shared<PacketWords>(PacketWords{slot.words}) : nullptr;
    Send(MakeFrame(std::move(sum), false), *Place().parent);
}

/** The sum goes to all children, and the slot is for its next packet. */
void
OneCopyProgram::Finish(Slot& slot, const SlotPacket& sum)
{
    auto down = sum;
    if (!Place().parent && sum.payload)
    {
        down.payload = std::make_shared<PacketWords>(PacketWords{slot.words});
    }
    for (const auto& child : Place().children)
    {
        Send(MakeFrame(down, true), child);
    }
    ++slot.round;
    slot.contributed = 0;
    slot.seen.assign(slot.seen.size(), false);
    UseSlots(--m_open);
}

ns3::Ptr<Frame>
OneCopyProgram::MakeFrame(SlotPacket packet, bool down) const
{
    packet.child = Place().childNumber;
    const auto frameValues = packet.values == 0 ? 0 : m_valuesPerPacket;
    return MakeAggregationFrame(packet, frameValues, down);
}

std::uint64_t
OneCopyProgram::DoMemoryBytes() const
{
    return VALUE_BYTES * m_valuesPerPacket * m_slotCount;
}

std::string
OneCopyProgram::DoState() const
{
    return m_open == 0 ? "" : std::to_string(m_open) + " slots wait";
}

} // namespace inca
