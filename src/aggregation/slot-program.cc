/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-program.h"

#include "aggregation/adder-attribute.h"
#include "device/frame.h"
#include "device/initial-attribute.h"
#include "device/set-up-error.h"
#include "device/simulated-time.h"

#include "base/text.h"
#include "base/turn.h"
#include "base/units.h"
#include "exchange/slot-packet.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaSlotProgram");

namespace
{

constexpr std::size_t SHOWN_SLOTS{4};    ///< of those that wait, to people
constexpr std::size_t SHOWN_CHILDREN{4}; ///< of those that a slot waits for

} // namespace

NS_OBJECT_ENSURE_REGISTERED(SlotProgram);

ns3::TypeId
SlotProgram::GetTypeId()
{
    const SlotFormat byDefault;
    static ns3::TypeId tid =
        ns3::TypeId("inca::SlotProgram")
            .SetParent<AggregationProgram>()
            .SetGroupName("Inca")
            .AddConstructor<SlotProgram>()
            .AddAttribute("Slots",
                          "of the pool, each with two copies",
                          ns3::UintegerValue(byDefault.slots),
                          Initially<SlotProgram>(ns3::MakeUintegerAccessor(&SlotProgram::m_slots)),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, MOST_SLOTS))
            .AddAttribute(
                "Sequences",
                "of packets, each with its share of the slots: 2 where sums are shared out, "
                "and exchanges go on at the same time; as its workers'",
                ns3::UintegerValue(byDefault.sequences),
                Initially<SlotProgram>(ns3::MakeUintegerAccessor(&SlotProgram::m_sequences)),
                ns3::MakeUintegerChecker<std::uint32_t>(1, PACKET_SEQUENCES))
            .AddAttribute(
                "ValuesPerPacket",
                "values in a packet, and in a slot's copy",
                ns3::UintegerValue(byDefault.valuesPerPacket),
                Initially<SlotProgram>(ns3::MakeUintegerAccessor(&SlotProgram::m_valuesPerPacket)),
                ns3::MakeUintegerChecker<std::uint16_t>(1))
            .AddAttribute(
                "Adder",
                "what is added; words are or-ed by all",
                ns3::EnumValue(PlaceOfAdder(byDefault.adder.name)),
                Initially<SlotProgram>(
                    ns3::MakeAccessorHelper<decltype(ns3::EnumValue(0))>(&SlotProgram::m_adder)),
                MakeAdderChecker())
            .AddAttribute(
                "Memory",
                "that the switch has for slots (bytes)",
                ns3::UintegerValue(byDefault.memoryBytes),
                Initially<SlotProgram>(ns3::MakeUintegerAccessor(&SlotProgram::m_memoryBytes)),
                ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute(
                "AdderRate",
                "values per second that the switch adds; 0 = as fast as they come",
                ns3::UintegerValue(byDefault.valuesPerSecond),
                Initially<SlotProgram>(ns3::MakeUintegerAccessor(&SlotProgram::m_valuesPerSecond)),
                ns3::MakeUintegerChecker<std::uint64_t>());
    return tid;
}

void
SlotProgram::DoInstall()
{
    NS_LOG_FUNCTION(this);
    m_format.sequences = m_sequences;
    m_format.slots = m_slots;
    m_format.valuesPerPacket = m_valuesPerPacket;
    m_format.adder = AdderAt(m_adder);
    INCA_ABORT_MSG_IF(
        m_format.UsedBytes() > m_memoryBytes,
        Text(m_format.MemoryText(), ", but the switch has ", g_byteCount.Format(m_memoryBytes)) +
            Text(" for them: ", m_memoryBytes / m_format.SlotBytes(), " slots would fit"));
    SlotPoolSpec spec;
    spec.children = static_cast<std::uint32_t>(Place().children.size());
    spec.isRoot = !Place().parent;
    spec.adder = m_format.adder;
    for (std::uint32_t sequence = 0; sequence < m_sequences; ++sequence)
    {
        spec.slots = static_cast<std::uint32_t>(m_format.SlotsOf(sequence));
        m_pools.push_back({SlotPool(spec), {}});
        m_pools.back().addedPs.assign(m_valuesPerSecond > 0 ? m_format.copies * spec.slots : 0, 0);
    }
}

std::uint64_t
SlotProgram::DoMemoryBytes() const
{
    return m_format.UsedBytes();
}

AggregationOutcome
SlotProgram::DoTake(const AggregationSegment& segment)
{
    NS_LOG_FUNCTION(this);
    if (segment.packet.sequence >= m_pools.size())
    {
        return AggregationOutcome::NO_SLOT;
    }
    const auto outcome = segment.down ? TakeSum(segment.packet) : TakeContribution(segment.packet);
    UseSlots(Open());
    return outcome;
}

