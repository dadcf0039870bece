/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/fair-rates.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace inca
{

namespace
{

/** A flow: what a unit takes of resources 0, 1, ... (ps; 0: nothing), and its most. */
struct AskedFlow
{
    std::vector<double> psPerUnit;
    double most;
};

FairRates::FlowId
AddFlow(FairRates& rates, const AskedFlow& flow)
{
    std::vector<ResourceUse> uses;
    for (std::uint32_t resource = 0; resource < flow.psPerUnit.size(); ++resource)
    {
        if (flow.psPerUnit[resource] > 0)
        {
            uses.push_back({resource, flow.psPerUnit[resource]});
        }
    }
    return rates.Add(uses, flow.most);
}

} // namespace

TEST(FairRatesTest, ShareWhatIsShort)
{
    struct Row
    {
        const char* what;
        std::vector<AskedFlow> flows;
        std::vector<double> rates;
    };

    const Row rows[] = {
        {"alone, as fast as its slowest resource", {{{2, 4}, 1}}, {0.25}},
        {"alone, and not above its most", {{{2, 4}, 0.1}}, {0.1}},
        {"two of one resource", {{{1}, 1}, {{1}, 1}}, {0.5, 0.5}},
        // 1 and 3 ps per unit: at rate r they take 4 r of its time
        {"two whose units are unlike", {{{1}, 1}, {{3}, 1}}, {0.25, 0.25}},
        // the second has 0.2 at most, the first what that leaves
        {"one that cannot take its share", {{{1}, 1}, {{1}, 0.2}}, {0.8, 0.2}},
        // Resource 1 is shared by three, a third each; resource 0 has 2/3 left for the first.
        {"a chain of two resources",
         {{{1}, 1}, {{1, 1}, 1}, {{0, 1}, 1}, {{0, 1}, 1}},
         {2.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {"those that share nothing", {{{1}, 1}, {{0, 2}, 1}}, {1, 0.5}},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        FairRates rates(2);
        std::vector<FairRates::FlowId> flows;
        for (const auto& flow : row.flows)
        {
            flows.push_back(AddFlow(rates, flow));
        }
        EXPECT_EQ(rates.Update().size(), flows.size());
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            EXPECT_DOUBLE_EQ(rates.RateOf(flows[i]), row.rates[i]) << i;
        }
    }
}

/* Of two that share a resource, one goes: the other has all of it. A third, of another one, is not looked at. */
TEST(FairRatesTest, ChangesReachThoseThatShare)
{
    FairRates rates(2);
    const auto first = AddFlow(rates, {{1}, 1});
    const auto second = AddFlow(rates, {{1}, 1});
    AddFlow(rates, {{0, 1}, 1});
    rates.Update();
    EXPECT_DOUBLE_EQ(rates.BusyShare(0), 1);
    rates.Remove(first);
    EXPECT_EQ(rates.Update(), std::vector<FairRates::FlowId>{second});
    EXPECT_DOUBLE_EQ(rates.RateOf(second), 1);
    rates.SetMost(second, 0.25);
    rates.Update();
    EXPECT_DOUBLE_EQ(rates.RateOf(second), 0.25);
    EXPECT_TRUE(rates.Update().empty()) << "nothing has changed";
}

/* What acknowledgements take, a tenth here, no flow can have: 0.9 / 2 each. */
TEST(FairRatesTest, LeaveWhatIsTaken)
{
    FairRates rates(1);
    rates.Take(0, 0.1);
    const auto first = AddFlow(rates, {{1}, 1});
    const auto second = AddFlow(rates, {{1}, 1});
    rates.Update();
    EXPECT_DOUBLE_EQ(rates.RateOf(first), 0.45);
    EXPECT_DOUBLE_EQ(rates.RateOf(second), 0.45);
}

/* Half is taken when a flow begins, and given back: it has all then. A thousandth more or less changes nothing. */
TEST(FairRatesTest, HaveWhatIsGivenBack)
{
    FairRates rates(1);
    rates.Take(0, 0.5);
    const auto flow = AddFlow(rates, {{1}, 1});
    rates.Update();
    EXPECT_DOUBLE_EQ(rates.RateOf(flow), 0.5);
    rates.Take(0, -0.5);
    EXPECT_TRUE(rates.AreChanged());
    rates.Update();
    EXPECT_DOUBLE_EQ(rates.RateOf(flow), 1);
    rates.Take(0, 0.001);
    rates.Take(0, -0.001);
    EXPECT_FALSE(rates.AreChanged());
}

} // namespace inca
