/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_LINUX_TCP_SOCKET_H
#define INCA_TRANSPORT_LINUX_TCP_SOCKET_H

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/sequence-number.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"

#include <cstdint>
#include <functional>

namespace inca
{

/**
 * ns-3's TCP socket, with what it lacks of Linux's where that decides about times between hosts that are
 * microseconds apart: round trips are measured by the clock instead of timestamps of a millisecond; the
 * congestion window grows only while it is what limits (as RFC 7661 has it); it shrinks while nothing is
 * sent (as RFC 2861 has it); and a receiver that reads says so when its window has doubled, instead of
 * waiting for the sender's probe.
 */
class LinuxTcpSocket : public ns3::TcpSocketBase
{
  public:
    /** Called for each segment that is sent again. */
    std::function<void()> onRepeat;

    /** Halves the congestion window for each timeout since a segment was sent, down to the initial one. */
    void ShrinkAfterIdle();

    /** Reads. If the window has doubled since the sender heard of it, tells it so. */
    ns3::Ptr<ns3::Packet> Recv(std::uint32_t mostBytes, std::uint32_t flags) override;

  protected:
    ns3::Ptr<ns3::TcpSocketBase> Fork() override;
    std::uint32_t AvailableWindow() const override;
    /** Sends a segment, and calls onRepeat if it was sent before. */
    std::uint32_t SendDataPacket(ns3::SequenceNumber32 sequence,
                                 std::uint32_t mostBytes,
                                 bool withAck) override;
    void EstimateRtt(const ns3::TcpHeader& header) override;

  private:
    ns3::Time m_lastSent; ///< when the last segment with data was sent
};

/** @return a socket of @p node's TCP, by whose attributes and those of sockets it is made */
ns3::Ptr<LinuxTcpSocket> MakeLinuxTcpSocket(const ns3::Ptr<ns3::Node>& node);

/** Sets the defaults of ns-3's attributes of TCP sockets to Linux's. */
void UseLinuxTcpDefaults();

} // namespace inca

#endif // INCA_TRANSPORT_LINUX_TCP_SOCKET_H
