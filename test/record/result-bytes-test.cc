/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-bytes.h"

#include "base/errors.h"
#include "record/example-record.h"
#include "record/result-row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

/** With something in every field that the example leaves out. */
RunResults
FilledResults()
{
    auto r = ExampleRecordOfSwitches().results;
    r.iterationEndsPs = {-1, 0, std::numeric_limits<std::int64_t>::max()};
    r.algbwGbps = 0.1 + 0.2;
    r.busbwGbps = std::numeric_limits<double>::denorm_min();
    r.scalingEfficiency = -0.0;
    r.drops = 3;
    r.retransmitted = 4;
    r.slotsPeak = std::numeric_limits<std::uint64_t>::max();
    r.slotsNeeded = 14;
    r.switchMemoryBytes = 1U << 20U;
    r.sketch = SketchResults{5, 4, 9.5, 0.75, 17.5, 1000, 3, true};
    r.sumErrorMax = std::numeric_limits<double>::infinity();
    r.sumErrorMean = std::nextafter(1.0, 2.0);
    r.replicaDifferenceMax = 0;
    r.simulatedRanks = 2;
    r.ranks = 5;
    return r;
}

RunRecord
RecordWith(const RunResults& results)
{
    RunRecord record;
    record.results = results;
    return record;
}

} // namespace

TEST(ResultBytes, ComeBackAsTheResultsThatTheyWere)
{
    const auto results = FilledResults();
    const auto back = ResultsOf(BytesOf(results));
    EXPECT_EQ(BytesOf(back), BytesOf(results));
    EXPECT_EQ(CsvRow(RecordWith(back)), CsvRow(RecordWith(results)));
    EXPECT_EQ(back.iterationEndsPs, results.iterationEndsPs);
    EXPECT_EQ(back.algbwGbps, 0.1 + 0.2);
    EXPECT_EQ(back.busbwGbps, std::numeric_limits<double>::denorm_min());
    EXPECT_TRUE(std::signbit(*back.scalingEfficiency));
    EXPECT_EQ(back.sumErrorMax, std::numeric_limits<double>::infinity());
    EXPECT_GT(*back.sumErrorMean, 1);
    EXPECT_EQ(back.sketch->markedValues, 1000);
    EXPECT_TRUE(back.sketch->counted);
    EXPECT_EQ(back.ranks, 5U);
}

TEST(ResultBytes, TellZeroFromWhatDoesNotApply)
{
    auto results = FilledResults();
    EXPECT_EQ(ResultsOf(BytesOf(results)).replicaDifferenceMax, 0);
    results.replicaDifferenceMax.reset();
    results.sketch.reset();
    const auto back = ResultsOf(BytesOf(results));
    EXPECT_FALSE(back.replicaDifferenceMax.has_value());
    EXPECT_FALSE(back.sketch.has_value());
}

TEST(ResultBytes, AreRefusedUnlessTheyAreWhole)
{
    const auto bytes = BytesOf(FilledResults());
    for (std::size_t size = 0; size < bytes.size(); size += 7)
    {
        EXPECT_THROW(ResultsOf(bytes.substr(0, size)), InvariantError) << size;
    }
    EXPECT_THROW(ResultsOf(bytes + bytes), InvariantError);
}

} // namespace inca
