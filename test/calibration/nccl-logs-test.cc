/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/shown-tables.h"

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/* busbw / algbw of the largest row is 2 (n - 1) / n: 75 / 50 = 1.5, so n = 4. */
const std::string g_heading{"#       size         count      type   redop    root     time   algbw "
                            "  busbw #wrong     time   algbw   busbw "
                            "#wrong\n"
                            "#        (B)    (elements)                               (us)  (GB/s) "
                            " (GB/s)            (us)  (GB/s)  (GB/s)\n"};
const std::string g_large{"     1048576        262144     float     sum      -1    20.97   50.00   "
                          "75.00      0    21.00   49.93   74.90      0\n"};

TEST(NcclTests, AreReadWithRanksAndVersion)
{
    const auto tables = Read(
        "# nccl-tests version 2.18.0 nccl-headers=22907 nccl-library=22907\n"
        "# Collective test starting: all_reduce_perf\n"
        "# Using devices\n"
        "#  Rank  0 Group  0 Pid  11 on  node-a device  0 [0000:01:00] A GPU\n"
        "#  Rank  1 Group  0 Pid  12 on  node-a device  1 [0000:02:00] A GPU\n"
        "#  Rank  2 Group  0 Pid  13 on  node-b device  0 [0000:01:00] A GPU\n" +
        g_heading +
        "           8             2     float     sum      -1    17.93    0.00    0.00      0    "
        "17.72    0.00    0.00      0\n"
        "    33554432       8388608     float     sum      -1  1.2e+07    0.00    0.00    N/A    "
        "67134    0.50    0.67    N/A\n"
        "# Out of bounds values : 0 OK\n");
    EXPECT_THAT(Shown(tables),
                ElementsAre("nccl-tests ranks 3",
                            "8 B 17.93 us @9",
                            "8 B 17.72 us @9",
                            "33554432 B 1.2e+07 us @10",
                            "33554432 B 67134 us @10"));
}

