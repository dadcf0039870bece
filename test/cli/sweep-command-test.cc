/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/random.h"
#include "record/database.h"

#include "cli/process-fixture.h"

#include <gmock/gmock.h>

#include <csignal>
#include <map>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace fs = std::filesystem;

class SweepCommandTest : public ProcessFixture
{
  protected:
    /** @param options words behind the scenario */
    int Sweep(const std::string& options) const
    {
        return StartSweep(options).Wait();
    }

    /** @return what it prints */
    std::string Rows(const std::string& options) const
    {
        return Printed("sweep @ring.toml " + options);
    }

    std::string Refusal(const std::string& options) const
    {
        return Complaint("sweep @ring.toml " + options);
    }

    Process StartSweep(const std::string& options) const
    {
        return Start("sweep @ring.toml " + options);
    }

    /** Which sweep has found each result of a store. */
    std::map<std::string, std::int64_t> Finders(const std::string& store) const
    {
        Database database(Path(store) + "/results.sqlite");
        auto all = database.Prepare("SELECT key, sweep FROM results");
        std::map<std::string, std::int64_t> finders;
        while (all.Step())
        {
            finders[all.Text(0)] = all.Number(1);
        }
        return finders;
    }

    /** @return whether a store that may be about to be made has some */
    bool HasResults(const std::string& store) const
    {
        try
        {
            return fs::exists(Path(store) + "/results.sqlite") && !Finders(store).empty();
        }
        catch (const RunError&)
        {
            return false;
        }
    }

    /** That each result is still the one that @p sweeps have found. */
    void ExpectFinders(const std::string& store,
                       const std::map<std::string, std::int64_t>& sweeps) const
    {
        const auto now = Finders(store);
        for (const auto& [key, sweep] : sweeps)
        {
            ASSERT_EQ(now.count(key), 1U);
            EXPECT_EQ(now.at(key), sweep);
        }
    }

    /** A line of JSON without the label and the point, which are the sweep's alone. */
    static std::string WithoutHead(const std::string& line)
    {
        return line.substr(line.find("\"status\""));
    }
};

/** 24 points of some milliseconds each. */
const std::string g_grid = "--vary exchange.algorithm=ring,worker-aggregator,switch-slots --vary "
                           "cluster.workers=2..5:+1 --vary training.iterations=1,60";

} // namespace

TEST_F(SweepCommandTest, KeepsItsResultsBesideTheScenario)
{
    const auto rows = Rows("--vary cluster.workers=2,3 --columns point,workers,plain_bytes");
    EXPECT_EQ(Read("ring.sweep/results.csv"), rows);
    EXPECT_EQ(Rows("--vary cluster.workers=2,3 --columns point,workers,plain_bytes"), rows);
    EXPECT_EQ(Read("stderr"),
              "inca: 2 of 2 points are in " + Path("ring.sweep/results.sqlite") + " already\n");
}

TEST_F(SweepCommandTest, TheCsvIsTheSameHoweverManyRunAtOnce)
{
    EXPECT_THAT(Rows(g_grid + " --jobs 1 --out @one"), StartsWith("algorithm "));
    EXPECT_EQ(Sweep(g_grid + " --jobs 4 --out @four"), 0);
    EXPECT_EQ(Read("one/results.csv"), Read("four/results.csv"));
    EXPECT_EQ(Lines("one/results.csv"), 1 + 24);
}

