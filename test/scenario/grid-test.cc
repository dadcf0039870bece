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

std::vector<Varied>
Options(const std::vector<std::string>& vary)
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

std::vector<std::string>
TextsOf(const std::vector<Varied>& vary)
{
    std::vector<std::string> texts;
    for (const auto& varied : vary)
    {
        texts.push_back(varied.text);
    }
    return texts;
}

/** The points that --vary makes, as their settings. */
std::vector<std::vector<std::string>>
PointsOf(const std::vector<std::string>& vary)
{
    std::vector<std::vector<std::string>> points;
    for (const auto& point : ExpandGrid(Vary(Options(vary))))
    {
        points.push_back(TextsOf(point.varied));
    }
    return points;
}

std::vector<std::string>
ValuesOf(const std::string& vary)
{
    std::vector<std::string> values;
    for (const auto& point : PointsOf({vary}))
    {
        values.push_back(point.at(0).substr(point.at(0).find('=') + 1));
    }
    return values;
}

std::vector<std::string>
ComplaintsOfSpec(const SweepSpec& spec)
{
    return ComplaintsIn([&spec] { ExpandGrid(spec); });
}

std::vector<std::string>
ComplaintsOfAll(const std::vector<Varied>& vary)
{
    return ComplaintsOfSpec(Vary(vary));
}

std::vector<std::string>
ComplaintsOf(const std::vector<std::string>& vary)
{
    return ComplaintsOfAll(Options(vary));
}

} // namespace

TEST(Grid, OfNothingIsOnePoint)
{
    EXPECT_THAT(PointsOf({}), ElementsAre(SizeIs(0)));
}

TEST(Grid, VariesTheLastKeyFastest)
{
    EXPECT_THAT(PointsOf({"cluster.bandwidth=10Gbps,100Gbps", "cluster.workers=4,8"}),
                ElementsAre(ElementsAre("cluster.bandwidth=10Gbps", "cluster.workers=4"),
                            ElementsAre("cluster.bandwidth=10Gbps", "cluster.workers=8"),
                            ElementsAre("cluster.bandwidth=100Gbps", "cluster.workers=4"),
                            ElementsAre("cluster.bandwidth=100Gbps", "cluster.workers=8")));
}

TEST(Grid, RangesEndAtOrBelowTheirLastValue)
{
    EXPECT_THAT(ParseValues("2..8:x2,100,-1", 9), ElementsAre("2", "4", "8", "100", "-1"));
    EXPECT_THAT(ParseValues("1Gvalues/s..4Gvalues/s:x2", 9),
                ElementsAre("1Gvalues/s", "2Gvalues/s", "4Gvalues/s"));
    EXPECT_THAT(ValuesOf("codec.ratio=safe,2..8:x2"), ElementsAre("safe", "2", "4", "8"));
    EXPECT_THAT(ValuesOf("cluster.workers=2..64:x2"), ElementsAre("2", "4", "8", "16", "32", "64"));
    EXPECT_THAT(ValuesOf("cluster.workers=2..63:x2"), ElementsAre("2", "4", "8", "16", "32"));
    EXPECT_THAT(ValuesOf("cluster.workers=3..9:+2"), ElementsAre("3", "5", "7", "9"));
    EXPECT_THAT(ValuesOf("cluster.workers=3..8:+2"), ElementsAre("3", "5", "7"));
    EXPECT_THAT(ValuesOf("simulation.seed=0..1:+5"), ElementsAre("0")); // a step beyond the end
    EXPECT_THAT(ValuesOf("cluster.bandwidth=10Gbps..40Gbps:x2"),
                ElementsAre("10Gbps", "20Gbps", "40Gbps"));
    EXPECT_THAT(ValuesOf("cluster.bandwidth=10Gbps..30Gbps:+10Gbps,100Gbps"),
                ElementsAre("10Gbps", "20Gbps", "30Gbps", "100Gbps"));
}

/* As binary fractions 0.1 + 0.1 + 0.1 exceeds 0.3. */
TEST(Grid, RangesOfDecimalsAreExact)
{
    EXPECT_THAT(ValuesOf("training.jitter_sd=0.1..0.3:+0.1"), ElementsAre("0.1", "0.2", "0.3"));
    EXPECT_THAT(ValuesOf("cluster.bandwidth=2.5Gbps..10Gbps:x2"),
                ElementsAre("2.5Gbps", "5Gbps", "10Gbps"));
    EXPECT_THAT(ComplaintsOf({"training.jitter_sd=0.1..1:x1.5"}),
                ElementsAre(HasSubstr("needs a whole number behind its x")));
    EXPECT_THAT(ValuesOf("training.jitter_sd=0..1:+0.25"),
                ElementsAre("0", "0.25", "0.5", "0.75", "1"));
}

