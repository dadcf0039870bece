/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/chunk-replay.h"

#include <utility>

namespace inca
{

Wire
WireOf(const TrainingJob& job)
{
    if (!job.coding.IsSome())
    {
        return {};
    }
    return [&coding = job.coding](
               Rank from, const Transfer& transfer, float* values, std::uint64_t count) {
        coding.RoundTrip(from, transfer, values, count);
    };
}

std::unique_ptr<ClocklessReplay>
ReplayOf(const TrainingJob& job, const JobChunk& chunk, WorkerWords own, const SendSeen& onCoded)
{
    const auto seen = [onCoded](const PlannedSend& send,
                                const Transfer& transfer,
                                ElementRange part,
                                const Word* words) {
        if (transfer.kind == PayloadKind::GRADIENT && !IsToSelf(send.rank, transfer))
        {
            onCoded(send, transfer, part, words);
        }
    };
    const auto& round = chunk.rounds.front();
    return std::make_unique<ClocklessReplay>(*round.plan,
                                             std::move(own),
                                             round.hooks,
                                             WireOf(job),
                                             onCoded ? SendSeen(seen) : SendSeen());
}

} // namespace inca
