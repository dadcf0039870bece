/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CLI_COMMAND_OUTPUT_H
#define INCA_TEST_CLI_COMMAND_OUTPUT_H

#include "cli/commands.h"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

/** Runs a command line of codec, trace or export in this process. @return what it printed on stdout */
inline std::string
OutputOf(std::vector<std::string> arguments)
{
    CLI::App app;
    auto exitCode = ExitCode::DONE;
    AddCodecCommand(app, exitCode);
    AddTraceCommand(app, exitCode);
    AddExportCommand(app, exitCode);
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 takes them
    testing::internal::CaptureStdout();
    try
    {
        app.parse(arguments);
    }
    catch (...)
    {
        testing::internal::GetCapturedStdout();
        throw;
    }
    EXPECT_EQ(exitCode, ExitCode::DONE);
    return testing::internal::GetCapturedStdout();
}

/** @param arguments with a blank between two */
inline std::string
OutputOf(const std::string& arguments)
{
    return OutputOf(CLI::detail::split_up(arguments));
}

} // namespace inca

#endif // INCA_TEST_CLI_COMMAND_OUTPUT_H
