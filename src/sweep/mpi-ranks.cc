/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/mpi-ranks.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "scenario/scenario-reader.h"
#include "sweep/run-text.h"
#include "sweep/spawned-run.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
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
    HELLO,   ///< of a rank: its machine's name
    MEMORY,  ///< of a rank: a number of bytes
    RUN,     ///< of rank 0: a scenario
    RESULT,  ///< of a rank: as of TellOf
    TIMEOUT, ///< of a rank: the run took too long
    STOP,    ///< of rank 0
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
    Message message{
        status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(length), ' ')};
    MPI_Recv(message.text.data(),
             length,
             MPI_CHAR,
             message.rank,
             message.tag,
             MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return message;
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

/** Runs what @p text says and tells rank 0 of it. @return false if rank 0 does not want it any more */
bool
RunFor(const std::string& text, const RunLimits& limits)
{
    using Clock = std::chrono::steady_clock;
    constexpr int lookAgainMs = 5;
    const auto begin = Clock::now();
    const auto run = SpawnRun(text);
    while (!run->HasEnded())
    {
        WaitForOutput({run.get()}, lookAgainMs);
        ThrowIfInterrupted();
        if (const auto message = Received(); message && message->tag == STOP)
        {
            return false;
        }
        const std::chrono::duration<double> elapsed = Clock::now() - begin;
        if (limits.timeLimit && elapsed.count() > *limits.timeLimit)
        {
            Send(0, TIMEOUT, "");
            return true;
        }
    }
    Send(0, RESULT, run->Text());
    return true;
}

/** All runs of all ranks but 0, seen from there. */
class RankSlots : public RunSlots
{
  public:
    RankSlots(int ranks, const RunLimits& limits)
        : m_limits(limits),
          m_ranks(static_cast<std::size_t>(ranks))
    {
        for (int messages = 0; messages < 2 * (ranks - 1); ++messages)
        {
            const auto message = Awaited();
            auto& rank = m_ranks[static_cast<std::size_t>(message.rank)];
            if (message.tag == HELLO)
            {
                rank.machine = message.text;
            }
            else
            {
                rank.freeBytes = std::strtod(message.text.c_str(), nullptr);
            }
        }
    }

    std::uint32_t Jobs() const override
    {
        return static_cast<std::uint32_t>(m_ranks.size() - 1);
    }

    bool IsFull() const override
    {
        return m_running.size() == m_ranks.size() - 1;
    }

    bool IsIdle() const override
    {
        return m_running.empty();
    }

    bool HasRoomFor(double memoryBytes) const override
    {
        return RankFor(memoryBytes) > 0;
    }

    void Start(std::size_t index, const Scenario& scenario, double memoryBytes) override
    {
        const auto rank = RankFor(memoryBytes);
        Send(rank, RUN, FormatScenario(scenario));
        m_running[rank] = {index, &scenario, memoryBytes};
    }

    std::vector<EndedRun> Wait() override
    {
        constexpr auto longest = std::chrono::milliseconds(200);
        const auto begin = std::chrono::steady_clock::now();
        std::vector<EndedRun> ended;
        while (ended.empty() && std::chrono::steady_clock::now() - begin < longest)
        {
            ThrowIfInterrupted();
            while (const auto message = Received())
            {
                ended.push_back(EndOf(*message));
            }
            if (ended.empty())
            {
                std::this_thread::sleep_for(g_lookAgain);
            }
        }
        return ended;
    }

  private:
    struct Rank
    {
        std::string machine;
        double freeBytes{0}; ///< of its machine, before anything ran
    };

    struct Running
    {
        std::size_t index{0};
        const Scenario* scenario{nullptr};
        double memoryBytes{0};
    };

    /** @return a rank that runs nothing, on a machine with room; 0: none */
    int RankFor(double memoryBytes) const
    {
        std::map<std::string, double> taken;
        for (const auto& [rank, running] : m_running)
        {
            taken[m_ranks[static_cast<std::size_t>(rank)].machine] +=
                RUN_PROCESS_BYTES + running.memoryBytes;
        }
        for (int rank = 1; rank < static_cast<int>(m_ranks.size()); ++rank)
        {
            const auto& [machine, freeBytes] = m_ranks[static_cast<std::size_t>(rank)];
            const bool fits = taken.count(machine) == 0 ||
                              taken[machine] + RUN_PROCESS_BYTES + memoryBytes <= freeBytes;
            if (m_running.count(rank) == 0 && fits)
            {
                return rank;
            }
        }
        return 0;
    }

    EndedRun EndOf(const Message& message)
    {
        const auto running = m_running.at(message.rank);
        m_running.erase(message.rank);
        const auto result = message.tag == Tag::TIMEOUT
                                ? TimeoutResult(*m_limits.timeLimit, *running.scenario)
                                : ResultTold(message.text, *running.scenario);
        return {running.index, result};
    }

    RunLimits m_limits;
    std::vector<Rank> m_ranks;        ///< by number
    std::map<int, Running> m_running; ///< by rank
};

/** @return whether a launcher of MPI says so */
bool
IsLaunched()
{
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr ||
           std::getenv("PMIX_RANK") != nullptr;
}

} // namespace

MpiRanks::MpiRanks()
    : m_usesMpi(IsLaunched())
{
    if (m_usesMpi)
    {
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
    if (m_usesMpi)
    {
        MPI_Finalize();
    }
}

void
MpiRanks::Serve(const RunLimits& limits)
{
    Send(0, HELLO, MachineName());
    Send(0, MEMORY, std::to_string(limits.memoryBytes));
    bool wanted = true;
    while (wanted)
    {
        const auto message = Awaited();
        wanted = message.tag == RUN && RunFor(message.text, limits);
    }
}

std::unique_ptr<RunSlots>
MpiRanks::Slots(const RunLimits& limits)
{
    return std::make_unique<RankSlots>(m_count, limits);
}

void
MpiRanks::Abort(int exitCode)
{
    if (m_usesMpi)
    {
        MPI_Abort(MPI_COMM_WORLD, exitCode);
    }
}

} // namespace inca
