/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-network.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace inca
{

namespace
{

constexpr std::uint64_t g_seeds = 5000;

/** Runs the seed of a failure alone: INCA_SLOT_NETWORK_SEED=123 inca-test-exchange ... */
constexpr const char* g_seedVariable = "INCA_SLOT_NETWORK_SEED";

ElementRange
Seeds()
{
    const auto* only = std::getenv(g_seedVariable);
    return only == nullptr ? ElementRange{1, g_seeds}
                           : ElementRange{std::strtoull(only, nullptr, 10), 1};
}

std::uint64_t
Count(const SlotSwitch& node, SlotOutcome outcome)
{
    const auto found = node.outcomes.find(outcome);
    return found == node.outcomes.end() ? 0 : found->second;
}

/* Of each packet, whatever was lost or came twice, a switch adds every child's contribution exactly
 * once, the last one completing it, and passes exactly one sum down. */
void
ExpectEachOnce(const SlotSwitch& node, bool isRoot, std::uint64_t packets)
{
    EXPECT_EQ(Count(node, SlotOutcome::COMBINED), packets * (node.children.size() - 1));
    EXPECT_EQ(Count(node, SlotOutcome::COMPLETED), packets);
    EXPECT_EQ(Count(node, SlotOutcome::RESULT), isRoot ? 0 : packets);
    EXPECT_EQ(Count(node, SlotOutcome::NO_SLOT), 0U);
    EXPECT_EQ(node.pool->Open(), 0U);
    std::uint64_t sum = 0;
    for (const auto& [outcome, count] : node.outcomes)
    {
        sum += count;
    }
    EXPECT_EQ(node.in, sum);
}

void
ExpectConserved(const SlotNetwork& network)
{
    const auto& frames = network.FrameCounts();
    EXPECT_EQ(frames.sent + frames.copied, frames.arrived + frames.dropped);
}

void
RunSeed(std::uint64_t seed, SlotNetworkSpec (*draw)(std::uint64_t))
{
    const auto spec = draw(seed);
    SCOPED_TRACE(std::string(g_seedVariable) + "=" + std::to_string(seed) + ": " + spec.Text());
    SlotNetwork network(spec);
    ASSERT_TRUE(network.Run());
    const auto packets = PacketCount(spec.job);
    for (Rank rank = 0; rank < spec.job.workers; ++rank)
    {
        const auto& worker = network.Workers()[rank];
        ASSERT_EQ(worker.Sums(), ExpectedBits(spec.job, rank));
        ASSERT_EQ(worker.WordExponents(), ExpectedWordExponents(spec.job));
        ASSERT_EQ(worker.Received(), packets);
    }
    for (std::size_t node = 0; node < network.Switches().size(); ++node)
    {
        ExpectEachOnce(network.Switches()[node], node == 0, packets);
    }
    ExpectConserved(network);
}

} // namespace

TEST(SlotNetwork, EveryWorkerEndsWithTheExactSumWhateverIsLostOrOvertakenOrComesTwice)
{
    const auto seeds = Seeds();
    for (auto seed = seeds.begin; seed < seeds.End() && !testing::Test::HasFailure(); ++seed)
    {
        RunSeed(seed, DrawSlotNetwork);
    }
}

TEST(SlotNetwork, EveryWorkerGetsItsPartAndHandsItOnWhateverIsLostOrOvertakenOrComesTwice)
{
    const auto seeds = Seeds();
    for (auto seed = seeds.begin; seed < seeds.End() && !testing::Test::HasFailure(); ++seed)
    {
        RunSeed(seed, DrawSharedNetwork);
    }
}

} // namespace inca
