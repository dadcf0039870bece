/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_WHOLE_NETWORK_H
#define INCA_EXPERIMENT_WHOLE_NETWORK_H

#include "experiment/links-seen.h"
#include "experiment/recorder.h"
#include "plan/plan.h"
#include "plan/uneven-traffic.h"
#include "record/run-record.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace inca
{

/**
 * What a whole network has seen, by its simulated part (FoldChoice): every rank, link and switch has seen
 * what the one has that stands for it. Where blocks differ by a value, frames and bytes are those of each
 * rank's own blocks.
 */
class WholeNetwork
{
  public:
    /** @param plan outlives it */
    explicit WholeNetwork(const Plan& plan);

    std::vector<LinkSeen> Links(const std::vector<LinkSeen>& simulated) const;
    std::vector<SwitchRow> Switches(const std::vector<SwitchRow>& simulated) const;

    /** Gradients that @p worker gets as @p chunk. @param simulated as the one that stands for it saw it */
    PayloadCount Received(Rank worker, std::size_t chunk, PayloadCount simulated) const;

    /** Gradients that all workers get in the whole run. @param simulated times what each stands for */
    PayloadCount Gradients(PayloadCount simulated) const;

  private:
    RankFrames Moved(Rank rank, std::size_t chunk) const;
    RankFrames MovedInRun(Rank rank) const;
    RankFrames SimulatedInRun(Rank standIn) const;

    const Plan& m_plan;
    std::unique_ptr<const UnevenTraffic> m_traffic; ///< null where all blocks are alike
};

} // namespace inca

#endif // INCA_EXPERIMENT_WHOLE_NETWORK_H
