/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RUN_ESTIMATE_H
#define INCA_PLAN_RUN_ESTIMATE_H

#include "plan/fold-choice.h"
#include "plan/received-sample.h"

#include <optional>

namespace inca
{

/** What it takes to simulate messages that a rank gets. (seconds of CPU time) */
struct MessageCost
{
    FramesOfMessages frames;
    double perMessage{0};
    double perFrame{0};
    /** Of a frame whose values are added to others, as it comes; empty: as any. */
    std::optional<double> perAddedFrame;
    double perAddition{0};     ///< of the values of such a frame, when its message is whole
    double perEncodedValue{0}; ///< of a chunk that is coded whole, by a worker, for a round
    double perDecodedValue{0}; ///< of its sums, by a worker: all decode them once

    /** @param isAdded whether its values are added to others */
    double OfFrame(bool isAdded) const
    {
        return isAdded ? perAddedFrame.value_or(perFrame) : perFrame;
    }

    double Of(double bytes, bool isAdded) const
    {
        return perMessage + (OfFrame(isAdded) + (isAdded ? perAddition : 0)) * frames.Of(bytes, 1);
    }
};

/** What of a run is done at a pace of its own. (seconds of CPU time) */
struct WorkSeconds
{
    double added{0};  ///< messages whose values are added to others, where that takes longer
    double stored{0}; ///< all other messages, and sums of switches
    double coded{0};  ///< chunks that workers code and decode whole (JobChunk::coding)
    double verified{0};

    double OfMessages() const
    {
        return added + stored;
    }
};

/** What it takes to simulate a run, before it begins: good to a factor of two or so. */
struct RunEstimate
{
    double payloadBytes{0}; ///< that all simulated ranks get, sums of switches included
    double frames{0};       ///< of data, and packets of sums, that are simulated
    double addedBytes{0};   ///< of the payload, what ranks add
    double summedBytes{0};  ///< of the payload, sums of switches
    double values{0};       ///< of the payload, but for sums of switches
    double addedValues{0};  ///< of these, what ranks add
    double messages{0};
    double peers{0};  ///< of all simulated ranks: those that each gets messages of
    double chunks{0}; ///< of an iteration
    double crowd{
        0}; ///< of the most hosts that send to one, where its port has no room for a frame of each
    MessageCost cost;
    WorkSeconds work;       ///< of this: all messages, coding and verifying
    double boundSeconds{0}; ///< of this, what the lower bound takes
    double cpuSeconds{0};
    double memoryBytes{0};
};

/** Full frames that the port before a host has room for, of which credits are parts. */
double RoomFrames(const Scenario& scenario);

/**
 * Whether the network may do the same again and again, and need not be simulated every time: where all times
 * are reckoned with, sizes follow from statistics, and no frame is lost at random.
 * @param job what is simulated
 */
bool MayRepeat(const Scenario& scenario, const TrainingJob& job);

/**
 * What @p fold's ranks do of @p job, counted in the steps of some of them: of each kind, workers and
 * others, up to 32 that are evenly spread stand for all, and of many steps some for others (ReceivedSample).
 * Where the network may repeat itself, long messages are expected to.
 */
RunEstimate EstimateRun(const Scenario& scenario, const TrainingJob& job, const FoldChoice& fold);

} // namespace inca

#endif // INCA_PLAN_RUN_ESTIMATE_H
