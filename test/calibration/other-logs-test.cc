/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/shown-tables.h"

namespace inca
{

namespace
{

using testing::ElementsAreArray;
using testing::HasSubstr;
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
         {"OSU '' ranks 8 nodes 0", "all-reduce 4 B 4.81 us @4", "all-reduce 8 B 4.75 us @5"}},
        {"full, with a type and others' lines",
         "\n# OSU MPI-CUDA Allreduce Latency Test v7.1\n# Datatype: MPI_CHAR.\n"
         "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
         "4                      82.69             78.98             85.16        1000\n"
         "flux-job: task(s) exited with exit code 135\n"
         "1048576              5481.56           4802.10           6425.13         100\n",
         {"OSU '' ranks 0 nodes 0",
          "all-reduce 4 B 82.69 us @5",
          "all-reduce 1048576 B 5481.56 us @7"}},
        {"gathers count per rank: 1 B of 16 ranks is 16 B",
         "mpirun --np=16 osu_allgather\n[1,0]<stdout>:# OSU MPI Allgather Latency Test v7.5\n"
         "[1,0]<stdout>:# Size       Avg Latency(us)        Validation\n"
         "[1,0]<stdout>:1                      12.46              Pass\n",
         {"OSU '' ranks 16 nodes 0", "all-gather 16 B 12.46 us @4"}},
        {"of 2 nodes with 4 each: 1 B to each of 8 is 8 B",
         "srun -N2 --ntasks-per-node=4 osu_alltoall\n# OSU MPI All-to-All Personalized Exchange "
         "Latency Test v7.5\n1  12.46\n",
         {"OSU '' ranks 8 nodes 0", "all-to-all 8 B 12.46 us @3"}},
        {"messages and rates, of a pair; MB is 10^6 B",
         "mpirun -np 4 osu_latency\n# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n0   "
         "       1.16\n"
         "# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n4194304             "
         "10727.64\n"
         "# other\n9 9.99\n",
         {"OSU '' ranks 2 nodes 0",
          "message 0 B 1.16 us @4",
          "OSU '' ranks 2 nodes 0",
          "stream 4194304 B 10727.6 MB/s @7"}},
        {"some are refused, and others are not",
         "# OSU MPI Bi-Directional Bandwidth Test v5.8\n4  7.00\n# OSU MPI Broadcast Latency Test "
         "v5.8\n4  7.00\n"
         "# OSU MPI Reduce Latency Test v5.8\n",
         {"OSU '' ranks 0 nodes 0", "broadcast 4 B 7 us @4"},
         "|a.log:1: INCA has no use for the test 'Bi-Directional Bandwidth' of OSU|a.log:5: the "
         "table has no row"},
    });
    EXPECT_THAT(
        WhyNoTable("# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n# [ pairs: 15 ] [ "
                   "window size: 64 ]\n1 6.39 6.4\n"),
        HasSubstr(
            "a.log:1: INCA has no use for the test 'Multiple Bandwidth / Message Rate' of OSU"));
    EXPECT_THAT(
        WhyNoTable("# OSU MPI All-to-All Personalized Exchange Latency Test v7.5\n1 12.46\n"),
        HasSubstr("a.log:1: sizes are per rank, and nothing above says how many ranks there were"));
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
             "            8        10000        24.06        30.77        27.94\n\n"
             "# Benchmarking Allgather\n# #processes = 4\n" +
             heading + "            8        10000        24.06        30.77        27.94\n",
         {"IMB '' ranks 8 nodes 0",
          "all-reduce 8 B 30.77 us @7",
          "IMB '' ranks 4 nodes 0",
          "all-gather 32 B 30.77 us @13"},
         "|Line 6: nothing was sent, or no time was measured; it is left out."},
        {"half of a ping-pong's round trip",
         "# Benchmarking PingPong\n# #processes = 2\n       #bytes #repetitions      t[usec]   "
         "Mbytes/sec\n"
         "            0         1000         2.23         0.00\n            1         1000         "
         "2.26         0.44\n",
         {"IMB '' ranks 2 nodes 0", "message 0 B 2.23 us @4", "message 1 B 2.26 us @5"}},
    });
    EXPECT_THAT(WhyNoTable("# Benchmarking Exchange\n" + heading + " 8 10 1.00 1.00 1.00\n"),
                HasSubstr("a.log:3: INCA has no use for the test 'Exchange' of IMB"));
}

const std::string g_iperf3{
    R"({"start":{"connected":[{"local_host":"10.0.0.1","remote_host":"10.0.0.2"}],
"test_start":{"protocol":"TCP","num_streams":4}},"intervals":[{"sum":{"bits_per_second":1}}],
"end":{"streams":[{"sender":{"min_rtt":1854}}],"sum_sent":{"bits_per_second":9500000000.0},
"sum_received":{"bits_per_second":9410000000.0},"cpu_utilization_percent":{"host_total":97.5}}})"};

