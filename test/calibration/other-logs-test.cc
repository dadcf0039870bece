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

const std::string g_isNotRead{" is not read"};

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
        {"messages, and what is behind them",
         "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n0 1.10\n1 1.25\n"
         "# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1000  200.00\n",
         {"OSU message ranks 2",
          "1 B 1.25 us @4",
          "OSU stream ranks 2",
          "1000 B 5 us @7"}, // 1000 B / 200 MB/s
         "|Line 3: nothing was sent"},
        {"what each rank gives is counted",
         "srun -n 8 osu_x\n# OSU MPI Allgather Latency Test v5.8\n# Size  Avg Latency(us)\n16 "
         "4.81\n"
         "# OSU MPI All-to-All Personalized Exchange Latency Test v5.8\n16 4.81\n"
         "# OSU MPI Reduce_scatter Latency Test v5.8\n16 4.81\n# OSU MPI Broadcast Latency Test "
         "v5.8\n16 4.81\n",
         {"OSU all_gather ranks 8",
          "128 B 4.81 us @4",
          "OSU all_to_all ranks 8",
          "128 B 4.81 us @6", // 8 * 16 B
          "OSU reduce_scatter ranks 8",
          "16 B 4.81 us @8",
          "OSU broadcast ranks 8",
          "16 B 4.81 us @10"}},
        {"some are refused, and others are not",
         "# OSU MPI Gather Latency Test v5.8\n4  7.00\n# OSU MPI Allreduce Latency Test v5.8\n4  "
         "7.00\n"
         "# OSU MPI Gather Latency Test v5.8\n4  7.00\n# OSU MPI Allreduce Latency Test v5.8\n",
         {"OSU ranks 0", "4 B 7 us @4"},
         "|a.log:1: 'Gather Latency' of OSU" + g_isNotRead + "|a.log:7: the table has no row"},
        {"units of a heading",
         "# OSU MPI Allreduce Latency Test v5.8\n# Size       Avg Latency(ms)\n4  7.00\n",
         {"OSU ranks 0", "4 B 7000 us @3"}},
    });
    const std::pair<const char*, const char*> refused[]{
        {"# OSU MPI Multiple Bandwidth / Message Rate Test v5.7\n1 6.39 6.4\n",
         "a.log:1: 'Multiple Bandwidth / Message Rate' of OSU is not read"},
        {"# OSU MPI_Put Latency Test v5.7\n1 6.39\n",
         "a.log:1: 'MPI_Put Latency' of OSU is not read"},
        {"# OSU MPI Non-blocking Allreduce Latency Test v5.7\n1 6.39\n",
         "a.log:1: 'Non-blocking Allreduce Latency'"},
        {"# OSU MPI Allgatherv Latency Test v5.7\n1 6.39\n",
         "a.log:1: 'Allgatherv Latency' of OSU is not read"},
        {"# OSU MPI Allgather Latency Test v5.7\n1 6.39\n",
         "a.log:1: sizes are per rank, and it does not say how many ranks there were; give --ranks "
         "N"},
        {"# OSU MPI Latency Test v5.7\n# Size  Latency (furlongs)\n1 6.39\n",
         "a.log:2: 'furlongs' is no unit"},
    };
    for (const auto& [text, why] : refused)
    {
        EXPECT_THAT(WhyNoTable(text), HasSubstr(why));
    }
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
        {"others, in milliseconds, too",
         "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n8 "
         "1000 1.25 6.40\n"
         "# Benchmarking Alltoall\n# #processes = 4\n#bytes #repetitions t_min[usec] t_max[msec] "
         "t_avg[usec]\n"
         "8 1000 1.00 3.00 2.00\n",
         {"IMB message ranks 2", "8 B 1.25 us @4", "IMB all_to_all ranks 4", "32 B 3000 us @8"}},
    });
    EXPECT_THAT(WhyNoTable("# Benchmarking Exchange\n" + heading + " 8 10 1.00 1.00 1.00\n"),
                HasSubstr("a.log:3: 'Exchange' of IMB is not read"));
}

