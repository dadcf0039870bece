/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SWITCH_PORT_H
#define INCA_DEVICE_SWITCH_PORT_H

#include "device/link.h"
#include "device/port.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace inca
{

/**
 * One port of a switch: an output queue with a finite buffer before a link. What arrives at it goes
 * to its switch.
 */
class SwitchPort : public ns3::Object, public LinkEnd
{
  public:
    static ns3::TypeId GetTypeId();

    using Input = std::function<void(ns3::Ptr<Frame>)>;

    /** Plugs into @p link as a part of @p node; @p input gets what arrives. */
    void Attach(ns3::Ptr<Link> link, ns3::Ptr<ns3::Node> node, Input input);

    /** Queues a frame that is there at @p readyPs, or drops it; calls have increasing times. */
    void Output(ns3::Ptr<Frame> frame, std::int64_t readyPs);

    /** The counters as of now. */
    const PortCounters& Counters();

    void VisitState(StateVisitor& visitor);

    std::uint64_t BitsPerSecond() const
    {
        return m_rate.GetBitRate();
    }

    /** Of the queue before the wire. (bytes) */
    std::uint64_t BufferBytes() const
    {
        return m_bufferBytes;
    }

    // -- LinkEnd
    void ReceiveFrame(ns3::Ptr<Frame> frame) override;
    std::uint32_t NodeId() const override;
    ns3::Ptr<ns3::NetDevice> Device() override;

    /** What an Enqueue or Drop sink looks like. */
    typedef void (*FrameTracedCallback)(ns3::Ptr<const Frame> frame);

    /** What a Queue sink looks like: the backlog after a frame was queued. (bytes) */
    typedef void (*QueueTracedCallback)(std::uint64_t bytes);

  protected:
    void DoDispose() override;

  private:
    Port& TxPort();

    ns3::DataRate m_rate;
    std::uint64_t m_bufferBytes;
    std::uint64_t m_ecnBytes;
    std::optional<Port> m_port; ///< made when first used, after all attributes were set
    ns3::Ptr<Link> m_link;
    unsigned m_linkSide{0};
    ns3::Ptr<ns3::Node> m_node;
    Input m_input;
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_enqueue;
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_drop;
    ns3::TracedCallback<std::uint64_t> m_queue;
};

} // namespace inca

#endif // INCA_DEVICE_SWITCH_PORT_H