/* 9.41 Gbit/s are 1176.25 MB/s, 9.21 are 1151.25; iperf 2's MBytes are 2^20 B: 100 of them 104.8576 MB. */
TEST(IperfLogs, AreRead)
{
    const std::string notes{
        "|A host's processor was busy, which may have limited the rate."
        "|A round trip took 1854 us or more: TCP's window may have limited the rate."
        "|The rate is that of 4 streams together."};
    const std::string third{"[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n"};
    ExpectRead({
        {"JSON, after a warning, twice",
         "warning: no cookie\n" + g_iperf3 + "\n" + g_iperf3 + "\n",
         {"iperf3 '' ranks 2 nodes 2",
          "stream 0 B 1176.25 MB/s @1",
          "iperf3 '' ranks 2 nodes 2",
          "stream 0 B 1176.25 MB/s @2"},
         notes + notes},
        {"a stream of JSON, in both directions, on one host",
         R"({"event":"start","data":{"connected":[{"local_host":"::1","remote_host":"::1"}]}})"
         "\n"
         R"({"event":"interval","data":{"sum":{}}})"
         "\n"
         R"({"event":"end","data":{"sum_received":{"bits_per_second":8e6},"sum_received_bidir_reverse":{"bits_per_second":16e6}}})",
         {"iperf3 '' ranks 2 nodes 1", "stream 0 B 1 MB/s @3", "stream 0 B 2 MB/s @3"},
         "|Both directions were in use at once (--bidir)."},
        {"text of iperf 2; the last line is of all time",
         "Client connecting to 10.0.1.2, TCP port 5001\n[ ID] Interval       Transfer     "
         "Bandwidth\n"
         "[  1] 0.0000-1.0000 sec  1.07 GBytes  9.01 Gbits/sec\n[  1] 0.0000-10.0092 sec  10.7 "
         "GBytes  9.21 Gbits/sec\n"
         "Client connecting to 10.0.1.3, TCP port 5001\n[ ID] Interval       Transfer     "
         "Bandwidth\n"
         "[  1] 0.0-10.0 sec  500 MBytes  50.0 MBytes/sec\n[SUM] 0.0-10.0 sec  1000 MBytes  100.0 "
         "MBytes/sec\n",
         {"iperf '' ranks 2 nodes 0",
          "stream 0 B 1151.25 MB/s @4",
          "iperf '' ranks 2 nodes 0",
          "stream 0 B 104.858 MB/s @8"}},
        {"text of iperf3; what was received counts",
         "Connecting to host b, port 5201\n" + third +
             "[  5]   0.00-1.00   sec  1.10 GBytes  9.50 Gbits/sec    0   1.0 MBytes\n" + third +
             "[SUM]   0.00-10.00  sec  11.0 GBytes  9.45 Gbits/sec    0             sender\n"
             "[SUM]   0.00-10.00  sec  11.0 GBytes  9.41 Gbits/sec                  "
             "receiver\n\niperf Done.\n",
         {"iperf3 '' ranks 2 nodes 0", "stream 0 B 1176.25 MB/s @6"}},
    });
}

TEST(IperfLogs, AreRefused)
{
    const std::pair<std::string, const char*> refused[]{
        {R"({"start":{"connected":[]},"end":{},"error":"unable to connect to server"})",
         "a.log:1: iperf3 reports an error: unable to connect to server"},
        {R"({"start":{"connected":[],"test_start":{"protocol":"UDP"}},"end":{}})",
         "a.log:1: the test is of UDP"},
        {R"({"start":{"connected":[]},"end":{}})", "a.log:1: the table has no row"},
        {g_iperf3.substr(0, 200), "a.log:3: the file ends before iperf3's result"},
        {"Client connecting to b, UDP port 5001\n[ ID] Interval Transfer Bandwidth\n[  3] 0.0-10.0 "
         "sec 1.25 MBytes 1.05 Mbits/sec\n",
         "a.log:3: the test is of UDP"},
        {"[ ID] Interval       Transfer     Bandwidth\n", "a.log: has no table that INCA can read"},
    };
    for (const auto& [text, why] : refused)
    {
        EXPECT_THAT(WhyNoTable(text), HasSubstr(why));
    }
}

/* 1000 floats are 4000 B; a gather of 2 processes is of 8000 B. */
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
         {"gloo '' ranks 2 nodes 0", "all-reduce 4000 B 172 us @6"}},
        {"gather, by several threads",
         old("allgather_ring", "threads=4"),
         {"gloo '' ranks 2 nodes 0", "all-gather 8000 B 172 us @6"},
         "|Several threads of each process exchanged at once."},
        {"today's, in nanoseconds",
         "=====\n              CUDA_ALLREDUCE_HALVING_DOUBLING\n\nDevice:  tcp\nOptions: "
         "processes=4, inputs=1, threads=1, verify=true\n=====\n"
         "              BENCHMARK RESULTS\n\n size (B)  elements  min (ns)  p50 (ns)  p99 (ns)  "
         "max (ns)  bandwidth (GB/s)  iterations\n"
         "      400       100     10000     11500     13000     14000             0.032        "
         "1000\n",
         {"gloo '' ranks 4 nodes 0", "all-reduce 400 B 11.5 us @10"}},
    });
    EXPECT_THAT(WhyNoTable(old("barrier_all_to_all", "threads=1")),
                HasSubstr("a.log:5: INCA has no use for the test 'barrier_all_to_all' of gloo"));
}

