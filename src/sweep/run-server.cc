/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-server.h"

#include "experiment/run-experiment.h"
#include "sweep/descriptor-pair.h"

#include <cerrno>

#include <sys/socket.h>

namespace inca
{

namespace
{

constexpr std::uint32_t MOST_RUNS{256};

/** @param scenario of the process that asks, which has the same memory up to where this one was split off
 * @return whether there was one; none comes any more where not */
bool
Receive(int socket, const Scenario*& scenario)
{
    for (;;)
    {
        const auto count = ::recv(socket, &scenario, sizeof scenario, MSG_WAITALL);
        if (count >= 0 || errno != EINTR)
        {
            return count == sizeof scenario;
        }
    }
}

void
Serve(int socket)
{
    for (const Scenario* scenario = nullptr; Receive(socket, scenario);)
    {
        TellRun(socket, [scenario](const RunProgress& progress) {
            return RunExperiment(*scenario, progress);
        });
    }
}

} // namespace

RunServer::RunServer()
{
    auto sockets = DescriptorPair::Sockets();
    const auto process = SplitOff([&sockets] {
        sockets.Close(0);
        Serve(sockets.End(1));
    });
    m_run = WatchRun(process, sockets.Take(0));
}

bool
RunServer::Begin(const Scenario& scenario)
{
    ++m_begun;
    m_run->BeginAnother();
    const auto* request = &scenario;
    const auto sent = ::send(m_run->Descriptor(), &request, sizeof request, MSG_NOSIGNAL);
    return sent == sizeof request;
}

bool
RunServer::IsWornOut() const
{
    return m_begun >= MOST_RUNS;
}

} // namespace inca