/* As they were since 2018, and with what launchers put before and editors take away. */
TEST(NcclTests, HaveHadManyForms)
{
    const std::string cuda12{"nccl:1:2 [0] NCCL INFO NCCL version 2.21.5+cuda12.4\n"};
    const std::pair<std::string, std::vector<std::string>> forms[]{
        // 12 fields: no root, and 'error' is how far values are off
        {"#       size         count    type   redop     time   algbw   busbw  error     time   "
         "algbw   busbw  error\n"
         "     1048576        262144   float     sum    20.97   50.00   75.00  2e-07    21.00   "
         "49.93   74.90  2e-07\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @2", "1048576 B 21 us @2"}},
        // option -I: four more columns after each half; -S: a time at the end
        {"#  size  count  type  redop  root  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%"
         "  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%  timestamp\n"
         "   1048576  262144  float  sum  -1  20.97  50.00  75.00  0  19.10  30.20  30.10  5.00"
         "  21.00  49.93  74.90  0  19.30  30.40  30.30  6.00  2025-11-03 12:00:00\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @2", "1048576 B 21 us @2"}},
        // rccl-tests, in place only
        {"rccl-tests: Version develop:ae3e635\nRCCL version : 2.18.3-HEAD:7a9d1b4\n"
         "#   Rank  0 Pid  11 on  node-a device  0 [0000:01:00.0] A GPU\n"
         "#   Rank  1 Pid  12 on  node-b device  0 [0000:01:00.0] A GPU\n"
         "#   size  count  type  redop  root  time  algbw  busbw #wrong\n"
         "   1048576  262144  float  sum  -1  20.97  50.00  50.00  0\n# Testing 2 cycle.\n"
         "   1048576  262144  float  sum  -1  21.97  47.73  47.73  0\n",
         {"rccl-tests ranks 2", "1048576 B 20.97 us @6", "1048576 B 21.97 us @8"}},
        // the same as a CSV, with semicolons, and in a page
        {"size (B),count,type,redop,root,time (us),algbw (GB/s),busbw (GB/s),#wrong,time "
         "(us),algbw,busbw,#wrong\n"
         "1048576,262144,\"float\",sum,-1,20.97,50.00,75.00,0,21.00,49.93,74.90,0\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @2", "1048576 B 21 us @2"}},
        {"size;count;type;redop;root;time;algbw;busbw;#wrong\n"
         "1048576;262144;float;sum;-1;20.97;50.00;75.00;0\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @2"}},
        {"| size | count | type | redop | root | time | algbw | busbw | #wrong |\n|---:|---|\n"
         "| 1048576 | 262144 | float | sum | -1 | 20.97 | 50.00 | 75.00 | 0 |\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @3"}},
        {"#\tsize\tcount\ttype\tredop\troot\ttime\talgbw\tbusbw\t#wrong\n"
         "1048576\t262144\tfloat\tsum\t-1\t20.97\t50.00\t75.00\t0\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @2"}},
        // lost comment signs, Windows' line ends
        {"       size         count      type   redop    root     time   algbw   busbw #wrong     "
         "time   algbw   busbw "
         "#wrong\r\n     1048576  262144  float  sum  -1  20.97   50.00  75.00  0   21.00   49.93  "
         "74.90  0\r\n",
         {"nccl-tests ranks 4", "1048576 B 20.97 us @2", "1048576 B 21 us @2"}},
    };
    for (const auto& [text, shown] : forms)
    {
        EXPECT_THAT(Shown(Read(text)), testing::ElementsAreArray(shown)) << text;
    }
    for (const std::string prefix :
         {"[1,0]<stdout>:", "Thu Jul 18 15:41:05 2024<stdout>:", "0: ", "pod-7  "})
    {
        std::string text;
        for (const auto& line : Lines(cuda12 + g_heading + g_large))
        {
            text += prefix + line + "\n";
        }
        EXPECT_THAT(
            Shown(Read(text)),
            ElementsAre("nccl-tests ranks 4", "1048576 B 20.97 us @4", "1048576 B 21 us @4"))
            << text;
    }
}

/* Two decimals tell 16 from 17 ranks (468.46 / 249.85 = 1.875), and not 128 from 144 (1.98 of 1.00). */
TEST(NcclTests, TellTheirRanksByTheRatioOfBandwidths)
{
    const auto ranks = [](const std::string& bandwidths) {
        return Read(g_heading + "  1024  256  float  sum  -1  20.97  " + bandwidths + "  0\n")
            .front()
            .ranks;
    };
    EXPECT_EQ(ranks("249.85  468.46"), 16U);
    EXPECT_EQ(ranks("1.00  1.98"), 0U);
    EXPECT_EQ(ranks("0.00  0.00"), 0U);
}

/* A script's own text may name other programs: alltoall's busbw is never above its algbw, and sendrecv's is the same. */
TEST(NcclTests, AreToldByTheirColumnsFirst)
{
    for (const char* program :
         {"alltoall_perf", "sendrecv_perf", "hypercube_perf", "reduce_scatter_perf"})
    {
        EXPECT_EQ(Shown(Read(program + ("\n" + g_heading) + g_large))[1], "1048576 B 20.97 us @4");
    }
}

