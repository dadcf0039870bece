/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/process-fixture.h"

#include <gmock/gmock.h>

namespace inca
{

using CompletionTest = ProcessFixture;

/* What may stand in the place of a line's last word: names of commands, options, keys, and what keys and options take; nothing
 * of what does not exist; else files. */
TEST_F(CompletionTest, KnowsWhatMayComeNext)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"mer", "merge"},
        {"codec en", "encode"},
        {"run x.toml --se", "--set"},
        {"--vers", "--version"},
        {"run x.toml --set cluster.topo", "cluster.topology="},
        {"run --set cluster.topology=st --set codec.name=t", "codec.name=truncate"},
        {"sweep --vary codec.name=cast,inc",
         "codec.name=cast,inceptionn\ncodec.name=cast,inceptionn-bounded"},
        {"sweep --system a:codec.name=cast,cluster.topo", "a:codec.name=cast,cluster.topology="},
        {"run --set training.overlap=", "training.overlap=true\ntraining.overlap=false"},
        {"run --set cluster.bandwidth=", ""},
        {"run --set training.trace=alexnet-v", "training.trace=alexnet-v100"},
        {"trace show hd", "hdc"},
        {"codec encode --codec tr", "truncate"},
        {"validate inc", "inceptionn"},
        {"plot x --kind=he", "--kind=heat"},
        {"plot x --series label,cluster.work", "label,cluster.workers"},
        {"plot x --y iteration_time_p9", "iteration_time_p99_s"},
        {"rum x", ""},
        {"run --no-such=a", ""},
    };
    for (const auto& [line, words] : cases)
    {
        EXPECT_EQ(Run("complete " + line), 0);
        EXPECT_EQ(Read("stdout"), "words\n" + words + (words.empty() ? "" : "\n")) << line;
    }
    for (const auto* line : {"run ri", "run x.toml --csv ri", "plot x -o ''"})
    {
        EXPECT_EQ(Run(std::string("complete ") + line), 0);
        EXPECT_EQ(Read("stdout"), "files\n") << line;
    }
    EXPECT_EQ(Run("complete"), 0);
    EXPECT_THAT(Read("stdout"), testing::StartsWith("words\nrun\nexplain\n"));
    EXPECT_THAT(Read("stdout"), testing::Not(testing::HasSubstr("\ncomplete\n")));
}

} // namespace inca
