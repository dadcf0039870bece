/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_TCP_TRANSPORT_H
#define INCA_TRANSPORT_TCP_TRANSPORT_H

#include "inca/base/ring-queue.h"
#include "inca/device/kept-event.h"
#include "inca/device/mac-hash.h"
#include "inca/transport/host-path.h"
#include "inca/transport/message-transport.h"
#include "inca/transport/tcp-host.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * Messages over ns-3's TCP, whose attributes' defaults hold (UseLinuxTcpDefaults): per pair of hosts and
 * direction one connection, or as many as Sockets says, over which each message is spread in equal parts.
 * It is opened by its first message. In the stream stand the bytes of messages, and nothing else; one byte
 * stands for a grant, and for a message that has none. What a message says beside them is handed over outside
 * of the network when its last byte was read.
 *
 * A message has left when all of it is in send buffers. A host works on what TCP sends, and reads what
 * came, a segment after the other, as its HostPath says; acknowledgements cost it nothing.
 *
 * Of what is in send buffers TCP gets to see only as much as fills TxQueue of the NIC, for that is how Linux
 * keeps the queues of its own hosts small, and acknowledgements do not wait behind a whole window. Over a node's own stack
 * TCP sees all that its window lets go: what waits before other devices is up to them.
 */
class TcpTransport : public MessageTransport
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    TcpTransport();

    /** Whether it has read its attributes, which stay as they are then. */
    bool IsInUse() const
    {
        return !m_outgoing.empty();
    }

    void SetNic(ns3::Ptr<Nic> nic) override;

    /** Sends and receives by the Internet stack of @p node, from @p address, one of its own, from now on; instead of SetNic. */
    void SetStack(const ns3::Ptr<ns3::Node>& node, ns3::Ipv4Address address);

    /** What others call it in messages: the NIC's address, or one that stands for that of the stack. */
    ns3::Mac48Address GetAddress() const
    {
        return m_address;
    }

    void SetPeers(PeerLookup peers) override;
    void VisitState(StateVisitor& visitor) override; ///< shows that it cannot repeat
    double LongestSilencePs(double timeoutsInVain) const override;

  protected:
    void DoDispose() override;

  private:
    /** A message on its way, in a part for each connection. */
    struct Carried
    {
        ReceivedMessage message;     ///< what its receiver gets, when all parts are read
        std::function<void()> left;  ///< called when all parts are in send buffers; may be empty
        std::size_t partsToLeave{0}; ///< that are not wholly in send buffers
        std::size_t partsToRead{0};  ///< that are not wholly read
        std::int64_t dueCostPs{0};   ///< which the first segment of any part pays
    };

    /** What one connection carries of a message. */
    struct Part
    {
        std::shared_ptr<Carried> of; ///< the message
        std::uint64_t begin{0};      ///< in the stream (bytes)
        std::uint64_t end{0};        ///< in the stream (bytes)
    };

    /** A connection, as its sender sees it. At any time: sent <= written <= queued. (bytes) */
    struct Outgoing
    {
        ns3::Ptr<LinuxTcpSocket> socket; ///< of a connection that this host has opened
        std::deque<Part> parts;          ///< that the other side has not wholly read
        std::size_t partsLeft{0};        ///< of these, how many are wholly in the send buffer
        std::size_t partsPaid{0}; ///< of these, how many cost no more before they are written
        std::uint64_t queued{0};  ///< all that is to be sent
        std::uint64_t written{0}; ///< of this, what TCP has seen
        std::uint64_t sent{0};    ///< of this, what has left TCP
        bool isFeeding{false};    ///< is in m_feeding
    };

    /** A connection, as its receiver sees it. */
    struct Incoming
    {
        ns3::Ptr<ns3::Socket> socket; ///< of a connection that the other host has opened
        ns3::Mac48Address from;       ///< the other host
        Outgoing* stream{nullptr};    ///< the sender's view
        std::uint64_t read{0};        ///< bytes
        bool isReading{false};        ///< the host is at work on a segment
    };

    void DoSend(Message message,
                std::function<void()> left) override; ///< spreads a message over connections

    std::vector<Outgoing*>& ConnectionsTo(ns3::Mac48Address peer); ///< opened if there are none
    Outgoing* Connect(ns3::Mac48Address peer);                     ///< opens a connection

    // -- sending
    void LetLeave(Outgoing& stream);
    std::uint64_t WritableBytes(const Outgoing& stream) const;
    void FeedLater(Outgoing& stream); ///< queues a stream that has bytes for TCP
    void WakeLater();
    void Wake(); ///< half of what the NIC had is gone
    void Feed();
    std::int64_t TakeMessagePs(Outgoing& stream, std::uint64_t& bytes);
    void Write(Outgoing& stream, std::uint64_t bytes);

    // -- receiving
    void Accept(ns3::Ptr<ns3::Socket> socket,
                ns3::Mac48Address from,
                std::uint16_t port);                  ///< a connection that another host has opened
    void Read(Incoming& stream);                      ///< works on what came
    void Take(Incoming& stream, std::uint64_t bytes); ///< a segment was worked on

    // -- attributes
    std::uint32_t m_sockets;      ///< attribute Sockets
    std::uint32_t m_txQueueBytes; ///< attribute TxQueue
    bool m_restartsAfterIdle;     ///< attribute RestartAfterIdle

    void SetHost(const ns3::Ptr<ns3::Node>& node, ns3::Mac48Address address); ///< of either kind
    std::int64_t NicPs(std::uint64_t bytes) const;

    ns3::Ptr<Nic> m_nic;             ///< null: the stack has devices of its own
    ns3::Mac48Address m_address;     ///< what others call it
    ns3::Ptr<HostPath> m_path;       ///< of the host
    PeerLookup m_peers;              ///< finds the others
    std::optional<TcpHost> m_host;   ///< sockets
    std::uint64_t m_segmentBytes{0}; ///< of payload

    std::vector<std::unique_ptr<Outgoing>> m_outgoing; ///< connections that it has opened
    std::map<std::uint16_t, Outgoing*> m_byPort;       ///< of this host
    std::unordered_map<ns3::Mac48Address, std::vector<Outgoing*>, MacHash>
        m_byPeer;                                      ///< connections to another host
    std::vector<std::unique_ptr<Incoming>> m_incoming; ///< connections that others have opened

    RingQueue<Outgoing*> m_feeding; ///< have bytes that TCP may see, perhaps; the first is next
    HostPath::Sender m_turn;        ///< on the host
    std::int64_t m_claimedPs{0};    ///< until when the NIC has enough to do
    bool m_wakePending{false};      ///< whether m_wake is set
    KeptEvent m_wake{KeptEvent::Of<&TcpTransport::Wake>(this)}; ///< when WakeLater says
};

} // namespace inca

#endif // INCA_TRANSPORT_TCP_TRANSPORT_H
