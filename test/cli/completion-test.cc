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

class CompletionTest : public ProcessFixture
{
  protected:
    /** @return what may stand in the place of the last of @p words */
    std::string Complete(std::vector<std::string> words) const
    {
        words.insert(words.begin(), "complete");
        EXPECT_EQ(Run(words), 0);
        return Read("stdout");
    }
};

} // namespace

TEST_F(CompletionTest, KnowsCommandsAndOptions)
{
    EXPECT_EQ(Complete({"mer"}), "words\nmerge\n");
    EXPECT_EQ(Complete({"codec", "en"}), "words\nencode\n");
    EXPECT_EQ(Complete({"run", "x.toml", "--se"}), "words\n--set\n");
    EXPECT_EQ(Complete({"--vers"}), "words\n--version\n");
    EXPECT_THAT(Complete({""}), Not(HasSubstr("run-point"))); // what help does not list
}

TEST_F(CompletionTest, KnowsKeysAndTheirValues)
{
    EXPECT_EQ(Complete({"run", "x.toml", "--set", "cluster.topo"}), "words\ncluster.topology=\n");
    EXPECT_EQ(Complete({"run", "--set", "cluster.topology=st", "--set", "codec.name=t"}),
              "words\ncodec.name=truncate\n");
    EXPECT_EQ(Complete({"sweep", "--vary", "codec.name=cast,inc"}),
              "words\ncodec.name=cast,inceptionn\n");
    EXPECT_EQ(Complete({"sweep", "--system", "a:codec.name=cast,cluster.topo"}),
              "words\na:codec.name=cast,cluster.topology=\n");
    EXPECT_EQ(Complete({"run", "--set", "training.overlap="}),
              "words\ntraining.overlap=true\ntraining.overlap=false\n");
    EXPECT_EQ(Complete({"run", "--set", "cluster.bandwidth="}), "words\n");
}

TEST_F(CompletionTest, KnowsNames)
{
    EXPECT_EQ(Complete({"run", "--set", "training.trace=alexnet-v"}),
              "words\ntraining.trace=alexnet-v100\n");
    EXPECT_EQ(Complete({"trace", "show", "hd"}), "words\nhdc\n");
    EXPECT_EQ(Complete({"codec", "encode", "--codec", "tr"}), "words\ntruncate\n");
    EXPECT_EQ(Complete({"validate", "inc"}), "words\ninceptionn\n");
    EXPECT_EQ(Complete({"plot", "x", "--kind=he"}), "words\n--kind=heat\n");
    EXPECT_EQ(Complete({"plot", "x", "--series", "label,cluster.work"}),
              "words\nlabel,cluster.workers\n");
    EXPECT_EQ(Complete({"plot", "x", "--y", "iteration_time_p9"}), "words\niteration_time_p99_s\n");
    EXPECT_EQ(Complete({"run", "--color", "al"}), "words\nalways\n");
}

TEST_F(CompletionTest, LeavesTheOthersToFiles)
{
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"run", "ri"}, {"run", "x.toml", "--csv", "ri"}, {"plot", "x", "-o", ""}})
    {
        EXPECT_EQ(Complete(words), "files\n");
    }
}

TEST_F(CompletionTest, OfWhatDoesNotExistIsNothing)
{
    EXPECT_EQ(Complete({"rum", "x"}), "words\n");
    EXPECT_EQ(Complete({"run", "--no-such=a"}), "words\n");
    EXPECT_EQ(Complete({}).substr(0, 6), "words\n");
}

} // namespace inca
