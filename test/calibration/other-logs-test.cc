/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/shown-tables.h"

namespace inca
{

namespace
{

using testing::ElementsAreArray;
using testing::IsEmpty;

/** A log, and what is read of it. */
struct LogCase
{
    const char* name;
    std::string text;
    std::vector<std::string> shown;
    std::string notes{};
};

void
ExpectRead(const std::vector<LogCase>& cases)
{
    for (const auto& log : cases)
    {
        const auto tables = Read(log.text);
        EXPECT_THAT(Shown(tables), ElementsAreArray(log.shown)) << log.name;
        EXPECT_EQ(Notes(tables), log.notes) << log.name;
    }
}

TEST(OsuLogs, AreRead)
{
    ExpectRead({
        {"short",
         "srun -n 8 ./osu_allreduce\n# OSU MPI Allreduce Latency Test v5.8\n# Size       Avg "
         "Latency(us)\n"
         "4                       4.81\n8                       4.75\n",
         {"OSU ranks 8", "4 B 4.81 us @4", "8 B 4.75 us @5"}},
        {"full, with a type and others' lines",
         "\n# OSU MPI-CUDA Allreduce Latency Test v7.1\n# Datatype: MPI_CHAR.\n"
         "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
         "4                      82.69             78.98             85.16        1000\n"
         "flux-job: task(s) exited with exit code 135\n"
         "1048576              5481.56           4802.10           6425.13         100\n",
         {"OSU ranks 0", "4 B 82.69 us @5", "1048576 B 5481.56 us @7"}},
        {"ranks of a launcher's option, and its marks",
         "mpirun --np=16 osu_allreduce\n[1,0]<stdout>:# OSU MPI Allreduce Latency Test v7.5\n"
         "[1,0]<stdout>:# Size       Avg Latency(us)        Validation\n"
         "[1,0]<stdout>:4                      12.46              Pass\n# other\n9 9.99\n",
         {"OSU ranks 16", "4 B 12.46 us @4"}},
        {"of 2 nodes with 4 each",
         "srun -N2 --ntasks-per-node=4 osu_allreduce\n# OSU MPI Allreduce Latency Test v7.5\n4  "
         "12.46\n",
         {"OSU ranks 8", "4 B 12.46 us @3"}},
        {"some are refused, and others are not",
         "# OSU MPI Bandwidth Test v5.8\n4  7.00\n# OSU MPI Allreduce Latency Test v5.8\n4  7.00\n"
         "# OSU MPI Bandwidth Test v5.8\n4  7.00\n# OSU MPI Allreduce Latency Test v5.8\n",
         {"OSU ranks 0", "4 B 7 us @4"},
         "|a.log:1: 'Bandwidth' of OSU is no all-reduce|a.log:7: the table has no row"},
    });
}

TEST(ImbLogs, AreRead)
{
    const std::string heading{
        "#----\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"};
    ExpectRead({
        {"the slowest rank counts",
         "# Benchmarking Allreduce\n# #processes = 8\n# ( 8 additional processes waiting in "
         "MPI_Barrier)\n" +
             heading +
             "            0        10000         0.13         0.41         0.16\n"
             "            8        10000        24.06        30.77        27.94\n",
         {"IMB ranks 8", "8 B 30.77 us @7"},
         "|Line 6: nothing was sent"},
        {"with tabs, and lines' numbers",
         "#\tBenchmarking\tAllreduce\t\t\t1\n#\t#processes\t=\t8\t\t2\n"
         "#bytes\t#repetitions\tt_min[usec]\tt_max[usec]\tt_avg[usec]\t\t3\n"
         "8\t10000\t24.06\t30.77\t27.94\t\t4\n",
         {"IMB ranks 8", "8 B 30.77 us @4"}},
    });
}

/* 1000 floats are 4000 B. */
TEST(GlooLogs, AreRead)
{
    const auto old = [](const std::string& test, const std::string& options) {
        return "Device:      tcp, iface=eth0, speed=40000, addr=[10.0.0.1]\nAlgorithm:   " + test +
               "\nOptions:     processes=2, inputs=1, " + options +
               "\n\n   elements   min (us)   p50 (us)   p99 (us)   max (us)   avg (GB/s)    "
               "samples\n"
               "       1000        142        172        211        230        1.073        961\n";
    };
    ExpectRead({
        {"before sizes were there",
         old("allreduce_ring_chunked", "threads=1"),
         {"gloo ranks 2", "4000 B 172 us @6"}},
        {"by several threads",
         old("allreduce_ring", "threads=4"),
         {"gloo ranks 2", "4000 B 172 us @6"},
         "|Several threads of each process exchanged at once."},
        {"today's, in nanoseconds",
         "=====\n              CUDA_ALLREDUCE_HALVING_DOUBLING\n\nDevice:  tcp\nOptions: "
         "processes=4, inputs=1, threads=1, verify=true\n=====\n"
         "              BENCHMARK RESULTS\n\n size (B)  elements  min (ns)  p50 (ns)  p99 (ns)  "
         "max (ns)  bandwidth (GB/s)  iterations\n"
         "      400       100     10000     11500     13000     14000             0.032        "
         "1000\n",
         {"gloo ranks 4", "400 B 11.5 us @10"}},
    });
}

/* 32 KiB at 0.82 GB/s are 32768 / 820 us; 1 MiB at 22.82 are 1048576 / 22820 us. 39.93 / 22.82 = 2 * 7 / 8. */
TEST(AllReduceBenchLogs, AreRead)
{
    const std::string rows{
        "| payload |    busbw   |    algbw   |\n| ------: | ---------: | ---------: |\n"
        "|   32KiB |   1.44GBps |   0.82GBps |\n|    1MB |  39.93GBps |  22.82GBps |\n|    2MiB |  "
        " 0.00GBps |   0.00GBps |\n"};
    const std::string notes{
        "|Line 3: was written with fewer than three digits|Line 5: nothing was sent"};
    ExpectRead({{"ranks by the ratio",
                 rows,
                 {"all_reduce_bench ranks 8", "32768 B 39.961 us @3", "1048576 B 45.9499 us @4"},
                 notes}});
    EXPECT_EQ(Read("The average bandwidth of all_reduce over 64 ranks (5 warmups / 20 trials):\n" +
                   rows)[0]
                  .ranks,
              64U);
    ExpectRead({
        {"with latencies, and not what stands below",
         "The average bandwidth and the per-call latency of all_reduce over 8 ranks (5 warmups):\n"
         "| payload |    busbw   |    algbw   | latency median |    p99    |\n| ------: | "
         "---------: | ---------: | --: | --: |\n"
         "|      8B |            |            |         12.5us |    30.0us |\n|  1.5MiB |  "
         "39.93GBps |  45.63GBps |         34.5us |    40.0us |\n"
         "| payload | 1 node     | 4 nodes    |\n| ------: | ---------: | ---------: |\n|   32KiB "
         "|   1.20GBps |   0.01GBps |\n",
         {"all_reduce_bench ranks 8", "8 B 12.5 us @4", "1572864 B 34.5 us @5"}},
    });
}

TEST(ParamLogs, AreRead)
{
    const std::string heading{"\n\tCOMMS-RES   total-size (B)  nElementsPerRank  Time(us):p50  p75 "
                              " p95  Min  Max  AlgBW(GB/s)  BusBW(GB/s)  TotalTime(us):p50\n"};
    const auto row = [](const char* test) {
        return "0: \tCOMMS-RES-" + std::string(test) +
               "-float32  1048576  262144  45.9  46.0  47.0  45.0  48.0  22.845  39.979  0.0\n";
    };
    ExpectRead({
        {"today's",
         heading + row("all_reduce") + row("all_reduce") + row("reduce_scatter_base"),
         {"PARAM ranks 8", "1048576 B 45.9 us @3", "1048576 B 45.9 us @4"},
         "|a.log:5: 'reduce_scatter_base' of PARAM is no all-reduce"},
        {"older",
         "\tCOMMS-RES-all_reduce-float32  1048576  32768  45.9  46.0  47.0  22.845  39.979\n",
         {"PARAM ranks 8", "1048576 B 45.9 us @1"}},
    });
}

std::string
Inspected(
    const char* coll, int rank, int number, int bytes, int us, const char* clock = "kernel_gpu")
{
    return Text(R"({"header":{"id":"0x7f","rank":)",
                rank,
                R"(,"n_ranks":2,"nnodes":1},"metadata":{"pid":1},"coll_perf":{"coll":")",
                coll,
                R"(","coll_sn":)",
                number,
                R"(,"coll_msg_size_bytes":)",
                bytes,
                R"(,"coll_exec_time_us":)",
                us,
                R"(,"coll_timing_source":")",
                clock,
                "\"}}\n");
}

