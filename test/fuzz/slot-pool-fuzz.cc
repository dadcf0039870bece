/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-pool.h"

#include "fuzz/input.h"

#include <memory>

namespace
{

constexpr std::uint32_t g_values = 3;

/** What @p child has for packet @p number; the same whenever it sends it. */
inca::Word
WordOf(std::uint64_t number, std::uint32_t child)
{
    return static_cast<inca::Word>(number * 7 + child * 1000 + 1);
}

inca::SlotPacket
Contribution(std::uint64_t number, std::uint32_t child)
{
    inca::SlotPacket packet;
    packet.number = number;
    packet.child = child;
    packet.exponent = static_cast<std::int16_t>(child);
    packet.values = g_values;
    packet.payload = std::make_shared<const inca::PacketWords>(
        inca::PacketWords{std::vector<inca::Word>(g_values, WordOf(number, child))});
    return packet;
}

/** The pool's sum of @p number, whenever it has one, is that of all children. */
void
RequireSum(const inca::SlotPool& pool, std::uint64_t number, std::uint32_t children)
{
    inca::Word expected = 0;
    for (std::uint32_t child = 0; child < children; ++child)
    {
        expected += WordOf(number, child);
    }
    const auto sum = pool.Sum(number);
    inca::Require(sum.values == g_values && sum.payload &&
                  sum.payload->words.at(g_values - 1) == expected);
    inca::Require(sum.exponent == static_cast<std::int16_t>(children - 1));
}

} // namespace

/* Contributions to a root's pool, in any order, again, early and late, from senders with any window: whatever
 * becomes of them, a sum is never wrong. Each byte is a packet: its child, and how far it is from the pool's
 * begin. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    Input input(data, size);
    SlotPoolSpec spec;
    spec.slots = 1 + input.Byte() % 4U;
    spec.children = 1 + input.Byte() % 4U;
    SlotPool pool(spec);
    std::uint64_t base = 0;
    while (!input.IsEmpty())
    {
        const auto drawn = input.Byte();
        base += drawn >= 0xF0 ? 1 : 0;
        const auto number = base + (drawn >> 2U) % 16U;
        const auto packet = Contribution(number, drawn % spec.children);
        const auto outcome = pool.Add(packet);
        if (outcome == SlotOutcome::COMPLETED || outcome == SlotOutcome::ANSWER)
        {
            RequireSum(pool, number, spec.children);
        }
        Require(pool.Open() <= spec.slots);
        Require(pool.OpenSlots(spec.slots + 1).size() == pool.Open());
    }
    return 0;
}
