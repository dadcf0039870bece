/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_H
#define INCA_VALIDATION_SWITCH_H

#include "scenario/scenario.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** The numbers of others that slots in a switch are put beside. */

/** So many iterations the reference simulator was run for, from 1 on. */
constexpr std::size_t g_referenceIterations = 10;

/**
 * What an independent packet-level simulator of SwitchML (OMNeT++, public) gives: the time from the
 * start until every worker has ended its last update, by iterations. Each is one random run, whose
 * compute times are drawn from a normal distribution with a relative deviation of 2 %. (simulated)
 */
struct ReferenceTimes
{
    std::string trace;
    std::uint64_t gigabitsPerSecond{0};
    std::array<double, g_referenceIterations> seconds{}; ///< after 1, 2, ... iterations
};

/** Five models at 10 and 100 Gb/s. */
const std::vector<ReferenceTimes>& SwitchReferenceTimes();

/** @return those of @p trace at that rate, or nothing */
const ReferenceTimes* FindReferenceTimes(const std::string& trace, std::uint64_t gigabitsPerSecond);

/** Values that a 100 Gb/s worker adds per second (SwitchML, NSDI 2021). */
struct MeasuredRates
{
    std::uint32_t workers{0};
    double switchMlMillions{0}; ///< 256 values per packet (measured, off a plot, +-20)
    double ncclMillions{0};     ///< over RDMA on the same hosts (the same plot)
};

constexpr std::array<MeasuredRates, 3> g_switchMlRates{
    {{4, 2830, 1380}, {8, 2820, 1250}, {16, 2810, 970}}};

/** Values per second at line rate after SwitchML's frame. (derived) */
struct LineRate
{
    std::uint32_t valuesPerPacket{0};
    std::uint64_t gigabitsPerSecond{0};
    double millions{0};
};

/** Its two packet sizes at 10 and 100 Gb/s. */
constexpr std::array<LineRate, 4> g_switchMlLineRates{
    {{64, 10, 236.7}, {64, 100, 2366.9}, {256, 10, 289.3}, {256, 100, 2893.3}}};

/** SwitchML's pool: 128 slots at 10 Gb/s, 512 at 100. */
std::uint32_t SwitchMlSlots(std::uint64_t gigabitsPerSecond);

/**
 * Ten iterations of @p trace as the reference simulator replays them: 2 workers under one switch,
 * links of 1 us, 9000 bytes of 2229 values (ours are 8998 on the wire), SwitchML's pools and no
 * exponents; a layer of the trace is a bucket, which starts when both workers have it, one at a
 * time, in that order. Compute times are the trace's own.
 */
Scenario SwitchReplayScenario(const std::string& trace, std::uint64_t gigabitsPerSecond);

/** The same with compute times drawn as the reference's are: normal, 2 %. */
Scenario SwitchDrawnScenario(const std::string& trace,
                             std::uint64_t gigabitsPerSecond,
                             std::uint64_t seed);

/** One exchange of @p values alone, over the replay's network. */
Scenario SwitchExchangeScenario(std::uint64_t values, std::uint64_t gigabitsPerSecond);

/** One exchange of @p values alone at 100 Gb/s, 64 values per packet, over a pool of @p slots. */
Scenario SmallPoolScenario(std::uint64_t values, std::uint32_t slots);

/** One exchange of @p values as SwitchML does it: its pool, its packets, exponents ahead. */
Scenario SwitchMlScenario(std::uint64_t values,
                          std::uint32_t valuesPerPacket,
                          std::uint64_t gigabitsPerSecond,
                          std::uint32_t workers);

/** The same values over a ring of hosts that cost nothing but the wire. */
Scenario RingBesideScenario(std::uint64_t values,
                            std::uint64_t gigabitsPerSecond,
                            std::uint32_t workers);

/**
 * Closed forms of slots in one switch under a star of equal links, without loss, with fixed scaling
 * and an adder that is no limit. They know nothing of the simulator: only SwitchML's frame and
 * arithmetic.
 */

/** 8 preamble + 14 Ethernet + 20 IP + 8 UDP + 16 SwitchML + 4 per value + 4 FCS + 12 gap. */
std::uint64_t SlotFrameBytes(std::uint64_t valuesPerPacket);

/** One frame on a worker's link. (ps) */
std::int64_t SlotFramePs(const Scenario& scenario);

/**
 * One packet alone: up and down a link each, stored and forwarded, and the switch between them:
 * 2 (frame + link latency) + switch latency. (ps)
 */
std::int64_t SlotRoundTripPs(const Scenario& scenario);

/**
 * @p values at once, where the pool is no limit (slots x frame time of a round trip and more):
 * packets follow each other without a gap, (packets - 1) x frame time + round trip. (ps)
 */
std::int64_t SlotExchangePs(const Scenario& scenario, std::uint64_t values);

/** Where the pool is the limit: every slot carries its values once a round trip. (values/s) */
double PooledValuesPerSecond(const Scenario& scenario);

/** Where the link is the limit: a packet's values per frame time. (values/s) */
double LineValuesPerSecond(const Scenario& scenario);

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_H
