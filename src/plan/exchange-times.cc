/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/exchange-times.h"

#include <algorithm>
#include <cstdint>

namespace inca
{

namespace
{

/** After so many exchanges, or iterations, alike, the next ones add what the last has added. */
constexpr std::size_t g_walked = 3;

} // namespace

ExchangeTimes::ExchangeTimes(const TrainingJob& job, const ExchangeWalk& walk)
    : m_job(job),
      m_walk(walk)
{
}

void
ExchangeTimes::Code(std::int64_t ps, std::vector<LimitedTime>& times) const
{
    const auto workers = std::min<std::size_t>(m_job.workers, times.size());
    for (std::size_t worker = 0; worker < workers; ++worker)
    {
        times[worker] += {Limit::HOST, static_cast<double>(ps)};
    }
}

void
ExchangeTimes::PassRound(const JobChunk& chunk,
                         std::size_t round,
                         std::vector<LimitedTime>& times) const
{
    m_walk.Pass(chunk, chunk.rounds[round], times);
}

void
ExchangeTimes::Pass(std::size_t index, std::vector<LimitedTime>& times) const
{
    const auto& chunk = m_job.chunks[index];
    if (!chunk.coding)
    {
        PassRound(chunk, 0, times);
        return;
    }
    auto ends = times;
    for (std::size_t round = 0; round < chunk.CodedRounds(); ++round)
    {
        // Those that overlap wait for the coder only, others for the round before.
        auto& begins = chunk.coding->Overlaps() ? times : ends;
        Code(chunk.coding->EncodePs(round), begins);
        auto passed = begins;
        PassRound(chunk, round, passed);
        for (std::size_t rank = 0; rank < ends.size(); ++rank)
        {
            ends[rank].Await(passed[rank]);
        }
    }
    Code(chunk.coding->DecodePs(), ends);
    times = ends;
    for (auto round = chunk.CodedRounds(); round < chunk.rounds.size(); ++round) // of weights
    {
        PassRound(chunk, round, times);
    }
}

void
ExchangeTimes::PassAll(const std::vector<std::uint32_t>& chunks,
                       std::vector<LimitedTime>& times) const
{
    for (std::size_t i = 0; i < chunks.size();)
    {
        std::size_t count = 1;
        while (i + count < chunks.size() && Alike(m_job, chunks[i], chunks[i + count]))
        {
            ++count;
        }
        PassAlike(chunks[i], count, times);
        i += count;
    }
}

void
ExchangeTimes::PassAlike(std::size_t chunk,
                         std::size_t count,
                         std::vector<LimitedTime>& times) const
{
    auto before = times;
    for (std::size_t i = 0; i < std::min(count, g_walked); ++i)
    {
        before = times;
        Pass(chunk, times);
    }
    if (count > g_walked)
    {
        const auto others = LeastAdvance(before, times) * static_cast<double>(count - g_walked);
        for (auto& time : times)
        {
            time += others;
        }
    }
}

bool
Alike(const TrainingJob& job, std::size_t a, std::size_t b)
{
    const auto& one = job.chunks[a];
    const auto& other = job.chunks[b];
    const bool samePlan =
        !one.coding && !other.coding && one.rounds.front().plan == other.rounds.front().plan;
    const bool hasCodec = job.engines || job.hostCodec != nullptr;
    return samePlan && !job.weightsReturn &&
           (!hasCodec || job.meanBits(one.range) == job.meanBits(other.range));
}

std::vector<AlikeChunks>
RunsOfAlike(const TrainingJob& job)
{
    std::vector<AlikeChunks> runs;
    for (std::size_t chunk = 0; chunk < job.chunks.size(); ++chunk)
    {
        if (runs.empty() || !Alike(job, runs.back().first, chunk))
        {
            runs.push_back({chunk, 0});
        }
        ++runs.back().count;
    }
    return runs;
}

LimitedTime
LeastAdvance(const std::vector<LimitedTime>& before, const std::vector<LimitedTime>& after)
{
    auto least = after.front() - before.front();
    for (std::size_t i = 1; i < after.size(); ++i)
    {
        least = Shorter(least, after[i] - before[i]);
    }
    return least;
}

} // namespace inca