AggregationOutcome
SlotProgram::TakeSum(const SlotPacket& sum)
{
    NS_LOG_FUNCTION(this);
    switch (PoolOf(sum).TakeResult(sum))
    {
    case SlotOutcome::RESULT:
        SendDown(SumOf(sum));
        return AggregationOutcome::FORWARDED;
    case SlotOutcome::NO_SLOT:
        return AggregationOutcome::NO_SLOT;
    default:
        return AggregationOutcome::LATE;
    }
}

AggregationOutcome
SlotProgram::TakeContribution(const SlotPacket& packet)
{
    NS_LOG_FUNCTION(this);
    if (packet.values > m_valuesPerPacket)
    {
        return AggregationOutcome::NO_SLOT;
    }
    switch (PoolOf(packet).Add(packet))
    {
    case SlotOutcome::COMBINED:
        OccupyAdder(packet);
        return AggregationOutcome::COMBINED;
    case SlotOutcome::COMPLETED:
        OccupyAdder(packet);
        if (Place().children[packet.child].multiplicity > 1)
        {
            // others of its kind came before the one that completed it
            UseSlots(Open() + (Place().parent ? 0 : 1));
        }
        Complete(packet.number);
        SendWhenAdded(SumOf(packet),
                      Place().parent ? &SlotProgram::SendUp : &SlotProgram::SendDown);
        return AggregationOutcome::COMBINED;
    case SlotOutcome::ASK_AGAIN:
        SendWhenAdded(SumOf(packet), &SlotProgram::SendUpAgain);
        return AggregationOutcome::FORWARDED;
    case SlotOutcome::ANSWER:
    {
        auto answer = PoolOf(packet).PartFor(SumOf(packet), packet.child);
        answer.child = packet.child;
        answer.afterLoss = true;
        SendWhenAdded(answer, &SlotProgram::Answer);
        return AggregationOutcome::ANSWERED;
    }
    case SlotOutcome::DUPLICATE:
        return AggregationOutcome::DUPLICATE;
    case SlotOutcome::NO_SLOT:
        return AggregationOutcome::NO_SLOT;
    default:
        return AggregationOutcome::LATE;
    }
}

void
SlotProgram::OccupyAdder(const SlotPacket& packet)
{
    NS_LOG_FUNCTION(this);
    if (m_valuesPerSecond > 0 && packet.phase != SumPhase::ALL_GATHER)
    {
        const auto times = Place().children[packet.child].multiplicity;
        m_adderFreePs =
            std::max(m_adderFreePs, NowPs()) + times * WorkPs(packet.values, m_valuesPerSecond);
        AddedPs(packet) = m_adderFreePs;
        const PathLog::Scope scope;
        PathLog::Await(m_adderPath);
        ExtendPath(PathKind::ADDER, m_adderFreePs);
        m_adderPath = PathLog::Now();
    }
}

SlotPool&
SlotProgram::PoolOf(const SlotPacket& packet)
{
    NS_LOG_FUNCTION(this);
    return m_pools[packet.sequence].slots;
}

/** Of all pools: slots in use. */
std::uint32_t
SlotProgram::Open() const
{
    return std::accumulate(
        m_pools.begin(), m_pools.end(), 0U, [](std::uint32_t open, const Pool& pool) {
            return open + pool.slots.Open();
        });
}

std::int64_t&
SlotProgram::AddedPs(const SlotPacket& packet)
{
    auto& added = m_pools[packet.sequence].addedPs;
    return added[packet.number % added.size()]; // n mod 2 s: its slot, and its round's parity
}

/** What is gathered comes from its owner: if another worker stands for that one, as long as any packet. */
SlotPacket
SlotProgram::SumOf(const SlotPacket& packet)
{
    NS_LOG_FUNCTION(this);
    auto sum = PoolOf(packet).Sum(packet.number);
    sum.sequence = packet.sequence;
    const bool isOfOthers = sum.phase == SumPhase::ALL_GATHER && !sum.ofOwner && !Place().parent;
    sum.values = isOfOthers ? m_valuesPerPacket : sum.values;
    return sum;
}

/** What repeats something that is being added is never ready before it. */
void
SlotProgram::SendWhenAdded(const SlotPacket& packet, Sending send)
{
    NS_LOG_FUNCTION(this);
    const auto readyPs = m_valuesPerSecond > 0 ? AddedPs(packet) : 0;
    if (readyPs <= NowPs())
    {
        (this->*send)(packet);
        return;
    }
    const auto behind = std::upper_bound(
        m_adding.begin(), m_adding.end(), readyPs, [](std::int64_t timePs, const Adding& one) {
            return timePs < one.readyPs;
        });
    const PathLog::Scope scope;
    PathLog::Await(m_adderPath);
    m_adding.insert(behind, {readyPs, packet, send, PathLog::Now()});
    if (m_adding.size() == 1)
    {
        m_firstAdded.ScheduleAt(readyPs);
    }
}

