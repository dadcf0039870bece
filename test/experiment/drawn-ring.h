/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_DRAWN_RING_H
#define INCA_TEST_EXPERIMENT_DRAWN_RING_H

#include "scenario/scenario.h"

#include <cstdint>
#include <string>

namespace inca
{

/**
 * A ring of 32 to 96 workers that takes a second or so at packet level, the same for the same number: of 1 to 60 layers, some or all of
 * which the workers have no equal shares of; with priorities, exchanges at the same time, channels and turns, and any
 * rates, latencies, windows and costs of hosts that work.
 * @param folder for its trace, a file that the next one of this process replaces
 */
Scenario DrawnRing(std::uint32_t number, const std::string& folder);

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_DRAWN_RING_H
