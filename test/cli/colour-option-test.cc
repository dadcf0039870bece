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
        auto run = Start({"run", Path("ring.toml")}, [&] {
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
}

TEST_F(ColourOptionTest, LeavesPipesAlone)
{
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"run", Path("ring.toml")},
             {"run", Path("ring.toml"), "--color", "never"},
             {"sweep", Path("ring.toml"), "--vary", "cluster.workers=2,4", "--out", Path("out")}})
    {
        EXPECT_EQ(Run(arguments), 0);
        EXPECT_THAT(Read("stdout"), Not(HasSubstr(g_escape)));
    }
}

/* A table of points, of which one is refused: two workers cannot be groups of three. */
TEST_F(ColourOptionTest, AlwaysColoursTables)
{
    EXPECT_EQ(Run({"run", Path("ring.toml"), "--color=always"}), 0);
    EXPECT_THAT(Read("stdout"), HasSubstr(g_escape));
    EXPECT_EQ(Run({"sweep",
                   Path("ring.toml"),
                   "--vary",
                   "exchange.algorithm=ring,switch-slots",
                   "--set",
                   "codec.name=truncate",
                   "--out",
                   Path("out"),
                   "--color=always"}),
              0);
    EXPECT_THAT(Read("stdout"), HasSubstr("\x1b[1malgorithm"));
    EXPECT_THAT(Read("stdout"), HasSubstr("\x1b[1;31mswitch-slots"));
    EXPECT_EQ(Run({"run", Path("ring.toml"), "--color=always", "--json"}), 0);
    EXPECT_THAT(Read("stdout"), Not(HasSubstr(g_escape)));
}

TEST_F(ColourOptionTest, RefusesWhatItDoesNotKnow)
{
    EXPECT_EQ(Run({"run", Path("ring.toml"), "--color=alway"}), 2);
    EXPECT_THAT(Read("stderr"), HasSubstr("--color: unknown 'alway'; did you mean 'always'?"));
}

} // namespace inca
