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

    /** One sum of @p words, from when the last worker asks for it until all have it. */
    LimitedTime One(std::uint64_t words) const;

    /**
     * One sum whose words are shared out (Halves).
     * @param begins by worker: when it asks for it
     * @return by worker: when it has what it gets of it
     */
    std::vector<LimitedTime> Shared(const NetworkSumSize& sum,
                                    const std::vector<LimitedTime>& begins) const;

    /** @p sums that go at the same time: links, hosts, adders and slots at work without a pause. */
    LimitedTime Together(const NetworkSums& sums) const;

  private:
    struct Frame;
    struct Shares;
    struct Turn;

    Shares SharesOf(const NetworkSumSize& sum, const std::vector<LimitedTime>& begins) const;
    LimitedTime SharedOnAll(const NetworkSumSize& sum,
                            const std::vector<LimitedTime>& begins) const;
    Turn TurnOf(Halves halves, const SumChain& chain) const;
    LimitedTime CycleOf(const Turn& turn, const SumChain& chain) const;
    LimitedTime SharedChain(const NetworkSumSize& sum, const SumChain& chain) const;
    LimitedTime SharedChain(const NetworkSumSize& sum) const;
    LimitedTime ChainedShares(const NetworkSums& sums, double memory) const;
    LimitedTime Messages(const NetworkSums& sums) const;
    Frame FullFrame(const SumChain& chain) const;
    Frame EmptyFrame(const SumChain& chain) const;
    LimitedTime OneWay(std::uint64_t wireBytes) const;
    LimitedTime Beyond(std::uint64_t wireBytes, std::uint32_t levels) const;
    LimitedTime Switches(std::uint32_t levels) const;
    bool IsEven() const;
    LimitedTime Chained(const NetworkSums& sums) const;
    LimitedTime Chained(const SumChain& chain, std::uint64_t sums) const;
    LimitedTime Adding(std::uint64_t values) const;
    LimitedTime OnTrunks(const NetworkSums& sums) const;
    LimitedTime MovingOnHost(const NetworkSums& sums) const;

    const Scenario& m_scenario;
    const NetworkSpeed& m_network;
    std::unique_ptr<AggregationScheme> m_scheme;
    std::uint64_t m_slowestLink; ///< of a worker (bits per second)
    std::uint64_t m_fastestLink;
};

} // namespace inca

#endif // INCA_PLAN_NETWORK_SUM_BOUND_H
