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
using testing::Not;
using testing::StartsWith;

namespace fs = std::filesystem;

/** The program as a user runs it, on a scenario that takes milliseconds. */
class CommandsTest : public ProcessFixture
{
  protected:
    CommandsTest()
    {
        Put("ring.toml", "[training]\ntrace = \"hdc\"\n");
    }
};

} // namespace

TEST_F(CommandsTest, RunPrintsATableAndKeepsARow)
{
    EXPECT_THAT(Printed("run @ring.toml --csv @rows.csv"),
                StartsWith("hdc, ring, codec none, 4 workers at 10 Gbit/s\n"));
    EXPECT_EQ(Read("stderr"), "");
    EXPECT_EQ(Lines("rows.csv"), 2); // header and row
    EXPECT_EQ(Run("run @ring.toml --csv @rows.csv"), 0);
    EXPECT_EQ(Lines("rows.csv"), 3);
}

/* A scenario that would run for hours: what is wrong with its outputs is found before. */
TEST_F(CommandsTest, OutputsAreCheckedBeforeTheRun)
{
    Put("other.csv", "a,b\n1,2\n");
    for (const auto* line :
         {"run @ring.toml --set training.iterations=1000000 --csv @none/x.csv",
          "run @ring.toml --set training.iterations=1000000 --csv @",
          "run @ring.toml --set training.iterations=1000000 --csv @other.csv",
          "run @ring.toml --set training.iterations=1000000 --out @other.csv",
          "sweep @ring.toml --vary training.iterations=1000000,999999 --csv @other.csv"})
    {
        EXPECT_THAT(Complaint(line), HasSubstr(folder));
    }
    EXPECT_EQ(Read("other.csv"), "a,b\n1,2\n");
}

TEST_F(CommandsTest, SweepPrintsRowsOrATable)
{
    const auto sweep = std::string("sweep @ring.toml --vary cluster.workers=2,3 ");
    const auto table = Printed(sweep);
    EXPECT_EQ(Lines("stdout"), 3);
    EXPECT_THAT(table, StartsWith("workers "));
    EXPECT_EQ(Printed(sweep + "--csv @rows.csv"), table);
    EXPECT_EQ(Read("rows.csv"), Read("ring.sweep/results.csv"));
    EXPECT_EQ(Printed(sweep + "--columns workers,point"), "workers,point\n2,1\n3,2\n");
    EXPECT_EQ(Printed(sweep + "--columns workers,point --json"),
              "{\"workers\": 2, \"point\": 1}\n{\"workers\": 3, \"point\": 2}\n");
    EXPECT_EQ(Printed(sweep + "-q --csv /dev/stdout"), Read("rows.csv"));
}

TEST_F(CommandsTest, AFileMayBringItsSweep)
{
    Put("ring.toml", Read("ring.toml") + "[sweep]\nvary = [\"cluster.workers=2,3\"]\n");
    EXPECT_EQ(Run("sweep @ring.toml"), 0);
    EXPECT_EQ(Lines("stdout"), 3);                                  // header and two points
    EXPECT_THAT(Printed("run @ring.toml"), HasSubstr("4 workers")); // the scenario as it stands
    EXPECT_THAT(Read("stderr"), HasSubstr("warning: " + Path("ring.toml") + ": table [sweep]"));
}

/* The system's settings come before those of --set. */
TEST_F(CommandsTest, RunTakesASystemOfTheFile)
{
    Put("two.toml", R"([training]
trace = "tensor:4kB"
[sweep]
vary = ["cluster.latency=1us,2us"]
[[sweep.system]]
label = "switch"
set = ["exchange.algorithm=switch-slots", "cluster.workers=3"]
)");
    EXPECT_THAT(Printed("run @two.toml --system switch"),
                HasSubstr("switch-slots, codec none, 3 workers"));
    EXPECT_EQ(Read("stderr"), "");
    EXPECT_THAT(Printed("run @two.toml --system switch --set cluster.workers=2"),
                HasSubstr("switch-slots, codec none, 2 workers"));
}

TEST_F(CommandsTest, ListsOneTableOrTheColumns)
{
    EXPECT_THAT(Printed("list host"), HasSubstr("host.byte_rate"));
    EXPECT_THAT(Read("stdout"), HasSubstr("calibrated: Algorithm 1 receives, then sends"));
    EXPECT_THAT(Read("stdout"), Not(HasSubstr("cluster.workers")));
    EXPECT_THAT(Printed("list engine"), HasSubstr("engine.clock"));
    EXPECT_THAT(Printed("list --columns"), HasSubstr("busbw_gbps"));
}

/* Every column of a row is in the list, and in its order. */
TEST_F(CommandsTest, ListsTheColumnsOfARow)
{
    EXPECT_EQ(Run("run @ring.toml --csv @row.csv"), 0);
    EXPECT_EQ(Run("list --columns"), 0);
    std::istringstream lines(Read("stdout"));
    std::string header;
    std::string line;
    std::getline(lines, line);
    for (std::getline(lines, line); std::getline(lines, line);)
    {
        header += (header.empty() ? "" : ",") + line.substr(2, line.find(' ', 2) - 2);
    }
    EXPECT_THAT(Read("row.csv"), StartsWith(header + "\n"));
}

