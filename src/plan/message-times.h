/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_MESSAGE_TIMES_H
#define INCA_PLAN_MESSAGE_TIMES_H

#include "exchange/step-plan.h"
#include "job/training-job.h"
#include "plan/limited-time.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

namespace inca
{

/** The payload of one message. */
struct Parcel
{
    std::uint64_t bytes{0};  ///< as hosts move it
    bool marked{false};      ///< for engines
    double bitsPerValue{32}; ///< behind them
};

/** The parts of a receiver through which everything that it gets goes, one frame after the other. */
enum class ReceiverStage : std::uint8_t
{
    LINK,
    ENGINE,
    HOST,
};

constexpr std::size_t RECEIVER_STAGES{3};

/** The least times of one message that nothing else is in the way of, from when its sender begins it. */
struct MessageTimes
{
    LimitedTime leave;        ///< until its last frame has left
    LimitedTime arrive;       ///< until the receiver's host has all of it
    LimitedTime acknowledged; ///< until its sender knows
    LimitedTime lastOut; ///< of its last frame alone: from its sender's host into the receiver's
    std::uint64_t frames{0};
    LimitedTime trips; ///< of all frames and their acknowledgements, if one waited for the other
    LimitedTime head;  ///< until its first frame is at the receiver's link
    std::array<LimitedTime, RECEIVER_STAGES>
        load; ///< of each, how long it is busy with the message
};

/**
 * What messages take: whole frames in a pipeline of host, engine, link, switches, link, engine and host,
 * whole engine cycles per frame, latencies, and a window that opens by acknowledgements.
 */
class MessageClock
{
  public:
    /** All must outlive it. */
    MessageClock(const Scenario& scenario, const TrainingJob& job, const NetworkSpeed& network);

    const MessageTimes& Of(const Parcel& parcel, Rank from, Rank to);

    /** A message without payload, whose hosts do nothing for it. */
    LimitedTime Grant(Rank from, Rank to) const;

    /** What @p elements of the job are to the transport. @param range counted from the chunk's first value */
    Parcel ParcelOf(const JobChunk& chunk, Leg leg, ElementRange range) const;

  private:
    struct Way;
    struct Stages;
    using Key = std::tuple<std::uint64_t, bool, double, std::uint64_t, std::uint64_t, bool>;

    Way WayBetween(Rank from, Rank to) const;
    Stages Frame(const Parcel& parcel, std::uint64_t bytes, const Way& way) const;
    MessageTimes Make(const Parcel& parcel, const Way& way) const;
    LimitedTime RoundTrip(const Stages& frame, const Way& way) const;
    LimitedTime Ack(const Way& way) const;
    LimitedTime Departures(std::uint64_t frames,
                           const Stages& frame,
                           const Stages& last,
                           const Way& way) const;
    LimitedTime Windowed(std::uint64_t window,
                         std::uint64_t frames,
                         const Stages& frame,
                         const Way& way) const;

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    std::map<Key, MessageTimes> m_known;
};

} // namespace inca

#endif // INCA_PLAN_MESSAGE_TIMES_H