TEST(Grid, RefusesAValueThatIsThereTwice)
{
    EXPECT_THAT(ComplaintsOf({"cluster.bandwidth=1Gbps,2Gbps,1000Mbps"}),
                ElementsAre("--vary cluster.bandwidth: '1000Mbps' is there twice; leave one of "
                            "them out"));
    EXPECT_THAT(ComplaintsOf({"attributes.inca::Nic::A=1,1"}), SizeIs(1));
    EXPECT_THAT(ComplaintsOf({"codec.ratio=10,10.0"}), SizeIs(1));
}

TEST(Grid, RangesUpToTheLargestNumberEnd)
{
    // 2^62 is the last power of two up to 2^63 - 1
    EXPECT_THAT(ValuesOf("simulation.seed=1..9223372036854775807:x2"), SizeIs(63));
}

TEST(Grid, VariesWorkersAttributesAndPaths)
{
    EXPECT_THAT(PointsOf({"cluster.worker.3.bandwidth=1Gbps,2Gbps"}), SizeIs(2));
    EXPECT_THAT(PointsOf({"attributes.inca::Nic::A=1,2,3"}), SizeIs(3));
    EXPECT_THAT(ValuesOf("training.trace=../a.csv,../b.csv"), ElementsAre("../a.csv", "../b.csv"));
}

TEST(Grid, TellsAllThatIsWrong)
{
    EXPECT_THAT(ComplaintsOf({"cluster.worker=4",
                              "cluster.workers",
                              "cluster.workers=4,1",
                              "exchange.algorithm=rign",
                              "host.duplex=full",
                              "host.duplex=half"}),
                ElementsAre(HasSubstr("did you mean 'cluster.workers'?"),
                            HasSubstr("needs the form key=value1,value2"),
                            HasSubstr("--vary cluster.workers: must be a whole number of 2..65536"),
                            HasSubstr("did you mean 'ring'?"),
                            HasSubstr("--vary host.duplex: is varied twice")));
}

TEST(Grid, RefusesRangesThatGoNowhere)
{
    for (const auto* range :
         {"2..64", "2..64:", "2..64:x", "2..64:x1", "0..64:x2", "2..64:+0", "64..2:x2", "2..64:-2"})
    {
        EXPECT_THAT(ComplaintsOf({std::string("cluster.workers=") + range}), SizeIs(1)) << range;
    }
    EXPECT_THAT(ComplaintsOf({"cluster.bandwidth=1Gbps..8Mbps:x2"}),
                ElementsAre(HasSubstr("needs the same unit")));
}

TEST(Grid, RefusesMorePointsThanAnybodyMeans)
{
    // One more than the most tells that they are too many, and the rest takes no memory.
    EXPECT_THAT(ParseValues("1..1000000000:+1", 10), SizeIs(11));
    EXPECT_THAT(ParseValues("1..10:+1", 10), SizeIs(10));
    EXPECT_THAT(ComplaintsOf({"simulation.seed=1..1000000:+1"}),
                ElementsAre(HasSubstr("more than 100000 points")));
    // 400 * 400 points
    EXPECT_THAT(ComplaintsOf({"simulation.seed=1..400:+1", "transport.window=16..415:+1"}),
                ElementsAre(HasSubstr("more than 100000 points")));
}

TEST(Grid, ComplaintsNameWhoSaidIt)
{
    const std::vector<Varied> vary{{"cluster.workers=1", "a.toml:3:9: sweep.vary"},
                                   {"host.duplex=7"}};
    EXPECT_THAT(ComplaintsOfAll(vary),
                ElementsAre(HasSubstr("a.toml:3:9: sweep.vary cluster.workers: must be"),
                            HasSubstr("--vary host.duplex: is full or half")));
    EXPECT_THAT(ComplaintsOfAll({{"host.duplex=7\x1b[2J", "a.toml:3:9: sweep.vary"}}),
                ElementsAre(HasSubstr("'7?[2J'")));
    EXPECT_THAT(ComplaintsOfAll(std::vector<Varied>{
                    {"simulation.seed=1..1000000:+1", "a.toml:3:9: sweep.vary"}}),
                ElementsAre("a.toml:3:9: sweep.vary: the grid has more than 100000 points"));
}

