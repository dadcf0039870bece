/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/worker-pool.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inca
{

namespace
{

constexpr std::size_t g_mostKeptBytes{64'000'000}; ///< unused, of an idle worker

/** How work ended: the first character of the message that its process sends; a text follows. */
enum Ending : char
{
    DONE = 'd',
    REFUSED = 'r',
    BROKEN = 'b',
    INTERRUPTED = 'i',
    NO_MEMORY = 'm',
    FAILED = 'f',
    TIMED_OUT = 't',
};

std::string
EncodeMessage(Ending ending, const std::string& text)
{
    return std::string(1, ending) + text;
}

/** Does @p work and says in a message how it ended. */
std::string
DoAndEncode(const WorkerPool::Work& work, const std::string& request)
{
    try
    {
        return EncodeMessage(DONE, work(request));
    }
    catch (const InputError& error)
    {
        return EncodeMessage(REFUSED, error.what());
    }
    catch (const UnitError& error)
    {
        return EncodeMessage(REFUSED, error.what());
    }
    catch (const Interrupted& interrupted)
    {
        return EncodeMessage(INTERRUPTED, std::to_string(interrupted.Signal()));
    }
    catch (const RunError& error)
    {
        return EncodeMessage(FAILED, error.what());
    }
    catch (const std::bad_alloc&)
    {
        return EncodeMessage(NO_MEMORY, "");
    }
    catch (const std::exception& error)
    {
        return EncodeMessage(BROKEN, error.what());
    }
}

/** A message is the number of its bytes, as that lies in memory, and its bytes. @return whether somebody may read it */
bool
SendMessage(int socket, const std::string& text)
{
    const auto size = text.size();
    const auto message = std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
    for (std::size_t at = 0; at < message.size();)
    {
        const auto count = ::send(socket, &message[at], message.size() - at, MSG_NOSIGNAL);
        if (count < 0 && errno != EINTR)
        {
            return false;
        }
        at += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return true;
}

/** Takes in what has come. @param flags of recv @return false if nothing will come any more */
bool
Receive(int socket, int flags, std::string& bytes)
{
    std::array<char, 65'536> buffer;
    const auto count = ::recv(socket, buffer.data(), buffer.size(), flags);
    bytes.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

/** @return the first message of @p bytes, which are rid of it, if all of it has come */
std::optional<std::string>
TakeMessage(std::string& bytes)
{
    std::size_t size = 0;
    if (bytes.size() < sizeof size)
    {
        return std::nullopt;
    }
    std::memcpy(&size, bytes.data(), sizeof size);
    if (bytes.size() - sizeof size < size)
    {
        return std::nullopt;
    }
    auto text = bytes.substr(sizeof size, size);
    bytes.erase(0, sizeof size + size);
    return text;
}

/** In a worker: does what it is asked for, until nobody asks any more. */
void
Serve(int socket, const WorkerPool::Work& work)
{
    std::string bytes;
    bool isOpen = true;
    while (isOpen)
    {
        isOpen = Receive(socket, 0, bytes);
        if (const auto request = TakeMessage(bytes))
        {
            isOpen = SendMessage(socket, DoAndEncode(work, *request));
            if (::mallinfo2().fordblks > g_mostKeptBytes)
            {
                ::malloc_trim(0);
            }
        }
    }
}

} // namespace

/** One process, and what it is at. */
class WorkerPool::Worker
{
  public:
    explicit Worker(const Work& work)
    {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        {
            throw RunError("no sockets for another process: " + ErrorReason(errno));
        }
        const auto parent = ::getpid();
        m_process = ::fork();
        if (m_process == 0)
        {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a parent that is killed cannot end its children
            if (::getppid() != parent)          // it is gone already
            {
                ::_exit(1);
            }
            ::close(ends[0]);
            Serve(ends[1], work);
            ::_exit(0); // neither flushes nor destroys what it has of its parent
        }
        const auto reason = errno;
        ::close(ends[1]);
        m_socket = ends[0];
        if (m_process < 0)
        {
            ::close(m_socket);
            throw RunError("no process for another run: " + ErrorReason(reason));
        }
    }

    ~Worker()
    {
        ::close(m_socket);
        ::kill(m_process, SIGKILL); // nothing to lose: it writes no files
        while (::waitpid(m_process, nullptr, 0) < 0 && errno == EINTR)
        {
        }
    }

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /** @return false if it has died meanwhile */
    bool Begin(std::size_t index, const std::string& request)
    {
        m_index = index;
        m_isBusy = SendMessage(m_socket, request);
        m_begin = std::chrono::steady_clock::now();
        return m_isBusy;
    }

    /** @return how its work has ended, if it has */
    std::optional<std::string> Ended(const std::optional<double>& timeLimit)
    {
        const bool isAlive = Receive(m_socket, MSG_DONTWAIT, m_received);
        if (auto message = TakeMessage(m_received))
        {
            m_isBusy = false;
            return message;
        }
        if (!isAlive)
        {
            return EncodeMessage(FAILED, "the process of a run died: " + CauseOfDeath());
        }
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - m_begin;
        return timeLimit && elapsed.count() > *timeLimit
                   ? std::optional(EncodeMessage(
                         TIMED_OUT,
                         fmt::format("took longer than --time-limit {:g} s", *timeLimit)))
                   : std::nullopt;
    }

    /** @param message of its last work, which has ended @return whether it may do more: nothing went wrong in it */
    bool MayGoOn(const std::string& message) const
    {
        return !m_isBusy && (message[0] == DONE || message[0] == REFUSED);
    }

    bool IsBusy() const
    {
        return m_isBusy;
    }

    std::size_t Index() const
    {
        return m_index;
    }

    int Socket() const
    {
        return m_socket;
    }

  private:
    /** The process stays a zombie, as the destructor still uses its number. */
    std::string CauseOfDeath() const
    {
        ::siginfo_t info{};
        ::waitid(P_PID, static_cast<::id_t>(m_process), &info, WEXITED | WNOWAIT);
        if (info.si_code == CLD_EXITED)
        {
            return fmt::format("exit code {}", info.si_status);
        }
        const auto* const advice =
            info.si_status == SIGKILL ? "; is there enough memory for --jobs?" : "";
        return fmt::format("signal {}, {}{}", info.si_status, ::strsignal(info.si_status), advice);
    }

    ::pid_t m_process{-1};
    int m_socket{-1};
    std::string m_received;
    bool m_isBusy{false};
    std::size_t m_index{0}; ///< of its last work
    std::chrono::steady_clock::time_point m_begin;
};

std::string
DecodeMessage(const std::string& message)
{
    const auto text = message.substr(std::min<std::size_t>(1, message.size()));
    switch (message.empty() ? static_cast<char>(BROKEN) : message.front())
    {
    case DONE:
        return text;
    case REFUSED:
        throw InputError(Lines(text));
    case INTERRUPTED:
        throw Interrupted(std::stoi(text));
    case FAILED:
        throw RunError(text);
    case TIMED_OUT:
        throw TimeoutError(text);
    case NO_MEMORY:
        throw std::bad_alloc();
    default:
        throw InvariantError(text);
    }
}

WorkerPool::WorkerPool(Work work, std::optional<double> timeLimit)
    : m_work(std::move(work)),
      m_timeLimit(timeLimit)
{
}

WorkerPool::~WorkerPool() = default;

void
WorkerPool::AddWorker()
{
    m_workers.emplace_back(m_work);
}

void
WorkerPool::Start(std::size_t index, const std::string& request)
{
    for (auto worker = m_workers.begin(); worker != m_workers.end();)
    {
        const bool isIdle = !worker->IsBusy();
        if (isIdle && worker->Begin(index, request))
        {
            return;
        }
        worker = isIdle ? m_workers.erase(worker) : std::next(worker);
    }
    AddWorker();
    if (!m_workers.back().Begin(index, request))
    {
        m_workers.pop_back();
        throw RunError("the process of a run died before it began");
    }
}

std::size_t
WorkerPool::Running() const
{
    return static_cast<std::size_t>(std::count_if(
        m_workers.begin(), m_workers.end(), [](const auto& worker) { return worker.IsBusy(); }));
}

std::vector<EndedWork>
WorkerPool::Wait(int mostMs)
{
    std::vector<::pollfd> sockets;
    for (const auto& worker : m_workers)
    {
        if (worker.IsBusy()) // one that has died idle would have something to tell all the time
        {
            sockets.push_back({worker.Socket(), POLLIN, 0});
        }
    }
    ::poll(sockets.data(), sockets.size(), mostMs);
    ThrowIfInterrupted();
    std::vector<EndedWork> ended;
    for (auto worker = m_workers.begin(); worker != m_workers.end();)
    {
        auto message = worker->IsBusy() ? worker->Ended(m_timeLimit) : std::nullopt;
        const bool stays = !message || worker->MayGoOn(*message);
        if (message)
        {
            ended.push_back({worker->Index(), std::move(*message)});
        }
        worker = stays ? std::next(worker) : m_workers.erase(worker);
    }
    return ended;
}

} // namespace inca
