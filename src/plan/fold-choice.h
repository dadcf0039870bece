/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_FOLD_CHOICE_H
#define INCA_PLAN_FOLD_CHOICE_H

#include "inca/exchange/shift-symmetry.h"
#include "inca/job/training-job.h"
#include "inca/plan/resolved.h"
#include "inca/topology/fold.h"

#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** Which ranks of a job are simulated for all, and what that costs in precision. */
struct FoldChoice
{
    Fold fold;
    ShiftSymmetry symmetry; ///< of the exchange; of all ranks if none is folded
    Rank ranks{0};          ///< of the job
    Rank simulated{0};      ///< 0 .. simulated-1, taken in turn where the symmetry has rows
    /** All results are those of the whole network, to the picosecond. */
    bool exact{true};
    std::string whyNot; ///< why every rank is simulated; empty where some stand for others
    /** They are not, if two frames that differ came to a port at one instant (PortCounters::tiedFrames). */
    bool exactWithoutTies{false};

    bool IsFolded() const
    {
        return simulated < ranks;
    }

    /** Which of the simulated ones does what @p rank does. */
    Rank Representative(Rank rank) const
    {
        return fold.hosts[rank];
    }

    /** By simulated rank: for how many it stands, itself included. */
    std::vector<Rank> Times() const;
};

/** Every rank stands for itself. @param why for people */
FoldChoice FoldNothing(const TopologyPlan& topology, Rank ranks, std::string why);

/**
 * Looks for a fold: ranks that do the same at the same time, of which one is simulated for all. There is one for each kind of
 * symmetry, if nothing sets a rank apart (a lost frame, a random compute time, values in frames, another speed):
 * - Over one switch, the ranks of an exchange's first period (ShiftSymmetry), if what one rank does is what every other one
 *   does, shifted. Where frames of two senders may come to a port at one instant (ShiftSymmetry::oneSender), their order may
 *   differ from rank to rank, and the fold is not exact.
 * - Over leaves and spines that route by destination, the same of as many whole leaves as have ranks of whole periods. Where
 *   two frames come to a port at one instant, they may be ordered otherwise at another leaf: a run that sees that is not exact.
 * - Where switches add, one worker for each kind of way up the tree. If there are several kinds, and adders take their time,
 *   contributions of two kinds at one instant may be added in another order: not exact.
 */
FoldChoice ChooseFold(const Resolved& resolved, const TrainingJob& job);

/** The job that simulated ranks do: @p job, with ranks numbered in turn if the symmetry has rows. */
std::shared_ptr<const TrainingJob> Folded(const std::shared_ptr<const TrainingJob>& job,
                                          const FoldChoice& fold);

} // namespace inca

#endif // INCA_PLAN_FOLD_CHOICE_H
