/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_NEAR_WHOLE_H
#define INCA_EXPERIMENT_NEAR_WHOLE_H

#include "experiment/outcome.h"

namespace inca
{

/**
 * Whether a ring in miniature tells what the whole one does. Of the whole one is known that its workers wait for
 * others' sums and updates no less than in step, where nobody does; few stand-ins have the wave that goes round
 * the ring pass more often, and so wait no less than all mostly do: that may be half a percent of the time. And
 * all times are to be near those in step: being out of step then matters little, wherever in between the whole ring is.
 * An exchange is from the first worker's start to the last one's end: by how much all are apart, as many times as far as
 * stand-ins as they are more, is to be little of it.
 * @param inStep of the ring whose blocks are all the larger ones
 */
bool IsNearWhole(const Outcome& inStep, const Outcome& miniature);

/** Of the time of the run. @{ */
constexpr double MOST_WAITED_FOR{5e-3};
constexpr double MOST_FROM_STEP{3.5e-3}; ///< also of that of exchanges, by itself
/** @} */

} // namespace inca

#endif // INCA_EXPERIMENT_NEAR_WHOLE_H
