/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_PLAN_ROUND_NUMBERS_H
#define INCA_TEST_PLAN_ROUND_NUMBERS_H

#include "job/tensor-job.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * Links of a byte per ns and 100 ns, switches of 10 ns, hosts that do nothing for what they move or
 * add. A full frame has 1460 bytes of payload and 1538 on the wire, an acknowledgement 84; from host
 * to host over the switch, latencies are 2 * 100 + 10 = 210 ns. In ns:
 *     message of a full frame:  1538 to leave, 2 * 1538 + 210 = 3286 to arrive
 *     its acknowledgement:      2 * 84 + 210 = 378 more, 3664 in all
 */
constexpr double NS{1000}; ///< in ps

inline NetworkSpeed
RoundNetwork(std::uint32_t hosts)
{
    NetworkSpeed network;
    network.linkBitsPerSecond.assign(hosts, 8'000'000'000);
    network.switchOfHost.assign(hosts, 0);
    network.linkLatencyPs = 100'000;
    network.switchLatencyPs = 10'000;
    return network;
}

inline Scenario
RoundScenario()
{
    Scenario scenario;
    scenario.host.sumBytesPerSecond = 0;
    return scenario;
}

/** A tensor of @p elements between 2 workers, with an aggregator where @p algorithm has one. */
inline std::shared_ptr<TrainingJob>
RoundJob(const char* algorithm, std::uint64_t elements)
{
    ExchangeSpec spec;
    spec.algorithm = algorithm;
    spec.workers = 2;
    spec.broadcast = "flat";
    return MakeTensorJob(spec, elements);
}

} // namespace inca

#endif // INCA_TEST_PLAN_ROUND_NUMBERS_H
