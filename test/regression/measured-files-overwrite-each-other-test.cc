/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/whole-file.h"
#include "cli/command-output.h"
#include "support/own-path.h"
#include "trace/safetensors-writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace inca
{

/* `-o mine.csv --csv mine.csv` wrote the trace, and then the table over it. */
TEST(MeasuredFilesOverwriteEachOther, IsRefused)
{
    const auto folder = OwnPath();
    std::filesystem::create_directories(folder);
    WriteSafetensors(folder + "/values", {{"a", {2}, {1, 0}}});
    WriteWholeFile(folder + "/trace.csv",
                   "#inca-trace v1\n# class: measured\n"
                   "layer,elements,forward_ns,backward_ns,update_ns\na,2,1,1,1\n");
    const auto measure = "trace measure " + folder + "/values --trace " + folder +
                         "/trace.csv -o " + folder + "/out.csv --csv " + folder;
    EXPECT_THROW(OutputOf(measure + "/out.csv"), InputError);
    EXPECT_FALSE(std::filesystem::exists(folder + "/out.csv"));
    EXPECT_NO_THROW(OutputOf(measure + "/lines.csv"));
    std::filesystem::remove_all(folder);
}

} // namespace inca