/* 32 KiB at 0.82 GB/s are 32768 / 820 us; 1 MiB at 22.82 are 1048576 / 22820 us. 39.93 / 22.82 = 2 * 7 / 8. */
TEST(AllReduceBenchLogs, AreRead)
{
    const std::string rows{
        "| payload |    busbw   |    algbw   |\n| ------: | ---------: | ---------: |\n"
        "|   32KiB |   1.44GBps |   0.82GBps |\n|    1MB |  39.93GBps |  22.82GBps |\n|    2MiB |  "
        " 0.00GBps |   0.00GBps |\n"};
    const std::string notes{
        "|Line 3: was written with fewer than three digits, and may be off by percents."
        "|Line 5: nothing was sent, or no time was measured; it is left out."};
    ExpectRead({{"ranks by the ratio",
                 rows,
                 {"all_reduce_bench '' ranks 8 nodes 0",
                  "all-reduce 32768 B 39.961 us @3",
                  "all-reduce 1048576 B 45.9499 us @4"},
                 notes}});
    EXPECT_EQ(Read("The average bandwidth of all_reduce over 64 ranks (5 warmups / 20 trials):\n" +
                   rows)[0]
                  .ranks,
              64U);
    ExpectRead({
        {"with latencies, and not what stands below",
         "The average bandwidth and the per-call latency of all_gather over 8 ranks (5 warmups):\n"
         "| payload |    busbw   |    algbw   | latency median |    p99    |\n| ------: | "
         "---------: | ---------: | --: | --: |\n"
         "|      8B |            |            |         12.5us |    30.0us |\n|  1.5MiB |  "
         "39.93GBps |  45.63GBps |         34.5us |    40.0us |\n"
         "| payload | 1 node     | 4 nodes    |\n| ------: | ---------: | ---------: |\n|   32KiB "
         "|   1.20GBps |   0.01GBps |\n",
         {"all_reduce_bench '' ranks 8 nodes 0",
          "all-gather 8 B 12.5 us @4",
          "all-gather 1572864 B 34.5 us @5"}},
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
         {"PARAM '' ranks 8 nodes 0",
          "all-reduce 1048576 B 45.9 us @3",
          "all-reduce 1048576 B 45.9 us @4",
          "PARAM '' ranks 0 nodes 0",
          "reduce-scatter 1048576 B 45.9 us @5"}},
        {"older",
         "\tCOMMS-RES-all_gather-float32  1048576  32768  45.9  46.0  47.0  22.845  19.989\n",
         {"PARAM '' ranks 8 nodes 0", "all-gather 1048576 B 45.9 us @1"}},
    });
    EXPECT_THAT(WhyNoTable("COMMS-RES-QUANT-all_reduce-float32  1  2  3  4  5  6  7\n"),
                HasSubstr("a.log:1: INCA has no use for the test 'QUANT' of PARAM"));
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
         {"NCCL Inspector '' ranks 2 nodes 1",
          "all-reduce 8192 B 1 us @7",
          "NCCL Inspector '' ranks 2 nodes 1",
          "all-gather 16384 B 70 us @3",
          "all-reduce 8192 B 100 us @1",
          "all-reduce 8192 B 90 us @4"},
         "|Result 7: is not of all ranks, and may include waiting for another; join the files of "
         "all processes."
         "|Result 1: is not of all ranks, and may include waiting for another; join the files of "
         "all processes."},
    });
}

TEST(Logs, OfSeveralToolsAreRead)
{
    const auto tables =
        Read("# OSU MPI Latency Test v5.8\n0 1.16\n# Benchmarking Reduce\n#bytes #repetitions "
             "t_min[usec] t_max[usec] t_avg[usec]\n8 10 1.00 3.00 2.00\n");
    EXPECT_THAT(Shown(tables),
                ElementsAreArray({"OSU '' ranks 2 nodes 0",
                                  "message 0 B 1.16 us @2",
                                  "IMB '' ranks 0 nodes 0",
                                  "reduce 8 B 3 us @5"}));
    EXPECT_EQ(tables[0].file, "a.log");
    EXPECT_THAT(Notes(tables), IsEmpty());
}

TEST(Logs, AreRefused)
{
    const std::pair<std::string, const char*> refused[]{
        {"", "a.log: holds no measurements that INCA can read; it reads those of nccl-tests, "},
        {"nccl_collective_exec_time_microseconds{coll=\"AllReduce\"} 7\n",
         "a.log: is Prometheus' text, with sizes in buckets"},
        {"\xff\xfe#", "a.log: is a text in UTF-16"},
        {"\x1f\x8b", "a.log: is packed"},
    };
    for (const auto& [text, why] : refused)
    {
        EXPECT_THAT(WhyNoTable(text), HasSubstr(why));
    }
    EXPECT_THAT(WhyNot([] { ReadMeasurements("/no/such.log"); }),
                HasSubstr("/no/such.log: cannot be read"));
}

} // namespace

} // namespace inca