/* The shorter of 110 and 90 us is what the second all-reduce took; of the first, rank 1 is not there. */
TEST(InspectorLogs, AreRead)
{
    ExpectRead({
        {"two processes' files",
         Inspected("AllReduce", 0, 1, 8192, 100) + Inspected("AllReduce", 0, 2, 8192, 110) +
             Inspected("AllGather", 0, 2, 8192, 70) + Inspected("AllReduce", 1, 2, 8192, 90) +
             R"({"header":{},"p2p_perf":{"p2p":"Send"}})"
             "\n" +
             Inspected("AllGather", 1, 2, 8192, 80) +
             Inspected("AllReduce", 1, 1, 8192, 1, "kernel_cpu") + "{\"header\":{\"id\":",
         {"NCCL Inspector ranks 2",
          "8192 B 1 us @7",
          "NCCL Inspector ranks 2",
          "8192 B 100 us @1",
          "8192 B 90 us @4"},
         "|Result 7: is not of all ranks|Result 1: is not of all ranks"},
    });
}

/* 2 processes with 4 GPUs each are 8 ranks. */
TEST(RcclLogs, AreReadAsColumnsAndAsObjects)
{
    const std::string object{
        R"({"numCycle":0, "name":"AllReduce", "ranks":2, "gpusPerRank":4, "size":1024, )"
        R"("inPlace":1, "time":30.5, "algBw":0.03, "busBw":0.06, "wrong":"1"})"};
    const std::vector<std::string> shown{"rccl-tests ranks 8", "1024 B 30.5 us @2"};
    ExpectRead({
        {"columns of processes",
         "numCycle,collective,nodes,ranks,ranksPerNode,gpusPerRank,size,type,redop,inplace,time,"
         "algbw,busbw,#wrong\n"
         "0,AllReduce,1,2,2,4,1024,float,sum,1,30.5,0.03,0.06,1\n",
         shown,
         "|Line 2: values came out wrong."},
        {"columns of one process, and another collective",
         "name,gpus,size,type,redop,inPlace,time,algBw,busBw,#wrong\n"
         "AllReduce,8,1024,float,sum,0,30.5,0.03,0.06,0\nAllGather,8,1024,float,sum,0,30.5,0.03,0."
         "06,N/A\n",
         shown,
         "|a.log:3: 'allgather' of rccl-tests is no all-reduce"},
        {"a list of objects",
         "[\n" + object + ",\n" + object + "\n]\n",
         {shown[0], shown[1], "1024 B 30.5 us @3"},
         "|Line 2 and 1 more: values came out wrong."},
        {"an object a line", "\n" + object + "\n", shown, "|Line 2: values came out wrong."},
        {"a list in one line",
         "\n[" + object + ", " + object + "]\n",
         {shown[0], shown[1], shown[1]},
         "|Line 2 and 1 more: values came out wrong."},
    });
}

