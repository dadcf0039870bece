/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/homomorphic-checks.h"

#include "base/value-text.h"
#include "exchange/exchange-catalog.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class HomomorphicChecksTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_scenario.codec.name = "homomorphic";
        m_scenario.codec.placement = "gpu";
    }

    /** "key: text" each. */
    std::vector<std::string> Texts() const
    {
        std::vector<std::string> texts;
        for (const auto& complaint : HomomorphicComplaints(m_scenario))
        {
            texts.push_back(complaint.key + ": " + complaint.text);
        }
        return texts;
    }

    Scenario m_scenario;
};

TEST_F(HomomorphicChecksTest, ExchangesThatAddAreFine)
{
    for (const auto* name : {"ring",
                             "hierarchical-ring",
                             "parameter-server",
                             "sharded-parameter-server",
                             "switch-slots",
                             "switch-tree"})
    {
        m_scenario.exchange.algorithm = name;
        EXPECT_THAT(Texts(), IsEmpty()) << name;
    }
}

TEST_F(HomomorphicChecksTest, WeightsCannotBeDecoded)
{
    m_scenario.exchange.algorithm = "worker-aggregator";
    std::vector<std::string> adding;
    for (const auto& entry : ExchangeCatalog())
    {
        if (!ReturnsWeights(entry))
        {
            adding.push_back(entry.name);
        }
    }
    EXPECT_THAT(Texts(),
                ElementsAre("exchange.algorithm: must be " + JoinNames(adding) +
                            " with codec.name = \"homomorphic\": the aggregator of "
                            "worker-aggregator returns weights, and only sums can be decoded"));
    m_scenario.exchange.algorithm = "hierarchical-aggregator";
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("exchange.algorithm: must be ")));
}

TEST_F(HomomorphicChecksTest, NicsSeeNoBuckets)
{
    m_scenario.codec.placement = "nic";
    EXPECT_THAT(Texts(),
                ElementsAre("codec.placement: homomorphic runs on gpu or cpu: a NIC's engine sees "
                            "frames, not buckets"));
    m_scenario.codec.placement = "cpu";
    EXPECT_THAT(Texts(), IsEmpty());
}

/* Four bits count to 15. */
TEST_F(HomomorphicChecksTest, NibblesCountFifteenWorkers)
{
    m_scenario.codec.index = "bits-4";
    m_scenario.cluster.workers = 15;
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.cluster.workers = 16;
    EXPECT_THAT(Texts(),
                ElementsAre("codec.index: bits-4 counts up to 15 workers, cluster.workers is 16"));
    m_scenario.codec.index = "bloom";
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(HomomorphicChecksTest, SwitchesCombineAnIndexByOr)
{
    m_scenario.exchange.algorithm = "switch-tree";
    m_scenario.codec.index = "bits-4";
    m_scenario.cluster.workers = 16; // one complaint is enough
    EXPECT_THAT(Texts(),
                ElementsAre("codec.index: must be bits-1 or bloom with exchange.algorithm = "
                            "\"switch-tree\": switches combine an index by or"));
    m_scenario.codec.index = "bloom";
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(HomomorphicChecksTest, SwitchesAddInOneOrder)
{
    m_scenario.exchange.concurrent = 2;
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.exchange.algorithm = "switch-slots";
    EXPECT_THAT(
        Texts(),
        ElementsAre("exchange.concurrent: must be 1 with codec.name = \"homomorphic\" and "
                    "exchange.algorithm = \"switch-slots\", where all workers ask for sums in "
                    "one order, got 2"));
}

TEST_F(HomomorphicChecksTest, CountersOfSwitchesOverlapIfTheIndexDoesNotScaleThem)
{
    m_scenario.exchange.algorithm = "switch-slots";
    m_scenario.codec.rounds = "overlapped";
    EXPECT_THAT(
        Texts(),
        ElementsAre("codec.rounds: must be dependent with switch.adder = \"int32\" and "
                    "switch.scaling = \"block\", where counters are scaled by an exponent that "
                    "travels with the index"));
    SetKey(m_scenario, "switch.scaling", "fixed");
    EXPECT_THAT(Texts(), IsEmpty());
    SetKey(m_scenario, "switch.scaling", "block");
    SetKey(m_scenario, "switch.adder", "fp32");
    EXPECT_THAT(Texts(), IsEmpty());
}

/* Whatever the scaling. */
TEST_F(HomomorphicChecksTest, CountersThatSaturateWaitForTheIndex)
{
    m_scenario.exchange.algorithm = "switch-slots";
    SetKey(m_scenario, "switch.adder", "int32-saturating");
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.codec.rounds = "overlapped";
    for (const auto* scaling : {"block", "fixed"})
    {
        SetKey(m_scenario, "switch.scaling", scaling);
        EXPECT_THAT(Texts(),
                    ElementsAre("codec.rounds: must be dependent with switch.adder = "
                                "\"int32-saturating\", which needs as much headroom as the index "
                                "says"));
    }
}

TEST_F(HomomorphicChecksTest, HalfDuplexHostsHaveOneRoundInFlight)
{
    m_scenario.codec.rounds = "overlapped";
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.host.duplex = "half";
    EXPECT_THAT(Texts(),
                ElementsAre("codec.rounds: must be dependent where host.duplex is half, got "
                            "overlapped"));
    SetKey(m_scenario, "switch.adder", "fp32");
    m_scenario.exchange.algorithm = "switch-slots"; // where no host's duplex matters
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(HomomorphicChecksTest, OtherCodecsAreNotMeant)
{
    m_scenario.codec.name = "truncate";
    m_scenario.codec.placement = "nic";
    m_scenario.codec.index = "bits-4";
    m_scenario.codec.rounds = "overlapped";
    m_scenario.cluster.workers = 16;
    m_scenario.host.duplex = "half";
    m_scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_THAT(Texts(), IsEmpty());
}

} // namespace inca