/* Killed 100 times, each time after it has worked for a random time; what is found once is not found again. */
TEST_F(SweepCommandTest, GoesOnWhereverItIsKilled)
{
    const auto words = g_grid + " --jobs 2 --out @killed";
    EXPECT_EQ(Sweep(g_grid + " --out @whole"), 0);
    constexpr int times = 100;
    RandomStream random(7, 0);
    std::map<std::string, std::int64_t> found;
    for (int i = 0; i < times; ++i)
    {
        auto sweep = StartSweep(words);
        ::usleep(static_cast<unsigned>(random.Uniform() * 60'000));
        sweep.Send(SIGKILL);
        sweep.Wait();
        if (i % 10 == 0 && HasResults("killed"))
        {
            ExpectFinders("killed", found);
            found = Finders("killed");
        }
    }
    EXPECT_EQ(Sweep(words), 0);
    EXPECT_EQ(Read("killed/results.csv"), Read("whole/results.csv"));
    ExpectFinders("killed", found);
}

/* What is at work in the folder is a sweep of minutes. */
TEST_F(SweepCommandTest, ASecondOneInTheSameFolderIsRefused)
{
    const std::string words = "--set simulation.mode=packet --out @shared";
    auto one = StartSweep(words + " --vary training.trace=tensor:1GB,tensor:2GB");
    while (!fs::exists(Path("shared/sweep.lock")))
    {
        ::usleep(1'000);
    }
    EXPECT_THAT(Refusal(words + " --vary cluster.workers=2,3"),
                HasSubstr("shared: another sweep is at work there"));
    one.Send(SIGKILL);
    one.Wait();
    EXPECT_EQ(Sweep(words + " --vary cluster.workers=2,3"), 0);
}

/* Of a CSV file that rows are added to, each once, however often the sweep starts. */
TEST_F(SweepCommandTest, AddsEachRowOnce)
{
    const std::string sweep = "--vary cluster.workers=2,3 --csv @a.csv";
    EXPECT_EQ(Sweep(sweep), 0);
    const auto rows = Read("a.csv");
    EXPECT_EQ(Sweep(sweep), 0);
    EXPECT_EQ(Read("a.csv"), rows);
}

/* A million iterations take minutes. */
TEST_F(SweepCommandTest, ExitsWith1IfAPointHasFailed)
{
    EXPECT_EQ(
        Sweep(
            "--vary training.iterations=1,1000000 --time-limit 1s --jobs 2 --columns point,status"),
        1);
    EXPECT_EQ(Read("stdout"), "point,status\n1,done\n2,timeout\n");
    EXPECT_THAT(Read("stderr"), HasSubstr("timeout: took longer than --time-limit 1 s"));
}

TEST_F(SweepCommandTest, SaysHowToGoOnAfterASignal)
{
    for (const auto& [signal, code] : std::map<int, int>{{SIGINT, 130}, {SIGTERM, 143}})
    {
        fs::remove_all(Path("ring.sweep"));
        fs::remove(Path("stdout"));
        auto sweep = StartSweep("--vary training.iterations=1,1000000 --jobs 2");
        WaitUntil([this] { return Lines("stdout") == 2; });
        sweep.Send(signal);
        EXPECT_EQ(sweep.Wait(), code);
        EXPECT_THAT(Read("stderr"),
                    HasSubstr("inca: 1 of 2 points are done; to go on: " INCA_PROGRAM " sweep " +
                              Path("ring.toml") +
                              " --vary training.iterations=1,1000000 --jobs 2\n"));
        EXPECT_EQ(Lines("ring.sweep/results.csv"), 2);
    }
}

/* The second of two points, which ends first, is stored, counted and in the CSV, though its gain is over the other one. */
TEST_F(SweepCommandTest, ASignalLeavesWhatIsDoneInTheCsv)
{
    auto sweep = StartSweep("--system long:training.iterations=1000000 --system "
                            "short:training.iterations=1 --against long --jobs 2 --columns "
                            "point,iterations,gain");
    WaitUntil([this] { return HasResults("ring.sweep"); });
    sweep.Send(SIGTERM);
    EXPECT_EQ(sweep.Wait(), 143);
    EXPECT_EQ(Read("ring.sweep/results.csv"), "point,iterations,gain\n2,1,\n");
    EXPECT_THAT(Read("stderr"), HasSubstr("inca: 1 of 2 points are done; to go on: "));
}

TEST_F(SweepCommandTest, WritesSummariesOfRepeatedPoints)
{
    EXPECT_EQ(Sweep("--set training.jitter=normal --set training.jitter_sd=0.1 --set "
                    "training.trace=hdc --vary cluster.workers=2,3 --repeat 3 --out @a"),
              0);
    EXPECT_EQ(Lines("a/results.csv"), 1 + 6);
    EXPECT_EQ(Lines("a/summary.csv"), 1 + 2);
    EXPECT_THAT(Read("a/summary.csv"), HasSubstr(",runs,iteration_time_mean_s,"));
    EXPECT_EQ(Lines("stdout"), 1 + 6 + 1 + 1 + 2);
}

/* Each line of the script that is no comment is a command; what it gives is the sweep's row. */
TEST_F(SweepCommandTest, ExplainsHowToGetEachRow)
{
    const std::string points =
        "--set cluster.latency=2us --system 'a ring:exchange.algorithm=ring,codec.name=inceptionn' "
        "--system b:exchange.algorithm=switch-slots --vary cluster.workers=2,3 --repeat 2";
    EXPECT_EQ(Sweep(points + " --explain"), 0);
    EXPECT_FALSE(fs::exists(Path("ring.sweep")));
    std::istringstream script(Read("stdout"));
    EXPECT_EQ(Sweep(points + " --json"), 0);
    std::istringstream rows(Read("stdout"));
    int commands = 0;
    for (std::string line; std::getline(script, line);)
    {
        if (line.front() == '#')
        {
            continue;
        }
        ASSERT_THAT(line, StartsWith("inca run " + Path("ring.toml") + " --set"));
        std::string row;
        ASSERT_TRUE(std::getline(rows, row));
        const auto command = INCA_PROGRAM + line.substr(4) + " --json > " + Path("row");
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        EXPECT_EQ(WithoutHead(Read("row")), WithoutHead(row + "\n")) << line;
        ++commands;
    }
    EXPECT_EQ(commands, 8);
}

TEST_F(SweepCommandTest, ExplainsWhatIsRefused)
{
    EXPECT_THAT(Rows("--vary exchange.algorithm=ring,switch-slots --vary codec.name=none,truncate "
                     "--explain"),
                StartsWith("# 4 points; about "));
    EXPECT_THAT(Read("stdout"), HasSubstr(" s of CPU time in all\n# 1: "));
    EXPECT_THAT(Read("stdout"),
                HasSubstr("# 4: exchange.algorithm=switch-slots codec.name=truncate: refused: "));
}

/* 24 points in 5 shards: 5, 5, 5, 5 and 4. */
TEST_F(SweepCommandTest, MergesItsShards)
{
    const auto repeated = g_grid + " --repeat 2";
    EXPECT_EQ(Sweep(repeated + " --out @whole"), 0);
    std::string merge = "merge --out @merged";
    for (const std::string shard : {"1", "2", "3", "4", "5"})
    {
        EXPECT_EQ(Sweep(repeated + " --shard " + shard + "/5"), 0);
        merge += " @ring.shard-" + shard + "-of-5.sweep";
    }
    EXPECT_EQ(Run(merge), 0);
    EXPECT_EQ(Read("merged/results.csv"), Read("whole/results.csv"));
    EXPECT_THAT(Read("stdout"), StartsWith("48 of 48 points are in "));
    EXPECT_EQ(Lines("merged/summary.csv"), 1 + 24);
    EXPECT_EQ(Read("merged/summary.csv"), Read("whole/summary.csv"));
    EXPECT_EQ(Run(merge), 0); // once more is no harm
    EXPECT_EQ(Read("merged/results.csv"), Read("whole/results.csv"));
}

/* A shard has no result of what lies in the other one, and so no gain over that; the merged shards have all of them. */
TEST_F(SweepCommandTest, GainsAreTheSameInShardsAndSummaries)
{
    const std::string grid =
        "--vary cluster.workers=2,4,8 --system plain:codec.name=none --system "
        "cut:codec.name=truncate --system "
        "refused:codec.name=truncate,exchange.algorithm=switch-slots --against plain --repeat 3";
    EXPECT_THAT(Rows(grid + " --out @whole"), HasSubstr("  gain over plain  loses\n"));
    EXPECT_THAT(Read("stderr"), Not(HasSubstr("already")));
    EXPECT_THAT(Read("whole/results.csv"), HasSubstr(",trace_crc32,gain,gain_low,gain_high\n"));
    EXPECT_THAT(Read("whole/summary.csv"), HasSubstr(",gain_mean,gain_sd,"));
    EXPECT_EQ(Sweep(grid + " --shard 1/2"), 0);
    EXPECT_EQ(Sweep(grid + " --shard 2/2"), 0);
    EXPECT_EQ(Run("merge --out @merged @ring.shard-1-of-2.sweep @ring.shard-2-of-2.sweep"), 0);
    EXPECT_EQ(Read("merged/results.csv"), Read("whole/results.csv"));
    EXPECT_EQ(Read("merged/summary.csv"), Read("whole/summary.csv"));
    EXPECT_EQ(Sweep(grid + " --columns label,gain --quiet --out @few"), 0);
    EXPECT_THAT(Read("few/results.csv"), StartsWith("label,gain\nplain,1\nplain,1\n"));
}

TEST_F(SweepCommandTest, SaysHowManyPointsAreMissing)
{
    const std::string vary = "--vary cluster.workers=2,3,4";
    EXPECT_EQ(Sweep(vary + " --shard 1/2"), 0);
    EXPECT_EQ(Run("merge @ring.shard-1-of-2.sweep --out @m"), 1);
    EXPECT_EQ(Read("stdout"),
              "2 of 3 points are in " + Path("m") + "/results.csv, 0 failed, 1 missing\n");
    EXPECT_EQ(Run("merge @m --out @m"), 2);
}

} // namespace inca
