/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_MAKER_H
#define INCA_PLAN_PLAN_MAKER_H

#include "inca/plan/plan.h"
#include "inca/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/**
 * Resolves a scenario, reads its trace and plans the run. Buckets that start in cycles are cut as by their bytes alone,
 * unless somebody knows what cycles take.
 * @param cycleBegins layers that cycles take first, as experiment/cycle-search.h finds them; empty: not known
 * @throws InputError if attributes contradict keys, the trace cannot be read or cannot answer what the
 *         scenario needs, the topology cannot be built, or the run takes more than it may
 *         (RequireFeasible), or is too long to be counted
 */
Plan MakePlan(const Scenario& scenario, const std::vector<std::size_t>& cycleBegins = {});

/** A job of a network that others share. */
struct PlacedScenario
{
    Scenario scenario;
    std::vector<std::uint32_t> hosts; ///< by rank
};

/**
 * Plans jobs that share a network, each with a rank on every one of its hosts. Every rank is simulated.
 * @param jobs at least one; what they say of the network and of hosts is the same
 * @param hosts of the network, which is wired as the scenarios say
 * @throws InputError as for one; if jobs contradict each other, a host is not there or has two ranks, or a job has not as
 *         many hosts as ranks
 */
Plan MakePlan(const std::vector<PlacedScenario>& jobs, std::uint32_t hosts);

/**
 * What it takes to simulate @p scenario, without the rest of its plan.
 * @throws InputError as MakePlan, where that knows before the bound
 */
Cost CostOf(const Scenario& scenario);

/** @return @p plan, of which all ranks are simulated. @param why for people @throws InputError if that takes too long */
Plan WithoutFold(Plan plan, std::string why);

} // namespace inca

#endif // INCA_PLAN_PLAN_MAKER_H
