/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SWITCH_PORT_H
#define INCA_DEVICE_SWITCH_PORT_H

#include "inca/device/link-port.h"

#include <cstdint>
#include <functional>

namespace inca
{

/**
 * @ingroup inca
 *
 * One port of a switch: an output queue with a finite buffer before a link. What arrives at it goes
 * to its switch. A backlog above EcnThreshold marks the frame; a packet of ns3's stack that is ECT gets CE.
 *
 * As a device, it is a port of its switch's bridge. It has no address, and sends only what its switch forwards.
 */
class SwitchPort : public LinkPort
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** Gets what arrives. */
    using Input = std::function<void(ns3::Ptr<Frame>)>;

    /** Plugs into @p link; @p input gets what arrives. */
    void Attach(ns3::Ptr<Link> link, Input input);

    /** Queues a frame that is there at @p readyPs, or drops it; calls have increasing times. */
    void Output(ns3::Ptr<Frame> frame, std::int64_t readyPs, std::int64_t nowPs);

    /** Shows its state. */
    void VisitState(StateVisitor& visitor)
    {
        VisitPort(visitor);
    }

    // -- LinkEnd
    void ReceiveFrame(ns3::Ptr<Frame> frame) override;
    void LinkIsUp(const LinkEnd& other) override;

    // -- ns3::NetDevice
    bool SendFrom(ns3::Ptr<ns3::Packet> packet,
                  const ns3::Address& source,
                  const ns3::Address& destination,
                  uint16_t protocol) override;

  protected:
    void DoDispose() override;

  private:
    /** The attribute EcnThreshold. */
    void SetEcnBytes(std::uint64_t bytes)
    {
        m_port.settings.ecnBytes = bytes;
    }

    /** The attribute EcnThreshold. */
    std::uint64_t GetEcnBytes() const
    {
        return m_port.settings.ecnBytes;
    }

    Input m_input;                                     ///< of the switch
    ns3::TracedCallback<ns3::Ptr<const Frame>> m_drop; ///< trace source Drop
};

} // namespace inca

#endif // INCA_DEVICE_SWITCH_PORT_H
