/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_HOST_PATH_H
#define INCA_TRANSPORT_HOST_PATH_H

#include "inca/base/ring-queue.h"
#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"
#include "inca/device/kept-event.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

namespace inca
{

/**
 * @ingroup inca
 *
 * What it costs a host to move frames between memory and NIC: plain bytes / ByteRate + FrameCost
 * for each frame, and MessageCost before the first one of a message. Aggregated to its node; all
 * who send or receive on the host share it.
 *
 * It has two lanes, sending and receiving. Each works on one frame after the other, in pipeline
 * with the wire, and independently of the other. Who has frames to send takes turns, frame by
 * frame. What costs nothing takes no time, but keeps its place.
 */
class HostPath : public ns3::Object
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** One of those who send: stands in the queue while others are served. */
    struct Sender
    {
        std::function<void()> onTurn; ///< called when this sender may send a frame; it need not
        bool isQueued{false};         ///< managed by the path
    };

    /** @return the path of @p node's host; made, with the attributes' defaults, if it has none */
    static ns3::Ptr<HostPath> Of(const ns3::Ptr<ns3::Node>& node);

    /** What a frame costs, sent or received. (ps) */
    std::int64_t FrameCostPs(std::uint64_t plainBytes) const;

    /** As which a flow's frames cost it: by their bytes, if these cost anything. */
    PathKind FrameKind() const
    {
        return m_bytesPerSecond > 0 ? PathKind::HOST_BYTES : PathKind::HOST_FRAME;
    }

    /** What a message costs its sender before its first frame. (ps) */
    std::int64_t MessageCostPs() const
    {
        return m_messageCost.GetTimeStep();
    }

    /** Whether the host receives, then sends, instead of both at once. Up to whoever runs on the host to heed. */
    bool IsHalfDuplex() const
    {
        return !m_fullDuplex;
    }

    /** @return whether @p sender may send a frame now; if not, it is told once when it may */
    bool TakeTurn(Sender& sender)
    {
        const bool isNext = m_waiting.empty() || m_turnOf == &sender;
        if (isNext && !m_sends)
        {
            m_turnOf = nullptr;
            return true;
        }
        Await(sender);
        return false;
    }

    /**
     * Works for @p costPs, more than 0, on a frame of whoever took the turn, then calls @p done. Of that, messages that begin
     * with the frame cost @p messagePs.
     */
    void Work(std::int64_t costPs, std::int64_t messagePs, std::function<void()> done);

    /**
     * Receives a frame behind all that came before it.
     * @param readyPs when it is out of the NIC; not before that of the frame before
     * @param costPs what it costs the host
     * @return when the host is done with it (ps)
     */
    std::int64_t Receive(std::int64_t readyPs, std::int64_t costPs)
    {
        m_receivesUntilPs = std::max(readyPs, m_receivesUntilPs) + costPs;
        if (PathLog::IsOn())
        {
            PathLog::Await(m_receivePath);
            ExtendByCost(m_receivesUntilPs - costPs, costPs, 0);
            m_receivePath = PathLog::Now();
        }
        return m_receivesUntilPs;
    }

    void VisitState(StateVisitor& visitor); ///< shows its state

  protected:
    void DoDispose() override;

  private:
    void SetByteRate(ns3::DataRate rate); ///< attribute ByteRate
    ns3::DataRate GetByteRate() const;    ///< attribute ByteRate
    void EndWork();                       ///< the lane has worked on a frame
    void Await(Sender& sender);           ///< puts a sender at the end of the queue
    void GiveTurns();                     ///< lets senders go on until one works
    void ExtendByCost(std::int64_t beginPs, std::int64_t costPs, std::int64_t messagePs) const;

    std::uint64_t m_bytesPerSecond; ///< 0: no limit
    ns3::Time m_frameCost;          ///< attribute FrameCost
    ns3::Time m_messageCost;        ///< attribute MessageCost
    bool m_fullDuplex;              ///< attribute FullDuplex

    bool m_sends{false};          ///< the sending lane works on a frame
    std::function<void()> m_done; ///< what Work is to call when the frame is done
    KeptEvent m_endOfWork{KeptEvent::Of<&HostPath::EndWork>(this)}; ///< of the frame
    std::deque<Sender*> m_waiting;                                  ///< senders, the first is next
    Sender* m_turnOf{nullptr};         ///< was the first of them, and is told just now
    std::int64_t m_receivesUntilPs{0}; ///< the receiving lane
    PathEnd m_receivePath;             ///< to that
};

/** Frames that arrived, until their host is done with each. At most one event is pending. */
class ArrivalQueue
{
  public:
    /** Takes a frame with which the host is done. */
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
        m_arrived.push_back({std::move(frame), donePs, PathLog::Now()});
        if (isFirst)
        {
            m_firstDone.ScheduleAt(donePs);
        }
    }

    /** Shows its state. */
    void VisitState(StateVisitor& visitor)
    {
        visitor.State(m_arrived.size());
        for (std::size_t i = 0; i < m_arrived.size(); ++i)
        {
            visitor.At(m_arrived[i].donePs);
            m_arrived[i].frame->VisitState(visitor);
            visitor.Path(m_arrived[i].path);
        }
    }

  private:
    /** A frame that the host is not done with. */
    struct Arrived
    {
        ns3::Ptr<Frame> frame;  ///< as it came out of the NIC
        std::int64_t donePs{0}; ///< when the host is done with it
        PathEnd path;           ///< to that
    };

    /** The host is done with the first frame. */
    void HandleFirst()
    {
        const auto frame = std::move(m_arrived.front().frame);
        const auto path = std::move(m_arrived.front().path);
        m_arrived.pop_front();
        if (!m_arrived.empty())
        {
            m_firstDone.ScheduleAt(m_arrived.front().donePs);
        }
        PathLog::Follow(path);
        m_handle(frame);
    }

    Handler m_handle; ///< gets each frame
    /** When the host is done with the first frame. */
    KeptEvent m_firstDone{KeptEvent::Of<&ArrivalQueue::HandleFirst>(this)};
    RingQueue<Arrived> m_arrived; ///< by time
};

} // namespace inca

#endif // INCA_TRANSPORT_HOST_PATH_H
