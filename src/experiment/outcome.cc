/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/outcome.h"

namespace inca
{

std::optional<CountedValues>
CountedPerIteration(const Outcome& outcome)
{
    if (!outcome.errors)
    {
        return std::nullopt;
    }
    const double iterations = outcome.plan.Job().prepared.job->iterations;
    return CountedValues{static_cast<double>(outcome.errors->marked) / iterations,
                         static_cast<double>(outcome.errors->estimated) / iterations};
}

} // namespace inca
