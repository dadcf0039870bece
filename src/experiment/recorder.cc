/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/recorder.h"

#include "base/units.h"

#include <algorithm>
#include <utility>

namespace inca
{

Recorder::Recorder(std::shared_ptr<const TrainingJob> job,
                   std::vector<Rank> times,
                   std::uint32_t warmup)
    : iterationEndPs(job->iterations, 0),
      exchanges(job->BatchCount()),
      m_job(std::move(job)),
      m_warmup(warmup),
      m_workers(m_job->WorkersAmong(static_cast<Rank>(times.size()))),
      m_times(std::move(times)),
      m_updatesLeft(m_job->iterations, std::uint64_t{m_workers} * m_job->layers.size())
{
    lastUpdatePs.assign(m_workers, 0);
    lastUpdatePaths.resize(m_workers);
    measuredPaths.resize(m_workers);
    backwardEndPs.assign(m_workers, 0);
    measured.assign(m_workers, Span{});
    m_weightsWaits.resize(m_workers);
    layers.assign(m_workers, std::vector<LayerSeen>(m_job->layers.size()));
    chunks.assign(m_workers, std::vector<ChunkSeen>(m_job->chunks.size()));
}

void
Recorder::Listen(const ns3::Ptr<RankApplication>& rank)
{
    m_clock = &rank->GetClock();
    const auto connect = [&](const char* source, auto sink) {
        rank->TraceConnectWithoutContext(source, ns3::MakeCallback(sink, this));
    };
    connect("ExchangeStart", &Recorder::ExchangeStart);
    connect("ExchangeEnd", &Recorder::ExchangeEnd);
    connect("StepMessage", &Recorder::MessageSeen);
    if (ns3::DynamicCast<WorkerApplication>(rank))
    {
        connect("TaskBegin", &Recorder::TaskBegin);
        connect("TaskEnd", &Recorder::TaskEnd);
    }
}

/** A coded round's words stand for all values of the chunk in its last round, for none before. */
std::uint64_t
Recorder::OwnBytes(const JobChunk& chunk,
                   std::size_t round,
                   std::uint64_t words,
                   const GradientType& type) const
{
    const auto& plan = *chunk.rounds[round].plan;
    const auto elements = plan.Elements() - plan.Room();
    if (elements == 0 || round + 1 < chunk.CodedRounds())
    {
        return 0;
    }
    const auto values = MulDivCeil(words, chunk.range.count, elements);
    return static_cast<std::uint64_t>(values) * type.bytes;
}

std::uint64_t
Recorder::OwnPlainBytes() const
{
    std::uint64_t bytes = 0;
    for (const auto& [place, moved] : m_moved)
    {
        const auto& [chunk, round] = place;
        bytes += OwnBytes(m_job->chunks[chunk], round, moved.ofGradients, m_job->gradientType);
        bytes += OwnBytes(m_job->chunks[chunk], round, moved.ofWeights, m_job->weightType);
    }
    return bytes;
}

std::uint64_t
Recorder::GradientPlainBytes() const
{
    std::uint64_t bytes = 0;
    for (const auto& [place, moved] : m_moved)
    {
        const auto& chunk = m_job->chunks[place.first];
        bytes += place.second < chunk.CodedRounds()
                     ? OwnBytes(chunk, place.second, moved.ofGradients, m_job->gradientType)
                     : moved.ofGradients * m_job->gradientType.bytes;
    }
    return bytes;
}

bool
Recorder::IsLast(std::uint32_t iteration) const
{
    return iteration + 1 == m_job->iterations;
}

/** @return what @p rank sees of the chunk that is exchanged; null but for workers in the last iteration */
ChunkSeen*
Recorder::LastOf(Rank rank, std::uint32_t exchange)
{
    return rank < m_workers && IsLast(m_job->IterationOf(exchange))
               ? &chunks[rank][exchange % m_job->chunks.size()]
               : nullptr;
}

/** @return null but for gradients of workers */
ExchangeWindow*
Recorder::WindowOf(Rank rank, std::uint32_t exchange)
{
    const bool movesGradients = m_job->ChunkOf(exchange).purpose == ExchangePurpose::GRADIENTS;
    const auto batch = m_job->BatchOf(exchange);
    return rank < m_workers && movesGradients && batch < exchanges.size() ? &exchanges[batch]
                                                                          : nullptr;
}

void
Recorder::TaskBegin(Rank worker, const ProgramPiece& piece, const Task& task, Span span)
{
    if (task.kind == Task::Kind::COMPUTE && task.activity != Activity::UPDATE)
    {
        PassBegin(worker, piece.iteration, task.subject);
    }
    else if (task.resource == Resource::GPU_LINKS || task.resource == Resource::PROTOCOL)
    {
        WidenWindow(worker, m_job->ExchangeNumber(piece.batch, task.subject), span);
    }
}

void
Recorder::TaskEnd(Rank worker, const ProgramPiece& piece, const Task& task)
{
    if (task.kind == Task::Kind::COMPUTE && task.activity == Activity::BACKWARD)
    {
        BackwardEnd(worker, piece.iteration, task.subject);
    }
    auto& wait = m_weightsWaits[worker];
    switch (task.mark)
    {
    case TaskMark::NONE:
        break;
    case TaskMark::WEIGHTS_AWAITED:
        wait = {task.subject, m_clock->NowPs()};
        break;
    case TaskMark::WEIGHTS_HERE:
        wait.hasWaited = wait.sincePs >= 0 && wait.layer == task.subject;
        break;
    case TaskMark::LAYER_UPDATED:
        LayerUpdated(worker, piece.iteration, task.subject);
        break;
    case TaskMark::ITERATION_END:
        IterationBegin(worker, piece.iteration + 1);
        break;
    }
}

/** The last pass of the last iteration says it in the end. */
void
Recorder::BackwardEnd(Rank worker, std::uint32_t iteration, std::uint32_t layer)
{
    ++progress;
    if (IsLast(iteration))
    {
        layers[worker][layer].readyPs = m_clock->NowPs();
        backwardEndPs[worker] = m_clock->NowPs();
    }
}

void
Recorder::PassBegin(Rank worker, std::uint32_t iteration, std::uint32_t layer)
{
    const auto wait = std::exchange(m_weightsWaits[worker], {});
    if (wait.hasWaited && IsLast(iteration))
    {
        layers[worker][layer].weightsWaitPs += m_clock->NowPs() - wait.sincePs;
    }
}

void
Recorder::IterationBegin(Rank worker, std::uint32_t iteration)
{
    if (iteration == m_warmup)
    {
        measured[worker].beginPs = m_clock->NowPs();
    }
    measured[worker].endPs = m_clock->NowPs();
    measuredPaths[worker] = PathLog::Now();
}

void
Recorder::LayerUpdated(Rank worker, std::uint32_t iteration, std::uint32_t layer)
{
    ++progress;
    lastUpdatePs[worker] = m_clock->NowPs();
    lastUpdatePaths[worker] = PathLog::Now();
    iterationEndPs[iteration] = std::max(iterationEndPs[iteration], m_clock->NowPs());
    if (IsLast(iteration))
    {
        layers[worker][layer].updatedPs = m_clock->NowPs();
    }
    if (--m_updatesLeft[iteration] == 0 && atIterationEnd)
    {
        atIterationEnd(iteration);
    }
}

void
Recorder::WidenWindow(Rank rank, std::uint32_t exchange, Span span)
{
    if (auto* const window = WindowOf(rank, exchange))
    {
        window->firstStartPs = std::min(window->firstStartPs, span.beginPs);
        window->lastEndPs = std::max(window->lastEndPs, span.endPs);
    }
}

void
Recorder::ExchangeStart(Rank rank, std::uint32_t exchange)
{
    ++progress;
    WidenWindow(rank, exchange, {m_clock->NowPs(), m_clock->NowPs()});
    if (auto* const chunk = LastOf(rank, exchange))
    {
        chunk->startPs = m_clock->NowPs();
    }
}

void
Recorder::ExchangeEnd(Rank rank, std::uint32_t exchange)
{
    ++progress;
    WidenWindow(rank, exchange, {m_clock->NowPs(), m_clock->NowPs()});
    if (auto* const chunk = LastOf(rank, exchange))
    {
        chunk->endPs = m_clock->NowPs();
    }
}

void
Recorder::MessageSeen(Rank rank, std::uint32_t exchange, const StepMessage& message)
{
    ++progress;
    ++messages;
    const bool gradient = message.kind == PayloadKind::GRADIENT;
    const std::uint64_t times = m_times[rank];
    auto& moved = m_moved[{exchange % m_job->chunks.size(), message.round}];
    (gradient ? moved.ofGradients : moved.ofWeights) += times * message.words;
    if (gradient)
    {
        gradientWireBytes += times * message.wireBytes;
        steps[message.step].Add(times * message.plainBytes, times * message.wireBytes);
    }
    if (auto* const chunk = LastOf(rank, exchange))
    {
        chunk->received.Add(message.plainBytes, message.wireBytes);
    }
}

} // namespace inca
