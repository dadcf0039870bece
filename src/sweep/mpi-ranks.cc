/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/mpi-ranks.h"

#include "base/interrupt.h"
#include "experiment/run-experiment.h"
#include "scenario/scenario-reader.h"

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <mpi.h>

namespace inca
{

namespace
{

/** What a message is; the text is the message. */
enum Tag : int
{
    HELLO,  ///< of a rank: a number of bytes that are free, and its machine's name
    RUN,    ///< of rank 0: a scenario
    RESULT, ///< of a rank: how its run has ended (EndedWork)
    STOP,   ///< of rank 0
};

constexpr auto g_lookAgain = std::chrono::milliseconds(1);

struct Message
{
    int rank;
    int tag;
    std::string text;
};

void
Send(int rank, Tag tag, const std::string& text)
{
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, rank, tag, MPI_COMM_WORLD);
}

/** @return a message that has come; waits for none, as MPI would keep a core busy with that */
std::optional<Message>
Received()
{
    int isThere = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &isThere, &status);
    if (isThere == 0)
    {
        return std::nullopt;
    }
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string text(static_cast<std::size_t>(length), ' ');
    MPI_Recv(text.data(),
             length,
             MPI_CHAR,
             status.MPI_SOURCE,
             status.MPI_TAG,
             MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return Message{status.MPI_SOURCE, status.MPI_TAG, std::move(text)};
}

/** @throws Interrupted */
Message
Awaited()
{
    for (;;)
    {
        if (auto message = Received())
        {
            return *message;
        }
        ThrowIfInterrupted();
        std::this_thread::sleep_for(g_lookAgain);
    }
}

std::string
MachineName()
{
    std::string name(MPI_MAX_PROCESSOR_NAME, ' ');
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    name.resize(static_cast<std::size_t>(length));
    return name;
}

/**
 * A process that may not be forked from once it uses MPI has one worker from before, which forks those that run what it is
 * asked for. What it returns is how these have ended.
 */
std::unique_ptr<WorkerPool>
MakeRunner(const std::optional<double>& timeLimit)
{
    const auto run = [](const std::string& scenario) {
        return FormatResult(
            DoneResult(RunExperiment(ParseScenario(scenario, "the point", {}).scenario, {})));
    };
    const auto relay =
        [pool = std::make_shared<WorkerPool>(run, timeLimit)](const std::string& scenario) {
            pool->Start(0, scenario);
            auto ended = pool->Wait();
            while (ended.empty())
            {
                ended = pool->Wait();
            }
            return ended.front().message;
        };
    auto runner = std::make_unique<WorkerPool>(relay);
    runner->AddWorker();
    return runner;
}

/** Ranks but 0; slot i is rank i + 1. */
class RankSlots : public RunSlots
{
  public:
    RankSlots(const std::vector<SweepPoint>& points, const std::vector<RunSlot>& slots)
        : RunSlots(points, slots),
          m_running(slots.size())
    {
    }

  private:
    void DoStart(std::size_t slot, std::size_t point) override
    {
        m_running[slot] = point;
        Send(static_cast<int>(slot) + 1, RUN, FormatScenario(Points()[point].scenario));
    }

    std::vector<EndedWork> DoWait() override
    {
        constexpr auto longest = std::chrono::milliseconds(200);
        const auto begin = std::chrono::steady_clock::now();
        std::vector<EndedWork> ended;
        while (ended.empty() && std::chrono::steady_clock::now() - begin < longest)
        {
            ThrowIfInterrupted();
            while (auto message = Received())
            {
                const auto slot = static_cast<std::size_t>(message->rank) - 1;
                ended.push_back({m_running[slot], std::move(message->text)});
            }
            if (ended.empty())
            {
                std::this_thread::sleep_for(g_lookAgain);
            }
        }
        return ended;
    }

    std::vector<std::size_t> m_running; ///< point by slot
};

} // namespace

MpiRanks::MpiRanks(const RunLimits& limits)
    : m_limits(limits)
{
    if (IsMpiRank())
    {
        m_runner = MakeRunner(limits.timeLimit);
        MPI_Init(nullptr, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &m_number);
        MPI_Comm_size(MPI_COMM_WORLD, &m_count);
    }
}

MpiRanks::~MpiRanks()
{
    for (int rank = 1; m_number == 0 && rank < m_count; ++rank)
    {
        Send(rank, STOP, "");
    }
    if (m_runner)
    {
        m_runner.reset();
        MPI_Finalize();
    }
}

void
MpiRanks::Serve()
{
    constexpr int lookAgainMs = 5;
    Send(0, HELLO, std::to_string(m_limits.memoryBytes) + " " + MachineName());
    for (auto message = Awaited(); message.tag == RUN; message = Awaited())
    {
        m_runner->Start(0, message.text);
        std::vector<EndedWork> ended;
        while (ended.empty())
        {
            ended = m_runner->Wait(lookAgainMs);
            if (const auto other = Received(); other && other->tag == STOP)
            {
                return;
            }
        }
        Send(0, RESULT, DecodeMessage(ended.front().message));
    }
}

std::unique_ptr<RunSlots>
MpiRanks::Slots(const std::vector<SweepPoint>& points)
{
    if (m_count == 1)
    {
        return MakeLocalSlots(points, m_limits);
    }
    std::vector<RunSlot> slots(static_cast<std::size_t>(m_count) - 1);
    for (std::size_t i = 0; i < slots.size(); ++i)
    {
        const auto hello = Awaited();
        const auto blank = hello.text.find(' ');
        slots[static_cast<std::size_t>(hello.rank) - 1] = {hello.text.substr(blank + 1),
                                                           std::stod(hello.text)};
    }
    return std::make_unique<RankSlots>(points, slots);
}

void
MpiRanks::Abort(int exitCode)
{
    if (m_runner)
    {
        MPI_Abort(MPI_COMM_WORLD, exitCode);
    }
}

} // namespace inca
