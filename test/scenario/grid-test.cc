/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/grid.h"

#include "base/units.h"
#include "scenario-settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace
{

using Texts = std::vector<std::string>;

std::vector<Varied>
Options(const Texts& vary)
{
    std::vector<Varied> options;
    for (const auto& text : vary)
    {
        options.push_back({text});
    }
    return options;
}

/** What only varies keys. */
SweepSpec
Vary(const std::vector<Varied>& vary)
{
    SweepSpec spec;
    spec.vary = vary;
    return spec;
}

/** The points of @p spec as "label: setting setting"; "" without either. */
Texts
PointsOf(const SweepSpec& spec)
{
    Texts names;
    for (const auto& [label, ofSystem, varied] : ExpandGrid(spec))
    {
        names.push_back(label.empty() ? "" : label + ":");
        for (const auto& settings : {ofSystem, varied})
        {
            for (const auto& setting : settings)
            {
                names.back() += (names.back().empty() ? "" : " ") + setting.text;
            }
        }
    }
    return names;
}

Texts
ValuesOf(const std::string& vary)
{
    Texts values;
    for (const auto& point : PointsOf(Vary(Options({vary}))))
    {
        values.push_back(point.substr(point.find('=') + 1));
    }
    return values;
}

Texts
ComplaintsOfSpec(const SweepSpec& spec)
{
    return ComplaintsIn([&spec] { ExpandGrid(spec); });
}

Texts
GridComplaints(const Texts& vary)
{
    return ComplaintsOfSpec(Vary(Options(vary)));
}

Texts
TextsOf(const std::vector<Varied>& vary)
{
    Texts texts;
    for (const auto& varied : vary)
    {
        texts.push_back(varied.text);
    }
    return texts;
}

} // namespace

TEST(Grid, VariesTheLastKeyFastest)
{
    EXPECT_THAT(PointsOf({}), ElementsAre(""));
    EXPECT_THAT(
        PointsOf(Vary(Options({"cluster.bandwidth=10Gbps,100Gbps", "cluster.workers=4,8"}))),
        ElementsAre("cluster.bandwidth=10Gbps cluster.workers=4",
                    "cluster.bandwidth=10Gbps cluster.workers=8",
                    "cluster.bandwidth=100Gbps cluster.workers=4",
                    "cluster.bandwidth=100Gbps cluster.workers=8"));
}

/* As binary fractions 0.1 + 0.1 + 0.1 exceeds 0.3. 2^62 is the last power of two up to 2^63 - 1. */
TEST(Grid, RangesEndAtOrBelowTheirLastValue)
{
    const std::pair<const char*, Texts> rows[] = {
        {"codec.ratio=safe,2..8:x2", {"safe", "2", "4", "8"}},
        {"cluster.workers=2..64:x2", {"2", "4", "8", "16", "32", "64"}},
        {"cluster.workers=2..63:x2", {"2", "4", "8", "16", "32"}},
        {"cluster.workers=3..9:+2", {"3", "5", "7", "9"}},
        {"cluster.workers=3..8:+2", {"3", "5", "7"}},
        {"simulation.seed=0..1:+5", {"0"}}, // a step beyond the end
        {"cluster.bandwidth=10Gbps..40Gbps:x2", {"10Gbps", "20Gbps", "40Gbps"}},
        {"cluster.bandwidth=10Gbps..30Gbps:+10Gbps,100Gbps",
         {"10Gbps", "20Gbps", "30Gbps", "100Gbps"}},
        {"training.jitter_sd=0.1..0.3:+0.1", {"0.1", "0.2", "0.3"}},
        {"cluster.bandwidth=2.5Gbps..10Gbps:x2", {"2.5Gbps", "5Gbps", "10Gbps"}},
        {"training.jitter_sd=0..1:+0.25", {"0", "0.25", "0.5", "0.75", "1"}},
        // Workers, attributes and paths, which are no ranges.
        {"cluster.worker.3.bandwidth=1Gbps,2Gbps", {"1Gbps", "2Gbps"}},
        {"attributes.inca::Nic::A=1,2,3", {"1", "2", "3"}},
        {"training.trace=../a.csv,../b.csv", {"../a.csv", "../b.csv"}},
    };
    for (const auto& [vary, values] : rows)
    {
        EXPECT_EQ(ValuesOf(vary), values);
    }
    EXPECT_THAT(ValuesOf("simulation.seed=1..9223372036854775807:x2"), SizeIs(63));
    EXPECT_THAT(ParseValues("2..8:x2,100,-1", 9), ElementsAre("2", "4", "8", "100", "-1"));
    EXPECT_THAT(ParseValues("1Gvalues/s..4Gvalues/s:x2", 9),
                ElementsAre("1Gvalues/s", "2Gvalues/s", "4Gvalues/s"));
}

