/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_DRAWN_TRAINS_H
#define INCA_TEST_EXPERIMENT_DRAWN_TRAINS_H

#include "scenario/scenario.h"

#include <cstdint>
#include <string>

namespace inca
{

/**
 * A scenario in which trains of frames may be made, the same for the same number: as DrawnNetwork, with 2 to 64 workers,
 * sketches, and tensors of up to 100 MB.
 * @param folder for its trace, a file that the next one of this process replaces
 * @param mostSeconds what it is estimated to take at packet level, at most
 */
Scenario DrawnTrains(std::uint32_t number, const std::string& folder, double mostSeconds);

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_DRAWN_TRAINS_H
