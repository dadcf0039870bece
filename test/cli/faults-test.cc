/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"
#include "trace/safetensors-writer.h"

#include <gmock/gmock.h>

#include <array>
#include <csignal>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::StartsWith;

namespace fs = std::filesystem;

/** A sweep whose first point takes longest, so that it is still at work when its first row is there. */
constexpr const char* g_shrinking =
    "training.iterations=18000,16000,14000,12000,10000,8000,6000,4000,2000,300,1";

/** From here on no more than @p amount of @p resource. */
void
Limit(int resource, ::rlim_t amount)
{
    const ::rlimit limit{amount, amount};
    ::setrlimit(static_cast<::__rlimit_resource>(resource), &limit);
}

class FaultsTest : public ProcessFixture
{
  protected:
    static std::string Sweep(const std::string& vary)
    {
        return "sweep @ring.toml --csv @rows.csv --jobs 2 --vary " + vary;
    }

    /** @return whether the lines are a header and rows, as many fields each, all whole */
    bool IsWhole(const std::string& name) const
    {
        std::istringstream lines(Read(name));
        std::string header;
        std::getline(lines, header);
        const auto commas = std::count(header.begin(), header.end(), ',');
        bool isWhole = header.substr(0, 6) == "label," && Read(name).back() == '\n';
        for (std::string line; std::getline(lines, line);)
        {
            isWhole = isWhole && std::count(line.begin(), line.end(), ',') == commas;
        }
        return isWhole;
    }

    /** @return how many files there are beside those of the fixture */
    std::ptrdiff_t OtherFiles() const
    {
        const fs::directory_iterator files(folder);
        constexpr std::ptrdiff_t ofFixture = 3; // ring.toml, stdout, stderr
        return std::distance(begin(files), end(files)) - ofFixture;
    }
};

} // namespace

/* -- killed ------------------------------------------------------------------------------------ */

/* What is there stays; a row behind half a line would be lost in it. */
TEST_F(FaultsTest, AKilledSweepLeavesWholeRowsAndNothingIsAddedToABrokenOne)
{
    auto sweep = Start(Sweep(g_shrinking));
    WaitUntil([this] { return Lines("rows.csv") >= 2; });
    sweep.Send(SIGKILL);
    EXPECT_EQ(sweep.Wait(), 1000 + SIGKILL);
    EXPECT_TRUE(IsWhole("rows.csv"));
    const auto broken = Read("rows.csv") + "tensor:4kB,ri";
    Put("rows.csv", broken);
    EXPECT_EQ(Run("run @ring.toml --csv @rows.csv"), 2);
    EXPECT_EQ(Read("rows.csv"), broken);
    EXPECT_THAT(Read("stderr"), HasSubstr(Path("rows.csv") + ": ends within a line"));
}

class SignalTest : public FaultsTest, public testing::WithParamInterface<std::pair<int, int>>
{
};

TEST_P(SignalTest, ASweepThatIsInterruptedKeepsWhatIsDone)
{
    auto sweep = Start(Sweep("training.iterations=1,1000000"));
    WaitUntil([this] { return Lines("rows.csv") == 2; });
    sweep.Send(GetParam().first);
    EXPECT_EQ(sweep.Wait(), GetParam().second);
    EXPECT_EQ(Lines("rows.csv"), 2);
    EXPECT_TRUE(IsWhole("rows.csv"));
    EXPECT_THAT(Read("stderr"), HasSubstr("inca: interrupted\n"));
}

TEST_P(SignalTest, AValidationThatIsInterruptedLeavesNothing)
{
    auto validation = Start("validate --seeds 1000 --csv @x.csv");
    WaitUntil([this] { return Lines("stdout") > 0; }); // the first of several has ended
    validation.Send(GetParam().first);
    EXPECT_EQ(validation.Wait(), GetParam().second);
    EXPECT_EQ(OtherFiles(), 0);
}

