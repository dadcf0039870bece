/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/grid.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace
{

std::vector<std::string>
ValuesOf(const std::string& vary)
{
    std::vector<std::string> values;
    for (const auto& point : ExpandGrid({vary}))
    {
        values.push_back(point.at(0).substr(point.at(0).find('=') + 1));
    }
    return values;
}

std::vector<std::string>
ComplaintsOf(const std::vector<std::string>& vary)
{
    try
    {
        ExpandGrid(vary);
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
}

} // namespace

TEST(Grid, OfNothingIsOnePoint)
{
    EXPECT_THAT(ExpandGrid({}), ElementsAre(SizeIs(0)));
}

TEST(Grid, VariesTheLastKeyFastest)
{
    EXPECT_THAT(ExpandGrid({"cluster.bandwidth=10Gbps,100Gbps", "cluster.workers=4,8"}),
                ElementsAre(ElementsAre("cluster.bandwidth=10Gbps", "cluster.workers=4"),
                            ElementsAre("cluster.bandwidth=10Gbps", "cluster.workers=8"),
                            ElementsAre("cluster.bandwidth=100Gbps", "cluster.workers=4"),
                            ElementsAre("cluster.bandwidth=100Gbps", "cluster.workers=8")));
}

TEST(Grid, RangesEndAtOrBelowTheirLastValue)
{
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
    EXPECT_THAT(ComplaintsOf({"host.duplex=0.1..1:x1.5"}),
                ElementsAre(HasSubstr("needs a whole number behind its x")));
    EXPECT_THAT(ValuesOf("host.duplex=0..1:+0.25"), ElementsAre("0", "0.25", "0.5", "0.75", "1"));
}

TEST(Grid, RefusesAValueThatIsThereTwice)
{
    EXPECT_THAT(ComplaintsOf({"cluster.bandwidth=1Gbps,2Gbps,1000Mbps"}),
                ElementsAre("--vary cluster.bandwidth: '1000Mbps' is there twice; leave one of "
                            "them out"));
    EXPECT_THAT(ComplaintsOf({"attributes.inca::Nic::A=1,1"}), SizeIs(1));
}

TEST(Grid, RangesUpToTheLargestNumberEnd)
{
    // 2^62 is the last power of two up to 2^63 - 1
    EXPECT_THAT(ValuesOf("simulation.seed=1..9223372036854775807:x2"), SizeIs(63));
}

TEST(Grid, VariesWorkersAttributesAndPaths)
{
    EXPECT_THAT(ExpandGrid({"cluster.worker.3.bandwidth=1Gbps,2Gbps"}), SizeIs(2));
    EXPECT_THAT(ExpandGrid({"attributes.inca::Nic::A=1,2,3"}), SizeIs(3));
    EXPECT_THAT(ValuesOf("training.trace=../a.csv,../b.csv"), ElementsAre("../a.csv", "../b.csv"));
}

TEST(Grid, TellsAllThatIsWrong)
{
    EXPECT_THAT(ComplaintsOf({"cluster.worker=4",
                              "cluster.workers",
                              "cluster.workers=4,1",
                              "exchange.algorithm=rign",
                              "host.duplex=1",
                              "host.duplex=0"}),
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
    EXPECT_THAT(ComplaintsOf({"simulation.seed=1..1000000:+1"}),
                ElementsAre(HasSubstr("more than 100000 points")));
    // 400 * 400 points
    EXPECT_THAT(ComplaintsOf({"simulation.seed=1..400:+1", "transport.window=16..415:+1"}),
                ElementsAre(HasSubstr("more than 100000 points")));
}

} // namespace inca
