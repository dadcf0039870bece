/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_ARRIVAL_QUEUE_H
#define INCA_TRANSPORT_ARRIVAL_QUEUE_H

#include "base/ring-queue.h"
#include "base/state-walk.h"
#include "device/frame.h"
#include "device/kept-event.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <functional>

namespace inca
{

/** Frames that arrived, until their host is done with each. At most one event is pending. */
class ArrivalQueue
{
  public:
    using Handler = std::function<void(const ns3::Ptr<Frame>&)>;

    /** @param handle gets each frame when the host is done with it */
    explicit ArrivalQueue(Handler handle);

    ArrivalQueue(const ArrivalQueue&) = delete; // its event knows where it is
    ArrivalQueue& operator=(const ArrivalQueue&) = delete;
    ~ArrivalQueue() = default;

    /** Takes a frame with which the host is done at @p donePs, now or later; calls have increasing times. */
    void Enter(ns3::Ptr<Frame> frame, std::int64_t donePs);

    void Walk(StateWalk& walk);

  private:
    struct Arrived
    {
        ns3::Ptr<Frame> frame;
        std::int64_t donePs{0};
    };

    void ScheduleFirst();
    void HandleFirst();

    Handler m_handle;
    KeptEvent m_firstDone;
    RingQueue<Arrived> m_arrived; ///< by time
};

} // namespace inca

#endif // INCA_TRANSPORT_ARRIVAL_QUEUE_H
