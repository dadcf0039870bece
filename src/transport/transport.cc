/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/transport.h"

#include "device/nic.h"

#include "device/initial-attribute.h"
#include "device/traced-count.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaTransport");

NS_OBJECT_ENSURE_REGISTERED(Transport);

namespace
{

constexpr const char* COUNT_SINK{"ns3::TracedValueCallback::Uint64"};

} // namespace

ns3::TypeId
Transport::GetTypeId()
{
    static ns3::TypeId tid = AddTraceSources(AddAttributes(ns3::TypeId("inca::Transport")
                                                               .SetParent<MessageTransport>()
                                                               .SetGroupName("Inca")
                                                               .AddConstructor<Transport>()));
    return tid;
}

ns3::TypeId
Transport::AddAttributes(ns3::TypeId tid)
{
    return tid
        .AddAttribute("Window",
                      "frames sent and not acknowledged, per connection; alike on all hosts",
                      ns3::UintegerValue(64),
                      Initially<Transport>(ns3::MakeUintegerAccessor(&Transport::m_window)),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("AckEvery",
                      "data frames per acknowledgement; at most Window counts",
                      ns3::UintegerValue(16),
                      Initially<Transport>(ns3::MakeUintegerAccessor(&Transport::m_ackEvery)),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("Credits",
                      "whether all who send to this host share the buffer of the port before it",
                      ns3::BooleanValue(true),
                      Initially<Transport>(ns3::MakeBooleanAccessor(&Transport::m_credits)),
                      ns3::MakeBooleanChecker())
        .AddAttribute("TxRing",
                      "own frames that may wait in the NIC",
                      ns3::UintegerValue(8),
                      Initially<Transport>(ns3::MakeUintegerAccessor(&Transport::m_txRing)),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("MinTimeout",
                      "the shortest timeout; else 4 smoothed round trips",
                      ns3::TimeValue(ns3::MilliSeconds(1)),
                      Initially<Transport>(ns3::MakeTimeAccessor(&Transport::m_minTimeout)),
                      ns3::MakeTimeChecker(ns3::NanoSeconds(1)))
        .AddAttribute("InitialTimeout",
                      "the timeout until a round trip was measured",
                      ns3::TimeValue(ns3::MilliSeconds(10)),
                      Initially<Transport>(ns3::MakeTimeAccessor(&Transport::m_initialTimeout)),
                      ns3::MakeTimeChecker(ns3::NanoSeconds(1)));
}

ns3::TypeId
Transport::AddTraceSources(ns3::TypeId tid)
{
    return tid
        .AddTraceSource("SentFrames",
                        "data frames, first transmissions only",
                        ns3::MakeTraceSourceAccessor(&Transport::m_sentFrames),
                        COUNT_SINK)
        .AddTraceSource("DuplicateFrames",
                        "frames that arrived again and were dropped",
                        ns3::MakeTraceSourceAccessor(&Transport::m_duplicateFrames),
                        COUNT_SINK)
        .AddTraceSource("AcksSent",
                        "acknowledgements",
                        ns3::MakeTraceSourceAccessor(&Transport::m_acksSent),
                        COUNT_SINK)
        .AddTraceSource("GoesOn",
                        "an acknowledgement came from a host for which more is left to send",
                        ns3::MakeTraceSourceAccessor(&Transport::m_goesOn),
                        "inca::Transport::PeerTracedCallback")
        .AddTraceSource("ProbesSent",
                        "timeouts, each of which asks for an acknowledgement",
                        ns3::MakeTraceSourceAccessor(&Transport::m_probesSent),
                        COUNT_SINK);
}

Transport::Transport()
    : m_arrivals([this](const ns3::Ptr<Frame>& frame) { Handle(frame); })
{
}

void
Transport::SetNic(ns3::Ptr<Nic> nic)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_nic, "a transport has one NIC");
    NS_ABORT_MSG_UNLESS(nic->GetNode(), "a NIC is on its node before a transport uses it");
    m_nic = nic;
    m_path = HostPath::Of(nic->GetNode());
    m_nic->SetFrameReceiver(
        {FrameKind::DATA, FrameKind::ACK, FrameKind::PROBE},
        [this](ns3::Ptr<Frame> frame, std::int64_t readyPs) { Arrive(std::move(frame), readyPs); });
}

void
Transport::SetRoom(std::uint64_t bytes)
{
    NS_LOG_FUNCTION(this << bytes);
    m_roomBytes = bytes;
}

void
Transport::DoSend(Message message, std::function<void()> left)
{
    NS_LOG_FUNCTION(this);
    Sending().Send(std::move(message), std::move(left));
}

void
Transport::DoRest()
{
    NS_LOG_FUNCTION(this);
    if (m_sending)
    {
        m_sending->StopTimers();
    }
}

void
Transport::Arrive(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    if (frame->kind == FrameKind::ACK)
    {
        Sending().TakeAck(std::move(frame), readyPs);
        return;
    }
    const auto& tag = frame->segment.tag;
    const bool isFree = frame->kind == FrameKind::PROBE || tag.grant || tag.inside;
    const auto costPs = isFree ? 0 : m_path->FrameCostPs(frame->plainBytes);
    m_arrivals.Enter(std::move(frame), m_path->Receive(readyPs, costPs));
}

TransportSender&
Transport::Sending()
{
    NS_LOG_FUNCTION(this);
    if (!m_sending)
    {
        m_sending.emplace(
            m_nic,
            m_path,
            Limits(),
            m_txRing,
            SendCounts{m_sentFrames, m_retransmittedFrames, m_probesSent, m_goesOn, Users()});
    }
    return *m_sending;
}

void
Transport::VisitState(StateVisitor& visitor)
{
    if (m_sending)
    {
        m_sending->VisitState(visitor);
    }
    VisitReceiving(visitor);
    for (auto* traced : {&m_sentFrames, &m_deliveredBytes, &m_acksSent})
    {
        CountTraced(visitor, *traced);
    }
    if (!visitor.HasSteps())
    {
        visitor.State(m_apiCalls); // what they make the network do, it does once
    }
    visitor.State(m_retransmittedFrames);
    visitor.State(m_duplicateFrames);
    visitor.State(m_probesSent);
}

SendLimits
Transport::Limits() const
{
    SendLimits limits;
    limits.windowFrames = m_window;
    limits.payloadBytes = MaxPayloadBytes(m_nic->GetMtu(), m_groupValues);
    RequireRoom(limits.payloadBytes);
    limits.minTimeoutPs = m_minTimeout.GetTimeStep();
    limits.initialTimeoutPs = m_initialTimeout.GetTimeStep();
    return limits;
}

double
Transport::LongestSilencePs(double timeoutsInVain) const
{
    return timeoutsInVain * static_cast<double>(m_sending ? m_sending->LongestTimeoutPs() : 0);
}

std::uint64_t
Transport::RoomFrames() const
{
    const auto frameBytes = FrameWireBytes(INCA_HEADER_BYTES + MaxPayloadBytes(m_nic->GetMtu()));
    return m_credits && m_roomBytes ? *m_roomBytes / frameBytes
                                    : std::numeric_limits<std::uint64_t>::max();
}

/** Its share, for each who sends now; at least a window for all together. */
std::uint32_t
Transport::Credit() const
{
    if (m_receivingCount <= 1)
    {
        return m_window;
    }
    const auto share = std::max<std::uint64_t>(RoomFrames(), m_window) / m_receivingCount;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, 1, m_window));
}