TEST(Grid, PointsKeepTheOrigin)
{
    const auto points = ExpandGrid(Vary({{"cluster.workers=2,3", "a.toml:3:9: sweep.vary"}}));
    ASSERT_THAT(points, SizeIs(2));
    EXPECT_EQ(points[1].varied.at(0).text, "cluster.workers=3");
    EXPECT_EQ(points[1].varied.at(0).origin, "a.toml:3:9: sweep.vary");
}

TEST(Grid, RefusesMoreKeysThanAnybodyMeans)
{
    std::vector<std::string> vary;
    for (std::size_t i = 0; i < g_mostVariedKeys; ++i)
    {
        vary.push_back("attributes.inca::Nic::A" + std::to_string(i) + "=1");
    }
    EXPECT_THAT(ComplaintsOf(vary), SizeIs(0));
    vary.push_back("cluster.workers=2");
    EXPECT_THAT(ComplaintsOf(vary), ElementsAre("--vary: more than 100 keys"));
}

TEST(Grid, ACommandLineChangesAFilesSweep)
{
    const auto ofFile = Vary({{"cluster.workers=2,3", "a"},
                              {"host.duplex=half,full", "b"},
                              {"exchange.algorithm=ring,switch-slots", "c"}});
    EXPECT_THAT(TextsOf(JoinSweeps(ofFile, {}, {}).vary),
                ElementsAre("cluster.workers=2,3",
                            "host.duplex=half,full",
                            "exchange.algorithm=ring,switch-slots"));
    // workers: other values; duplex: fixed; the window: new, and last
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
}

/* What is said twice in one place is an error of that place, and is kept for it. */
TEST(Grid, JoiningHidesNoRepeatedKey)
{
    const auto joined = JoinSweeps(Vary({{"cluster.workers=2,3", "a"}}),
                                   Vary(Options({"cluster.workers=4", "cluster.workers=5"})),
                                   {});
    EXPECT_THAT(ComplaintsOfAll(joined.vary), ElementsAre(HasSubstr("is varied twice")));
}

/** The points of @p spec as "label: setting setting". */
std::vector<std::string>
NamesOf(const SweepSpec& spec)
{
    std::vector<std::string> names;
    for (const auto& [label, ofSystem, varied] : ExpandGrid(spec))
    {
        names.push_back(label + ":");
        for (const auto& settings : {ofSystem, varied})
        {
            for (const auto& setting : settings)
            {
                names.back() += " " + setting.text;
            }
        }
    }
    return names;
}

/* 2 systems, 2 places of the zipped lists, 2 latencies: 8 points, the first of them slowest. */
TEST(Grid, CrossesSystemsZippedListsAndKeys)
{
    SweepSpec spec;
    spec.systems = {ParseSystem("a:exchange.algorithm=ring"),
                    ParseSystem("b:exchange.algorithm=switch-slots,switch.slots=8")};
    spec.zip = Options({"cluster.workers=2,4", "transport.window=16,32"});
    spec.vary = Options({"cluster.latency=1us,2us"});
    const auto names = NamesOf(spec);
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

TEST(Grid, ZippedListsAreOfOneLength)
{
    SweepSpec spec;
    spec.zip = Options({"cluster.workers=2,4", "transport.window=16,32,64"});
    EXPECT_THAT(
        ComplaintsOfSpec(spec),
        ElementsAre(HasSubstr("transport.window: has 3 values, and cluster.workers has 2")));
}

/* A value may come again: 4 workers with either window. */
TEST(Grid, ZippedValuesMayRepeat)
{
    SweepSpec spec;
    spec.zip = Options({"cluster.workers=4,4", "transport.window=16,32"});
    EXPECT_THAT(ExpandGrid(spec), SizeIs(2));
}

TEST(Grid, RefusesSystemsThatContradict)
{
    SweepSpec spec;
    spec.systems = {ParseSystem("a:cluster.workers=2,cluster.workers=3"),
                    ParseSystem("a:exchange.algorithm=rign"),
                    ParseSystem("b:cluster.latenzy=1us")};
    spec.vary = Options({"cluster.workers=4,8"});
    EXPECT_THAT(ComplaintsOfSpec(spec),
                ElementsAre(HasSubstr("--system 'a' cluster.workers: is there twice"),
                            HasSubstr("there are two systems 'a'"),
                            HasSubstr("did you mean 'ring'?"),
                            HasSubstr("did you mean 'cluster.latency'?"),
                            HasSubstr("--vary cluster.workers: is set by system 'a', too")));
}

} // namespace inca