/* Of 4 ranks: a share of 65,536 floats is a quarter of 1 MiB, and says so where bandwidths' two decimals do not. */
TEST(NcclTests, MeasureFiveCollectives)
{
    const auto shown = [](const std::string& program, const std::string& row) {
        return Shown(Read(program + "\n" + g_heading + "  1048576  " + row + "  0\n"));
    };
    const std::string note{"|Line 2: an all-to-all would look the same"};
    EXPECT_THAT(shown("all_gather_perf", "65536  float  none  -1  20.97  50.00  37.50"),
                ElementsAre("nccl-tests all_gather ranks 4", "1048576 B 20.97 us @4"));
    EXPECT_THAT(shown("reduce_scatter_perf", "65536  float  sum  -1  20.97  0.05  0.04"),
                ElementsAre("nccl-tests reduce_scatter ranks 4", "1048576 B 20.97 us @4"));
    EXPECT_THAT(shown("alltoall_perf", "65536  float  none  -1  20.97  50.00  37.50"),
                ElementsAre("nccl-tests all_to_all ranks 4", "1048576 B 20.97 us @4"));
    EXPECT_THAT(shown("broadcast_perf", "262144  float  none  0  20.97  50.00  50.00"),
                ElementsAre("nccl-tests broadcast ranks 0", "1048576 B 20.97 us @4"));
    EXPECT_EQ(Notes(Read("\n" + g_heading +
                         "  1048576  65536  float  none  -1  20.97  50.00  37.50  0\n")),
              note);
    EXPECT_EQ(
        Notes(
            Read("all_gather_perf\n#  size  count  type  time  algbw  busbw  error\n" // before 2022
                 "   1048576  65536  float  20.97  50.00  37.50  0e+00\n")),
        "");
}

/* Milliseconds in the heading's second line, or behind the word. */
TEST(NcclTests, HaveTheUnitOfTheirHeading)
{
    const std::string row{"  1048576  262144  float  sum  -1  20.97  50.00  75.00  0\n"};
    for (const std::string heading : {"# size count type redop root time algbw busbw #wrong\n"
                                      "# (B) (elements) (ms) (GB/s) (GB/s)\n",
                                      "size (B) count type redop root time (ms) algbw busbw\n\n"})
    {
        EXPECT_EQ(Shown(Read(heading + row))[1], "1048576 B 20970 us @3");
    }
}

/* 74.90 / 49.93 are 4 ranks. */
TEST(NcclTests, SayWhoseRanksTheyAre)
{
    const auto tables =
        Read("#  Rank  6 Group  0 Pid  11 on  node-a device  0 [0000:01:00] A GPU\n" + g_heading +
             g_large);
    EXPECT_EQ(tables.front().ranks, 4U);
    EXPECT_EQ(Notes(tables), "|Line 2: the log lists 7 ranks");
}

TEST(NcclTests, LeaveOutWhatIsCut)
{
    const auto tables = Read(g_heading + g_large +
                             "           0             0     float     sum      -1     3.91    "
                             "0.00    0.00      0     3.88  0.00    0.00      0\n"
                             "     2097152        524288     float     sum      -1 host:22:22 [0] "
                             "NCCL INFO Channel 00 : 0 1\n"
                             "   30.97   67.72  101.58      0    31.00   67.65  101.47      0\n"
                             "     20971host:22:22 [0] NCCL INFO Channel 00 : 0 1\n"
                             "52        524288     float     sum      -1    30.97   67.72  101.58  "
                             "    0    31.00   67.65  101.47      0\n"
                             "     2097152        524288     float     sum  x.c:7    30.97   67.72 "
                             " 101.58      0    31.00   67.65  101.47      0\n"
                             "     4194304       1048576     float     sum      -1    51.00   "
                             "82.24  123.36      3    51.00   82.24  123.36      0\n");
    EXPECT_THAT(Shown(tables),
                ElementsAre("nccl-tests ranks 4",
                            "1048576 B 20.97 us @3",
                            "1048576 B 21 us @3",
                            "4194304 B 51 us @10",
                            "4194304 B 51 us @10"));
    EXPECT_EQ(Notes(tables),
              "|Line 4 and 1 more: nothing was sent"
              "|Line 5 and 3 more: cannot be read as a row"
              "|Line 10: values came out wrong.");
}

