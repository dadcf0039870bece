/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

#include <iterator>
#include <sstream>
#include <string>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr const char* CLUSTER{"--set cluster.bandwidth=10Gbps --set cluster.latency=1us "
                              "--set host.sum_rate=8GBps --set exchange.library=none "};
constexpr const char* PROTOCOLS{"--set host.protocol.64KiB.start_cost=30us "
                                "--set host.protocol.64KiB.message_cost=4us "
                                "--set host.protocol.64KiB.message_rate=2GBps "
                                "--set host.protocol.64MiB.start_cost=80us "
                                "--set host.protocol.64MiB.message_cost=20us "
                                "--set host.protocol.64MiB.message_rate=5GBps "};

class CalibrateCommandTest : public ProcessFixture
{
  protected:
    /** A log of a cluster that INCA simulates: 1 KiB to 64 MiB, as osu_allreduce prints it. */
    void PutLog(const std::string& name,
                const std::string& workers,
                const std::string& settings = CLUSTER) const
    {
        std::string sizes;
        for (std::uint64_t bytes = 1024; bytes <= 64U << 20U; bytes *= 2)
        {
            sizes += (sizes.empty() ? "" : ",") + ("tensor:" + std::to_string(bytes) + "B");
        }
        const auto rows = Printed(std::string("sweep @ring.toml --vary training.trace=") + sizes +
                                  " --set cluster.workers=" + workers + " " + settings + PROTOCOLS +
                                  "--columns trace,iteration_time_s");
        std::string log = "# OSU MPI Allreduce Latency Test v5.8\n# Size       Avg Latency(us)\n";
        std::istringstream lines(rows);
        std::string line;
        std::getline(lines, line); // titles
        for (std::uint64_t bytes = 1024; std::getline(lines, line); bytes *= 2)
        {
            const auto seconds = std::stod(line.substr(line.find(',') + 1));
            log += std::to_string(bytes) + " " + std::to_string(seconds * 1e6) + "\n";
        }
        Put(name, log);
    }

    /** The errors in the row of a table that begins so: "   17  0.0 % ...", without repeated blanks. */
    static std::string ErrorsIn(const std::string& table, const std::string& row)
    {
        std::istringstream words(table.substr(table.find("\n" + row) + 1 + row.size()));
        std::string text;
        std::string word;
        for (int i = 0; i < 7 && words >> word; ++i)
        {
            text += word + " ";
        }
        return text;
    }

    /** The time of the first @p key in a preset from @p from on. (us) */
    static double Microseconds(const std::string& preset,
                               const std::string& key,
                               std::size_t from = 0)
    {
        const auto text = preset.substr(preset.find(key + " = '", from) + key.size() + 4);
        std::size_t digits = 0;
        const auto number = std::stod(text, &digits);
        return text.compare(digits, 2, "us") == 0 ? number : number / 1000; // of ns
    }
};

} // namespace

/* Times that INCA itself has made with two protocols, of 2, 4 and 8 workers: the constants come back. */
TEST_F(CalibrateCommandTest, FindsTheConstantsOfASimulatedCluster)
{
    for (const std::string workers : {"2", "4", "8"})
    {
        PutLog("x" + workers, workers);
    }
    const auto table =
        Printed(std::string("calibrate @x2 @x4 @x8 --ranks 2,4,8 -o @mine.toml --csv @times.csv ") +
                CLUSTER);
    EXPECT_THAT(table, HasSubstr("x8: OSU, 8 ranks, 17 rows of all_reduce"));
    EXPECT_THAT(table, HasSubstr("left out: every second size"));
    EXPECT_THAT(table, HasSubstr("left out: 8 ranks"));
    EXPECT_THAT(table, HasSubstr("seen: 1.000 KiB to 64.00 MiB, 2, 4, 8 ranks"));
    const auto preset = Read("mine.toml");
    const auto second = preset.find("[[host.protocol]]", preset.find("[[host.protocol]]") + 1);
    // A hundredth: acknowledgements hide behind what messages cost, so that times are not quite straight lines.
    EXPECT_NEAR(Microseconds(preset, "start_cost") / 30, 1, 0.01);
    EXPECT_NEAR(Microseconds(preset, "message_cost") / 4, 1, 0.01);
    EXPECT_NEAR(Microseconds(preset, "start_cost", second) / 80, 1, 0.01);
    EXPECT_NEAR(Microseconds(preset, "message_cost", second) / 20, 1, 0.01);
    EXPECT_EQ(Lines("times.csv"), 1 + 3 * 17 * 2);

    const auto judged = Printed("calibrate --preset @mine.toml --check @x4 --ranks 4");
    EXPECT_THAT(judged, HasSubstr("check: "));
    EXPECT_THAT(judged, HasSubstr(" 17   0.")); // below a percent in the median
    // The cluster that made the times, with nothing fitted: they are printed to six digits after the point.
    EXPECT_THAT(Printed(std::string("calibrate --check @x4 --ranks 4 ") + CLUSTER + PROTOCOLS),
                HasSubstr(" 17   0.0 %       0.0 %  0.0 %"));

    Put("with.toml", "[training]\ntrace = \"tensor:1MiB\"\n[cluster]\npreset = \"mine.toml\"\n");
    const auto seen = Printed("run @with.toml");
    EXPECT_THAT(seen, HasSubstr("between sizes that it has seen"));
    EXPECT_THAT(seen, Not(HasSubstr("warnings")));
    const auto unseen =
        Printed("run @with.toml --set cluster.workers=16 --set training.trace=tensor:1GiB");
    EXPECT_THAT(unseen, HasSubstr("1 of 1 exchanges are smaller or larger than those it was"));
    EXPECT_THAT(unseen, HasSubstr("it was fitted to 2, 4, 8 ranks, and there are 16"));
    const auto open =
        Printed("decide @with.toml --over exchange --set training.trace=tensor:256MiB");
    EXPECT_THAT(open, HasSubstr("may be the fastest, as not all have a range: extrapolated"));
    EXPECT_THAT(open, HasSubstr("it has seen 1.000 KiB to 64.00 MiB among 2, 4, 8"));
    const auto slower = Printed("run @with.toml --set cluster.bandwidth=1Gbps");
    EXPECT_THAT(slower, HasSubstr("at 1 Gbit/s"));
    EXPECT_THAT(slower, HasSubstr("cluster.bandwidth: cluster.preset was fitted with"));
}

