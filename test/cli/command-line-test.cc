/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/command-line.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(CommandLine, QuotesWhatAShellWouldTakeApart)
{
    EXPECT_EQ(ShellLine({"inca", "run", "a b.toml", "--set", "codec.bound=2^-6", "it's", "", "a*"}),
              "inca run 'a b.toml' --set codec.bound=2^-6 'it'\\''s' '' 'a*'");
}

TEST(CommandLine, KnowsHowThisProcessWasStarted)
{
    ASSERT_FALSE(OwnCommand().empty());
    EXPECT_NE(OwnCommand().front().find("inca-test-cli"), std::string::npos);
}

} // namespace inca
