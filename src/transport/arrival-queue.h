/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_ARRIVAL_QUEUE_H
#define INCA_TRANSPORT_ARRIVAL_QUEUE_H

#include "base/ring-queue.h"
#include "base/state-visitor.h"
#include "device/frame.h"
#include "device/kept-event.h"
#include "device/simulated-time.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace inca
{

/** Frames that arrived, until their host is done with each. At most one event is pending. */
class ArrivalQueue
{
  public:
    using Handler = std::function<void(const ns3::Ptr<Frame>&)>;

    /** @param handle gets each frame when the host is done with it */
    explicit ArrivalQueue(Handler handle)
        : m_handle(std::move(handle))
    {
    }

    ArrivalQueue(const ArrivalQueue&) = delete; // its event knows where it is
    ArrivalQueue& operator=(const ArrivalQueue&) = delete;
    ~ArrivalQueue() = default;

    /** Takes a frame with which the host is done at @p donePs, now or later; calls have increasing times. */
    void Enter(ns3::Ptr<Frame> frame, std::int64_t donePs)
    {
        const bool isFirst = m_arrived.empty();
        if (isFirst && donePs == NowPs())
        {
            m_handle(frame);
            return;
        }
        m_arrived.push_back({std::move(frame), donePs});
        if (isFirst)
        {
            m_firstDone.ScheduleAt(donePs);
        }
    }

    void VisitState(StateVisitor& visitor)
    {
        visitor.State(m_arrived.size());
        for (std::size_t i = 0; i < m_arrived.size(); ++i)
        {
            visitor.At(m_arrived[i].donePs);
            m_arrived[i].frame->VisitState(visitor);
        }
    }

  private:
    struct Arrived
    {
        ns3::Ptr<Frame> frame;
        std::int64_t donePs{0};
    };

    void HandleFirst()
    {
        const auto frame = std::move(m_arrived.front().frame);
        m_arrived.pop_front();
        if (!m_arrived.empty())
        {
            m_firstDone.ScheduleAt(m_arrived.front().donePs);
        }
        m_handle(frame);
    }

    Handler m_handle;
    KeptEvent m_firstDone{KeptEvent::Of<&ArrivalQueue::HandleFirst>(this)};
    RingQueue<Arrived> m_arrived; ///< by time
};

} // namespace inca

#endif // INCA_TRANSPORT_ARRIVAL_QUEUE_H
