/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

#include <pty.h>

namespace inca
{

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr const char* g_escape = "\x1b[";

class ColourOptionTest : public ProcessFixture
{
  protected:
    /** @return what the program prints to a terminal */
    std::string OnTerminal(const std::function<void()>& prepare) const
    {
        int ours = -1;
        int its = -1;
        EXPECT_EQ(::openpty(&ours, &its, nullptr, nullptr, nullptr), 0);
        auto run = Start("run @ring.toml", [&] {
            ::dup2(its, STDOUT_FILENO);
            ::setenv("TERM", "xterm", 1);
            ::unsetenv("NO_COLOR");
            prepare();
        });
        ::close(its);
        std::string text;
        std::array<char, 4096> some{};
        for (auto count = ::read(ours, some.data(), some.size()); count > 0;
             count = ::read(ours, some.data(), some.size()))
        {
            text.append(some.data(), static_cast<std::size_t>(count));
        }
        ::close(ours);
        EXPECT_EQ(run.Wait(), 0);
        EXPECT_THAT(text, HasSubstr("iteration time"));
        return text;
    }
};

} // namespace

TEST_F(ColourOptionTest, ColoursATerminal)
{
    EXPECT_THAT(OnTerminal([] {}), HasSubstr(g_escape));
    EXPECT_THAT(OnTerminal([] { ::setenv("NO_COLOR", "", 1); }), HasSubstr(g_escape));
}

TEST_F(ColourOptionTest, HonoursTheEnvironment)
{
    EXPECT_THAT(OnTerminal([] { ::setenv("NO_COLOR", "1", 1); }), Not(HasSubstr(g_escape)));
    EXPECT_THAT(OnTerminal([] { ::setenv("TERM", "dumb", 1); }), Not(HasSubstr(g_escape)));
    // mpirun makes a terminal for what it may pass on to a file
    EXPECT_THAT(OnTerminal([] { ::setenv("PMIX_RANK", "0", 1); }), Not(HasSubstr(g_escape)));
}

TEST_F(ColourOptionTest, LeavesPipesAlone)
{
    for (const auto* line : {"run @ring.toml",
                             "run @ring.toml --color never",
                             "sweep @ring.toml --vary cluster.workers=2,4 --out @out"})
    {
        EXPECT_THAT(Printed(line), Not(HasSubstr(g_escape)));
    }
}

/* A table of points, of which one is refused: two workers cannot be groups of three. */
TEST_F(ColourOptionTest, AlwaysColoursTables)
{
    EXPECT_THAT(Printed("run @ring.toml --color=always"), HasSubstr(g_escape));
    EXPECT_THAT(Printed("sweep @ring.toml --vary exchange.algorithm=ring,switch-slots --set "
                        "codec.name=truncate --out @out --color=always"),
                HasSubstr("\x1b[1malgorithm"));
    EXPECT_THAT(Read("stdout"), HasSubstr("\x1b[1;31mswitch-slots"));
    EXPECT_THAT(Printed("run @ring.toml --color=always --json"), Not(HasSubstr(g_escape)));
}

TEST_F(ColourOptionTest, RefusesWhatItDoesNotKnow)
{
    EXPECT_THAT(Complaint("run @ring.toml --color=alway"),
                HasSubstr("--color: unknown 'alway'; did you mean 'always'?"));
}

} // namespace inca
