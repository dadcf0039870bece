/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_OUTCOME_H
#define INCA_EXPERIMENT_OUTCOME_H

#include "experiment/network-seen.h"
#include "experiment/recorder.h"
#include "job/breakdown.h"
#include "job/verifier.h"
#include "plan/plan.h"
#include "record/run-record.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/** All that a run leaves behind. */
struct Outcome
{
    Plan plan;
    std::unique_ptr<Recorder> seen;
    std::vector<LinkSeen> links;
    std::uint64_t simulatedFrames{0}; ///< of those on all links, one by one
    std::vector<SwitchRow> switches;  ///< those that add
    std::uint64_t retransmittedFrames{0};
    std::uint64_t clampedValues{0}; ///< did not fit the scale of what switches add
    std::uint64_t hostWireBytes{0}; ///< whole frames that hosts have sent
    Rank lastWorker{0};             ///< ended its last update last; the lowest on a tie
    /** By simulated worker, after its last backward pass. */
    std::vector<std::vector<Span>> communication;
    Breakdown breakdown;             ///< of that worker, from the end of the warm-up on
    std::optional<SumErrors> errors; ///< where workers have values
    std::uint64_t comparedValues{0};
};

} // namespace inca

#endif // INCA_EXPERIMENT_OUTCOME_H
