/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/validation-request.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ChosenModels, AreAllUnlessSomeAreNamed)
{
    EXPECT_THAT(ChosenModels({}, {"b", "a", "c"}), ElementsAre("b", "a", "c"));
}

TEST(ChosenModels, KeepTheKnownOrderAndStandOnce)
{
    EXPECT_THAT(ChosenModels({"c", "b", "c"}, {"b", "a", "c"}), ElementsAre("b", "c"));
}

TEST(ChosenModels, NameTheNearestOfAnUnknownOne)
{
    try
    {
        ChosenModels({"alexnett"}, {"hdc", "alexnet"});
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.what(),
                    HasSubstr("--model: unknown 'alexnett'; did you mean 'alexnet'?"));
    }
}

TEST(WithSettings, ChangesWhatIsSetAndNothingElse)
{
    Scenario scenario;
    scenario.training.trace = "tensor:4MB";
    scenario.cluster.workers = 3;
    const auto changed = WithSettings(scenario, "name", {"cluster.latency=2us"});
    EXPECT_EQ(changed.cluster.latencyPs, 2'000'000);
    EXPECT_EQ(changed.cluster.workers, 3U);
    EXPECT_EQ(changed.training.trace, "tensor:4MB");
}

TEST(WithSettings, RefusesWhatIsNoKey)
{
    Scenario scenario;
    scenario.training.trace = "tensor:4MB";
    EXPECT_THROW(WithSettings(scenario, "name", {"cluster.latencyy=2us"}), InputError);
}

TEST(RefuseKeys, RefusesAKeyWhateverItsValue)
{
    EXPECT_THROW(RefuseKeys({"a.c=1", "a.b=2"}, {"a.b"}), InputError);
    EXPECT_NO_THROW(RefuseKeys({"a.bc=1", "a.c=a.b"}, {"a.b"}));
}

TEST(TitleWithSettings, HasALineForEach)
{
    EXPECT_EQ(TitleWithSettings("T", {}), "T\n  with simulation.mode=auto");
    EXPECT_EQ(TitleWithSettings("T", {"a.b=1", "simulation.mode=packet"}),
              "T\n  with a.b=1\n  with simulation.mode=packet");
}

} // namespace

} // namespace inca
