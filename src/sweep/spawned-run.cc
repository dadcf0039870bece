/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/spawned-run.h"

#include "base/errors.h"
#include "base/file-error.h"
#include "experiment/run-experiment.h"
#include "scenario/scenario-reader.h"
#include "sweep/descriptor-pair.h"

#include <array>
#include <csignal>
#include <iostream>
#include <iterator>
#include <string_view>
#include <vector>

#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char** environ;

namespace inca
{

namespace
{

/** This process's environment without what an MPI launcher has put there. */
std::vector<char*>
EnvironmentWithoutMpi()
{
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
    {
        const std::string_view text(*variable);
        bool ofMpi = false;
        for (const std::string_view prefix :
             {"OMPI_", "PMI", "MPI", "HYD", "ORTE_", "OPAL_", "PRTE_", "SLURM_"})
        {
            ofMpi = ofMpi || text.substr(0, prefix.size()) == prefix;
        }
        if (!ofMpi)
        {
            variables.push_back(*variable);
        }
    }
    variables.push_back(nullptr);
    return variables;
}

/** @return the new process, which reads from @p input and writes to @p output */
::pid_t
Spawn(int input, int output)
{
    std::string program = "inca";
    std::string command = SPAWNED_RUN_COMMAND;
    std::string parent = std::to_string(::getpid());
    std::array<char*, 4> words{program.data(), command.data(), parent.data(), nullptr};
    auto variables = EnvironmentWithoutMpi();
    ::posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::pid_t process = -1;
    const int error = ::posix_spawn(
        &process, "/proc/self/exe", &actions, nullptr, words.data(), variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
    {
        throw RunError("no process for another run: " + ErrorReason(error));
    }
    return process;
}

} // namespace

std::unique_ptr<RunProcess>
SpawnRun(const std::string& scenario)
{
    auto input = DescriptorPair::Pipe();
    auto output = DescriptorPair::Pipe();
    auto run = WatchRun(Spawn(input.End(0), output.End(1)), output.Take(0));
    WriteAll(input.End(1), scenario); // a process that dies before it has read all has no result
    return run;
}

void
ServeSpawnedRun(int parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) // gone before that
    {
        return;
    }
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    TellRun(STDOUT_FILENO, [&](const RunProgress& /*nobody asks*/) {
        return RunExperiment(ParseScenario(text, "the point", {}).scenario, {});
    });
}

} // namespace inca
