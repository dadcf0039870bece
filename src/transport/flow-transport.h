/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRANSPORT_FLOW_TRANSPORT_H
#define INCA_TRANSPORT_FLOW_TRANSPORT_H

#include "inca/base/ring-queue.h"
#include "inca/device/mac-hash.h"
#include "inca/device/nic.h"
#include "inca/transport/flow-network.h"
#include "inca/transport/host-path.h"
#include "inca/transport/message-transport.h"

#include "ns3/mac48-address.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * Messages of INCA's transport as flows, without frames. A message is a flow over all that its frames pass one after
 * the other: the sending lane of its host's path, engines, each link with its headers, and the receiving lane. It
 * gets the fair rate of these (FlowNetwork), which the window over the round trip limits, too. What else it costs
 * stands at its ends: the cost of a message, the latencies, and a frame of its own on each part that is not the
 * slowest.
 *
 * One connection per pair of hosts and direction, whose messages go one after the other. Acknowledgements take their
 * share of the way back. Nothing is lost, marked or held back, and no queue has a length: what depends on these is
 * left out.
 */
class FlowTransport : public MessageTransport
{
  public:
    static ns3::TypeId GetTypeId(); ///< what ns-3 knows of the class

    /** What carries its flows, and which of its hosts this is; to be said before it sends. */
    void SetNetwork(ns3::Ptr<FlowNetwork> network, std::uint32_t host);

    void SetNic(ns3::Ptr<Nic> nic) override;

    bool HasFrames() const override
    {
        return true;
    }

    void SetPeers(PeerLookup peers) override;
    void VisitState(StateVisitor& visitor) override; ///< shows that it cannot repeat
    double LongestSilencePs(double timeoutsInVain) const override;

  protected:
    void DoDispose() override;

  private:
    /** All that a message's frames are. */
    struct Frames
    {
        std::uint64_t count{0};            ///< at least one
        std::uint64_t plainBytes{0};       ///< of the whole message
        std::uint64_t wirePayloadBytes{0}; ///< of the whole message, as the wire carries it
        std::uint64_t lastPlainBytes{0};   ///< of the last one
        std::uint64_t lastPayloadBytes{0}; ///< of the last one, as the wire carries it
        bool isCoded{false};               ///< engines work on them

        std::uint64_t FullPayloadBytes() const;     ///< of each but the last, in the mean
        std::uint64_t WireBytes() const;            ///< of all, preamble to gap
        bool operator==(const Frames& other) const; ///< whether frames are of the same sizes
    };

    class Outgoing;

    /** What a message passes: a part of the way of its frames. */
    struct Stage
    {
        std::uint32_t resource{0}; ///< its number in the network
        double totalPs{0};         ///< that all frames take of it
        double firstPs{0};         ///< of them the first
        double lastPs{0};          ///< and the last
        double thenPs{0};          ///< until the next part, beside that
        FlowPlace place;           ///< of its work
    };

    /** All that is the same of messages of the same frames. */
    struct Kind
    {
        Frames frames;     ///< what all of them are cut into
        FlowLoad load;     ///< what a flow of them takes of the network
        double units{0};   ///< what one message is, in units of the flow
        FlowPlace slowest; ///< the stage that takes them longest
        FlowTrip trip;     ///< of a frame, if the window lets no more go, and a path is asked for
        double framePs{
            0}; ///< of a full one where it is slowest, if the window lets no more go; else 0
        FlowPlace slowestBehind;        ///< the same of those behind the host's link, or that
        std::int64_t untilLeftPs{0};    ///< from when the flow was sent
        std::int64_t untilArrivedPs{0}; ///< from when the flow was carried
    };

    /** A connection to another host, which is kept from its first message on. */
    struct Connection
    {
        FlowTransport* peer{nullptr}; ///< the transport of the other host; null: not looked up yet
        std::vector<std::uint32_t> way;               ///< links @{
        std::vector<std::uint32_t> wayBack;           ///< @}
        RingQueue<std::shared_ptr<Outgoing>> waiting; ///< messages that are no part of the flow yet
        bool isHeldUp{false};                         ///< the first of them begins later
        bool isInside{false};                         ///< a node: hosts have no costs
        std::uint64_t inFlow{0};                      ///< messages
        std::uint64_t unsent{0};                      ///< of them
        FlowNetwork::FlowId flow{0};                  ///< of these
        PathEnd sentPath;                             ///< to when the last message was sent
        RingQueue<Unacked> unacked;       ///< of messages that were sent, where that takes a window
        std::shared_ptr<const Kind> kind; ///< of the last message in it, also if that is over
    };

