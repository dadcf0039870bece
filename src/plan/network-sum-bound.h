/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_NETWORK_SUM_BOUND_H
#define INCA_PLAN_NETWORK_SUM_BOUND_H

#include "exchange/aggregation-scheme.h"
#include "plan/limited-time.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/** The least times of sums that switches make. */
class NetworkSumTimes
{
  public:
    /** @p scenario and @p network must outlive it. */
    NetworkSumTimes(const Scenario& scenario, const NetworkSpeed& network);

    /**
     * One sum of @p words.
     * @param begins by worker: when it asks for it; of fewer than all, of such that stand for all
     * @return by worker: when it has it
     */
    std::vector<LimitedTime> One(std::uint64_t words, const std::vector<LimitedTime>& begins) const;

    /**
     * The same of one whose words are shared out (Halves).
     * @return by worker: when it has what it gets of it
     */
    std::vector<LimitedTime> Shared(const NetworkSumSize& sum,
                                    const std::vector<LimitedTime>& begins) const;

    /** @p sums that go at the same time: links, hosts, adders and slots at work without a pause. */
    LimitedTime Together(const NetworkSums& sums) const;

  private:
    struct Frame;
    struct Begins;
    struct Trunks;
    struct Turn;

    Begins BeginsOf(const NetworkSumSize& sum, const std::vector<LimitedTime>& begins) const;
    LimitedTime OneForAll(std::uint64_t words, const Begins& begins) const;
    LimitedTime SharedForAll(const NetworkSumSize& sum, const Begins& begins) const;
    std::uint32_t LevelsSaved(std::size_t worker) const;
    LimitedTime Nearer(std::size_t worker) const;
    bool IsEven() const;
    Turn TurnOf(Halves halves, const SumChain& chain) const;
    LimitedTime CycleOf(const Turn& turn, const SumChain& chain) const;
    LimitedTime SharedChain(const NetworkSumSize& sum, const SumChain& chain) const;
    LimitedTime SharedChain(const NetworkSumSize& sum) const;
    LimitedTime ChainedShares(const NetworkSums& sums, double memory) const;
    LimitedTime Messages(const NetworkSums& sums) const;
    Frame FullFrame(const SumChain& chain) const;
    Frame EmptyFrame(const SumChain& chain) const;
    LimitedTime OneWay(std::uint64_t wireBytes) const;
    LimitedTime BeyondLink(std::uint64_t wireBytes) const;
    LimitedTime Switches() const;
    LimitedTime Chained(const NetworkSums& sums, std::uint64_t fewer) const;
    LimitedTime Chained(const SumChain& chain, std::uint64_t fewer) const;
    LimitedTime Adding(std::uint64_t values) const;
    LimitedTime OnTrunk(std::uint64_t wireBytes) const;
    Trunks TrunksOf(const NetworkSums& sums) const;
    LimitedTime MovingOnHost(const NetworkSums& sums) const;

    const Scenario& m_scenario;
    const NetworkSpeed& m_network;
    std::unique_ptr<AggregationScheme> m_scheme;
    std::uint64_t m_slowestLink; ///< of a worker (bits per second)
    std::uint64_t m_fastestLink;
    LimitedTime m_level; ///< what a packet takes for a switch more on its way
};

} // namespace inca

#endif // INCA_PLAN_NETWORK_SUM_BOUND_H
