/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_SLOT_TIMES_H
#define INCA_VALIDATION_SWITCH_SLOT_TIMES_H

#include "scenario/scenario.h"

#include <cstdint>
#include <vector>

namespace inca
{

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

/** Arithmetic mean. @param samples at least one */
double MeanOf(const std::vector<double>& samples);

/** Of a sample: over n - 1. @param samples at least two */
double StandardDeviationOf(const std::vector<double>& samples);

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_SLOT_TIMES_H