/* 65,536 B of 1000 MiB/s take 62.5 us; of 100 Gb/s, 5.24288. */
TEST(PerftestLogs, AreRead)
{
    const std::string rule(20, '-');
    const auto rates = [&rule](const std::string& unit, const std::string& rate) {
        return rule + "\n   RDMA_Write BW Test\n" + rule + "\n #bytes     #iterations    BW peak[" +
               unit + "]    BW average[" + unit +
               "]   MsgRate[Mpps]\nConflicting CPU frequency values detected: 5008.1 != 3295.2.\n "
               "65536      5000     0.00  " +
               rate + "  0.191\n" + rule + "\n1 2 3 4 5\n";
    };
    const std::string latencies{
        " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]\n"
        " 2       1000          1.76           6.12         1.79  1.85\n"};
    ExpectRead({
        {"MB that are MiB",
         rates("MB/sec", "1000.00"),
         {"perftest stream ranks 2", "65536 B 62.5 us @6"}},
        {"MiB", rates("MiB/sec", "1000.00"), {"perftest stream ranks 2", "65536 B 62.5 us @6"}},
        {"bits", rates("Gb/sec", "100.00"), {"perftest stream ranks 2", "65536 B 5.24288 us @6"}},
        {"a service level",
         "#bytes #sl #iterations BW peak[MB/sec] BW average[MB/sec] MsgRate[Mpps]\n65536 3 5000 "
         "0.00 1000.00 0.191\n",
         {"perftest stream ranks 2", "65536 B 62.5 us @2"}},
        {"half round trips",
         "RDMA_Write Latency Test\n" + latencies,
         {"perftest message ranks 2", "2 B 1.79 us @3"}},
        {"of a duration",
         "#bytes #iterations t_avg[usec] tps average\n2 1000 1.85 540000.00\n",
         {"perftest message ranks 2", "2 B 1.85 us @2"}},
    });
    EXPECT_THAT(WhyNoTable("  RDMA_Read Latency Test\n" + latencies),
                HasSubstr("a.log:2: 'RDMA_Read Latency' of perftest is not read"));
    EXPECT_THAT(WhyNoTable("  RDMA_Write Bidirectional BW Test\n" + latencies),
                HasSubstr("a.log:2: 'RDMA_Write Bidirectional BW'"));
}

const std::string g_iperf3{
    R"({"start":{"connected":[{"local_host":"10.0.0.1","remote_host":"10.0.0.2"}],
"test_start":{"protocol":"TCP","num_streams":4}},"intervals":[{"sum":{"bytes":7,"seconds":1,"omitted":true}}],
"end":{"streams":[{"sender":{"min_rtt":1854}}],"sum_sent":{"bytes":12000000000,"seconds":10.0},
"sum_received":{"bytes":11000000000,"seconds":10.5},"cpu_utilization_percent":{"host_total":97.5}}})"};

