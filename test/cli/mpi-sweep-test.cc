/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
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
    static std::string Sweep(const std::string& out, const std::string& iterations)
    {
        return "sweep @ring.toml --vary exchange.algorithm=ring,worker-aggregator,switch-slots "
               "--vary cluster.workers=2..5:+1 --vary training.iterations=" +
               iterations + " --out @" + out;
    }

    Process StartRanks(const std::string& out, const std::string& iterations) const
    {
        return StartProgram("/usr/bin/env " INCA_MPIRUN
                            " --allow-run-as-root --oversubscribe -n 2 " INCA_PROGRAM " " +
                            Sweep(out, iterations));
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
    EXPECT_EQ(Run(Sweep("alone", "1,60")), 0);
    EXPECT_EQ(StartRanks("ranks", "1,60").Wait(), 0) << Read("stderr");
    EXPECT_EQ(Read("ranks/results.csv"), Read("alone/results.csv"));
    EXPECT_EQ(Lines("ranks/results.csv"), 1 + 24);
}

/* 12 points of some thousand iterations, of which the ranks have done 2 when the second of them is killed. */
TEST_F(MpiSweepTest, AfterARankWasKilledAnotherStartCompletesIt)
{
    const std::string iterations = "4000";
    EXPECT_EQ(Run(Sweep("alone", iterations)), 0);
    auto job = StartRanks("ranks", iterations);
    WaitUntil([&] { return Results("ranks") >= 2; });
    const auto ranks = ChildrenOf(job);
    ASSERT_GE(ranks.size(), 2U);
    ::kill(ranks.back(), SIGKILL);
    EXPECT_NE(job.Wait(), 0);
    EXPECT_EQ(StartRanks("ranks", iterations).Wait(), 0) << Read("stderr");
    EXPECT_EQ(Read("ranks/results.csv"), Read("alone/results.csv"));
}

} // namespace inca
