/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/rank-program.h"

#include "base/errors.h"

namespace inca
{

std::string
Describe(const Task& task)
{
    const auto of = [&](const char* what, const char* whose) {
        return std::string(what) + " of " + whose + " " + std::to_string(task.subject);
    };
    switch (task.kind)
    {
    case Task::Kind::COMPUTE:
        return of(task.activity == Activity::FORWARD    ? "the forward pass"
                  : task.activity == Activity::BACKWARD ? "the backward pass"
                                                        : "the update",
                  "layer");
    case Task::Kind::COPY:
        return of("the copy", "chunk");
    case Task::Kind::OCCUPY:
        return of(task.resource == Resource::CODEC ? "the coding" : "the work within the machine",
                  "chunk");
    case Task::Kind::EXCHANGE:
        return of("the exchange", "chunk");
    case Task::Kind::CYCLE:
        return of("the cycle", "chunk");
    case Task::Kind::POINT:
        break;
    }
    return "a point of the program";
}

TaskId
TaskGraph::Forward(std::uint32_t layer, const TaskWaits& waits)
{
    return Add(
        {Task::Kind::COMPUTE, Resource::GPU, Activity::FORWARD, TaskMark::NONE, false, layer},
        waits);
}

TaskId
TaskGraph::Backward(std::uint32_t layer, const TaskWaits& waits)
{
    return Add(
        {Task::Kind::COMPUTE, Resource::GPU, Activity::BACKWARD, TaskMark::NONE, false, layer},
        waits);
}

TaskId
TaskGraph::Update(std::uint32_t layer, const TaskWaits& waits, Resource resource, TaskMark mark)
{
    return Add({Task::Kind::COMPUTE, resource, Activity::UPDATE, mark, false, layer}, waits);
}

TaskId
TaskGraph::Copy(std::uint32_t chunk, const TaskWaits& waits, bool mayEndAtOnce)
{
    return Add({Task::Kind::COPY,
                Resource::COPY_ENGINE,
                Activity::COPY,
                TaskMark::NONE,
                mayEndAtOnce,
                chunk},
               waits);
}

TaskId
TaskGraph::Occupy(Resource resource,
                  Activity activity,
                  std::int64_t durationPs,
                  std::uint32_t chunk,
                  const TaskWaits& waits)
{
    return Add({Task::Kind::OCCUPY, resource, activity, TaskMark::NONE, false, chunk, durationPs},
               waits);
}

TaskId
TaskGraph::Exchange(std::uint32_t chunk, const TaskWaits& waits)
{
    Task task;
    task.kind = Task::Kind::EXCHANGE;
    task.subject = chunk;
    if (ExchangeOf(chunk))
    {
        throw InvariantError("a piece of a program exchanges chunk " + std::to_string(chunk) +
                             " twice");
    }
    if (m_exchanges.size() <= chunk)
    {
        m_exchanges.resize(chunk + 1);
    }
    m_exchanges[chunk] = Add(task, waits);
    return *m_exchanges[chunk];
}

TaskId
TaskGraph::Cycle(std::uint32_t chunk, const TaskWaits& waits)
{
    return Add({Task::Kind::CYCLE, Resource::GPU, Activity::FORWARD, TaskMark::NONE, false, chunk},
               waits);
}

TaskId
TaskGraph::Point(const TaskWaits& waits, TaskMark mark, std::uint32_t layer)
{
    Task task;
    task.mark = mark;
    task.subject = layer;
    return Add(task, waits);
}

TaskId
TaskGraph::Add(Task task, const TaskWaits& waits)
{
    const auto id = static_cast<TaskId>(m_tasks.size());
    m_tasks.push_back(task);
    m_waits.emplace_back();
    for (const auto& wait : waits)
    {
        Await(id, wait);
    }
    return id;
}

void
TaskGraph::Await(TaskId later, TaskWait wait)
{
    m_waits[later].push_back(wait);
    if (m_followers.size() <= wait.piecesBefore)
    {
        m_followers.resize(wait.piecesBefore + 1);
    }
    auto& followers = m_followers[wait.piecesBefore];
    if (followers.size() <= wait.task)
    {
        followers.resize(wait.task + 1);
    }
    followers[wait.task].push_back({later, wait.event});
}

const std::vector<TaskGraph::Follower>&
TaskGraph::FollowersOf(TaskId task, std::uint32_t piecesBefore) const
{
    static const std::vector<Follower> none;
    const bool isKnown =
        piecesBefore < m_followers.size() && task < m_followers[piecesBefore].size();
    return isKnown ? m_followers[piecesBefore][task] : none;
}

std::optional<TaskId>
TaskGraph::ExchangeOf(std::uint32_t chunk) const
{
    return chunk < m_exchanges.size() ? m_exchanges[chunk] : std::nullopt;
}

} // namespace inca
