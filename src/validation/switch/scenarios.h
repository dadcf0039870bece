/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_SWITCH_SCENARIOS_H
#define INCA_VALIDATION_SWITCH_SCENARIOS_H

#include "scenario/scenario.h"

#include <cstdint>
#include <string>

namespace inca
{

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

} // namespace inca

#endif // INCA_VALIDATION_SWITCH_SCENARIOS_H
