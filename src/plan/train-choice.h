/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_TRAIN_CHOICE_H
#define INCA_PLAN_TRAIN_CHOICE_H

#include "base/train-frames.h"
#include "scenario/scenario.h"

#include <cstdint>

namespace inca
{

/** Which frames move as one event. */
struct TrainChoice
{
    std::uint32_t frames{1};                      ///< of a message, at most; 1: packet level
    std::uint32_t perMessage{TRAINS_PER_MESSAGE}; ///< trains of which it consists, at least
    bool mayMeet{false}; ///< those of two transfers, of messages of so many of the longer ones

    /** Whether trains may go on that have met another transfer. @param trains of the longer length, in the shorter message */
    bool Bears(double trains) const
    {
        return mayMeet && trains >= perMessage;
    }
};

/**
 * None are made where they cannot hold: where frames may be lost, or are marked, or a host that receives, then sends
 * waits for one of them, or a sender for the acknowledgement of what it has just sent, or a wire for a host or an
 * engine; where acknowledgements are many; or where ranks have several peers that hear from others.
 *
 * Where all send to one, over one switch, its link is busy until all have come, whoever goes first: a message is then
 * further on than at packet level, or less far, by no more than a train for each of the others, of which there are as
 * many as messages' frames between its own.
 */
TrainChoice ChooseTrains(const Scenario& scenario);

/**
 * Of a ring in miniature, where one host alone sends to each port: as long as an acknowledgement tells of, and a message may
 * be one.
 */
TrainChoice TrainsOfMiniature(const Scenario& scenario);

/** Trains per message where transfers may meet. */
constexpr std::uint32_t TRAINS_PER_MET_MESSAGE{256};

/** Of the bytes on a wire: acknowledgements that trains take in at another time, if at all. */
constexpr double MOST_ACKNOWLEDGED_IN_TRAINS{0.005};

} // namespace inca

#endif // INCA_PLAN_TRAIN_CHOICE_H
