/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "support/own-path.h"
#include "trace/safetensors-writer.h"
#include "trace/step-files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace inca
{

/* A file given twice was taken for two workers whose gradients are the same: a union density of one. */
TEST(OneFileIsMeasuredAsTwoWorkers, IsRefused)
{
    const auto folder = OwnPath();
    std::filesystem::create_directories(folder);
    const auto file = folder + "/values";
    WriteSafetensors(file, {{"a", {2}, {1, 0}}});
    EXPECT_EQ(FindStepFiles({file}).front().paths.size(), 1U);
    EXPECT_THROW(FindStepFiles({file, file}), InputError);
    EXPECT_THROW(FindStepFiles({file, folder + "/./values"}), InputError);
    std::filesystem::remove_all(folder);
}

} // namespace inca
