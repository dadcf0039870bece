/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_LINK_PORT_H
#define INCA_DEVICE_LINK_PORT_H

#include "inca/device/ethernet-device.h"
#include "inca/device/link.h"
#include "inca/device/port.h"
#include "inca/device/simulated-time.h"

#include "ns3/data-rate.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace inca
{

/**
 * @ingroup inca
 *
 * The end of a link with an output queue before it, of a NIC or of a switch: what is an ns-3 device, attribute or
 * trace source of both. A Port says at once when a frame will leave; whoever listens hears of it when it
 * happens. An attribute that changes holds for the frames that come from then on.
 */
class LinkPort : public EthernetDevice, public LinkEnd
{
  public:
    /** Plugs into a link; once. */
    void Attach(ns3::Ptr<Link> link);

    /** What it was given to send, as of now. Dropped includes what never came to the queue. */
    const PortCounters& Counters()
    {
        return m_port.CountersAt(NowPs());
    }

    /** As Port::CountTies. */
    void CountTies()
    {
        m_port.CountTies();
    }

    /**
     * Counts frames that leave it in a flow, of which none is simulated by itself.
     * @param frames how many
     * @param bytes of all of them
     * @param largestQueueBytes as far as is known
     */
    void CountCarried(std::uint64_t frames,
                      const ByteCounts& bytes,
                      std::uint64_t largestQueueBytes)
    {
        m_port.CountCarried(frames, bytes, largestQueueBytes);
    }

    /** Why the last frame that was queued leaves when it does. */
    const PathEnd& DeparturePath() const
    {
        return m_path;
    }

    /** Of the queue before the wire. (bytes) */
    std::uint64_t BufferBytes() const
    {
        return m_port.settings.bufferBytes;
    }

    /** The link, or null, and this end's side of it. @{ */
    ns3::Ptr<Link> GetLink() const
    {
        return m_link;
    }

    /** Which end of the link this is. */
    unsigned LinkSide() const
    {
        return m_linkSide;
    }
    /** @} */

    // -- LinkEnd
    void LinkIsUp(const LinkEnd& other) override;
    std::uint32_t NodeId() const override;

    std::uint64_t BitsPerSecond() const override
    {
        return m_port.settings.bitsPerSecond;
    }

    // -- ns3::NetDevice
    ns3::Ptr<ns3::Channel> GetChannel() const override;
    bool IsLinkUp() const override;

    /** What an Enqueue, Dequeue, Receive or Drop sink looks like. */
    typedef void (*FrameTracedCallback)(ns3::Ptr<const Frame> frame);

  protected:
    /** Declares what both have on a subclass, for ns-3 sets defaults where they are declared only. */
    static ns3::TypeId AddPort(ns3::TypeId tid, const char* rate);

    /** Whether the link has another end. */
    bool HasPeer() const
    {
        return m_isUp;
    }

    /**
     * Takes a frame that comes into the queue at @p readyPs; calls have increasing times.
     * @return false if it was dropped; else the subclass transmits it now
     */
    bool Queue(const ns3::Ptr<Frame>& frame, std::int64_t readyPs, std::int64_t nowPs)
    {
        const bool isTaken = m_port.Enqueue(*frame, readyPs, nowPs);
        if (isTaken && PathLog::IsOn())
        {
            PathLog::Await(m_path);
            PathLog::Extend(m_isTrunk ? PathKind::TRUNK : PathKind::LINK,
                            m_nodeId,
                            frame->lastDeparturePs,
                            GetIfIndex());
            m_path = PathLog::Now();
        }
        if (isTaken && IsWatched())
        {
            Watch(frame, readyPs);
        }
        return isTaken;
    }

    /** Gives the link a frame that was queued. */
    void Transmit(ns3::Ptr<Frame> frame)
    {
        m_link->Transmit(m_linkSide, std::move(frame));
    }

    /** Calls @p action at @p timePs, or at once if that is past; on no node, as it observes and changes no state. */
    template <typename Action>
    static void At(std::int64_t timePs, Action action)
    {
        if (timePs <= NowPs())
        {
            action();
            return;
        }
        ns3::Simulator::ScheduleWithContext(
            ns3::Simulator::NO_CONTEXT, Until(timePs), std::move(action));
    }

    /** To be called by a subclass with each frame that arrives whole. */
    void NotifyReceive(const ns3::Ptr<Frame>& frame)
    {
        if (!m_receive.IsEmpty())
        {
            m_receive(frame);
        }
    }

    /** Whether somebody looks at packets. */
    bool IsSniffed() const
    {
        return !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty();
    }

    /**
     * Shows a frame to those who look at packets. @p isOwn: it is from or for whoever is behind
     * this device.
     */
    void Sniff(const Frame& frame, bool isOwn);

    void DoDispose() override;

  private:
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_receive;       ///< trace source Receive
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>> m_sniffer; ///< trace source Sniffer
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>>
        m_promiscSniffer;      ///< trace source PromiscSniffer
    ns3::Ptr<Link> m_link;     ///< null: none is plugged in
    unsigned m_linkSide{0};    ///< which end of the link this is
    bool m_isUp{false};        ///< the link has another end, too
    bool m_isTrunk{false};     ///< it leads from a switch to another
    std::uint32_t m_nodeId{0}; ///< ns-3's number of the node
    PathEnd m_path;            ///< to when the last frame that was queued has left
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_enqueue;           ///< trace source Enqueue
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_dequeue;           ///< trace source Dequeue
    ns3::TracedCallback<std::uint64_t, std::uint64_t> m_queueBytes; ///< trace source BytesInQueue

  protected:
    Port m_port; ///< the queue before the wire

    /** For a subclass to report its state. */
    void VisitPort(StateVisitor& visitor)
    {
        m_port.VisitState(visitor, NowPs());
        visitor.Path(m_path);
    }

    /** Whether both ends of the link are switches'. */
    void SetIsTrunk(bool isTrunk)
    {
        m_isTrunk = isTrunk;
    }

  private:
    /** Whether somebody looks at the queue. */
    bool IsWatched() const
    {
        return !m_enqueue.IsEmpty() || !m_dequeue.IsEmpty() || !m_queueBytes.IsEmpty();
    }

    void Watch(const ns3::Ptr<Frame>& frame,
               std::int64_t readyPs);      ///< tells of a frame when it comes and when it leaves
    void ChangeQueue(std::uint64_t bytes); ///< tells of another backlog

    /** Ends the program for 0 while the link is up. */
    void SetRate(ns3::DataRate rate);

    /** The attribute DataRate. */
    ns3::DataRate GetRate() const
    {
        return ns3::DataRate(BitsPerSecond());
    }

    /** The attribute Buffer. */
    void SetBuffer(std::uint64_t bytes)
    {
        m_port.settings.bufferBytes = bytes;
    }

    std::uint64_t m_seenBytes{0}; ///< as BytesInQueue was told
};

} // namespace inca

#endif // INCA_DEVICE_LINK_PORT_H
