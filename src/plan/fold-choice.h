/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_FOLD_CHOICE_H
#define INCA_PLAN_FOLD_CHOICE_H

#include "exchange/shift-symmetry.h"
#include "job/training-job.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"
#include "topology/fold.h"

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
    /** By simulated rank, where switches share sums out: whose part is its. Empty: they do not. */
    std::vector<Rank> partsOf;
    std::string whyNot; ///< why every rank is simulated; empty where some stand for others

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

/** Of the exchange of @p scenario; none where nothing is known. */
ShiftSymmetry SymmetryOf(const Scenario& scenario);

/** Every rank stands for itself. @param why for people */
FoldChoice FoldNothing(const TopologyPlan& topology, Rank ranks, std::string why);

/**
 * Workers that do the same at the same time can be simulated by one of them: where nothing sets a worker
 * apart, nothing is lost, no values travel, and what one does is what every other does, shifted
 * (ShiftSymmetry). Over one switch that is a ring, or as many servers as workers, where frames never
 * meet others at a port; where switches add, it is one way up the tree. In a hierarchy of rings they may
 * meet (ShiftSymmetry::oneSender), and do so rarely if exchanges follow each other. In a tree whose
 * switches differ in what is below them, one of each kind is simulated; where contributions of two kinds
 * come to one adder at one instant, its order may not be the whole network's.
 */
FoldChoice ChooseFold(const Scenario& scenario,
                      const TrainingJob& job,
                      const TopologyPlan& topology,
                      const NetworkSpeed& network);

/**
 * The job that simulated ranks do: @p job, whose ranks are numbered in turn where the symmetry has rows, and where
 * switches share sums out, each rank gets the part of whom it stands for.
 */
std::shared_ptr<const TrainingJob> Folded(const std::shared_ptr<const TrainingJob>& job,
                                          const FoldChoice& fold);

/** Beyond those that fill a link: what a worker may be behind another, as each has other packets' values, and more. */
constexpr std::uint64_t SPARE_SLOTS{8};

/**
 * Of an exchange whose packets hosts or adders take their time for, and in which the order of full and empty ones matters,
 * but by no more than one of them.
 */
constexpr std::uint64_t FEWEST_PACKETS{200};

} // namespace inca

#endif // INCA_PLAN_FOLD_CHOICE_H