void
SlotProgram::SendAdded()
{
    NS_LOG_FUNCTION(this);
    const auto added = std::move(m_adding.front());
    m_adding.pop_front();
    if (!m_adding.empty())
    {
        m_firstAdded.ScheduleAt(m_adding.front().readyPs);
    }
    PathLog::Follow(added.path);
    (this->*added.send)(added.packet);
}

void
SlotProgram::SendUp(SlotPacket packet)
{
    NS_LOG_FUNCTION(this);
    Send(MakeFrame(packet, false, false), *Place().parent);
}

void
SlotProgram::SendUpAgain(SlotPacket packet)
{
    NS_LOG_FUNCTION(this);
    packet.afterLoss = true;
    Send(MakeFrame(packet, false, true), *Place().parent);
}

void
SlotProgram::SendDown(SlotPacket packet)
{
    NS_LOG_FUNCTION(this);
    const auto& children = Place().children;
    MarkPath(PathKind::ANSWER);
    for (std::uint32_t child = 0; child < children.size(); ++child)
    {
        Send(MakeFrame(PoolOf(packet).PartFor(packet, child), true, false), children[child]);
    }
}

void
SlotProgram::Answer(SlotPacket packet)
{
    NS_LOG_FUNCTION(this);
    Send(MakeFrame(packet, true, true), Place().children[packet.child]);
}

ns3::Ptr<Frame>
SlotProgram::MakeFrame(const SlotPacket& packet, bool down, bool repeated) const
{
    const auto frameValues = packet.values == 0 ? 0 : m_valuesPerPacket;
    auto frame = MakeAggregationFrame(packet, frameValues, down);
    frame->aggregation.packet.child = Place().childNumber;
    frame->aggregation.repeated = repeated;
    return frame;
}

void
SlotProgram::DoVisitState(StateVisitor& visitor)
{
    NS_LOG_FUNCTION(this);
    visitor.Deadline(m_adderFreePs);
    for (std::size_t sequence = 0; sequence < m_pools.size(); ++sequence)
    {
        auto& [slots, addedPs] = m_pools[sequence];
        slots.VisitState(visitor, sequence);
        for (std::uint64_t i = 0; i < addedPs.size(); ++i)
        {
            visitor.Deadline(addedPs[(visitor.FirstPacket(sequence) + i) % addedPs.size()]);
        }
        Turn(addedPs, visitor.PacketsMoved(sequence));
    }
    visitor.State(m_adding.size());
    visitor.Path(m_adderPath);
    for (auto& [readyPs, packet, send, path] : m_adding)
    {
        visitor.Path(path);
        visitor.At(readyPs);
        visitor.State(send == &SlotProgram::Answer || send == &SlotProgram::SendUpAgain ? 1 : 0);
        visitor.State(packet.values);
        visitor.Packet(packet.number, packet.sequence);
    }
}

std::string
SlotProgram::DoState() const
{
    std::string text;
    std::size_t shown = 0;
    for (std::size_t sequence = 0; sequence < m_pools.size(); ++sequence)
    {
        for (const auto& slot : m_pools[sequence].slots.OpenSlots(SHOWN_SLOTS - shown))
        {
            text += (text.empty() ? "" : "; ") + WaitOf(slot, sequence);
            ++shown;
        }
    }
    const auto more = Open() - shown;
    return more == 0 ? text : text + "; and " + std::to_string(more) + " more";
}

std::string
SlotProgram::WaitOf(const OpenSlot& open, std::size_t sequence) const
{
    const auto slot = open.number % m_format.SlotsOf(static_cast<std::uint32_t>(sequence));
    const std::string what = sequence == 0 ? "slot " : "slot of weights ";
    auto text =
        what + std::to_string(slot) + " (packet " + std::to_string(open.number) + ") waits for ";
    if (open.missing.empty())
    {
        return text + "its sum from " + Place().parent->name;
    }
    const auto shown = std::min(open.missing.size(), SHOWN_CHILDREN);
    for (std::size_t i = 0; i < shown; ++i)
    {
        text += (i == 0 ? "" : ", ") + Place().children[open.missing[i]].name;
    }
    const auto more = open.missing.size() - shown;
    return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

void
SlotProgram::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_pools.clear();
    AggregationProgram::DoDispose();
}

} // namespace inca
