/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/shown-tables.h"

#include <functional>

namespace inca
{

namespace
{

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/** How a tool writes a log whose second row has this size and this time, on its last line. */
struct LogForm
{
    const char* tool;
    std::string head; ///< with a whole first row, of 4 B
    std::function<std::string(const std::string& size, const std::string& time)> row;
};

const std::vector<LogForm> g_forms{
    {"nccl-tests",
     "# size count type redop root time algbw busbw #wrong\n  4  1  float  sum  -1  11.25  50.00  "
     "75.00  0\n",
     [](auto size, auto time) {
         return "  " + size + "  4  float  sum  -1  " + time + "  50.00  75.00  0";
     }},
    {"OSU",
     "# OSU MPI Allreduce Latency Test v7.1\n# Size  Avg Latency(us)  Min Latency(us)  "
     "Iterations\n4 11.25 9.25 1000\n",
     [](auto size, auto time) { return size + "  " + time + "  9.25  1000"; }},
    {"OSU behind a pod's name and a time",
     "pod-7 15:41:05 # OSU MPI Allreduce Latency Test v7.1\npod-7 15:41:05  4 11.25\n",
     [](auto size, auto time) { return "pod-7 15:41:05 " + size + "  " + time; }},
    {"IMB",
     "# Benchmarking Allreduce\n# #processes = 8\n#bytes #repetitions t_min[usec] t_max[usec] "
     "t_avg[usec]\n"
     "4 10 1.00 11.25 1.00\n",
     [](auto size, auto time) { return size + " 10 1.00 " + time + " 1.00"; }},
    {"perftest",
     "#bytes #iterations t_min[usec] t_max[usec] t_typical[usec] t_avg[usec]\n4 1000 1.00 20.00 "
     "11.25 11.30\n",
     [](auto size, auto time) { return size + " 1000 1.00 20.00 " + time + " 11.30"; }},
    {"gloo",
     "Algorithm: allreduce_ring\nOptions: processes=2\n size (B)  elements  min (us)  p50 (us)  "
     "p99 (us)  max (us)  "
     "bandwidth (GB/s)  iterations\n4 1 10.00 11.25 12.00 13.00 0.032 1000\n",
     [](auto size, auto time) { return size + " 4 10.00 " + time + " 12.00 13.00 0.032 1000"; }},
    {"PARAM",
     "COMMS-RES total-size (B) nElementsPerRank Time(us):p50 p75 p95 Min Max AlgBW(GB/s) "
     "BusBW(GB/s) "
     "TotalTime(us):p50\n"
     "COMMS-RES-all_reduce-float32 4 1 11.25 46.0 47.0 45.0 48.0 22.845 39.979 0.0\n",
     [](auto size, auto time) {
         return "COMMS-RES-all_reduce-float32 " + size + " 4 " + time +
                " 46.0 47.0 45.0 48.0 22.845 39.979 0.0";
     }},
    {"CSV",
     "bytes,ranks,time_us\n4,2,11.25\n",
     [](auto size, auto time) { return size + ",2," + time; }},
    {"rccl-tests",
     "size,gpus,redop,inplace,time,algbw\n4,2,sum,1,11.25,0\n",
     [](auto size, auto time) { return size + ",2,sum,1," + time + ",0"; }},
};

} // namespace

/* Nothing vanishes: what is no row is an error of that line, or noted with it, and the whole row stays. */
TEST(BrokenLogs, SayWhichRowIsBroken)
{
    const std::pair<std::string, std::string> breaks[]{{"nan", "12.50"},
                                                       {"1M", "12.50"},
                                                       {"1e3", "12.50"},
                                                       {"-16", "12.50"},
                                                       {"16.0", "12.50"},
                                                       {"1" + std::string(30, '0'), "12.50"},
                                                       {"16", "nan"},
                                                       {"16", "-nan"},
                                                       {"16", "inf"},
                                                       {"16", "1e300"},
                                                       {"16", "-12.50"},
                                                       {"16", "0.00"},
                                                       {"16", "1e-300"},
                                                       {"16", ""},
                                                       {"16", "12.5x"},
                                                       {"16", "****"},
                                                       {"16", std::string("12\0.50", 6)},
                                                       {std::string("\00016", 3), "12.50"},
                                                       {std::string("16\0", 3), "12.50"}};
    for (const auto& form : g_forms)
    {
        const auto line = std::count(form.head.begin(), form.head.end(), '\n') + 1;
        ASSERT_THAT(Shown(Read(form.head + form.row("16", "12.50") + "\n")), testing::SizeIs(3))
            << form.tool;
        for (const auto& [size, time] : breaks)
        {
            const auto text = form.head + form.row(size, time) + "\n";
            std::string told;
            const auto why = WhyNot([&] { told = Notes(Read(text)); });
            EXPECT_THAT(
                why.empty() ? told : why,
                AnyOf(HasSubstr(Text("|Line ", line, ": ")), HasSubstr(Text("a.log:", line, ": "))))
                << form.tool << ": '" << size << "' '" << time << "'";
            if (why.empty())
            {
                EXPECT_EQ(Read(text)[0].rows.size(), 1U)
                    << form.tool << ": '" << size << "' '" << time << "'";
            }
        }
    }
}

TEST(BrokenLogs, SayWhatIsWrongWithARow)
{
    const auto& osu = g_forms[1];
    const char* noRow = "|Line 4: cannot be read as a row";
    const auto told = [&osu](const std::string& row) { return Notes(Read(osu.head + row + "\n")); };
    EXPECT_EQ(told("16 nan 9.25 1000"), noRow);
    EXPECT_EQ(told("104"), noRow); // cut at the file's end
    EXPECT_EQ(told("16 12.50 9.25 1000\n1M 12.50\n16 inf"),
              "|Line 5 and 1 more: cannot be read as a row");
    EXPECT_EQ(told("3 processes exited"), "");
    EXPECT_EQ(told("2 12.50 9.25 1000"), "|Line 4: sizes begin again: another run");
    EXPECT_THAT(WhyNoTable(osu.head + "16 10000000000000.0 9.25 1000\n"),
                HasSubstr("a.log:4: needs a time up to 10^6 s and a size up to 2^50"));
    EXPECT_THAT(WhyNoTable("# OSU MPI Allreduce Latency Test v7.1\n4 nan\n"),
                HasSubstr("a.log:2: cannot be read as a row"));
    // another root, and a count that is of other ranks
    const auto nccl = g_forms[0].head + "  16  4  float  sum  7  12.50  50.00  75.00  0\n  16  1  "
                                        "float  sum  -1  12.50  50.00  75.00  0\n";
    EXPECT_EQ(Notes(Read(nccl)), "|Line 3 and 1 more: cannot be read as a row");
    // a row of the bench that has no size does not end its table
    EXPECT_THAT(
        Shown(Read(
            "| payload |  busbw  |  algbw  |\n| --: | --: | --: |\n| *** | 1.44GBps | 0.82GBps |\n"
            "|    1MB |  39.93GBps |  22.82GBps |\n")),
        ElementsAre("all_reduce_bench ranks 8", "1048576 B 45.9499 us @4"));
}

TEST(BrokenLogs, HaveLinesOfAnyLength)
{
    std::string cells;
    for (int i = 0; i < 1'000'000; ++i)
    {
        cells += "4,";
    }
    EXPECT_THAT(WhyNoTable("bytes,time_us\n" + cells + "\n"),
                HasSubstr("a.log:2: has 32769 cells, the heading 2")); // of 64 KiB
    EXPECT_THAT(Shown(Read(g_forms[1].head + std::string(10'000'000, '7') + " 1.00\n")),
                testing::SizeIs(2));
}

/* Two clusters in one file are not one with repetitions. */
TEST(BrokenLogs, AreOfOneCluster)
{
    const auto log =
        [](const std::string& second, const std::string& gpu, const std::string& time) {
            return "# Using devices\n#  Rank  0 Group  0 Pid  1 on  node-a device  0 [0] " + gpu +
                   "\n#  Rank  1 Group  0 Pid  2 on  " + second + " device  0 [0] " + gpu +
                   "\n# size count type redop root time algbw busbw #wrong\n  1024  256  float  "
                   "sum  -1  " +
                   time + "  50.00  50.00  0\n";
        };
    const auto one = log("node-b", "A GPU", "10.00");
    EXPECT_THAT(Read(one + log("node-c", "A GPU", "20.00")),
                testing::SizeIs(2)); // other hosts of the same
    EXPECT_THAT(WhyNoTable(one + log("node-a", "A GPU", "10.00")),
                HasSubstr("a.log:9: the table is of 1 host, that of line 4 of 2 hosts; give each "
                          "cluster's log alone"));
    EXPECT_THAT(WhyNoTable(one + log("node-b", "B GPU", "10.00")),
                HasSubstr("a.log:9: the table is of B GPU, that of line 4 of A GPU; give each "
                          "cluster's log alone"));
    EXPECT_EQ(Notes(Read(one + log("node-b", "A GPU", "25.00"))),
              "|Line 9: most times are not between half and twice those of line 4");
    EXPECT_EQ(Notes(Read(one + log("node-b", "A GPU", "4.00"))),
              "|Line 9: most times are not between half and twice those of line 4");
    EXPECT_EQ(Notes(Read(one + log("node-b", "A GPU", "6.00"))), "");
}

TEST(BrokenLogs, TakeTheUsersRanksWhereTheySayNone)
{
    const auto& imb = g_forms[3].head;    // of 8 processes
    EXPECT_EQ(Read(imb, 7)[0].ranks, 8U); // what the log says
    EXPECT_TRUE(Read(imb, 7)[0].saysRanks);
    EXPECT_EQ(Read(g_forms[1].head, 7)[0].ranks, 7U);
    EXPECT_FALSE(Read(g_forms[1].head, 7)[0].saysRanks);
    EXPECT_EQ(Read(g_forms[4].head, 7)[0].ranks, 2U); // a message has two
    EXPECT_TRUE(Read(g_forms[4].head, 7)[0].saysRanks);
    EXPECT_THAT(Shown(Read("# OSU MPI Allgather Latency Test v5.8\n16 4.81\n", 8)),
                ElementsAre("OSU all_gather ranks 8", "128 B 4.81 us @2")); // 8 * 16 B
    EXPECT_THAT(Notes(Read(imb, 8)), IsEmpty());
}

} // namespace inca
