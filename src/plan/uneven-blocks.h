/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_UNEVEN_BLOCKS_H
#define INCA_PLAN_UNEVEN_BLOCKS_H

#include "job/training-job.h"
#include "scenario/scenario.h"

#include <cstdint>

namespace inca
{

/**
 * Blocks differ by a value where the elements are not a multiple of the workers. How messages of a job's exchanges differ:
 * in what share of their bytes, or in frames or their padding.
 */
struct Unevenness
{
    bool inFrames{false};
    std::uint64_t mostFrames{0}; ///< of a message
    std::uint64_t frames{0};     ///< of a message of each chunk
    double differingBytes{0};
    double wireBytes{0};
};

/** @param parts of which each is a message */
Unevenness UnevennessOf(const TrainingJob& job, std::uint64_t parts, std::uint64_t payloadBytes);

/**
 * Of the bytes on the wire, what workers may differ by, and one still stands for all. It brings them out of step, by as much with
 * each exchange, and by more where acknowledgements come in the middle of messages and get into each
 * other's way: so not there, but in one exchange of a ring, whose messages are long or which no miniature may stand for, or in
 * one iteration in which nobody adds, so that nobody
 * waits for who adds; nor where messages are so long that a frame more or less, which an acknowledgement may
 * wait for, is little in each; nor, where they add, of many workers in several exchanges, each of whose steps brings
 * them further out of step. Where hosts receive, then send, each waits for the others' grants.
 */
double MostUneven(const Scenario& scenario, const TrainingJob& job, const Unevenness& uneven);

/** Acknowledgements, of the bytes on a wire, at most: one per `ack_every` full frames. */
double AcknowledgementShare(const Scenario& scenario);

/** The larger of uneven blocks go round it, too. */
bool IsOneRing(const Scenario& scenario);

/** One exchange in one iteration, in one ring: who is behind in it was in step when it began. */
bool IsLoneRing(const Scenario& scenario, const TrainingJob& job);

/**
 * Few workers of an uneven ring may stand for all (MiniaturesOf). What comes between a worker's frames depends on how far it is
 * behind others, which few are less than many: that is little if exchanges follow each other, and acknowledgements are few and
 * nobody waits for them.
 */
bool MayBeInMiniature(const Scenario& scenario);

/** Of the bytes on the wire: what workers may differ by, and still stand for each other. @{ */
constexpr double MOST_UNEVEN{1e-4};
constexpr double MOST_UNEVEN_ALONE{1e-3}; ///< where no acknowledgement is in the way
constexpr double MOST_OUT_OF_STEP{4e-3};  ///< by, in all exchanges together
/** @} */

/** Workers that stay near each other in several exchanges, of which each has more steps the more they are. */
constexpr Rank MOST_NEAR_STEP{24};

/** Of messages in the mean: a frame in each of them is then no more than 0.4 % of it. */
constexpr std::uint64_t LONG_MESSAGE_FRAMES{250};

/** Of the bytes on the wire: acknowledgements that may come at another time, where workers differ. */
constexpr double MOST_ACKNOWLEDGEMENTS{0.004};

/** Workers of which some may stand for all, and that stand for them: a quarter at most. @{ */
constexpr Rank FEWEST_STAND_INS{8};
constexpr Rank FEWEST_IN_MINIATURE{4 * FEWEST_STAND_INS};
/** @} */

} // namespace inca

#endif // INCA_PLAN_UNEVEN_BLOCKS_H
