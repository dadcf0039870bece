/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-choice.h"

#include "base/errors.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

const PlotNames g_names{{"label", "workers", "bandwidth_gbps", "aggregator_gbps", "exchange"},
                        {{"cluster.workers", "workers"}, {"cluster.bandwidth", "bandwidth_gbps"}}};

PlotChoice
Choose(const std::string& csv, const PlotRequest& request = {})
{
    return ChoosePlot(ParseCsvTable("x.csv", csv), g_names, request);
}

PlotRequest
Of(PlotKind kind)
{
    PlotRequest request;
    request.kind = kind;
    return request;
}

constexpr const char* g_grid = "workers,bandwidth_gbps,aggregator_gbps,exchange,iteration_time_s\n"
                               "4,10,,ring,1\n"
                               "4,25,,ring,1\n"
                               "4,40,,ring,1\n"
                               "4,10,10,star,2\n"
                               "4,25,25,star,2\n"
                               "4,40,40,star,2\n"
                               "8,10,10,star,2\n";

constexpr const char* g_single = "workers,exchange,forward_s,sum_s,iteration_time_s\n"
                                 "4,ring,1,1,2\n";

} // namespace

/* Three bandwidths are more than two numbers of workers. The aggregator's bandwidth says nothing where there
 * is none, and is the worker's elsewhere. */
TEST(PlotChoice, DrawsWhatVaries)
{
    const auto choice = Choose(g_grid);
    EXPECT_EQ(choice.kind, PlotKind::LINE);
    EXPECT_EQ(choice.x, 1U);
    EXPECT_THAT(choice.y, ElementsAre(4));
    EXPECT_THAT(choice.series, ElementsAre(0, 3));
}

TEST(PlotChoice, TakesKeysAndColumns)
{
    const auto choice = Choose(g_grid, {"cluster.workers", "aggregator_gbps", "exchange", {}});
    EXPECT_EQ(choice.x, 0U);
    EXPECT_THAT(choice.y, ElementsAre(2));
    EXPECT_THAT(choice.series, ElementsAre(3, 1)); // bandwidth varies, too
}

/* A system is more than what sets it apart; what it sets is not said twice. */
TEST(PlotChoice, SetsSystemsApartByTheirNames)
{
    const auto choice = Choose("label,workers,exchange,iteration_time_s\n"
                               "a,4,ring,1\n"
                               "b,4,star,1\n"
                               "a,8,ring,1\n"
                               "b,8,star,1\n");
    EXPECT_EQ(choice.x, 1U);
    EXPECT_THAT(choice.series, ElementsAre(0));
}

TEST(PlotChoice, DrawsBarsOverNames)
{
    const auto choice = Choose("exchange,iteration_time_s\nring,1\nstar,2\n");
    EXPECT_EQ(choice.kind, PlotKind::BAR);
    EXPECT_EQ(choice.x, 0U);
    EXPECT_THAT(choice.series, IsEmpty());
}

TEST(PlotChoice, OfOneRowIsWhereItsTimeGoes)
{
    const auto choice = Choose(g_single);
    EXPECT_EQ(choice.kind, PlotKind::STACK);
    EXPECT_EQ(choice.x, std::nullopt);
    EXPECT_THAT(choice.y, ElementsAre(2, 3));
}

TEST(PlotChoice, NamesTheNearestColumn)
{
    EXPECT_THAT(
        [] {
            Choose(g_grid, {"cluster.bandwith", "", "", {}});
        },
        ThrowsMessage<InputError>("--x: x.csv has no column 'cluster.bandwith'; did you "
                                  "mean 'cluster.bandwidth'?"));
    EXPECT_THAT(
        [] {
            Choose(g_grid, {"", "iteration_times", "", {}});
        },
        ThrowsMessage<InputError>(HasSubstr("did you mean 'iteration_time_s'?")));
    EXPECT_THAT(
        [] {
            Choose(g_grid, {"", "", "exchange,zzz", {}});
        },
        ThrowsMessage<InputError>(HasSubstr("--series: x.csv has no column 'zzz'")));
}

TEST(PlotChoice, RefusesWhatCannotBeDrawnLikeThat)
{
    EXPECT_THAT([] { Choose(g_single, Of(PlotKind::LINE)); },
                ThrowsMessage<InputError>(HasSubstr("no setting differs")));
    EXPECT_THAT(
        [] {
            Choose(g_grid, {"exchange", "", "", PlotKind::LINE});
        },
        ThrowsMessage<InputError>(HasSubstr("--kind bar")));
    EXPECT_THAT([] { Choose(g_grid, Of(PlotKind::HEAT)); },
                ThrowsMessage<InputError>(HasSubstr("these vary, too: workers, exchange")));
    EXPECT_THAT(
        [] {
            Choose(g_single, {"", "sum_s", "", PlotKind::STACK});
        },
        ThrowsMessage<InputError>(HasSubstr("--y")));
    EXPECT_THAT(
        [] {
            Choose(g_grid, {"", "exchange", "", {}});
        },
        ThrowsMessage<InputError>(HasSubstr("column exchange holds no numbers")));
    EXPECT_THAT([] { Choose(g_grid, Of(PlotKind::STACK)); },
                ThrowsMessage<InputError>(HasSubstr("needs the columns forward_s")));
}

} // namespace inca