TEST(CsvLogs, HaveBytesTimesAndMore)
{
    ExpectRead({
        {"ranks in any order, and notes",
         "\xef\xbb\xbf# measured on "
         "Tuesday\nbytes,ranks,time_us,collective\n4096,4,120.25,allreduce\n"
         "4096,2,100.25,all-reduce\n\n# again\n8192,4,130.25,\n",
         {"CSV ranks 2",
          "4096 B 100.25 us @4",
          "CSV ranks 4",
          "4096 B 120.25 us @3",
          "8192 B 130.25 us @7"}},
        {"columns that say nothing, quotes, and no ranks",
         "host;\"time (ms)\";\"bytes\";\"time_us\"\na b;1;\"4096\";\"120.25\"\n",
         {"CSV ranks 0", "4096 B 120.25 us @2"}},
        {"tabs, capitals, and lines of Windows",
         "Bytes\tRanks\tTime_us\r\n4096\t4\t120.25\r\n",
         {"CSV ranks 4", "4096 B 120.25 us @2"}},
    });
}

TEST(Logs, OfSeveralToolsAreRead)
{
    const auto tables = Read("# OSU MPI Allreduce Latency Test v5.8\n4 1.16\n# Benchmarking "
                             "Allreduce\n#bytes #repetitions "
                             "t_min[usec] t_max[usec] t_avg[usec]\n8 10 1.00 3.25 2.00\n");
    EXPECT_THAT(
        Shown(tables),
        ElementsAreArray({"OSU ranks 0", "4 B 1.16 us @2", "IMB ranks 0", "8 B 3.25 us @5"}));
    EXPECT_THAT(Notes(tables), IsEmpty());
}

} // namespace

} // namespace inca
