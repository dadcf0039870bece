/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-server.h"

#include "sweep/baselines.h"
#include "sweep/descriptor-pair.h"

#include <cerrno>

#include <sys/socket.h>

namespace inca
{

namespace
{

constexpr std::uint32_t MOST_RUNS{256};

/** What a process is asked for, by one that has the same memory up to where it was split off. */
struct Request
{
    const Scenario* scenario;
    RunKind kind;
};

/** @return whether there was one; none comes any more where not */
bool
Receive(int socket, Request& request)
{
    for (;;)
    {
        const auto count = ::recv(socket, &request, sizeof request, MSG_WAITALL);
        if (count >= 0 || errno != EINTR)
        {
            return count == sizeof request;
        }
    }
}

void
Serve(int socket)
{
    for (Request request{}; Receive(socket, request);)
    {
        TellRun(socket, [&request](const RunProgress& progress) {
            return RunOf(*request.scenario, request.kind, progress);
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
RunServer::Begin(const Scenario& scenario, RunKind kind)
{
    ++m_begun;
    m_run->BeginAnother();
    const Request request{&scenario, kind};
    const auto sent = ::send(m_run->Descriptor(), &request, sizeof request, MSG_NOSIGNAL);
    return sent == sizeof request;
}

bool
RunServer::IsWornOut() const
{
    return m_begun >= MOST_RUNS;
}

} // namespace inca
