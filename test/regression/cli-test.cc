/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What once went wrong in cli/.
#include "cli/command-output.h"
#include "cli/process-fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace inca
{

// -- environment changes results
using testing::HasSubstr;

class Environment : public ProcessFixture
{
  protected:
    /** @return the exit code of `inca run` with variables of the environment, "NAME=text" each; its output is in Read */
    int RunWith(const std::vector<std::string>& variables) const
    {
        return Run("run @ring.toml", [&variables] {
            for (const auto& variable : variables)
            {
                const auto equals = variable.find('=');
                ::setenv(
                    variable.substr(0, equals).c_str(), variable.substr(equals + 1).c_str(), 1);
            }
        });
    }
};

/* NS_ATTRIBUTE_DEFAULT changed times while the row said otherwise; bad texts ended in signals, before main
 * even; NS_GLOBAL_VALUE=SimulatorImplementationType=ns3::RealtimeSimulatorImpl ran in real time. */
TEST_F(Environment, ChangesNoResult)
{
    ASSERT_EQ(RunWith({}), 0);
    const auto result = Read("stdout");
    EXPECT_EQ(Read("stderr"), "");
    for (const auto* setting :
         {"NS_ATTRIBUTE_DEFAULT=inca::Link::Delay=1ms",
          "NS_ATTRIBUTE_DEFAULT=inca::Link::Delay=soon",
          "NS_GLOBAL_VALUE=RngSeed=none",
          "NS_GLOBAL_VALUE=SimulatorImplementationType=ns3::RealtimeSimulatorImpl",
          "NS_GLOBAL_VALUE=SimulatorImplementationType=none"})
    {
        EXPECT_EQ(RunWith({setting}), 0) << setting;
        EXPECT_EQ(Read("stdout"), result) << setting;
        const std::string name(setting, std::string(setting).find('='));
        EXPECT_THAT(Read("stderr"), HasSubstr("warning: " + name + ": ignored")) << setting;
    }
}

#ifndef NS3_LOG_ENABLE // a build that can log does what it says
TEST_F(Environment, LogsNothing)
{
    EXPECT_EQ(RunWith({"NS_LOG=none", "HOME=", "NS_GLOBAL_VALUE=RngSeed=none"}), 0);
    EXPECT_THAT(Read("stderr"), HasSubstr("warning: NS_GLOBAL_VALUE, NS_LOG: ignored"));
}
#endif

// -- plot leaves what gnuplot has started
namespace
{

namespace fs = std::filesystem;

class PlotLeavesWhatGnuplotHasStarted : public ProcessFixture,
                                        public testing::WithParamInterface<std::pair<int, int>>
{
};

/** @return whether it is gone, or waits for its new parent to ask how it has ended */
bool
HasEnded(::pid_t process)
{
    std::ostringstream stat;
    stat << std::ifstream("/proc/" + std::to_string(process) + "/stat").rdbuf();
    return stat.str().empty() || stat.str().find(") Z ") != std::string::npos;
}

} // namespace

/* A gnuplot that is a script, as some systems have it: what it has started went on when it was ended. */
TEST_P(PlotLeavesWhatGnuplotHasStarted, NothingIsLeftOfIt)
{
    Put("rows.csv", "workers,iteration_time_s\n2,1\n4,2\n");
    Put("gnuplot", "#!/bin/sh\nsleep 1000 &\necho $! > '" + Path("started") + "'\nwait\n");
    fs::permissions(Path("gnuplot"), fs::perms::owner_all);
    fs::create_directory(Path("temporary"));
    auto plot = Start("plot @rows.csv -o @x.svg", [this] {
        ::setenv("PATH", (folder + ":/bin:/usr/bin").c_str(), 1);
        ::setenv("TMPDIR", Path("temporary").c_str(), 1);
    });
    WaitUntil([this] { return Lines("started") == 1; });
    const auto started = static_cast<::pid_t>(std::stol(Read("started")));
    plot.Send(GetParam().first);
    EXPECT_EQ(plot.Wait(), GetParam().second);
    EXPECT_EQ(Read("stderr"), "inca: interrupted\n");
    EXPECT_FALSE(fs::exists(Path("x.svg")));
    EXPECT_TRUE(fs::is_empty(Path("temporary")));
    WaitUntil([started] { return HasEnded(started); });
}

INSTANTIATE_TEST_SUITE_P(Signals,
                         PlotLeavesWhatGnuplotHasStarted,
                         testing::Values(std::pair(SIGINT, 130), std::pair(SIGTERM, 143)));

} // namespace inca
