/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/module-names.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(ModuleNames, AreInCallsAndHierarchies)
{
    EXPECT_EQ(ModuleOfCall("nn.Module: Linear_0"), "Linear_0");
    EXPECT_EQ(ModuleOfCall("torch/nn/modules/module.py(1102): _call_impl"), "");
    EXPECT_EQ(ModuleOfHierarchy("TOP(C)::forward.A0(A)::forward.SELF(A)::forward_impl_."), "A0");
    EXPECT_EQ(ModuleOfHierarchy("TOP(Net)::forward.encoder(Block)::forward.fc(Linear)::forward."),
              "encoder.fc");
    EXPECT_EQ(ModuleOfHierarchy("TOP(C)::forward."), "");
    EXPECT_EQ(ModuleOfHierarchy(""), "");
    EXPECT_EQ(ModuleOfHierarchy("no hierarchy"), "");
}

/* On thread 1, Net from 0 to 100 calls Linear from 10 to 20; on thread 2, Conv goes on from 0 to 50. */
TEST(ModuleNames, AreThoseOfTheInnermostCall)
{
    TorchRecording recording;
    recording.forwards = {{1, {15, 1, ""}},
                          {2, {30, 1, ""}},
                          {3, {15, 2, ""}},
                          {4, {60, 2, ""}},
                          {5, {15, 1, "encoder.fc"}},
                          {6, {20, 1, ""}}};
    NameForwards(recording, {{1, 10, 20, "Linear_0"}, {2, 0, 50, "Conv_0"}, {1, 0, 100, "Net_0"}});
    EXPECT_EQ(recording.forwards[1].module, "Linear_0");
    EXPECT_EQ(recording.forwards[2].module, "Net_0");
    EXPECT_EQ(recording.forwards[3].module, "Conv_0");
    EXPECT_EQ(recording.forwards[4].module, "");
    EXPECT_EQ(recording.forwards[5].module, "encoder.fc");
    EXPECT_EQ(recording.forwards[6].module, "Linear_0");
}

} // namespace inca
