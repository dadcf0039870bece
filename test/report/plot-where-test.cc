/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-where.h"

#include "base/errors.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const PlotNames g_names{{"label", "workers"}, {{"cluster.workers", "workers"}}};

/** @return the labels of the rows that are left */
std::vector<std::string>
Where(const std::string& expression)
{
    const auto table = ParseCsvTable("x.csv",
                                     "label,workers,an odd \"name\"\n"
                                     "a,2,x\nb,16,y\n\"c, d\",,z\n");
    std::vector<std::string> labels;
    for (const auto& row : RowsWhere(table, g_names, expression).rows)
    {
        labels.push_back(row.fields.front());
    }
    return labels;
}

} // namespace

/* 16 is more than 2 as a number, not as a text; a field that is empty is neither more nor less. */
TEST(PlotWhere, ComparesNumbersAndTexts)
{
    EXPECT_THAT(Where("workers > 2"), ElementsAre("b"));
    EXPECT_THAT(Where("cluster.workers <= 2.5 or label = 'c, d'"), ElementsAre("a", "c, d"));
    EXPECT_THAT(Where("label in ('a', 'b') and workers is not null"), ElementsAre("a", "b"));
    EXPECT_THAT(Where("\"an odd \"\"name\"\"\" = 'z'"), ElementsAre("c, d"));
}

TEST(PlotWhere, SaysWhatIsWrong)
{
    EXPECT_THAT([] { Where("worker = 2"); },
                ThrowsMessage<InputError>(HasSubstr("--where: 'worker = 2' is no condition")));
    EXPECT_THAT([] { Where("cluster.worker = 2"); },
                ThrowsMessage<InputError>(HasSubstr("did you mean 'cluster.workers'?")));
    EXPECT_THAT([] { Where("workers > 16"); },
                ThrowsMessage<InputError>(HasSubstr("holds for no row of x.csv")));
    EXPECT_THAT([] { Where("label = 'a"); }, ThrowsMessage<InputError>(HasSubstr("no condition")));
}

} // namespace inca