/* 9.21 Gbit/s for 10.0092 s are 11,523,091,500 B; iperf 2's MBytes are 2^20 B: 100 of them a second for 10 s. */
TEST(IperfLogs, AreRead)
{
    const std::string notes{
        "|A host's processor was busy"
        "|A round trip took 1854 us or more: TCP's window may have limited the rate."
        "|The rate is that of 4 streams together."};
    const std::string third{"[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n"};
    ExpectRead({
        {"JSON, after a warning, twice",
         "warning: no cookie\n" + g_iperf3 + "\n" + g_iperf3 + "\n",
         {"iperf3 stream ranks 2",
          "11000000000 B 10500000 us @2",
          "iperf3 stream ranks 2",
          "11000000000 B 10500000 us @6"},
         notes + notes},
        {"a stream of JSON, in both directions; of one what was sent",
         R"({"event":"start","data":{"connected":[{"local_host":"::1","remote_host":"::1"}]}})"
         "\n"
         R"({"event":"interval","data":{"sum":{}}})"
         "\n"
         R"({"event":"end","data":{"sum_received":{"bytes":8000,"seconds":1},)"
         R"("sum_sent_bidir_reverse":{"bytes":9000,"seconds":2},)"
         R"("sum_received_bidir_reverse":{"bytes":0,"seconds":2}}})",
         {"iperf3 stream ranks 2", "8000 B 1e+06 us @3", "9000 B 2e+06 us @3"},
         "|Both directions were in use at once (--bidir)."},
        {"text of iperf 2; the longest line is of all time",
         "Client connecting to 10.0.1.2, TCP port 5001\n[ ID] Interval       Transfer     "
         "Bandwidth\n"
         "[  1] 0.0000-1.0000 sec  1.07 GBytes  9.01 Gbits/sec\n[  1] 0.0000-10.0092 sec  10.7 "
         "GBytes  9.21 Gbits/sec\n[  1] 9.0000-10.0000 sec  1.07 GBytes  9.01 Gbits/sec\n"
         "Client connecting to 10.0.1.3, TCP port 5001\n[ ID] Interval       Transfer     "
         "Bandwidth\n"
         "[  1]  0.0-10.0 sec  500 MBytes  50.0 MBytes/sec\n[SUM]  0.0- 10.0 sec  1000 MBytes  "
         "100.0 "
         "MBytes/sec\n",
         {"iperf stream ranks 2",
          "11523091500 B 10009200 us @4",
          "iperf stream ranks 2",
          "1048576000 B 1e+07 us @9"}},
        {"text of iperf3; what was received counts",
         "Connecting to host b, port 5201\n" + third +
             "[  5]   0.00-1.00   sec  1.10 GBytes  9.50 Gbits/sec    0   1.0 MBytes  (omitted)\n" +
             third +
             "[SUM]   0.00-10.00  sec  11.0 GBytes  9.45 Gbits/sec    0             sender\n"
             "[SUM]   0.00-10.00  sec  11.0 GBytes  9.41 Gbits/sec                  "
             "receiver\n\niperf Done.\n",
         {"iperf3 stream ranks 2", "11762500000 B 1e+07 us @6"}},
    });
    const std::pair<std::string, const char*> refused[]{
        {R"({"start":{"connected":[]},"end":{},"error":"unable to connect to server"})",
         "a.log:1: iperf3 reports an error: unable to connect to server"},
        {R"({"start":{"connected":[],"test_start":{"protocol":"UDP"}},"end":{}})",
         "a.log:1: the test is of UDP"},
        {R"({"start":{"connected":[]},"end":{}})", "a.log:1: the table has no row"},
        {g_iperf3.substr(0, 200), "a.log:1: the file ends before iperf's result"},
        {"Client connecting to b, UDP port 5001\n[ ID] Interval Transfer Bandwidth\n[  3] 0.0-10.0 "
         "sec 1.25 MBytes 1.05 Mbits/sec\n",
         "a.log:3: the test is of UDP"},
        {"Connecting to host b\n[ ID] Interval Bitrate\n[  5] 0.00-1.00 sec 1.1 GBytes 9.50 "
         "Gbits/sec\n",
         "a.log:3: the file ends before iperf's result"},
        {"Client connecting to b\n[ ID] Interval\n[  3] 0.0-1.0 sec 1 MBytes 1.05 Mbits/sec\n[  3] "
         "1.0-2.0 sec 1 MBytes 1 Mbits/sec\n",
         "a.log:4: the file ends before iperf's result"},
        {"[ ID] Interval\n[  3] 0.0-1.0 sec 1 MBytes 1.05 Mbats/sec\n",
         "a.log:2: 'Mbats/sec' is no unit"},
        {"[ ID] Interval       Transfer     Bandwidth\n", "a.log: has no table that INCA can read"},
    };
    for (const auto& [text, why] : refused)
    {
        EXPECT_THAT(WhyNoTable(text), HasSubstr(why));
    }
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
    EXPECT_THAT(Shown(Read(old("allgather_ring", "threads=1"))), // 2 ranks give 4000 B each
                ElementsAreArray({"gloo all_gather ranks 2", "8000 B 172 us @6"}));
    EXPECT_THAT(WhyNoTable(old("barrier_all_to_all", "threads=1")),
                HasSubstr("a.log:5: 'barrier_all_to_all' of gloo is not read"));
}

