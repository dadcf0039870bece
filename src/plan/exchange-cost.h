/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_EXCHANGE_COST_H
#define INCA_PLAN_EXCHANGE_COST_H

#include "exchange/critical-path.h"
#include "exchange/exchange-catalog.h"
#include "exchange/rank-load.h"
#include "job/training-job.h"
#include "plan/bound-time.h"
#include "plan/network-speed.h"
#include "plan/sum-cost.h"
#include "scenario/scenario.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

/** Parts of a host, its NIC and its link. All work at the same time. */
enum class Resource : std::uint8_t
{
    SENDING_HOST, ///< the first six move bytes, in this order
    COMPRESSION,
    UPLINK,
    DOWNLINK,
    DECOMPRESSION,
    RECEIVING_HOST,
    CODEC, ///< of the host
    ADDER, ///< of the host
    UPDATE,
};

constexpr std::size_t RESOURCES{9};

/** How long each resource works. (ps) */
using BusyTimes = std::array<double, RESOURCES>;

/** The time of @p resource, under the limit that it belongs to: both engines, if they take about as long. */
BoundTime BoundOf(const BusyTimes& busy, Resource resource);

/** From the time when an exchange's first worker begins. */
struct ExchangeTime
{
    BoundTime first; ///< until the first worker has its result
    BoundTime last;  ///< until all have
};

/** What the exchanges of a job take at least, in closed form. */
class ExchangeCost
{
  public:
    /** All must outlive it. */
    ExchangeCost(const Scenario& scenario, const TrainingJob& job, const NetworkSpeed& network);

    /** The critical path of one chunk's exchange; for switches that add, what their sums take. */
    ExchangeTime PathOf(const JobChunk& chunk) const;

    /** All sums that switches make in an iteration, in any order; none where no switch adds. */
    BoundTime SumsOfIteration() const;

    /** How long the resources of @p rank work for one chunk's exchange, without a pause. */
    BusyTimes BusyOf(const JobChunk& chunk, Rank rank);

    /**
     * How long the trunks of the busiest switch work for one chunk's exchange, if they share the load evenly; 0 if there
     * are none, or the exchange has too many messages to look at each.
     */
    double TrunkPs(const JobChunk& chunk);

    /** At least one worker of each kind; of many workers that all differ, some: then not all are seen. @{ */
    std::vector<Rank> Workers() const;
    bool SeesAllWorkers() const;
    /** @} */

  private:
    double BitsOf(const JobChunk& chunk) const;
    std::uint64_t PlainBytes(PayloadKind kind, double bits, std::uint64_t elements) const;
    double HostPs(std::uint64_t elements, std::uint64_t bytesPerSecond) const;
    BusyTimes Moving(PayloadKind kind,
                     double bits,
                     std::uint64_t messages,
                     std::uint64_t elements,
                     std::uint64_t bitsPerSecond) const;
    BoundTime Moving(const Rounds& rounds, double bits) const;
    BoundTime TimeOf(const Rounds& rounds, const JobChunk& chunk) const;
    BoundTime TimeOf(const std::vector<Rounds>& path, const JobChunk& chunk) const;
    ExchangeTime PathOf(const JobChunk& chunk, const JobRound& round) const;
    bool HasEqualWorkers() const;
    double TrunkPs(const StepPlan& plan, double bits) const;

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    ExchangeSpec m_spec;
    const ExchangeEntry& m_entry;
    ShiftSymmetry m_symmetry;
    std::optional<SumCost> m_sums; ///< empty where no switch adds
    std::uint64_t m_payload;       ///< of a full frame
    std::uint64_t m_fastest;       ///< link of a worker (bits per second)
    std::map<std::pair<const StepPlan*, Rank>, RankLoad> m_loads;
    std::map<std::pair<const StepPlan*, double>, double> m_trunkPs; ///< by bits of an element, too
};

} // namespace inca

#endif // INCA_PLAN_EXCHANGE_COST_H
