/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "record/database.h"

#include "cli/process-fixture.h"

#include <gmock/gmock.h>

#include <csignal>

namespace inca
{

namespace
{

namespace fs = std::filesystem;

/** Sweeps of INCA's, alone and as OpenMPI's mpirun starts it on two ranks, here as root and on one core, too. */
class MpiSweepTest : public ProcessFixture
{
  protected:
    std::vector<std::string> Words(const std::string& out, const std::string& iterations) const
    {
        return {"sweep",
                Path("ring.toml"),
                "--vary",
                "exchange.algorithm=ring,worker-aggregator,switch-slots",
                "--vary",
                "cluster.workers=2..5:+1",
                "--vary",
                "training.iterations=" + iterations,
                "--out",
                Path(out)};
    }

    Process StartRanks(const std::string& out, const std::string& iterations) const
    {
        std::vector<std::string> words{"/usr/bin/env",
                                       INCA_MPIRUN,
                                       "--allow-run-as-root",
                                       "--oversubscribe",
                                       "-n",
                                       "2",
                                       INCA_PROGRAM};
        const auto sweep = Words(out, iterations);
        words.insert(words.end(), sweep.begin(), sweep.end());
        return StartProgram(words);
    }

    /** @return the processes that @p process has started */
    static std::vector<::pid_t> ChildrenOf(::pid_t process)
    {
        const auto id = std::to_string(process);
        std::ifstream file("/proc/" + id + "/task/" + id + "/children");
        std::vector<::pid_t> children;
        for (::pid_t child = 0; file >> child;)
        {
            children.push_back(child);
        }
        return children;
    }

    std::int64_t Results(const std::string& out) const
    {
        try
        {
            Database database(Path(out) + "/results.sqlite");
            auto count = database.Prepare("SELECT count(*) FROM results");
            return count.Step() ? count.Number(0) : 0;
        }
        catch (const std::exception&) // about to be made
        {
            return 0;
        }
    }
};

} // namespace

TEST_F(MpiSweepTest, TwoRanksGiveTheBytesOfOneProcess)
{
    EXPECT_EQ(Run(Words("alone", "1,60")), 0);
    EXPECT_EQ(StartRanks("ranks", "1,60").Wait(), 0) << Read("stderr");
    EXPECT_EQ(Read("ranks/results.csv"), Read("alone/results.csv"));
    EXPECT_EQ(Lines("ranks/results.csv"), 1 + 24);
}

/* 12 points of some thousand iterations, of which the ranks have done 2 when the second of them is killed. */
TEST_F(MpiSweepTest, AfterARankWasKilledAnotherStartCompletesIt)
{
    const std::string iterations = "4000";
    EXPECT_EQ(Run(Words("alone", iterations)), 0);
    auto job = StartRanks("ranks", iterations);
    WaitUntil([&] { return Results("ranks") >= 2; });
    const auto ranks = ChildrenOf(job.Id());
    ASSERT_GE(ranks.size(), 2U);
    ::kill(ranks.back(), SIGKILL);
    EXPECT_NE(job.Wait(), 0);
    EXPECT_EQ(StartRanks("ranks", iterations).Wait(), 0) << Read("stderr");
    EXPECT_EQ(Read("ranks/results.csv"), Read("alone/results.csv"));
}

} // namespace inca