/* 32 KiB at 0.82 GB/s are 32768 / 820 us; 1 MiB at 22.82 are 1048576 / 22820 us. 39.93 / 22.82 = 2 * 7 / 8. */
TEST(AllReduceBenchLogs, AreRead)
{
    const std::string rows{
        "| payload |    busbw   |    algbw   |\n| ------: | ---------: | ---------: |\n"
        "|   32KiB |   1.44GBps |   0.82GBps |\n|    1MB |  39.93GBps |  22.82GBps |\n|    2MiB |  "
        " 0.00GBps |   0.00GBps |\n"};
    const std::string notes{"|Line 5: nothing was sent"};
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
         {"PARAM ranks 8",
          "1048576 B 45.9 us @3",
          "1048576 B 45.9 us @4",
          "PARAM reduce_scatter ranks 0",
          "1048576 B 45.9 us @5"}},
        {"the unit of the heading, and ranks by 22.845 * 7 / 8",
         "COMMS-RES  total-size (B)  nElementsPerRank  Latency(ms):p50\n"
         "COMMS-RES-all_gather-float32  1048576  32768  0.0459  46.0  47.0  22.845  19.989\n",
         {"PARAM all_gather ranks 8", "1048576 B 45.9 us @2"}},
        {"older",
         "\tCOMMS-RES-all_reduce-float32  1048576  32768  45.9  46.0  47.0  22.845  39.979\n",
         {"PARAM ranks 8", "1048576 B 45.9 us @1"}},
    });
    EXPECT_THAT(WhyNoTable("COMMS-RES-QUANT-all_reduce-float32  1  2  3  4  5  6  7\n"),
                HasSubstr("a.log:1: 'QUANT' of PARAM is not read"));
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
         {"NCCL Inspector all_gather ranks 2",
          "16384 B 70 us @3", // of 8192 B on each
          "NCCL Inspector ranks 2",
          "8192 B 1 us @7",
          "NCCL Inspector ranks 2",
          "8192 B 100 us @1",
          "8192 B 90 us @4"},
         "|a.log:5: 'Send' of NCCL Inspector" + g_isNotRead +
             "|Line 7: is not of all ranks"
             "|Line 1: is not of all ranks"
             "|Line 1: most times are not between half and twice those of line 7"},
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
        {"columns of one process, and other collectives",
         "name,gpus,size,type,redop,inPlace,time,algBw,busBw,#wrong\n"
         "AllReduce,8,1024,float,sum,0,30.5,0.03,0.06,0\nAllGather,8,1024,float,sum,0,30.5,0.03,0."
         "06,N/A\nSendRecv,8,1024,float,sum,0,30.5,0.03,0.06,N/A\n",
         {"rccl-tests all_gather ranks 8", "1024 B 30.5 us @3", shown[0], shown[1]},
         "|a.log:4: 'sendrecv' of rccl-tests" + g_isNotRead},
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
        {"all kinds, in milliseconds",
         "bytes,ranks,time_ms,collective\n4096,4,0.125,all_gather\n4096,4,0.125,reduce_"
         "scatter\n4096,4,0.125,all_to_all\n"
         "4096,4,0.125,broadcast\n4096,,0.125,message\n4096,9,0.125,stream\n",
         {"CSV message ranks 2",
          "4096 B 125 us @6",
          "CSV stream ranks 2",
          "4096 B 125 us @7",
          "CSV all_gather ranks 4",
          "4096 B 125 us @2",
          "CSV all_to_all ranks 4",
          "4096 B 125 us @4",
          "CSV broadcast ranks 4",
          "4096 B 125 us @5",
          "CSV reduce_scatter ranks 4",
          "4096 B 125 us @3"}},
    });
    EXPECT_THAT(WhyNoTable("bytes,ranks,time_us,collective\n4096,4,120.25,gather\n"),
                HasSubstr("a.log:2: 'gather' of CSV" + g_isNotRead));
    EXPECT_THAT(WhyNoTable("bytes,ranks,time_min\n4096,4,120.25\n"),
                HasSubstr("a.log:1: 'min' is no unit"));
    const std::pair<const char*, const char*> refused[]{
        {"4096,x,100.25", "a.log:2: needs a whole number of ranks from 2 to a million, got 'x'"},
        {"4096,2.5,100.25",
         "a.log:2: needs a whole number of ranks from 2 to a million, got '2.5'"},
        {"4096,0,100.25", "a.log:2: needs a whole number of ranks from 2 to a million, got '0'"},
        {"4MiB,2,100.25",
         "a.log:2: needs a whole number of bytes and a time in us, got '4mib' and '100.25'"},
        {"4096,2,", "a.log:2: needs a whole number of bytes and a time in us, got '4096' and ''"},
        {"4096,2", "a.log:2: has 2 cells, the heading 3"},
        {"4096,1,100.25", "a.log:2: the table is of one rank"},
    };
    for (const auto& [row, why] : refused)
    {
        EXPECT_THAT(WhyNoTable("bytes,ranks,time_us\n" + std::string(row) + "\n"), HasSubstr(why));
    }
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
    const std::string imb{
        "# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n8 10 1.25 6.40\n"};
    const std::string nccl{"# size count type redop root time algbw busbw\n  8 2 float sum -1 9.25 "
                           "50.00 75.00 0\n# Avg bus "
                           "bandwidth : 1\n"};
    const std::string perftest{
        "#bytes #iterations t_avg[usec] tps average\n8 1000 1.85 540000.00\n"};
    const auto all = Read(nccl + imb + perftest + "4 5\n");
    EXPECT_THAT(Shown(all),
                ElementsAreArray({"nccl-tests ranks 4",
                                  "8 B 9.25 us @2",
                                  "IMB message ranks 2",
                                  "8 B 1.25 us @6",
                                  "perftest message ranks 2",
                                  "8 B 1.85 us @8"}));
    EXPECT_EQ(Notes(all), "|Line 9: cannot be read as a row");
}

TEST(Logs, AreRefused)
{
    const std::pair<std::string, const char*> refused[]{
        {"", "a.log: holds no measurements that INCA can read; it reads those of nccl-tests, "},
        {"nccl_collective_exec_time_microseconds{coll=\"AllReduce\"} 7\n",
         "a.log: is Prometheus' text, with sizes in buckets"},
        {"Interval, bytes and time_us\n", "perhaps collective"},
        {"[Rank 0]: DDP Initialized with: \n", "inca trace import makes a trace of it"},
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
