/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_SCENARIOS_H
#define INCA_VALIDATION_INCEPTIONN_SCENARIOS_H

#include "scenario/scenario.h"
#include "validation/inceptionn/published.h"

#include <cstdint>

namespace inca
{

/**
 * What a host of INCEPTIONN's testbed costs: the same for all models and systems, but for the copy
 * to the GPU, which HDC does without. Two rates follow from Table II; the other three constants are
 * calibrated (docs/validation.md says how, and what other choices give).
 */
struct InceptionnHost
{
    /** Gradients added; Table II gives 8.2 to 8.6 GB/s. */
    std::uint64_t sumBytesPerSecond{8'400'000'000};
    /** Between GPU and host memory; Table II gives 4.3 to 4.6 GB/s. */
    std::uint64_t copyBytesPerSecond{4'500'000'000};

    // -- calibrated
    /** Plain bytes moved, in pipeline with the wire. */
    std::uint64_t byteBytesPerSecond{2'400'000'000};
    /** Before a message's first frame leaves. */
    std::int64_t messageCostPs{50'000'000};
    /** Algorithm 1 receives, then sends: never both at once. */
    double duplex{0};
};

/**
 * One iteration of @p model on @p system as INCEPTIONN measured it: 4 workers, one 10 GbE switch,
 * error bound 2^-10, all gradients exchanged at once after backward. Sizes only, so that every hop
 * has the width shares of a single worker's gradient, as in the paper. examples/inceptionn/ holds
 * the same scenarios as files.
 */
Scenario InceptionnScenario(const InceptionnModel& model, InceptionnSystem system);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_SCENARIOS_H