    /** A message on its way out. */
    class Outgoing : public FlowPart
    {
      public:
        /** A message of transport @p of on @p connection, both of which outlive it. */
        Outgoing(FlowTransport& of, Connection& connection)
            : m_of(of),
              m_connection(connection)
        {
        }

        void Sent() override
        {
            m_of.Sent(m_connection, *this);
        }

        void Carried(double waitPs) override
        {
            m_of.Carried(m_connection, *this, waitPs);
        }

        Message message;                  ///< moved away when it is carried
        std::function<void()> left;       ///< called when it has left; may be empty
        Frames frames;                    ///< what it is cut into
        std::shared_ptr<const Kind> kind; ///< set when it becomes a part of the flow
        bool isHeldBack{false};           ///< by the window
        double framesAtOnce{0};           ///< that the window let go when it began
        std::int64_t beganPs{0};          ///< when that was

      private:
        FlowTransport& m_of;      ///< of its host
        Connection& m_connection; ///< to the host that gets it
    };

    void DoSend(Message message, std::function<void()> left) override; ///< queues a message
    void SendGrant(const Message& grant);
    void Prepare(Connection& connection, std::int64_t fromPs, std::int64_t leastPs);
    std::int64_t RingPs() const;
    std::int64_t MessageCostPs(const Connection& connection) const; ///< of its next message
    void GoOn(Connection& connection);
    void TakeFromWindow(Connection& connection, Outgoing& next) const;
    void AddUnacked(Connection& connection, const Outgoing& sent) const;
    bool BeginFirst(Connection& connection);
    Connection& ConnectionTo(ns3::Mac48Address address);   ///< made at the first message
    void Sent(Connection& connection, Outgoing& outgoing); ///< all of a message has left
    void Carried(Connection& connection,
                 Outgoing& outgoing,
                 double waitPs);                   ///< all of a message has arrived
    Frames FramesOf(const Message& message) const; ///< what a message would be in frames
    std::shared_ptr<const Kind> KindOf(
        const Frames& frames, const Connection& connection); ///< of its messages, for the network
    void FindStages(const Frames& frames, const Connection& connection);
    void FindEnds(Kind& kind) const;
    void FindLoad(Kind& kind, const Connection& connection) const;
    FlowTrip TripOf(const Connection& connection) const;
    std::size_t SlowestStage(std::size_t first, std::size_t end) const;
    double Units(const Frames& frames) const;
    std::uint32_t FramesPerAck() const;
    std::uint64_t AcksOf(const Frames& frames) const; ///< acknowledgements of a message
    void CountFrames(const Frames& frames, const Connection& connection) const;
    void Arrive(Message message,
                ns3::Mac48Address from,
                std::uint64_t wirePayloadBytes); ///< gives a message to its job

    // -- attributes
    std::uint32_t m_window;   ///< attribute Window
    std::uint32_t m_ackEvery; ///< attribute AckEvery
    std::uint32_t m_txRing;   ///< attribute TxRing

    ns3::Ptr<Nic> m_nic;             ///< whose frames flows stand for
    std::uint32_t m_node{0};         ///< ns-3's number of its node
    ns3::Mac48Address m_address;     ///< its own, once it sends
    ns3::Ptr<HostPath> m_path;       ///< of the host
    PeerLookup m_peers;              ///< finds the others
    ns3::Ptr<FlowNetwork> m_network; ///< what carries flows
    std::uint32_t m_host{0};         ///< number of the host
    std::uint64_t m_payloadBytes{0}; ///< of a full frame, plain
    std::unordered_map<ns3::Mac48Address, Connection, MacHash>
        m_connections;              ///< to all it has sent to
    std::int64_t m_costsUntilPs{0}; ///< the host is at work on what messages cost
    // -- of the message that was looked at last
    std::vector<Stage> m_stages; ///< of a message, one after the other
    std::size_t m_uplink{0};     ///< which of the stages
};

} // namespace inca

#endif // INCA_TRANSPORT_FLOW_TRANSPORT_H
