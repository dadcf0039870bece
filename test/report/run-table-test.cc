/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/run-table.h"

#include "record/example-record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::HasSubstr;
using testing::Not;

/* Shares of 3 s: backward 1 s is 33.3 %, its bar 33.3 % of 40 = 13. Per iteration it is half. */
TEST(RunTable, ReadsLikeThis)
{
    EXPECT_EQ(FormatRunTable(ExampleRecord()),
              R"(alexnet, ring, codec inceptionn (bound 2^-10), 4 workers at 10 Gbit/s

  iteration time              1.500 s
    over 2 iterations         min 1.000 s, median 1.000 s, p99 2.000 s
    limited by                link
  lower bound                 1.250 s
  throughput                  170.7 samples/s

where the time goes, on the worker that ends last
  forward                     250.0 ms     16.7 %  #######
  backward                    500.0 ms     33.3 %  #############
  sum                         125.0 ms      8.3 %  ###
  update                      125.0 ms      8.3 %  ###
  communication               500.0 ms     33.3 %  #############

exchange
  time                        1.000 s
    limited by                host
  buckets                     2
  aggregation throughput      1.955 Gbit/s
  plain payload               1.365 GiB
  on the wire                 256.0 MiB in whole frames
  compression ratio           5.500
    ratio of step 0           8.000
    ratio of step 1           4.000

network
  busiest link                switch -> worker 0, 50.0 % of the time, 2.000 MiB
  largest queue               4.000 KiB
  frames dropped              0
  frames sent again           0

warnings
  ring.toml:9:1: exchange.broadcast: has no effect: ring broadcasts no weights
)");
}

TEST(RunTable, SaysWhatIsExchangedAndHow)
{
    struct Row
    {
        const char* exchange;
        const char* library;
        const char* collective;
        const char* text;
    };

    const Row rows[] = {{"ring", "none", "all-reduce", ", ring, codec"},
                        {"", "nccl", "all-reduce", ", nccl, codec"},
                        {"ring", "none", "", ", ring, codec"}, // of a training
                        {"ring", "none", "all-gather", ", all-gather by ring, codec"},
                        {"", "none", "all-to-all", ", all-to-all, codec"}};
    for (const auto& row : rows)
    {
        RunRecord record;
        record.settings = {{"exchange", row.exchange},
                           {"exchange_library", row.library},
                           {"collective", row.collective}};
        EXPECT_THAT(FormatRunTable(record), HasSubstr(row.text));
    }
}

TEST(RunTable, LeavesOutWhatDoesNotApply)
{
    const auto text = FormatRunTable(RunRecord());
    for (const auto* label : {"lower bound",
                              "throughput",
                              "algbw",
                              "warnings",
                              "fp64",
                              "ratio of step",
                              "nan",
                              "slots"})
    {
        EXPECT_THAT(text, Not(HasSubstr(label)));
    }
}

/* Times are means of the measured iterations, bytes are totals of all. 2^-10 is 0.0009765625. 65536 bytes are 64 KiB; the leaf
 * uses more of its slots than the spine. */
TEST(RunTable, ShowsTotalsErrorsAndTheFullestSwitch)
{
    auto record = ExampleRecord();
    record.settings.push_back({"iterations", "3"});
    record.results.sumErrorMax = 0.0009765625;
    record.results.sumErrorMean = 0;
    const auto text = FormatRunTable(record);
    EXPECT_THAT(text, HasSubstr("plain payload               1.365 GiB in 3 iterations\n"));
    EXPECT_THAT(text, HasSubstr("256.0 MiB in whole frames, in 3 iterations\n"));
    EXPECT_THAT(text, HasSubstr("0.0009766"));
    record.settings.back().text = "1";
    EXPECT_THAT(FormatRunTable(record), Not(HasSubstr("in 1 iterations")));
    const auto switches = FormatRunTable(ExampleRecordOfSwitches());
    EXPECT_THAT(switches, HasSubstr("slots in use at most        64 of 128, leaf 0\n"));
    EXPECT_THAT(switches, HasSubstr("memory of a switch          64.00 KiB\n"));
}

TEST(RunTable, CutsLongListsOfHopsShort)
{
    RunRecord record;
    for (std::uint32_t step = 0; step < 14; ++step)
    {
        record.steps.push_back({step, 1400, 100 + step * 4});
    }
    const auto text = FormatRunTable(record);
    EXPECT_THAT(text, HasSubstr("ratio of step 7 "));
    EXPECT_THAT(text, Not(HasSubstr("ratio of step 8 ")));
    EXPECT_THAT(text, HasSubstr("of 6 more steps           10.606..9.211\n")); // 1400/132, 1400/152
}

/* Of up to 8 hops each is shown, of 11 those of powers of two; of 10 buckets the first 8. */
TEST(RunTable, ShowsErrorsByBucketAndHop)
{
    auto record = ExampleRecordOfErrors();
    record.results.sumErrorMax = 2;
    record.results.sumsDependOnOrder = "no";
    record.results.sumOrderReason = "for a reason";
    EXPECT_THAT(FormatRunTable(record),
                HasSubstr("  bucket   vNMSE   cosine  largest  vNMSE at hop 1   hop 2\n"
                          "  1       0.0625  0.96875      0.5         0.03125  0.0625\n"
                          "  2       0.3333        1        2\n"));
    EXPECT_THAT(FormatRunTable(record),
                HasSubstr("sums depend on order        no: for a reason\n"));
    record.errors = {{}};
    for (std::size_t hop = 1; hop <= 11; ++hop)
    {
        record.errors.push_back({1, hop});
    }
    record.errors.resize(12 + 9);
    const auto text = FormatRunTable(record);
    EXPECT_THAT(text, HasSubstr("vNMSE at hop 1  hop 2  hop 4  hop 8\n"));
    EXPECT_THAT(text, HasSubstr("\n  of 2 more buckets           errors.csv of --out DIR\n"));
    record.errors.resize(1);
    EXPECT_THAT(FormatRunTable(record), Not(HasSubstr("bucket ")));
}

TEST(RunTable, ShowsSketches)
{
    auto record = ExampleRecord();
    EXPECT_THAT(FormatRunTable(record), Not(HasSubstr("homomorphic")));
    record.results.sketch = SketchResults{5, 4, 9.5, 0.75, 17.5, 1000, 3, true};
    const auto text = FormatRunTable(record);
    EXPECT_THAT(text, HasSubstr("coded exchanges             4 of 5\n"));
    EXPECT_THAT(text, HasSubstr("ratio                       9.5 rows per counter row\n"));
    EXPECT_THAT(text, HasSubstr("load                        0.75 at most\n"));
    EXPECT_THAT(text, HasSubstr("rounds of peeling           17.5 at most\n"));
    EXPECT_THAT(text, HasSubstr("3 of 1000 that are set, counted\n"));
    record.settings.push_back({"sharding", "full"});
    EXPECT_THAT(FormatRunTable(record), HasSubstr("coded shards                4 of 5\n"));
    record.results.sketch->counted = false;
    EXPECT_THAT(FormatRunTable(record), HasSubstr("3 of 1000 that are set, expected\n"));
    record.results.sketch->coded = 0;
    EXPECT_THAT(FormatRunTable(record), Not(HasSubstr("rounds of peeling")));
}

} // namespace inca