TEST(NcclTests, AreRefused)
{
    const std::pair<std::string, const char*> refused[]{
        {"#  size  count  type  redop  root  cputime  algbw  busbw  #wrong\n  1024  256  float  "
         "sum  -1  2.97  50.00  75.00  0\n",
         "a.log:1: times are how long the processor took to start an operation"},
        {g_heading, "a.log:1: the table has no row"},
        {g_heading + "  1048576  262144  float  sum  -1  20.97  50.00  0.00  0\n",
         "a.log:1: the table is of one rank"},
        {"scatter_perf\n#  size  count  type  root  time  algbw  busbw  error\n"
         "   1048576  65536  float  0  20.97  50.00  37.50  0e+00\n",
         "a.log:2: scatter_perf is not read; INCA reads all_reduce, all_gather, reduce_scatter, "
         "all_to_all, broadcast, "
         "message and stream"},
        {"#  size  count  type  redop  root  time  algbw  busbw  error\n"
         "   1048576  262144  float  sum  0  20.97  50.00  50.00  0e+00\n",
         "a.log:1: this is not read"}, // a sum on rank 0
        {"sendrecv_perf\n" + g_heading +
             "  1048576  262144  float  sum  -1  20.97  50.00  50.00  0\n",
         "a.log:2: sendrecv_perf is not read"},
        {g_heading + "  1048576  262144  float  none  -1  20.97  50.00  50.00  0\n",
         "a.log:1: this is not read"}, // each sends all to the next
        {g_heading + "  1024  256  float  sum  -1  -2.97  50.00  75.00  0\n",
         "a.log:3: needs a time up to 10^6 s"},
        {g_heading + "  4611686018427387904  1  float  sum  -1  2.97  50.00  75.00  0\n",
         "a.log:3: needs a time"},
        {"#  size  count  type  redop  root  time  algbw  busbw\n#  (B)  (elements)  (min)  (GB/s) "
         " (GB/s)\n",
         "a.log:2: 'min' is no unit; it may be ns, us, ms, s, or such as MB/s"},
        {"#  size  count  type  redop  root  time  algbw  busbw\n#  (KB)  (elements)  (us)  (GB/s) "
         " (GB/s)\n",
         "a.log:2: needs sizes in bytes, (B)"},
    };
    for (const auto& [text, why] : refused)
    {
        EXPECT_THAT(WhyNoTable(text), HasSubstr(why));
    }
}

const std::string g_run{
    R"({"version":3,"args":["./build/all_reduce_perf","-J","x"],"env":["SECRET=1"],"nccl_version":23007,
"config":{"nthreads":1,"ngpus":2,"devices":[{"rank":0,"hostname":"node-a"},{"rank":2,"hostname":"node-b"}]},
"results":[
{"size":8,"count":2,"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":17.934521,"alg_bw":0.000446,"bus_bw":0.000669,"nwrong":0},"in_place":{"time":17.72,"alg_bw":0.000451,"bus_bw":0.000677,"nwrong":null},"experiment_name":""},
{"size":1048576,"count":262144,"type":"float","redop":"sum","root":"    -1","out_of_place":null,"in_place":{"time":21.0,"alg_bw":49.932190,"bus_bw":74.898285,"nwrong":1},"in_place_per_iter":{"times_us":[1,2]}}
)"};

TEST(NcclTestsJson, IsRead)
{
    const std::vector<std::string> shown{
        "nccl-tests ranks 4", "8 B 17.9345 us @1", "8 B 17.72 us @1", "1048576 B 21 us @1"};
    const auto whole = Read(g_run + R"(],"out_of_bounds":{"count":0,"okay":true},"errors":[]})");
    EXPECT_EQ(Shown(whole), shown);
    EXPECT_EQ(Notes(whole), "|Line 1: values came out wrong.");
    const auto unfinished = Read(g_run + ",{\"size\":2097152,\"out_of_place\":{\"time\":9.0},\n");
    EXPECT_EQ(Shown(unfinished), shown);
    EXPECT_THAT(Notes(unfinished), HasSubstr("|Line 1: the file ends before the run does."));
}

} // namespace

} // namespace inca
