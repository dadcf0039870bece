/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/checks.h"
#include "scenario/specs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace inca
{

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class ChecksTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_scenario.training.trace = "alexnet";
    }

    /** "key: text" each. */
    std::vector<std::string> Texts() const
    {
        std::vector<std::string> texts;
        for (const auto& complaint : Complaints(m_scenario))
        {
            texts.push_back(complaint.key + ": " + complaint.text);
        }
        return texts;
    }

    Scenario m_scenario;
};

TEST_F(ChecksTest, PassTheDefaults)
{
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(ChecksTest, WarmUpLeavesAnIteration)
{
    m_scenario.training.iterations = 3;
    m_scenario.simulation.warmup = 2;
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.simulation.warmup = 3;
    EXPECT_THAT(Texts(),
                ElementsAre("simulation.warmup: must be below training.iterations (3), got 3"));
}

TEST_F(ChecksTest, ABufferHoldsAFrame)
{
    // 1500 + 8 preamble + 14 header + 4 checksum + 12 gap = 1538
    m_scenario.cluster.bufferBytes = 1538;
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.cluster.bufferBytes = 1537;
    EXPECT_THAT(Texts(), ElementsAre(HasSubstr("1538 bytes")));
}

TEST_F(ChecksTest, HalfDuplexHostsHaveOneChunkInFlight)
{
    m_scenario.host.duplex = "half";
    m_scenario.exchange.concurrent = 2;
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("exchange.concurrent: must be 1")));
}

TEST_F(ChecksTest, CodecsOnAHostNeedRates)
{
    m_scenario.codec.name = "truncate";
    m_scenario.codec.placement = "gpu";
    m_scenario.codec.decodeBytesPerSecond = 1;
    EXPECT_THAT(Texts(),
                ElementsAre("codec.encode_rate: must be given with codec.placement = \"gpu\""));
    m_scenario.codec.name = "none";
    EXPECT_THAT(Texts(), IsEmpty());
}

/* On a GPU it is timed by what its memory has to move. */
TEST_F(ChecksTest, HomomorphicNeedsRatesOnACpu)
{
    m_scenario.codec.name = "homomorphic";
    m_scenario.codec.placement = "gpu";
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.codec.placement = "cpu";
    EXPECT_THAT(Texts(),
                ElementsAre(StartsWith("codec.encode_rate: must be given with codec.placement = "
                                       "\"cpu\""),
                            StartsWith("codec.decode_rate: must be given")));
}

TEST_F(ChecksTest, SketchesAreChecked)
{
    m_scenario.codec.name = "homomorphic";
    EXPECT_THAT(Texts(), IsEmpty()); // on a GPU, as nothing else is said
    m_scenario.codec.placement = "nic";
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("codec.placement: homomorphic runs on gpu or")));
}

TEST_F(ChecksTest, HierarchiesNeedFittingGroups)
{
    m_scenario.exchange.algorithm = "hierarchical-ring";
    m_scenario.cluster.workers = 6;
    m_scenario.exchange.groupSize = 4;
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("exchange.group_size: ")));
}

/* 4 cuts 8 and 12; 2 cuts 4 and 10, 3 cuts 6 and 9; 5 is the least that cuts 25; nothing cuts 7. */
TEST_F(ChecksTest, GroupsFitTheWorkersIfNothingElseIsSaid)
{
    m_scenario.exchange.algorithm = "hierarchical-ring";
    const std::map<std::uint32_t, std::uint32_t> sizes{
        {8, 4}, {12, 4}, {4, 2}, {10, 2}, {6, 3}, {9, 3}, {25, 5}};
    for (const auto& [workers, size] : sizes)
    {
        m_scenario.cluster.workers = workers;
        EXPECT_EQ(GroupSize(m_scenario), size) << workers;
        EXPECT_THAT(Texts(), IsEmpty()) << workers;
    }
    m_scenario.cluster.workers = 7;
    EXPECT_THAT(Texts(),
                ElementsAre(EndsWith("no size does; another cluster.workers does, such as 8")));
}

TEST_F(ChecksTest, PartsAreWholeValues)
{
    m_scenario.exchange.chunkBytes = 6;
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("exchange.chunk_bytes: must be")));
}

/* The transport acknowledges at the latest when the window is full: no need to lower ack_every. */
TEST_F(ChecksTest, AWindowMayBeSmallerThanAckEvery)
{
    m_scenario.transport.window = 8;
    EXPECT_THAT(Texts(), IsEmpty());
}

TEST_F(ChecksTest, TracesAreThere)
{
    m_scenario.training.trace = "alexnett";
    EXPECT_THAT(Texts(),
                ElementsAre("training.trace: unknown 'alexnett'; did you mean 'alexnet'?"));
    m_scenario.training.trace = "no/such.csv";
    EXPECT_THAT(Texts(), ElementsAre("training.trace: no/such.csv: No such file or directory"));
}

TEST_F(ChecksTest, OverridesNameWorkersThatAreThere)
{
    m_scenario.cluster.overrides.push_back({4, {}, 2.0});
    EXPECT_THAT(Texts(),
                ElementsAre("cluster.worker.4: worker 4 is not there; with cluster.workers = 4 "
                            "they are 0..3"));
}

TEST_F(ChecksTest, HalfDuplexHostsDoNotSlowWhatSwitchesAdd)
{
    m_scenario.exchange.algorithm = "switch-slots";
    m_scenario.host.duplex = "half";
    m_scenario.exchange.concurrent = 2;
    EXPECT_THAT(Texts(), IsEmpty());
}

/* A fat-tree of 4 ports has 4 * 2 * 2 = 16 places for hosts; an aggregator takes one. */
TEST_F(ChecksTest, TopologiesHaveAPlaceForEveryHost)
{
    m_scenario.cluster.topology = "fat-tree";
    m_scenario.cluster.workers = 16;
    EXPECT_THAT(Texts(), IsEmpty());
    m_scenario.exchange.algorithm = "worker-aggregator";
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("cluster.fat_tree_k: ")));
    m_scenario.exchange.algorithm = "ring";
    m_scenario.cluster.arity = 3;
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("cluster.fat_tree_k: ")));
}

TEST_F(ChecksTest, SwitchesThatAddAreChecked)
{
    m_scenario.exchange.algorithm = "switch-slots";
    m_scenario.cluster.topology = "rack-pair";
    EXPECT_THAT(Texts(), ElementsAre(StartsWith("exchange.algorithm: switch-slots adds in one")));
}

} // namespace inca
