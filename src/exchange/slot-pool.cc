/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-pool.h"

#include "base/errors.h"
#include "exchange/shards.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace inca
{

namespace
{

[[noreturn]] void
Refuse(const SlotPacket& packet, const std::string& why)
{
    throw InvariantError("packet " + std::to_string(packet.number) + " of child " +
                         std::to_string(packet.child) + " " + why);
}

[[noreturn]] void
RefuseShape(const SlotPacket& packet, std::uint32_t values)
{
    const auto words = packet.payload ? packet.payload->words.size() : 0;
    Refuse(packet,
           "carries " + std::to_string(packet.values) + " values in " + std::to_string(words) +
               " words, unlike its slot with " + std::to_string(values));
}

bool
HasPayloadOf(const SlotPacket& packet, std::uint32_t values)
{
    return !packet.payload || packet.payload->words.size() == values;
}

void
VisitBits(StateVisitor& visitor, const std::vector<bool>& all)
{
    constexpr std::size_t bitsPerStep = 64;
    for (std::size_t begin = 0; begin < all.size(); begin += bitsPerStep)
    {
        std::uint64_t bits = 0;
        for (auto i = begin; i < std::min(begin + bitsPerStep, all.size()); ++i)
        {
            bits = bits << 1U | std::uint64_t{all[i]};
        }
        visitor.State(bits);
    }
}

} // namespace

SlotPool::SlotPool(const SlotPoolSpec& spec)
    : m_spec(spec)
{
    if (spec.slots == 0 || spec.children == 0)
    {
        throw InvariantError("a pool needs a slot and a child");
    }
    m_slots.resize(spec.slots);
}

SlotOutcome
SlotPool::Add(const SlotPacket& packet)
{
    if (packet.child >= m_spec.children)
    {
        Refuse(packet, "is of none of " + std::to_string(m_spec.children));
    }
    auto& copy = CopyOf(packet.number);
    if (copy.state != CopyState::EMPTY && packet.number < copy.number)
    {
        return SlotOutcome::LATE;
    }
    if (copy.state == CopyState::EMPTY || packet.number > copy.number)
    {
        if (!MayBegin(packet.number))
        {
            return SlotOutcome::NO_SLOT;
        }
        Begin(copy, packet);
    }
    else if (copy.state != CopyState::ADDING || copy.seen[packet.child])
    {
        return Repeated(copy, packet.child);
    }
    else
    {
        Combine(copy, packet);
    }
    return Contribute(copy, packet);
}

SlotOutcome
SlotPool::TakeResult(const SlotPacket& sum)
{
    if (m_spec.isRoot)
    {
        Refuse(sum, "is a sum from above, at the root");
    }
    auto& copy = CopyOf(sum.number);
    const bool over = copy.state == CopyState::DONE && sum.number == copy.number;
    if (copy.state != CopyState::EMPTY && (sum.number < copy.number || over))
    {
        return SlotOutcome::LATE;
    }
    if (copy.state != CopyState::COMPLETE || sum.number != copy.number)
    {
        return SlotOutcome::NO_SLOT;
    }
    RequireResult(copy, sum);
    copy.exponent = sum.exponent;
    copy.afterLoss = sum.afterLoss;
    const bool isHere = copy.phase == SumPhase::ALL_GATHER && copy.owner != NO_CHILD;
    copy.result = isHere ? copy.payload : sum.payload;
    copy.values = std::max(copy.values, sum.values);
    copy.state = CopyState::DONE;
    --m_open;
    return SlotOutcome::RESULT;
}

SlotPacket
SlotPool::Sum(std::uint64_t number) const
{
    const auto& copy = CopyOf(number);
    if (copy.number != number ||
        (copy.state != CopyState::COMPLETE && copy.state != CopyState::DONE))
    {
        throw InvariantError("there is no sum of packet " + std::to_string(number));
    }
    const bool fromAbove = copy.state == CopyState::DONE && !m_spec.isRoot;
    const auto& payload = fromAbove ? copy.result : copy.payload;
    const bool isOwners = copy.owner != NO_CHILD;
    return {{},
            number,
            isOwners ? copy.owner : 0,
            copy.exponent,
            copy.values,
            payload,
            copy.orWords,
            copy.afterLoss,
            copy.phase,
            isOwners,
            copy.asks.empty() ||
                std::find(copy.asks.begin(), copy.asks.end(), true) != copy.asks.end(),
            0,
            static_cast<std::uint8_t>(m_spec.adder.sum->bytes)};
}

SlotPacket
SlotPool::PartFor(SlotPacket sum, std::uint32_t child) const
{
    const auto& asks = CopyOf(sum.number).asks;
    if (!GetsWords(sum.phase, sum.ofOwner && sum.child == child, asks.empty() || asks[child]))
    {
        sum.values = 0;
        sum.payload = nullptr;
    }
    return sum;
}

void
SlotPool::VisitState(StateVisitor& visitor, std::size_t sequence)
{
    visitor.State(m_open);
    const auto first = visitor.FirstPacket(sequence);
    for (std::uint64_t i = 0; i < 2 * m_slots.size(); ++i)
    {
        VisitState(visitor, CopyOf(first + i), sequence);
    }
    MoveOn(visitor.PacketsMoved(sequence));
}

void
SlotPool::VisitState(StateVisitor& visitor, Copy& copy, std::size_t sequence) const
{
    const bool isOver = IsOver(copy, visitor.FirstPacket(sequence));
    visitor.State(
        static_cast<std::uint64_t>(copy.state) | std::uint64_t{copy.orWords && !isOver} << 8U |
        static_cast<std::uint64_t>(copy.phase) << 9U | std::uint64_t{copy.contributed} << 16U);
    if (copy.state == CopyState::EMPTY)
    {
        return;
    }
    if (copy.payload != nullptr || copy.result != nullptr || copy.afterLoss)
    {
        visitor.Aperiodic();
    }
    visitor.Packet(copy.number, sequence);
    visitor.State(isOver ? 0 : static_cast<std::uint64_t>(copy.exponent));
    visitor.State(isOver ? 0 : copy.values);
    if (copy.phase != SumPhase::ALL_REDUCE)
    {
        visitor.State(copy.owner);
    }
    VisitBits(visitor, copy.seen);
    VisitBits(visitor, copy.asks);
}

/**
 * Nobody asks for its sum in a network without losses: all have gone on, or a host has it, as all then were
 * sent it. So what its packet was like (the last one of a tensor is shorter) changes nothing.
 */
bool
SlotPool::IsOver(const Copy& copy, std::uint64_t firstPacket) const
{
    return copy.state == CopyState::DONE && copy.phase == SumPhase::ALL_REDUCE &&
           ((m_spec.isRoot && copy.number < firstPacket) ||
            std::find(copy.seen.begin(), copy.seen.end(), true) == copy.seen.end());
}

void
SlotPool::MoveOn(std::uint64_t packets)
{
    if (packets == 0)
    {
        return;
    }
    const auto slots = m_slots.size();
    std::vector<std::array<Copy, 2>> moved(slots);
    for (std::uint64_t place = 0; place < 2 * slots; ++place)
    {
        const auto to = (place + packets) % (2 * slots);
        moved[to % slots][to / slots] = CopyOf(place);
    }
    m_slots.swap(moved);
    KeepShapes(moved, packets);
}

/** What is over is as its packet was, if that was there @p before; all later ones are alike. */
void
SlotPool::KeepShapes(const std::vector<std::array<Copy, 2>>& before, std::uint64_t packets)
{
    const auto shape = [](Copy& copy, const Copy& of) {
        copy.exponent = of.exponent;
        copy.values = of.values;
        copy.orWords = of.orWords;
    };
    const Copy* newest = &before.front().front();
    for (const auto& slot : before)
    {
        for (const auto& copy : slot)
        {
            const bool isNewer = copy.number > newest->number;
            newest = copy.state != CopyState::EMPTY && isNewer ? &copy : newest;
        }
    }
    const auto slots = m_slots.size();
    for (auto& slot : m_slots)
    {
        for (auto& copy : slot)
        {
            const auto place = copy.number % (2 * slots);
            const auto& was = before[place % slots][place / slots];
            // numbers in `before` are moved on, too
            const auto& of = was.number == copy.number + packets ? was : *newest;
            if (copy.state == CopyState::DONE && copy.phase == SumPhase::ALL_REDUCE &&
                of.phase == SumPhase::ALL_REDUCE)
            {
                shape(copy, of);
            }
        }
    }
}

std::vector<OpenSlot>
SlotPool::OpenSlots(std::size_t most) const
{
    std::vector<const Copy*> open;
    for (const auto& slot : m_slots)
    {
        for (const auto& copy : slot)
        {
            if (copy.state == CopyState::ADDING || copy.state == CopyState::COMPLETE)
            {
                open.push_back(&copy);
            }
        }
    }
    std::sort(open.begin(), open.end(), [](const Copy* left, const Copy* right) {
        return left->number < right->number;
    });
    open.resize(std::min(open.size(), most));
    std::vector<OpenSlot> slots;
    for (const auto* copy : open)
    {
        slots.push_back({copy->number, Missing(*copy)});
    }
    return slots;
}

std::vector<std::uint32_t>
SlotPool::Missing(const Copy& copy) const
{
    std::vector<std::uint32_t> missing;
    for (std::uint32_t child = 0; child < m_spec.children; ++child)
    {
        if (!copy.seen[child])
        {
            missing.push_back(child);
        }
    }
    return missing;
}

bool
SlotPool::MayBegin(std::uint64_t number) const
{
    if (number < m_spec.slots)
    {
        return true;
    }
    const auto previous = number - m_spec.slots;
    const auto& copy = CopyOf(previous);
    return copy.state == CopyState::DONE && copy.number == previous;
}

void
SlotPool::Begin(Copy& copy, const SlotPacket& packet)
{
    copy.state = CopyState::ADDING;
    copy.number = packet.number;
    copy.contributed = 0;
    copy.exponent = packet.exponent;
    copy.values = packet.values;
    copy.orWords = packet.orWords;
    copy.afterLoss = packet.afterLoss;
    copy.phase = packet.phase;
    copy.owner = NO_CHILD;
    copy.result = nullptr;
    copy.seen.resize(m_spec.children); // its bits were cleared, one by one, by the round between
    copy.asks.assign(copy.phase == SumPhase::ALL_GATHER ? m_spec.children : 0, false);
    RequireSameShape(copy, packet);
    TakeWords(copy, packet);
    ++m_open;
}

void
SlotPool::Overwrite(Copy& copy, const SharedWords& words)
{
    if (!words)
    {
        copy.payload = nullptr;
    }
    else if (copy.payload && copy.payload.use_count() == 1)
    {
        copy.payload->words = words->words;
    }
    else // a frame under way still holds the former sum
    {
        copy.payload = std::make_shared<PacketWords>(PacketWords{words->words});
    }
}

void
SlotPool::Combine(Copy& copy, const SlotPacket& packet)
{
    RequireSameShape(copy, packet);
    copy.exponent = std::max(copy.exponent, packet.exponent);
    copy.afterLoss = copy.afterLoss || packet.afterLoss;
    TakeWords(copy, packet);
}

void
SlotPool::TakeWords(Copy& copy, const SlotPacket& packet) const
{
    copy.owner = packet.ofOwner ? packet.child : copy.owner;
    if (copy.phase == SumPhase::ALL_GATHER)
    {
        copy.asks[packet.child] = packet.asks;
    }
    if (copy.contributed == 0 || copy.values == 0)
    {
        copy.values = packet.values;
        Overwrite(copy, packet.payload);
    }
    else if (copy.payload && packet.payload)
    {
        const auto& adder = copy.orWords ? WordSum::OR : m_spec.adder;
        auto& sum = copy.payload->words;
        adder.add(packet.payload->words.data(), sum.data(), sum.data(), sum.size());
    }
}

SlotOutcome
SlotPool::Contribute(Copy& copy, const SlotPacket& packet)
{
    auto& slot = m_slots[packet.number % m_spec.slots];
    auto& other = &copy == &slot[0] ? slot[1] : slot[0];
    copy.seen[packet.child] = true;
    if (!other.seen.empty())
    {
        other.seen[packet.child] = false;
    }
    if (++copy.contributed < m_spec.children)
    {
        return SlotOutcome::COMBINED;
    }
    copy.state = m_spec.isRoot ? CopyState::DONE : CopyState::COMPLETE;
    m_open -= m_spec.isRoot ? 1 : 0;
    return SlotOutcome::COMPLETED;
}

SlotOutcome
SlotPool::Repeated(const Copy& copy, std::uint32_t child)
{
    if (!copy.seen[child])
    {
        return SlotOutcome::LATE; // cleared: the child went on to the next round, so it has the sum
    }
    switch (copy.state)
    {
    case CopyState::COMPLETE:
        return SlotOutcome::ASK_AGAIN;
    case CopyState::DONE:
        return SlotOutcome::ANSWER;
    default:
        return SlotOutcome::DUPLICATE;
    }
}

void
SlotPool::RequireSameShape(const Copy& copy, const SlotPacket& packet) const
{
    if (packet.orWords != copy.orWords)
    {
        Refuse(packet,
               packet.orWords ? "is to be or-ed in a slot that adds"
                              : "is to be added in a slot that ors");
    }
    if (packet.phase != copy.phase || (packet.ofOwner && copy.owner != NO_CHILD))
    {
        Refuse(packet, "is of another worker's part than its slot");
    }
    const bool isGathered = copy.phase == SumPhase::ALL_GATHER;
    const bool lacksWords =
        copy.phase == SumPhase::REDUCE_SCATTER && (packet.values == 0 || copy.values == 0);
    const bool isAdded = !isGathered && !lacksWords;
    const auto values = isAdded ? copy.values : isGathered && !packet.ofOwner ? 0 : packet.values;
    if (packet.values != values || !HasPayloadOf(packet, values) ||
        (isAdded && copy.contributed > 0 &&
         (packet.payload == nullptr) != (copy.payload == nullptr)))
    {
        RefuseShape(packet, copy.values);
    }
}

/** Words go down where they are needed, and are not there yet. */
void
SlotPool::RequireResult(const Copy& copy, const SlotPacket& sum) const
{
    if (copy.phase == SumPhase::ALL_REDUCE)
    {
        RequireSameShape(copy, sum);
        return;
    }
    const bool areAdded = copy.phase == SumPhase::REDUCE_SCATTER && copy.values > 0;
    const bool mayGet = GetsWords(copy.phase, copy.owner != NO_CHILD, true);
    const auto values = !mayGet ? 0 : areAdded ? copy.values : sum.values;
    if (sum.phase != copy.phase || sum.values != values || !HasPayloadOf(sum, values))
    {
        RefuseShape(sum, values);
    }
}

SlotPool::Copy&
SlotPool::CopyOf(std::uint64_t number)
{
    return m_slots[number % m_spec.slots][number / m_spec.slots % 2];
}

const SlotPool::Copy&
SlotPool::CopyOf(std::uint64_t number) const
{
    return m_slots[number % m_spec.slots][number / m_spec.slots % 2];
}

} // namespace inca
