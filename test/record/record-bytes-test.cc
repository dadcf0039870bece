/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/record-bytes.h"

#include "base/errors.h"
#include "record/detail-tables.h"
#include "record/example-record.h"
#include "record/result-row.h"
#include "record/run-directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

/** With something in every field that the examples leave out. */
RunRecord
FilledRecord()
{
    auto record = ExampleRecordOfSwitches();
    auto& r = record.results;
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
    record.origin.inputs.push_back({std::string("a\0\n\xff", 4), 1});
    record.warnings.emplace_back();
    return record;
}

} // namespace

TEST(RecordBytes, ComeBackAsTheRecordThatTheyWere)
{
    const auto record = FilledRecord();
    const auto bytes = BytesOf(record);
    const auto back = RecordOf(bytes);
    EXPECT_TRUE(BytesOf(back) == bytes);
    EXPECT_EQ(CsvHeader(back) + CsvRow(back), CsvHeader(record) + CsvRow(record));
    EXPECT_EQ(RunJson(back), RunJson(record));
    EXPECT_EQ(LayersCsv(back), LayersCsv(record));
    EXPECT_EQ(LinksCsv(back), LinksCsv(record));
    EXPECT_EQ(SwitchesCsv(back), SwitchesCsv(record));
    EXPECT_EQ(back.results.iterationEndsPs, record.results.iterationEndsPs);
    EXPECT_EQ(back.results.sketch->markedValues, 1000);
    EXPECT_TRUE(back.results.sketch->counted);
    EXPECT_EQ(back.origin.inputs.back().path, record.origin.inputs.back().path);
}

TEST(RecordBytes, KeepEveryBitOfADouble)
{
    const auto back = RecordOf(BytesOf(FilledRecord())).results;
    EXPECT_EQ(back.algbwGbps, 0.1 + 0.2);
    EXPECT_EQ(back.busbwGbps, std::numeric_limits<double>::denorm_min());
    EXPECT_TRUE(std::signbit(*back.scalingEfficiency));
    EXPECT_EQ(back.sumErrorMax, std::numeric_limits<double>::infinity());
    EXPECT_GT(*back.sumErrorMean, 1);
}

TEST(RecordBytes, TellZeroFromWhatDoesNotApply)
{
    auto record = FilledRecord();
    EXPECT_EQ(RecordOf(BytesOf(record)).results.replicaDifferenceMax, 0);
    record.results.replicaDifferenceMax.reset();
    record.results.sketch.reset();
    const auto back = RecordOf(BytesOf(record)).results;
    EXPECT_FALSE(back.replicaDifferenceMax.has_value());
    EXPECT_FALSE(back.sketch.has_value());
}

TEST(RecordBytes, AreRefusedUnlessTheyAreOneRecord)
{
    const auto bytes = BytesOf(FilledRecord());
    for (const auto size : {std::size_t{0}, std::size_t{9}, bytes.size() - 1})
    {
        EXPECT_THROW(RecordOf(std::string_view(bytes).substr(0, size)), InvariantError) << size;
    }
    EXPECT_THROW(RecordOf(bytes + bytes), InvariantError);
}

} // namespace inca
