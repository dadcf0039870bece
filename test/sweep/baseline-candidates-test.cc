/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/baseline-candidates.h"

#include "sweep/compressing-scenario.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::vector<std::string>
CandidatesOf(const Settings& settings)
{
    std::vector<std::string> names;
    for (const auto& candidate : BaselineCandidates(With(settings), RunKind::BASELINE))
    {
        names.push_back(candidate.exchange.algorithm);
    }
    return names;
}

} // namespace

/* Rows of the catalogue without aggregators, servers and adding switches, and the scenario's own. Of 3 workers there
 * are no groups; shards are made by rings and by halving. */
TEST(BaselineCandidates, NeedNothingThatTheClusterLacks)
{
    EXPECT_THAT(CandidatesOf({"codec.name=truncate"}),
                ElementsAre("ring", "tree", "halving-doubling", "hierarchical-ring"));
    EXPECT_THAT(CandidatesOf({"codec.name=truncate", "cluster.workers=3"}),
                ElementsAre("ring", "tree", "halving-doubling"));
    EXPECT_THAT(
        CandidatesOf({"codec.name=truncate", "exchange.algorithm=worker-aggregator"}),
        ElementsAre("worker-aggregator", "ring", "tree", "halving-doubling", "hierarchical-ring"));
    EXPECT_THAT(CandidatesOf({"codec.name=truncate", "training.sharding=optimizer"}),
                ElementsAre("ring", "halving-doubling"));
    const auto ofSwitch = CandidatesOf({"codec.name=homomorphic",
                                        "exchange.algorithm=switch-slots",
                                        "training.density=0.01",
                                        "training.union_exponent=0"});
    EXPECT_THAT(ofSwitch, Contains("switch-slots"));
    EXPECT_THAT(ofSwitch, Not(Contains("switch-tree")));
}

TEST(BaselineCandidates, CompressNothing)
{
    const auto scenario = With({"codec.name=inceptionn",
                                "sparsify.method=top-k",
                                "training.values=true",
                                "training.gradient_type=fp32"});
    for (const auto kind : BASELINE_KINDS)
    {
        for (const auto& candidate : BaselineCandidates(scenario, kind))
        {
            EXPECT_EQ(candidate.codec.name, "none");
            EXPECT_EQ(candidate.sparsify.method, "none");
            EXPECT_FALSE(candidate.training.values);
            EXPECT_EQ(candidate.training.gradientType, kind == RunKind::BASELINE ? "fp32" : "bf16");
        }
    }
}

/* What only codecs read, and seeds of which nothing is drawn, change nothing. */
TEST(BaselineKeys, AreSharedByWhatDiffersInCompressionAlone)
{
    const Settings base{"codec.name=truncate"};
    const auto keys = KeysOf(base);
    EXPECT_NE(keys[0], keys[1]);
    for (const auto& settings :
         std::vector<Settings>{{"codec.name=truncate", "codec.drop_bits=22"},
                               {"codec.name=inceptionn", "engine.clock=1GHz"},
                               {"codec.name=homomorphic", "codec.ratio=4", "training.density=0.01"},
                               {"codec.name=truncate", "sparsify.method=top-k"},
                               {"codec.name=truncate", "training.values=true"},
                               {"codec.name=truncate", "simulation.seed=7"},
                               {"codec.name=truncate", "exchange.algorithm=tree"}})
    {
        EXPECT_EQ(KeysOf(settings), keys) << settings.back();
    }
    for (const auto* setting : {"cluster.bandwidth=1Gbps",
                                "cluster.workers=5",
                                "ring.channels=2",
                                "tree.chunk_bytes=1kB",
                                "exchange.algorithm=parameter-server",
                                "cluster.loss_rate=0.01",
                                "simulation.max_baseline_cpu_time=2s"})
    {
        EXPECT_NE(KeysOf({"codec.name=truncate", setting})[0], keys[0]) << setting;
    }
}

/* Losses are drawn. */
TEST(BaselineKeys, TellSeedsApartWhereSomethingIsDrawn)
{
    EXPECT_NE(KeysOf({"codec.name=truncate", "cluster.loss_rate=0.01"})[0],
              KeysOf({"codec.name=truncate", "cluster.loss_rate=0.01", "simulation.seed=7"})[0]);
}

} // namespace inca
