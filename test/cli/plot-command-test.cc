/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

namespace inca
{

namespace
{

using testing::HasSubstr;

namespace fs = std::filesystem;

class PlotCommandTest : public ProcessFixture
{
  protected:
    PlotCommandTest()
    {
        Put("rows.csv", "status,workers,iteration_time_s,seed\ndone,2,1,1\ndone,4,2,1\n");
        Put("compared.csv", "validation,model\nswitch,vgg\n");
    }

    /** @return what is in the folder but what every test has */
    std::vector<std::string> Others() const
    {
        std::vector<std::string> others;
        for (const auto& entry : fs::directory_iterator(folder))
        {
            const auto name = entry.path().filename().string();
            if (name != "stdout" && name != "stderr" && name != "ring.toml" && name != "rows.csv" &&
                name != "compared.csv")
            {
                others.push_back(name);
            }
        }
        return others;
    }
};

} // namespace

TEST_F(PlotCommandTest, WritesScriptAndData)
{
    EXPECT_EQ(Run("plot @rows.csv --x cluster.workers --script @by-hand"), 0);
    EXPECT_THAT(Read("by-hand/plot.gp"), HasSubstr("set xlabel 'workers'"));
    EXPECT_THAT(Read("by-hand/plot.dat"), HasSubstr("\n2 1 1 1\n4 2 2 2\n"));
}

/* A seed is no setting: 1 and 3 at two workers are one point, 2. */
TEST_F(PlotCommandTest, DrawsSeedsTogether)
{
    Put("seeds.csv", "label,workers,iteration_time_s,seed\na,2,1,1\na,2,3,2\na,4,2,1\na,4,2,2\n");
    EXPECT_EQ(Run("plot @seeds.csv --script @by-hand"), 0);
    EXPECT_THAT(Read("by-hand/plot.dat"), HasSubstr("\n2 2 "));
}

/* A sweep that was killed has no results.csv yet; its store has the rows. */
TEST_F(PlotCommandTest, TakesFoldersTablesAndStores)
{
    EXPECT_EQ(Run("sweep @ring.toml --vary cluster.workers=2,4 --out @sweep"), 0);
    EXPECT_EQ(Run("plot @sweep/results.csv --script @of-table"), 0);
    fs::remove(Path("sweep/results.csv"));
    EXPECT_EQ(Run("plot @sweep --script @of-folder"), 0);
    EXPECT_EQ(Run("plot @sweep/results.sqlite --script @of-store"), 0);
    EXPECT_THAT(Read("of-table/plot.dat"), HasSubstr("# workers, iteration time (us)"));
    EXPECT_EQ(Read("of-folder/plot.dat"), Read("of-table/plot.dat"));
    EXPECT_EQ(Read("of-store/plot.dat"), Read("of-table/plot.dat"));
}

TEST_F(PlotCommandTest, DrawsWhatASweepHasVaried)
{
    EXPECT_EQ(Run("sweep @ring.toml --vary cluster.bandwidth=10Gbps,100Gbps --vary "
                  "exchange.algorithm=ring,switch-slots --out @out"),
              0);
    EXPECT_EQ(Run("plot @out --script @by-hand"), 0);
    EXPECT_THAT(Read("by-hand/plot.gp"), HasSubstr("set xlabel 'bandwidth (Gbit/s)'"));
    EXPECT_THAT(Read("by-hand/plot.dat"), HasSubstr("# switch-slots: bandwidth (Gbit/s)"));
}

/* A trunk that is not given is as fast as a worker's link, and comes before it in a row. */
TEST_F(PlotCommandTest, NamesTheKeyThatWasVaried)
{
    EXPECT_EQ(
        Run("sweep @ring.toml --set cluster.topology=leaf-spine --set cluster.hosts_per_leaf=2 "
            "--vary cluster.bandwidth=10Gbps,100Gbps --out @out"),
        0);
    for (const std::string results : {"@out", "@out/results.csv"})
    {
        EXPECT_EQ(Run("plot " + results + " --script @by-hand"), 0);
        EXPECT_THAT(Read("by-hand/plot.gp"), HasSubstr("set xlabel 'bandwidth (Gbit/s)'"));
    }
    EXPECT_EQ(
        Run("sweep @ring.toml --set cluster.topology=leaf-spine --set cluster.hosts_per_leaf=2 "
            "--vary cluster.trunk_bandwidth=10Gbps,100Gbps --out @trunks"),
        0);
    EXPECT_EQ(Run("plot @trunks --script @by-hand"), 0);
    EXPECT_THAT(Read("by-hand/plot.gp"), HasSubstr("set xlabel 'trunk bandwidth (Gbit/s)'"));
}

TEST_F(PlotCommandTest, LeavesNothingOfWhatIsRefused)
{
    for (const std::string arguments :
         {"@rows.csv -o @x.svg --x no", "@ring.toml -o @x.svg", "@rows.csv --script @rows.csv"})
    {
        EXPECT_EQ(Run("plot " + arguments), 2);
        EXPECT_THAT(Others(), testing::IsEmpty()) << arguments;
    }
}

TEST_F(PlotCommandTest, WithoutGnuplotLeavesWhatWasThere)
{
    Put("x.svg", "before");
    EXPECT_EQ(Run("plot @rows.csv -o @x.svg", [this] { ::setenv("PATH", folder.c_str(), 1); }), 4);
    EXPECT_EQ(Read("x.svg"), "before");
}

} // namespace inca
