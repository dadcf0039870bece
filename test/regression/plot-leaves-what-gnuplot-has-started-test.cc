/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <csignal>

namespace inca
{

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