/* One more value than the most tells that they are too many, and the rest takes no memory. */
TEST(Grid, RefusesMoreThanAnybodyMeans)
{
    EXPECT_THAT(ParseValues("1..1000000000:+1", 10), SizeIs(11));
    EXPECT_THAT(ParseValues("1..10:+1", 10), SizeIs(10));
    EXPECT_THAT(
        ComplaintsOfSpec(Vary({{"simulation.seed=1..1000000:+1", "a.toml:3:9: sweep.vary"}})),
        ElementsAre(HasSubstr("a.toml:3:9: sweep.vary: ")));
    Texts vary;
    for (std::size_t i = 0; i < g_mostVariedKeys; ++i)
    {
        vary.push_back("attributes.inca::Nic::A" + std::to_string(i) + "=1");
    }
    EXPECT_THAT(GridComplaints(vary), SizeIs(0));
    vary.emplace_back("cluster.workers=2");
    EXPECT_THAT(GridComplaints(vary), ElementsAre("--vary: more than 100 keys"));
}

TEST(Grid, PointsAndComplaintsKeepTheOrigin)
{
    const auto points = ExpandGrid(Vary({{"cluster.workers=2,3", "a.toml:3:9: sweep.vary"}}));
    ASSERT_THAT(points, SizeIs(2));
    EXPECT_EQ(points[1].varied.at(0).text, "cluster.workers=3");
    EXPECT_EQ(points[1].varied.at(0).origin, "a.toml:3:9: sweep.vary");
    EXPECT_THAT(ComplaintsOfSpec(Vary({{"cluster.workers=0", "a.toml:3:9: sweep.vary"}})),
                ElementsAre(HasSubstr("a.toml:3:9: sweep.vary cluster.workers:")));
}

/* Of workers other values; duplex is fixed; the window is new, and last. What is said twice in one place is kept for it. */
TEST(Grid, ACommandLineChangesAFilesSweep)
{
    const auto ofFile = Vary({{"cluster.workers=2,3", "a"},
                              {"host.duplex=half,full", "b"},
                              {"exchange.algorithm=ring,switch-slots", "c"}});
    EXPECT_EQ(TextsOf(JoinSweeps(ofFile, {}, {}).vary), TextsOf(ofFile.vary));
    const auto joined = JoinSweeps(ofFile,
                                   Vary(Options({"transport.window=8,16", "cluster.workers=4,8"})),
                                   {"host.duplex=full", "cluster.latency=1us"})
                            .vary;
    EXPECT_THAT(TextsOf(joined),
                ElementsAre("cluster.workers=4,8",
                            "exchange.algorithm=ring,switch-slots",
                            "transport.window=8,16"));
    EXPECT_EQ(joined[0].origin, "--vary");
    EXPECT_EQ(joined[1].origin, "c");
    EXPECT_THAT(ComplaintsOfSpec(JoinSweeps(
                    ofFile, Vary(Options({"cluster.workers=4", "cluster.workers=5"})), {})),
                ElementsAre(HasSubstr("is varied twice")));
}

/* 2 systems, 2 places of the zipped lists, 2 latencies: 8 points, the first of them slowest. */
TEST(Grid, CrossesSystemsZippedListsAndKeys)
{
    SweepSpec spec;
    spec.systems = {ParseSystem("a:exchange.algorithm=ring"),
                    ParseSystem("b:exchange.algorithm=switch-slots,switch.slots=8")};
    spec.zip = Options({"cluster.workers=2,4", "transport.window=16,32"});
    spec.vary = Options({"cluster.latency=1us,2us"});
    const auto names = PointsOf(spec);
    ASSERT_THAT(names, SizeIs(8));
    EXPECT_EQ(names[1],
              "a: exchange.algorithm=ring cluster.workers=2 transport.window=16 "
              "cluster.latency=2us");
    EXPECT_EQ(names[2],
              "a: exchange.algorithm=ring cluster.workers=4 transport.window=32 "
              "cluster.latency=1us");
    EXPECT_EQ(names[4],
              "b: exchange.algorithm=switch-slots switch.slots=8 cluster.workers=2 "
              "transport.window=16 cluster.latency=1us");
}

/* A key that may be empty may be so in a system; a key that is varied needs values. */
TEST(Grid, SystemsLeaveKeysOut)
{
    SweepSpec spec;
    spec.systems = {ParseSystem("a:exchange.all_to_all_shares=")};
    EXPECT_THAT(PointsOf(spec), ElementsAre("a: exchange.all_to_all_shares="));
    spec.systems = {ParseSystem("a:exchange.algorithm=")};
    EXPECT_THAT(ComplaintsOfSpec(spec), ElementsAre(HasSubstr("unknown ''")));
    spec.systems = {};
    spec.vary = Options({"exchange.group_size="});
    EXPECT_THAT(ComplaintsOfSpec(spec), ElementsAre(HasSubstr("needs the form")));
}

/* A value of a zipped list may come again: 4 workers with either window. */
TEST(Grid, ZippedListsAreOfOneLength)
{
    SweepSpec spec;
    spec.zip = Options({"cluster.workers=2,4", "transport.window=16,32,64"});
    EXPECT_THAT(ComplaintsOfSpec(spec), ElementsAre(HasSubstr("transport.window: has 3")));
    spec.zip = Options({"cluster.workers=4,4", "transport.window=16,32"});
    EXPECT_THAT(ExpandGrid(spec), SizeIs(2));
}

} // namespace inca