ReceiveConnection&
Transport::ConnectionFrom(ns3::Mac48Address peer)
{
    NS_LOG_FUNCTION(this << peer);
    auto& [lastPeer, last] = m_lastAsked;
    if (last == nullptr || lastPeer != peer)
    {
        lastPeer = peer;
        // a window that is full before an acknowledgement is due would wait for its timeout
        const auto ackEvery = std::min(m_ackEvery, m_window);
        last = &m_connections.try_emplace(peer, ackEvery, m_window).first->second;
    }
    return *last;
}

/** Takes a frame with which the host is done. */
void
Transport::Handle(const ns3::Ptr<Frame>& frame)
{
    NS_LOG_FUNCTION(this << *frame);
    auto& connection = ConnectionFrom(frame->source);
    if (frame->kind == FrameKind::PROBE)
    {
        connection.Probed(*frame);
        Acknowledge(frame->source, connection);
        return;
    }
    const bool wasReceiving = connection.IsReceiving();
    const auto outcome = connection.Accept(frame, m_deliver);
    m_receivingCount += connection.IsReceiving() ? 1 : 0;
    if (connection.IsReceiving() && !std::exchange(connection.isVisited, true))
    {
        m_visited.emplace_back(frame->source, &connection);
    }
    m_receivingCount -= wasReceiving ? 1 : 0;
    m_deliveredBytes += outcome.deliveredBytes;
    m_duplicateFrames += outcome.duplicate ? 1 : 0;
    if (outcome.acknowledge)
    {
        Acknowledge(frame->source, connection);
    }
}

void
Transport::Acknowledge(ns3::Mac48Address peer, ReceiveConnection& connection)
{
    NS_LOG_FUNCTION(this << peer);
    connection.SetCredit(Credit());
    const auto receipt = connection.Receipts();
    auto frame = MakeTransportFrame(FrameKind::ACK, 0);
    frame->destination = peer;
    frame->segment.number = receipt.next;
    frame->segment.held = receipt.held;
    frame->segment.transmission = receipt.heard;
    frame->segment.credit = receipt.credit;
    ++m_acksSent;
    const PathLog::Scope scope;
    MarkPath(PathKind::ANSWER);
    m_nic->SendFrame(std::move(frame));
}

/** A connection without a message is no part of a state in which ranks do nothing: whoever begins one has asked for it. */
void
Transport::VisitReceiving(StateVisitor& visitor)
{
    NS_LOG_FUNCTION(this);
    const auto self = ns3::Mac48Address::ConvertFrom(m_nic->GetAddress());
    m_arrivals.VisitState(visitor);
    if (visitor.HasSteps())
    {
        for (auto& [peer, connection] : m_connections)
        {
            connection.VisitState(visitor, peer, self);
        }
        return;
    }
    const auto isLeftOut = [](const auto& entry) {
        entry.second->isVisited = entry.second->IsReceiving();
        return !entry.second->isVisited;
    };
    m_visited.erase(std::remove_if(m_visited.begin(), m_visited.end(), isLeftOut), m_visited.end());
    for (const auto& [peer, connection] : m_visited)
    {
        connection->VisitState(visitor, peer, self);
    }
}

void
Transport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_sending.reset();
    m_connections.clear();
    m_lastAsked = {};
    m_visited.clear();
    m_nic = nullptr;
    m_path = nullptr;
    MessageTransport::DoDispose();
}

} // namespace inca