/* 4 workers of 2 GPUs that exchange parts of 4 MiB; beside them messages between two hosts, which have no GPUs of their own to
 * wait for. What calibrate says of its fit is what a run on the preset does. */
TEST_F(CalibrateCommandTest, SimulatesPartsAndMessagesAsARunDoes)
{
    const auto settings =
        std::string(CLUSTER) +
        "--set cluster.gpus=2 --set cluster.gpu_bandwidth=20GBps --set exchange.chunk_bytes=4MiB ";
    PutLog("x8", "4", settings);
    const auto fitted = Printed("calibrate @x8 --ranks 8 -o @mine.toml " + settings);
    const auto errors = ErrorsIn(fitted, "fitted");
    EXPECT_THAT(errors, testing::StartsWith("17 0.")); // below a percent in the median
    EXPECT_EQ(ErrorsIn(Printed("calibrate --preset @mine.toml --check @x8 --ranks 8"),
                       "check: " + Path("x8")),
              errors);

    Put("messages", "# OSU MPI Latency Test v5.8\n# Size  Latency (us)\n1024 6.00\n65536 90.00\n");
    EXPECT_THAT(Printed("calibrate @x8 @messages --ranks 8 " + settings),
                HasSubstr("messages: OSU, 2 ranks, 2 rows of message"));
}

/* Numbers of --ranks are of the logs that do not say theirs, or of all: one number, one for each of the two, or one for each of four. */
TEST_F(CalibrateCommandTest, TakesRanksOfLogsThatDoNotSayTheirs)
{
    const std::string table = "# OSU MPI Allreduce Latency Test v5.8\n8 10.00\n64 11.00\n";
    Put("silent", table);
    Put("of4", "mpirun -np 4 osu_allreduce\n" + table);
    Put("messages", "# OSU MPI Latency Test v5.8\n8 1.25\n");
    for (const auto& [ranks, second] : {std::pair("8", "8"), {"8,16", "16"}, {"8,4,2,16", "16"}})
    {
        const auto read = Printed(
            std::string("calibrate @silent @of4 @messages --check @silent --ranks ") + ranks);
        EXPECT_THAT(read, HasSubstr("silent: OSU, 8 ranks")) << ranks;
        EXPECT_THAT(read, HasSubstr("of4: OSU, 4 ranks")) << ranks;
        EXPECT_THAT(read, HasSubstr("messages: OSU, 2 ranks")) << ranks;
        EXPECT_THAT(read, HasSubstr(std::string("silent: OSU, ") + second + " ranks")) << ranks;
    }
}

TEST_F(CalibrateCommandTest, ReadsStdinAndSaysWhatItDoesNotFit)
{
    Put("osu",
        "mpirun -np 4 osu_allreduce\n# OSU MPI Allreduce Latency Test v5.8\n8 10.00\n# OSU MPI "
        "Latency Test v5.8\n8 1.25\n");
    const auto code = Run("calibrate --check -",
                          [this] { ::dup2(::open(Path("osu").c_str(), O_RDONLY), STDIN_FILENO); });
    EXPECT_EQ(code, 0);
    EXPECT_THAT(
        Read("stdout"),
        testing::StartsWith("<stdin>: OSU, 2, 4 ranks, 1 row of all_reduce, 1 row of message\n"));
}

} // namespace inca
