/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// inca run --timeline
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace inca
{

using testing::HasSubstr;
using testing::Not;

class TimelineCommandTest : public ProcessFixture
{
  protected:
    static std::string RunWith(const std::string& options)
    {
        return "run @ring.toml --timeline @t.json " + options;
    }

    /** Whether @p process has a file of this test's folder open that has no name. */
    bool HasUnnamedFile(const Process& process) const
    {
        std::error_code error;
        const auto files = "/proc/" + std::to_string(process.Id()) + "/fd";
        for (const auto& file : std::filesystem::directory_iterator(files, error))
        {
            const auto target = std::filesystem::read_symlink(file, error).string();
            if (target.rfind(folder, 0) == 0 && target.find("(deleted)") != std::string::npos)
            {
                return true;
            }
        }
        return false;
    }
};

TEST_F(TimelineCommandTest, WritesTheFile)
{
    EXPECT_EQ(Run(RunWith("")), 0);
    EXPECT_THAT(Read("t.json"), HasSubstr("\"traceEvents\""));
    EXPECT_THAT(Read("stdout"), HasSubstr("iteration time"));
}

TEST_F(TimelineCommandTest, SaysOnceWhatItsLimitLeavesOut)
{
    EXPECT_EQ(Run(RunWith("--timeline-limit=10")), 0);
    EXPECT_THAT(Read("stderr"),
                HasSubstr("inca: warning: " + Path("t.json") + ": --timeline-limit=10 is reached"));
    EXPECT_EQ(Run(RunWith("--timeline-limit=10 -q")), 0);
    EXPECT_THAT(Read("stderr"), Not(HasSubstr("warning")));
}

/* Of a run that lasts, ended while it writes: nothing is left, and what was there is. */
TEST_F(TimelineCommandTest, LeavesNothingHalfWritten)
{
    Put("t.json", "before");
    auto process = Start(RunWith("--set training.trace=tensor:1TB --set simulation.mode=packet"));
    WaitUntil([&] { return HasUnnamedFile(process); });
    process.Send(SIGINT);
    EXPECT_EQ(process.Wait(), 130);
    EXPECT_EQ(Read("t.json"), "before");
}

} // namespace inca
