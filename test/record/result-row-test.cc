/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-row.h"

#include "record/example-record.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace inca
{

namespace
{

std::map<std::string, std::string>
TextsOf(const RunRecord& record)
{
    std::map<std::string, std::string> texts;
    for (const auto& column : ResultColumns())
    {
        texts[column.name] = column.text(record);
    }
    return texts;
}

} // namespace

/* The columns of docs and plots: who changes one breaks files that users have. */
TEST(ResultRow, HasTheseColumns)
{
    EXPECT_EQ(
        CsvHeader(RunRecord{}),
        "label,point,status,warnings,"
        "iteration_time_s,iteration_time_low_s,iteration_time_high_s,iteration_time_range,"
        "iteration_time_min_s,"
        "iteration_time_p50_s,iteration_time_p99_s,"
        "samples_per_s,forward_s,backward_s,copy_s,codec_s,sum_s,update_s,communication_s,"
        "exchange_time_s,buckets,aggregation_throughput_gbps,algbw_gbps,busbw_gbps,plain_bytes,"
        "wire_bytes,achieved_ratio,scaling_efficiency,lower_bound_s,limited_by,"
        "communication_limited_by,drops,"
        "retransmitted,largest_queue_bytes,slots_peak,slots_needed,"
        "switch_memory_used_bytes,sketch_ratio,sketch_load,"
        "peeling_rounds,set_values,estimated_values,loses,sum_error_max,sum_error_mean,"
        "sum_vnmse,sum_cosine,replica_difference_max,sums_depend_on_order,values_in_frames,picked,"
        "packet_level_share,exact,inca_version,ns3_"
        "version,seed,trace_"
        "crc32\n");
}

/* Shares are means over two iterations: 0.5 s of forward are 0.25 s each. What does not apply is
 * empty: algbw, busbw, scaling_efficiency, what switches have, the sketch's and the errors. */
TEST(ResultRow, HoldsSettingsThenResultsThenOrigin)
{
    const auto record = ExampleRecord();
    EXPECT_EQ(CsvHeader(record).find("label,point,status,warnings,trace,exchange,codec,bound_bits,"
                                     "workers,bandwidth_gbps,iteration"),
              0U);
    EXPECT_EQ(
        CsvRow(record),
        ",,done,ring.toml:9:1: exchange.broadcast: has no effect: ring broadcasts no weights,"
        "alexnet,ring,inceptionn,10,4,10,1.5,,,,1,1,2,170.667,0.25,0.5,0,0,0.125,0.125,0.5,"
        "1,2,1.955,,,1466000000,268435456,5.5,,1.25,link,host,0,0,4096,,,,,,,,,none,,,,,,,,,1,"
        "true,0.1.0,3.37,7,"
        "1234abcd\n");
}

TEST(ResultRow, HoldsSketches)
{
    RunRecord record;
    record.results.sketch = SketchResults{5, 4, 9.5, 0.75, 17.5, 1000, 3, true};
    auto row = TextsOf(record);
    EXPECT_EQ(row["sketch_ratio"], "9.5");
    EXPECT_EQ(row["sketch_load"], "0.75");
    EXPECT_EQ(row["peeling_rounds"], "17.5");
    EXPECT_EQ(row["estimated_values"], "3");
    EXPECT_EQ(row["set_values"], "1000");
    record.results.sketch->coded = 0; // then nothing of it applies
    row = TextsOf(record);
    EXPECT_EQ(row["sketch_ratio"], "");
    EXPECT_EQ(row["estimated_values"], "");
}

/* 5 ps of forward and 5 of backward in 3 iterations: an iteration is 10 / 3 = 3 ps. Rounded one by one
 * the parts would be 2 + 2. Rounded as running totals: 5 / 3 = 2, then 10 / 3 - 2 = 1. */
TEST(ResultRow, SharesAddUpToTheIterationTime)
{
    RunRecord record;
    record.results.measuredIterations = 3;
    record.results.iterationTimePs = 3;
    record.results.shares.forwardPs = 5;
    record.results.shares.backwardPs = 5;
    auto row = TextsOf(record);
    EXPECT_EQ(row["iteration_time_s"], "0.000000000003");
    EXPECT_EQ(row["forward_s"], "0.000000000002");
    EXPECT_EQ(row["backward_s"], "0.000000000001");
    EXPECT_EQ(row["communication_s"], "0");
}

/* Numbers as they stand in CSV, a text for a checksum of digits alone, null for what does not apply. */
TEST(ResultRow, IsALineOfJson)
{
    Row row = HeadCells({"ring \"a\"", 3, "done", {"one", "two"}});
    row.push_back({"trace", "\xff.csv"});
    row.push_back({"overlap", "true"});
    row.push_back({"iteration_time_s", "0.50000000010"});
    row.push_back({"sum_error_max", ""});
    row.push_back({"trace_crc32", "12345678", true});
    EXPECT_EQ(JsonLineOf(row),
              "{\"label\": \"ring \\\"a\\\"\", \"point\": 3, \"status\": \"done\", "
              "\"warnings\": [\"one\", \"two\"], \"trace\": \"\xef\xbf\xbd.csv\", "
              "\"overlap\": true, \"iteration_time_s\": 0.50000000010, "
              "\"sum_error_max\": null, \"trace_crc32\": \"12345678\"}\n");
}

TEST(ResultRow, OfAPointWithoutResultsHasItsOriginAlone)
{
    const auto cells = OriginCells({"0.1.0", "3.37", 7, {}, {}});
    EXPECT_EQ(CsvHeader(cells), CsvHeader(ResultCells(RunRecord{})));
    EXPECT_EQ(CellText(cells, "seed"), "7");
    EXPECT_EQ(CellText(cells, "iteration_time_s"), "");
    EXPECT_EQ(CellText(cells, "drops"), "");
}

TEST(MeaningOfColumn, IsThereForAllThatARowHasOnce)
{
    std::set<std::string> names;
    for (const auto& column : ResultColumns())
    {
        EXPECT_TRUE(names.insert(column.name).second) << column.name;
        EXPECT_FALSE(MeaningOfColumn(column.name).empty()) << column.name;
    }
    EXPECT_EQ(MeaningOfColumn("other"), "");
}

TEST(UnitOfColumn, IsWhatItsNameEndsIn)
{
    EXPECT_EQ(UnitOfColumn("busbw_gbps"), "Gbit/s");
    EXPECT_EQ(UnitOfColumn("iteration_time_min_s"), "s");
    EXPECT_EQ(UnitOfColumn("sum_rate_bytes_per_s"), "B/s");
    EXPECT_EQ(UnitOfColumn("samples_per_s"), "1/s");
    EXPECT_EQ(UnitOfColumn("limited_by"), "");
    EXPECT_EQ(UnitOfColumn("values"), "");
}

} // namespace inca
