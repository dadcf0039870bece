/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/worker-application.h"

#include "base/errors.h"
#include "base/units.h"
#include "device/byte-rate.h"
#include "device/simulated-time.h"

#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <array>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaWorker");

namespace
{

/** What it is called on paths. */
PathKind
KindOf(const Task& task)
{
    constexpr std::array<PathKind, g_activityCount> kinds{PathKind::FORWARD,
                                                          PathKind::BACKWARD,
                                                          PathKind::COPY,
                                                          PathKind::SPARSIFY,
                                                          PathKind::SUM,
                                                          PathKind::UPDATE};
    return task.resource == Resource::GPU_LINKS  ? PathKind::GPU_LINKS
           : task.resource == Resource::PROTOCOL ? PathKind::PROTOCOL
                                                 : kinds[static_cast<std::size_t>(task.activity)];
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(WorkerApplication);

ns3::TypeId
WorkerApplication::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::WorkerApplication")
            .SetParent<RankApplication>()
            .SetGroupName("Inca")
            .AddConstructor<WorkerApplication>()
            .AddAttribute("CopyRate",
                          "Of gradients between GPU and host memory, both ways counted once; by "
                          "default at no cost.",
                          ns3::DataRateValue(ns3::DataRate(NO_LIMIT_BPS)),
                          ns3::MakeDataRateAccessor(&WorkerApplication::m_copyRate),
                          ns3::MakeDataRateChecker())
            .AddTraceSource(
                "TaskBegin",
                "A task of the worker's program may begin: from when to when it has its resource.",
                ns3::MakeTraceSourceAccessor(&WorkerApplication::m_taskBeginTrace),
                "inca::WorkerApplication::TaskBeginCallback")
            .AddTraceSource("TaskEnd",
                            "A task of the worker's program has ended.",
                            ns3::MakeTraceSourceAccessor(&WorkerApplication::m_taskEndTrace),
                            "inca::WorkerApplication::TaskEndCallback");
    return tid;
}

WorkerApplication::WorkerApplication()
    : m_links(GetHost().timeline, GetHost().clock, GetHost().worked),
      m_copyEngine(GetHost().timeline, GetHost().clock, GetHost().worked)
{
}

bool
WorkerApplication::IsFinished() const
{
    return m_open.empty() && m_opened == Program().PieceCount();
}

std::int64_t
WorkerApplication::BusyUntilPs() const
{
    return std::max(
        {m_links.BusyUntilPs(), m_copyEngine.BusyUntilPs(), RankApplication::BusyUntilPs()});
}

std::string
WorkerApplication::State() const
{
    // After its last piece it has no further iteration to be in.
    const auto exchanges = RankApplication::State();
    const auto iteration =
        m_open.empty() ? GetJob().iterations - 1 : m_open.back().placed.iteration;
    const auto text = "iteration " + std::to_string(iteration) + " (from 0): ";
    if (m_open.empty())
    {
        return text + exchanges;
    }
    const auto& [placed, states, left] = m_open.back();
    for (TaskId task = 0; task < states.size(); ++task)
    {
        const auto& what = placed.graph->Tasks()[task];
        if (what.kind == Task::Kind::COMPUTE && what.activity != Activity::UPDATE &&
            !states[task].Has(TaskEvent::END))
        {
            return text + Describe(what) +
                   (states[task].Has(TaskEvent::BEGIN) ? " goes on; " : " waits; ") + exchanges;
        }
    }
    return text + exchanges;
}

void
WorkerApplication::DoStart()
{
    NS_LOG_FUNCTION(this);
    if (GetJob().programs.empty())
    {
        throw InvariantError(GetJob().NameOf(GetRank()) +
                             " has no program; TrainingHelper gives it one");
    }
    OpenNext();
}

void
WorkerApplication::OpenNext()
{
    NS_LOG_FUNCTION(this);
    if (m_opened == Program().PieceCount())
    {
        return;
    }
    auto placed = Program().At(m_opened);
    const auto number = static_cast<std::uint32_t>(m_opened++);
    const auto& graph = *placed.graph;
    const auto count = graph.Tasks().size();
    if (count == 0 || graph.OpensNext().value_or(0) >= count ||
        placed.iteration >= GetJob().iterations)
    {
        throw InvariantError("piece " + std::to_string(number) +
                             " of the program has no task, opens the next one after a task that is "
                             "not there, or is of an "
                             "iteration behind the last");
    }
    m_open.push_back({std::move(placed), std::vector<TaskState>(count), count});
    for (TaskId task = 0; task < count; ++task)
    {
        const auto& waits = graph.WaitsOf(task);
        m_open.back().tasks[task].Await(
            std::count_if(waits.begin(), waits.end(), [&](const auto& wait) {
                return !HasHappened(wait, number);
            }));
    }
    BeginThoseThatMay(number);
}

/**
 * Pieces that are not there, and those that are closed, keep nobody waiting. @p number is that of
 * the piece that waits.
 */
bool
WorkerApplication::HasHappened(const TaskWait& wait, std::uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    const auto* const piece = Find(number - wait.piecesBefore);
    if (piece == nullptr)
    {
        return true;
    }
    if (wait.task >= piece->tasks.size())
    {
        throw InvariantError("a task of piece " + std::to_string(number) +
                             " of the program waits for task " + std::to_string(wait.task) +
                             " of a piece that has " + std::to_string(piece->tasks.size()));
    }
    return piece->tasks[wait.task].Has(wait.event);
}

/** Of a piece that was just opened. */
void
WorkerApplication::BeginThoseThatMay(std::uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    const auto count = static_cast<TaskId>(m_open.back().tasks.size());
    for (TaskId task = 0; task < count; ++task)
    {
        const auto* const piece = Find(number);
        if (piece != nullptr && piece->tasks[task].IsFree() &&
            !piece->tasks[task].Has(TaskEvent::BEGIN))
        {
            Begin({number, task});
        }
    }
}

WorkerApplication::OpenPiece*
WorkerApplication::Find(std::uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    const auto place = number - m_first;
    return place < m_open.size() ? &m_open[place] : nullptr;
}

RankResource&
WorkerApplication::ResourceOf(const Task& task)
{
    NS_LOG_FUNCTION(this);
    switch (task.resource)
    {
    case Resource::GPU:
        return GetHost().gpu;
    case Resource::GPU_LINKS:
    case Resource::PROTOCOL:
        return m_links;
    case Resource::COPY_ENGINE:
        return m_copyEngine;
    case Resource::CODEC:
        return GetHost().codec;
    case Resource::PROCESSOR:
        break;
    }
    return GetHost().processor;
}

std::int64_t
WorkerApplication::DurationPs(const ProgramPiece& placed, const Task& task) const
{
    const auto& job = GetJob();
    if (task.kind == Task::Kind::COPY)
    {
        const auto& chunk = job.chunks[task.subject];
        return WorkPs(chunk.range.count * job.CopiedType(chunk).bytes, BytesPerSecond(m_copyRate));
    }
    if (task.kind == Task::Kind::OCCUPY)
    {
        return task.durationPs;
    }
    const bool isUpdate = task.activity == Activity::UPDATE;
    const auto phase = isUpdate                             ? ComputePhase::UPDATE
                       : task.activity == Activity::FORWARD ? ComputePhase::FORWARD
                                                            : ComputePhase::BACKWARD;
    return job.computePs(
        {GetRank(), placed.iteration, isUpdate ? 0 : placed.microBatch, task.subject, phase});
}

void
WorkerApplication::Begin(TaskRef ref)
{
    NS_LOG_FUNCTION(this);
    const auto placed = Find(ref.piece)->placed;
    const auto& task = placed.graph->Tasks()[ref.task];
    Tell(ref, TaskEvent::BEGIN);
    const auto nowPs = GetClock().NowPs();
    if (task.kind == Task::Kind::EXCHANGE)
    {
        m_taskBeginTrace(GetRank(), placed, task, {nowPs, nowPs});
        GetJob().chunks[task.subject].Involves(GetRank()) ? MakeReady(task.subject) : End(ref);
        return;
    }
    if (task.kind == Task::Kind::CYCLE)
    {
        m_taskBeginTrace(GetRank(), placed, task, {nowPs, nowPs});
        const auto exchange = GetJob().ExchangeNumber(placed.batch, task.subject);
        GetOrder().cycles->AwaitStart(exchange, nowPs, [this, ref](std::int64_t startPs) {
            const PathLog::Scope scope;
            ExtendPath(PathKind::CYCLE, GetClock().NetworkPs(startPs));
            GetClock().At(startPs, [this, ref] { End(ref); });
        });
        return;
    }
    const auto durationPs = task.kind == Task::Kind::POINT ? 0 : DurationPs(placed, task);
    if (task.kind == Task::Kind::POINT || (task.mayEndAtOnce && durationPs == 0))
    {
        m_taskBeginTrace(GetRank(), placed, task, {nowPs, nowPs});
        End(ref);
        return;
    }
    auto& resource = ResourceOf(task);
    const auto isOfLayer = task.kind == Task::Kind::COMPUTE;
    resource.Run(
        KindOf(task),
        durationPs,
        [this, ref] { End(ref); },
        isOfLayer ? std::optional(task.subject) : std::nullopt);
    const auto endPs = resource.BusyUntilPs();
    m_taskBeginTrace(GetRank(), placed, task, {endPs - durationPs, endPs});
    if (GetOrder().cycles && isOfLayer && task.activity == Activity::BACKWARD &&
        task.subject + 1 == GetJob().layers.size())
    {
        GetOrder().cycles->BeginPass(endPs - durationPs);
    }
}

/** Those that wait for nothing else begin: of the same piece first, then of later ones, in the order of their ids. */
void
WorkerApplication::Tell(TaskRef ref, TaskEvent event)
{
    NS_LOG_FUNCTION(this);
    Find(ref.piece)->tasks[ref.task].Set(event);
    // Pieces that are opened meanwhile see themselves what has happened.
    const auto end = m_first + static_cast<std::uint32_t>(m_open.size());
    for (auto number = ref.piece; number != end; ++number)
    {
        const auto graph = Find(number)->placed.graph;
        for (const auto& follower : graph->FollowersOf(ref.task, number - ref.piece))
        {
            auto& later = Find(number)->tasks[follower.later];
            if (follower.event != event)
            {
                continue;
            }
            later.CountEvent();
            if (later.IsFree())
            {
                Begin({number, follower.later});
            }
        }
    }
}

void
WorkerApplication::End(TaskRef ref)
{
    NS_LOG_FUNCTION(this);
    const auto placed = Find(ref.piece)->placed;
    const auto& task = placed.graph->Tasks()[ref.task];
    NS_LOG_INFO(GetJob().NameOf(GetRank()) << " has ended " << Describe(task));
    m_taskEndTrace(GetRank(), placed, task);
    if (task.kind == Task::Kind::EXCHANGE &&
        !Find(ref.piece)->tasks[ref.task].Has(TaskEvent::SUMMED))
    {
        Tell(ref, TaskEvent::SUMMED);
    }
    Tell(ref, TaskEvent::END);
    const auto opensNext = placed.graph->OpensNext();
    const bool isLast = --Find(ref.piece)->left == 0;
    while (!m_open.empty() && m_open.front().left == 0)
    {
        m_open.erase(m_open.begin());
        ++m_first;
    }
    if (opensNext ? *opensNext == ref.task : isLast)
    {
        OpenNext();
    }
    LeaveIfFinished();
}

/** @return the exchange of @p chunk in the piece that exchanges as the @p batch-th */
WorkerApplication::TaskRef
WorkerApplication::ExchangeTask(std::uint32_t batch, std::uint32_t chunk)
{
    NS_LOG_FUNCTION(this << batch << chunk);
    for (std::size_t i = 0; i < m_open.size(); ++i)
    {
        const auto& placed = m_open[i].placed;
        const auto task = placed.graph->ExchangeOf(chunk);
        if (placed.batch == batch && task)
        {
            return {m_first + static_cast<std::uint32_t>(i), *task};
        }
    }
    throw InvariantError("no piece of the program exchanges chunk " + std::to_string(chunk) +
                         " as batch " + std::to_string(batch));
}

void
WorkerApplication::DoExchanged(std::uint32_t batch, std::uint32_t chunk)
{
    NS_LOG_FUNCTION(this << batch << chunk);
    End(ExchangeTask(batch, chunk));
}

void
WorkerApplication::DoShardSummed(std::uint32_t batch, std::uint32_t chunk)
{
    NS_LOG_FUNCTION(this << batch << chunk);
    Tell(ExchangeTask(batch, chunk), TaskEvent::SUMMED);
}

} // namespace inca
