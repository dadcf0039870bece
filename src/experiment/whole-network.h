/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_WHOLE_NETWORK_H
#define INCA_EXPERIMENT_WHOLE_NETWORK_H

#include "experiment/links-seen.h"
#include "experiment/recorder.h"
#include "plan/plan.h"
#include "record/run-record.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace inca
{

/**
 * What a whole network has seen, by its simulated part (FoldChoice): every rank, link and switch has seen
 * what the one has that stands for it.
 */
class WholeNetwork
{
  public:
    /** @param plan outlives it */
    explicit WholeNetwork(const Plan& plan);

    std::vector<LinkSeen> Links(const std::vector<LinkSeen>& simulated) const;
    std::vector<SwitchRow> Switches(const std::vector<SwitchRow>& simulated) const;

  private:
    const Plan& m_plan;
};

} // namespace inca

#endif // INCA_EXPERIMENT_WHOLE_NETWORK_H
