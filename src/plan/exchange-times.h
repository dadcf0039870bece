/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_EXCHANGE_TIMES_H
#define INCA_PLAN_EXCHANGE_TIMES_H

#include "job/training-job.h"
#include "plan/exchange-walk.h"
#include "plan/limited-time.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** An exchange with its coding, or several that follow each other: walked through, by rank. */
class ExchangeTimes
{
  public:
    ExchangeTimes(const TrainingJob& job, const ExchangeWalk& walk);

    /** One chunk's exchange. @param times of every rank, changed from begin to end */
    void Pass(std::size_t chunk, std::vector<LimitedTime>& times) const;

    /** @p chunks, one after the other. */
    void PassAll(const std::vector<std::uint32_t>& chunks, std::vector<LimitedTime>& times) const;

  private:
    void PassRound(const JobChunk& chunk, std::size_t round, std::vector<LimitedTime>& times) const;
    void Code(std::int64_t ps, std::vector<LimitedTime>& times) const;
    void PassAlike(std::size_t chunk, std::size_t count, std::vector<LimitedTime>& times) const;

    const TrainingJob& m_job;
    const ExchangeWalk& m_walk;
};

/** @return whether exchanges of both chunks take the same */
bool Alike(const TrainingJob& job, std::size_t a, std::size_t b);

/** Chunks of a job that follow each other and are alike. */
struct AlikeChunks
{
    std::size_t first{0};
    std::size_t count{0};
};

/** All chunks of @p job, in their order, in runs of such. */
std::vector<AlikeChunks> RunsOfAlike(const TrainingJob& job);

/** The least by which @p after is behind @p before, over all ranks. */
LimitedTime LeastAdvance(const std::vector<LimitedTime>& before,
                         const std::vector<LimitedTime>& after);

} // namespace inca

#endif // INCA_PLAN_EXCHANGE_TIMES_H