/* Whoever reads it has opened it, and nobody writes. */
TEST_P(SignalTest, EndsWaitingForAPipe)
{
    ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
    auto run = Start("run @pipe");
    int writer = -1;
    WaitUntil([&] {
        return (writer = ::open(Path("pipe").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) >= 0;
    });
    run.Send(GetParam().first);
    EXPECT_EQ(run.Wait(), GetParam().second);
    ::close(writer);
}

INSTANTIATE_TEST_SUITE_P(Signals,
                         SignalTest,
                         testing::Values(std::pair(SIGINT, 130), std::pair(SIGTERM, 143)));

/* As nohup and a shell's & do for SIGINT. */
TEST_F(FaultsTest, AnIgnoredSignalStaysIgnored)
{
    ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
    auto run = Start("run @pipe", [] { std::signal(SIGINT, SIG_IGN); });
    int writer = -1;
    WaitUntil([&] {
        return (writer = ::open(Path("pipe").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) >= 0;
    });
    run.Send(SIGINT);
    const auto scenario = Read("ring.toml");
    EXPECT_EQ(::write(writer, scenario.data(), scenario.size()),
              static_cast<::ssize_t>(scenario.size()));
    ::close(writer);
    EXPECT_EQ(run.Wait(), 0);
}

/* -- pipes ------------------------------------------------------------------------------------- */

/* As <(...) makes them: a pipe of the shell's, which gives its bytes once. */
TEST_F(FaultsTest, PipesAreReadAsFilesAre)
{
    fs::copy_file(INCA_SOURCE_DIR "/traces/hdc.csv", Path("hdc.csv"));
    Put("hdc.toml", "[training]\ntrace = \"" + Path("hdc.csv") + "\"\n");
    EXPECT_EQ(Run("sweep @hdc.toml --vary cluster.workers=2,3"), 0);
    const auto rows = Read("stdout");
    ASSERT_EQ(Lines("stdout"), 3);
    for (const auto* name : {"hdc.csv", "hdc.toml"})
    {
        const auto text = Read(name);
        fs::remove(Path(name));
        ASSERT_EQ(::mkfifo(Path(name).c_str(), 0600), 0);
        auto sweep = Start("sweep @hdc.toml --vary cluster.workers=2,3");
        Put(name, text); // opens when the program has opened it
        EXPECT_EQ(sweep.Wait(), 0) << name;
        EXPECT_EQ(Read("stdout"), rows) << name;
        fs::remove(Path(name));
        Put(name, text);
    }
}

/* As the buffer drops frames, all workers are simulated once more. */
TEST_F(FaultsTest, ATraceFromAPipeIsReadOnceHoweverOftenItRuns)
{
    fs::copy_file(INCA_SOURCE_DIR "/traces/hdc.csv", Path("copy.csv"));
    const auto trace = Read("copy.csv");
    ASSERT_EQ(::mkfifo(Path("hdc.csv").c_str(), 0600), 0);
    Put("hdc.toml",
        "[training]\ntrace = \"" + Path("hdc.csv") + "\"\n[cluster]\nbuffer = \"1600B\"\n");
    auto run = Start("run @hdc.toml");
    Put("hdc.csv", trace); // opens when the program has opened it
    EXPECT_EQ(run.Wait(), 0);
    EXPECT_THAT(Read("stdout"), testing::HasSubstr("iteration time"));
}

TEST_F(FaultsTest, RowsGoThroughAPipeToItsReader)
{
    ASSERT_EQ(::mkfifo(Path("rows.csv").c_str(), 0600), 0);
    const int reader = ::open(Path("rows.csv").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_EQ(Run(Sweep("cluster.workers=2,3")), 0);
    std::string text(1U << 16U, '\0');
    text.resize(static_cast<std::size_t>(::read(reader, text.data(), text.size())));
    ::close(reader);
    EXPECT_EQ(text, Read("ring.sweep/results.csv")); // a header, and two rows
}

/* A pipe of one page is full before all rows are in it: the sweep does not end before its reader leaves. */
TEST_F(FaultsTest, AReaderThatLeavesIsTold)
{
    ASSERT_EQ(::mkfifo(Path("rows.csv").c_str(), 0600), 0);
    int reader = ::open(Path("rows.csv").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GT(::fcntl(reader, F_SETPIPE_SZ, ::getpagesize()), 0);
    auto sweep = Start(Sweep(g_shrinking));
    std::array<char, 8> begin{};
    WaitUntil([&] { return ::read(reader, begin.data(), begin.size()) > 0; });
    ::close(reader);
    EXPECT_EQ(sweep.Wait(), 4);
    EXPECT_THAT(Read("stderr"), HasSubstr("rows.csv: cannot be written: Broken pipe"));
}

/* As of `inca list | head -1`: it ends by SIGPIPE, and says nothing. A full disk is another matter. */
TEST_F(FaultsTest, EndsSilentlyWhenTheReaderOfStdoutLeaves)
{
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ::close(pipe[0]);
    for (const auto& line : {std::string("list"), Sweep("cluster.workers=2,3")})
    {
        EXPECT_EQ(Run(line, [&pipe] { ::dup2(pipe[1], STDOUT_FILENO); }), 1000 + SIGPIPE);
        EXPECT_EQ(Read("stderr"), "");
    }
    EXPECT_EQ(Lines("rows.csv"), 2); // nobody sees that it goes on
    EXPECT_TRUE(IsWhole("rows.csv"));
    ::close(pipe[1]);
    EXPECT_EQ(Run("run @ring.toml", [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); }),
              4);
    EXPECT_THAT(Read("stderr"), StartsWith("inca: stdout: "));
}

/* The first file that is opened would become stdout, and take the table. */
TEST_F(FaultsTest, WithoutStdoutNothingElseTakesItsPlace)
{
    EXPECT_EQ(Run("run @ring.toml --csv @rows.csv", [] { ::close(STDOUT_FILENO); }), 4);
    EXPECT_EQ(Lines("rows.csv"), 2);
    EXPECT_TRUE(IsWhole("rows.csv"));
}

/* -- limits ------------------------------------------------------------------------------------ */

/* ulimit -f: SIGXFSZ would end the program, and leave half a header. */
TEST_F(FaultsTest, AFileThatMayNotGrowIsToldAndIsNotThere)
{
    const auto small = [] {
        ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
        Limit(RLIMIT_FSIZE, 512);
    };
    EXPECT_EQ(Run("run @ring.toml --csv @rows.csv", small), 4);
    EXPECT_THAT(Read("stderr"), HasSubstr("rows.csv: cannot be written: File too large"));
    EXPECT_EQ(Run("run @ring.toml --out @out", small), 4);
    EXPECT_TRUE(fs::is_empty(Path("out")));
    fs::remove(Path("out"));
    EXPECT_EQ(OtherFiles(), 0);
}

#ifndef __SANITIZE_ADDRESS__ // which needs terabytes of addresses
/* ulimit -v: 4 GiB of values do not fit into 2. */
TEST_F(FaultsTest, LackOfMemoryIsTold)
{
    // all workers' values are there at once
    EXPECT_EQ(
        Run("run @ring.toml --set training.trace=tensor:4GiB --set training.values=true --set "
            "simulation.mode=packet --set simulation.max_memory=64GiB --csv @rows.csv",
            [] { Limit(RLIMIT_AS, ::rlim_t{2} << 30U); }),
        4);
    EXPECT_THAT(Read("stderr"), HasSubstr("inca: out of memory; "));
    EXPECT_EQ(OtherFiles(), 0);
}
#endif

/* 40 workers' files do not fit into 32 descriptors; the soft limit is raised. */
TEST_F(FaultsTest, LackOfDescriptorsIsTold)
{
    constexpr ::rlim_t few = 32;
    constexpr int workers = 40;
    for (int worker = 0; worker < workers; ++worker)
    {
        WriteSafetensors(Path("values-" + std::to_string(worker)),
                         {{"tensor", {1000}, std::vector<float>(1000)}});
    }
    const auto* run = "run @ring.toml --set cluster.workers=40 --set training.values=true --set "
                      "training.values_file=@values-{worker}";
    EXPECT_THAT(Complaint(run, 2, [] { Limit(RLIMIT_NOFILE, few); }),
                HasSubstr(": cannot be read: Too many open files\n"));
    const auto soft = [] {
        ::rlimit limit{};
        ::getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = few;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    };
    EXPECT_EQ(Run(run, soft), 0) << Read("stderr");
}

/* -- folders and files ------------------------------------------------------------------------- */

/* Root may write everywhere, so it gives up that capability first. */
TEST_F(FaultsTest, AReadOnlyFolderIsToldBeforeTheRun)
{
    fs::create_directory(Path("folder"));
    fs::permissions(Path("folder"), fs::perms::owner_read | fs::perms::owner_exec);
    const auto asOwner = [] {
        if (::geteuid() == 0 && ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) != 0)
        {
            ::_exit(127);
        }
    };
    for (const auto* line : {"run @ring.toml --set training.iterations=1000000 --csv @folder/x.csv",
                             "run @ring.toml --set training.iterations=1000000 --out @folder/x",
                             "validate --csv @folder/x.csv"})
    {
        EXPECT_THAT(Complaint(line, 2, asOwner), HasSubstr("Permission denied"));
    }
}

TEST_F(FaultsTest, TwoWritersShareAFile)
{
    auto one = Start(Sweep("training.iterations=1..100:+1"));
    auto other = Start(Sweep("training.iterations=101..200:+1 --out @other.sweep"));
    EXPECT_EQ(one.Wait(), 0);
    EXPECT_EQ(other.Wait(), 0);
    EXPECT_EQ(Lines("rows.csv"), 1 + 2 * 100);
    EXPECT_TRUE(IsWhole("rows.csv"));
}

/* -- surroundings ------------------------------------------------------------------------------ */

TEST_F(FaultsTest, NeitherLocaleNorHomeMatters)
{
    EXPECT_EQ(Run("sweep @ring.toml --vary cluster.workers=2,3"), 0);
    const auto rows = Read("stdout");
    for (const auto* locale : {"C", "de_DE.UTF-8", "tr_TR.UTF-8", "no such locale"})
    {
        EXPECT_EQ(Run("sweep @ring.toml --vary cluster.workers=2,3",
                      [locale] {
                          ::clearenv();
                          ::setenv("LC_ALL", locale, 1);
                      }),
                  0);
        EXPECT_EQ(Read("stdout"), rows) << locale;
    }
}

/* -- what files hold --------------------------------------------------------------------------- */

TEST_F(FaultsTest, APathInATableMovesNoCursor)
{
    const auto name = Path("\x1b[2Jx.csv");
    fs::copy_file(INCA_SOURCE_DIR "/traces/hdc.csv", name);
    EXPECT_THAT(Printed("run @ring.toml --set 'training.trace=" + name + "'"),
                StartsWith(Path("?[2Jx.csv")));
    EXPECT_EQ(Read("stdout").find('\x1b'), std::string::npos);
}

} // namespace inca
