/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_LOWER_BOUND_H
#define INCA_EXPERIMENT_LOWER_BOUND_H

#include "model/training-job.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <string>

namespace inca
{

/** How fast the engines of a NIC are; all 0 without engines. */
struct EngineSpeed
{
    std::uint64_t widthBytes{0};
    std::uint64_t hertz{0};
};

/** No iteration can be faster than this, and what it is that holds it up most. */
struct LowerBound
{
    std::int64_t iterationPs{0};
    std::string limitedBy; ///< link, engine, host or compute
};

/**
 * The closed form of a scenario: every rank moves its bytes over its own link, engine and host at
 * their full speed, and nothing waits for latency, windows, queues or other ranks. With jitter it
 * holds for the mean times.
 *
 * A rank's exchange takes at least X = tx and rx (the longer one, or both where the host alternates
 * between them), each direction the slowest of link, engine and host, plus, where its exchanges
 * follow each other (exchange.concurrent = 1), what it adds and updates in between. With all
 * gradients in one exchange, an iteration is compute + copy + X + update. With several it is the
 * larger of compute alone, and X after the first bucket is ready.
 */
LowerBound ComputeLowerBound(const Scenario& scenario,
                             const GradientTrace& trace,
                             const TrainingJob& job,
                             EngineSpeed engine);

} // namespace inca

#endif // INCA_EXPERIMENT_LOWER_BOUND_H