TEST_F(CommandsTest, ReadsAScenarioFromStdin)
{
    const auto from = [this](const std::string& line) {
        return Run(line,
                   [this] { ::dup2(::open(Path("ring.toml").c_str(), O_RDONLY), STDIN_FILENO); });
    };
    EXPECT_EQ(from("run -"), 0);
    EXPECT_THAT(Read("stdout"), StartsWith("hdc, ring"));
    EXPECT_EQ(from("sweep - --vary cluster.workers=2,3 --out @of-stdin"), 0);
    EXPECT_EQ(Lines("stdout"), 3);
}

/* A warning, a table and a sweep's lines are all left out. */
TEST_F(CommandsTest, IsQuietIfAsked)
{
    Put("ring.toml", Read("ring.toml") + "[codec]\nbound = \"2^-9\"\n");
    EXPECT_EQ(Run("run -q @ring.toml --csv @row.csv"), 0);
    EXPECT_EQ(Read("stdout") + Read("stderr"), "");
    EXPECT_EQ(Lines("row.csv"), 2);
    EXPECT_EQ(Run("sweep --quiet @ring.toml --vary cluster.workers=2,3 --csv @rows.csv"), 0);
    EXPECT_EQ(Read("stdout") + Read("stderr"), "");
    EXPECT_EQ(Lines("rows.csv"), 3);
    EXPECT_EQ(Run("sweep -q @ring.toml --vary cluster.workers=2,3"), 0);
    EXPECT_EQ(Read("stdout") + Read("stderr"), "");
    EXPECT_EQ(Read("ring.sweep/results.csv"), Read("rows.csv"));
}

TEST_F(CommandsTest, SaysFromWhereOnOneBeatsTheOther)
{
    const auto ask =
        std::string("crossover @ring.toml --a 'C: codec.name=inceptionn' --b plain: --over ");
    EXPECT_THAT(Printed(ask + "cluster.bandwidth=1Gbps..400Gbps"),
                StartsWith("C against plain, by iteration_time_s\n\nup to "));
    EXPECT_THAT(Read("stdout"), HasSubstr(": C is faster\nfrom "));
    EXPECT_THAT(Read("stdout"), HasSubstr(" on: plain is faster\n"));
    EXPECT_THAT(Read("stderr"), HasSubstr("warning: at C cluster.bandwidth=1Gbps: sizes only: "));
    EXPECT_THAT(Printed(ask + "cluster.bandwidth=1Gbps..2Gbps"),
                HasSubstr("\neverywhere: C is faster\n"));
}

TEST_F(CommandsTest, SaysWhatIsBest)
{
    EXPECT_EQ(Run("decide @ring.toml --lossy 2^-10"), 0);
    const auto text = Read("stdout");
    EXPECT_THAT(text, StartsWith("best    "));
    EXPECT_THAT(text, HasSubstr(" % faster than yours"));
    EXPECT_THAT(text, HasSubstr("the best uncompressed tried at 16 bits"));
    EXPECT_THAT(text, HasSubstr("ring with 2 channels"));
    EXPECT_THAT(text, HasSubstr("\nnot tried: worker-aggregator, halving-doubling, "));
    EXPECT_THAT(text, HasSubstr(" yours  ring "));
    EXPECT_THAT(text, Not(HasSubstr("with more hosts")));
    EXPECT_THAT(Printed("decide @ring.toml --over worker-aggregator"),
                HasSubstr("\nwith more hosts than the scenario's 4: 5"));
    EXPECT_THAT(Printed("decide @ring.toml --set cluster.bandwidth=1600Gbps --set "
                        "host.preset=gpudirect --set training.trace=resnet50-a100"),
                HasSubstr("limited by compute: nothing on the network helps"));
}

/* The command that is printed gives the time that is printed. */
TEST_F(CommandsTest, SaysHowToRunWhatIsBest)
{
    EXPECT_EQ(Run("decide @ring.toml --lossy 2^-10"), 0);
    const auto text = Read("stdout");
    const auto begin = text.find("inca run ") + 5;
    const auto command = text.substr(begin, text.find('\n', begin) - begin);
    const auto time = text.substr(text.find(": ") + 2, text.find(" per ") - text.find(": ") - 2);
    EXPECT_THAT(Printed(command), HasSubstr("iteration time              " + time + "\n"));
}

TEST_F(CommandsTest, FindsATraceBesideItsScenario)
{
    fs::copy(INCA_SOURCE_DIR "/traces/hdc.csv", Path("own.csv"));
    Put("ring.toml", "[training]\ntrace = \"own.csv\"\n");
    EXPECT_EQ(Run("run @ring.toml --csv @row.csv"), 0);
    EXPECT_THAT(Read("row.csv"), HasSubstr("\n,,done,," + Path("own.csv") + ","));
}

TEST_F(CommandsTest, HelpVersionAndListExitWith0)
{
    EXPECT_EQ(Run("--help"), 0);
    EXPECT_EQ(Run("run --help"), 0);
    EXPECT_THAT(Printed("--version"), StartsWith("inca "));
    EXPECT_THAT(Printed("list"), HasSubstr("cluster.bandwidth"));
    EXPECT_THAT(Read("stdout"), HasSubstr("sweep.vary"));
}

} // namespace inca
