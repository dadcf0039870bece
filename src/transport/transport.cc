/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/transport.h"

#include "device/nic.h"

#include "base/errors.h"
#include "device/positive-time.h"
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
constexpr std::int64_t TIMEOUTS_IN_VAIN{64}; ///< where 3 of 4 fail, that many do once in 10^8

} // namespace

ns3::TypeId
Transport::GetTypeId()
{
    static ns3::TypeId tid = AddTraceSources(AddAttributes(ns3::TypeId("inca::Transport")
                                                               .SetParent<ns3::Object>()
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
                      ns3::MakeUintegerAccessor(&Transport::m_window),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("AckEvery",
                      "data frames per acknowledgement; at most Window counts",
                      ns3::UintegerValue(16),
                      ns3::MakeUintegerAccessor(&Transport::m_ackEvery),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("Credits",
                      "whether all who send to this host share the buffer of the port before it",
                      ns3::BooleanValue(true),
                      ns3::MakeBooleanAccessor(&Transport::m_credits),
                      ns3::MakeBooleanChecker())
        .AddAttribute("TxRing",
                      "own frames that may wait in the NIC",
                      ns3::UintegerValue(8),
                      ns3::MakeUintegerAccessor(&Transport::m_txRing),
                      ns3::MakeUintegerChecker<std::uint32_t>(1))
        .AddAttribute("MinTimeout",
                      "the shortest timeout; else 4 smoothed round trips",
                      ns3::TimeValue(ns3::MilliSeconds(1)),
                      ns3::MakeTimeAccessor(&Transport::m_minTimeout),
                      MakePositiveTimeChecker())
        .AddAttribute("InitialTimeout",
                      "the timeout until a round trip was measured",
                      ns3::TimeValue(ns3::MilliSeconds(10)),
                      ns3::MakeTimeAccessor(&Transport::m_initialTimeout),
                      MakePositiveTimeChecker());
}

ns3::TypeId
Transport::AddTraceSources(ns3::TypeId tid)
{
    return tid
        .AddTraceSource("SentFrames",
                        "data frames, first transmissions only",
                        ns3::MakeTraceSourceAccessor(&Transport::m_sentFrames),
                        COUNT_SINK)
        .AddTraceSource("RetransmittedFrames",
                        "data frames sent again",
                        ns3::MakeTraceSourceAccessor(&Transport::m_retransmittedFrames),
                        COUNT_SINK)
        .AddTraceSource("DeliveredBytes",
                        "plain payload, each byte once",
                        ns3::MakeTraceSourceAccessor(&Transport::m_deliveredBytes),
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
        .AddTraceSource("MessageTx",
                        "a message, or a grant, was queued to be sent",
                        ns3::MakeTraceSourceAccessor(&Transport::m_messageTx),
                        "inca::Transport::MessageTracedCallback")
        .AddTraceSource("ProbesSent",
                        "timeouts, each of which asks for an acknowledgement",
                        ns3::MakeTraceSourceAccessor(&Transport::m_probesSent),
                        COUNT_SINK);
}

void
Transport::SetNic(ns3::Ptr<Nic> nic)
{
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
    m_roomBytes = bytes;
}

void
Transport::SetReceiver(JobId job, Receiver receiver)
{
    m_receivers[job] = std::move(receiver);
}

void
Transport::Send(Message message, std::function<void()> left)
{
    ++m_apiCalls;
    NS_LOG_INFO((message.tag.grant ? "grants" : "sends")
                << " message " << message.tag.ordinal << " of round " << message.tag.round << " to "
                << message.to << ", " << message.plainBytes << " bytes");
    m_messageTx(message);
    Sending().Send(std::move(message), std::move(left));
}

void
Transport::Arrive(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    if (frame->kind == FrameKind::ACK)
    {
        Sending().TakeAck(std::move(frame), readyPs);
        return;
    }
    Receiving().Take(std::move(frame), readyPs);
}

void
Transport::Deliver(ReceivedMessage message)
{
    NS_LOG_INFO("got " << (message.tag.grant ? "grant " : "message ") << message.tag.ordinal
                       << " of round " << message.tag.round << " from " << message.from);
    ++m_apiCalls;
    const auto found = m_receivers.find(message.tag.job);
    if (found == m_receivers.end())
    {
        throw InvariantError("a host got a message of " + message.tag.job.Text() +
                             ", of which it receives nothing");
    }
    found->second(std::move(message));
}

TransportSender&
Transport::Sending()
{
    if (!m_sending)
    {
        m_sending.emplace(m_nic,
                          m_path,
                          Limits(),
                          m_txRing,
                          SendCounts{m_sentFrames, m_retransmittedFrames, m_probesSent, m_goesOn});
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
    if (m_receiving)
    {
        m_receiving->VisitState(visitor);
    }
    for (auto* traced : {&m_sentFrames, &m_deliveredBytes, &m_acksSent})
    {
        CountTraced(visitor, *traced);
    }
    visitor.State(m_apiCalls); // what they make the network do, it does once
    visitor.State(m_retransmittedFrames);
    visitor.State(m_duplicateFrames);
    visitor.State(m_probesSent);
}

SendLimits
Transport::Limits() const
{
    SendLimits limits;
    limits.windowFrames = m_window;
    limits.payloadBytes = MaxPayloadBytes(m_nic->GetMtu());
    limits.minTimeoutPs = m_minTimeout.GetTimeStep();
    limits.initialTimeoutPs = m_initialTimeout.GetTimeStep();
    return limits;
}

std::int64_t
Transport::LongestSilencePs() const
{
    constexpr auto end = std::numeric_limits<std::int64_t>::max();
    const auto timeoutPs = m_sending ? m_sending->LongestTimeoutPs() : 0;
    return timeoutPs > end / TIMEOUTS_IN_VAIN ? end : TIMEOUTS_IN_VAIN * timeoutPs;
}

std::uint64_t
Transport::RoomFrames() const
{
    const auto frameBytes = FrameWireBytes(INCA_HEADER_BYTES + MaxPayloadBytes(m_nic->GetMtu()));
    return m_credits && m_roomBytes ? *m_roomBytes / frameBytes
                                    : std::numeric_limits<std::uint64_t>::max();
}

TransportReceiver&
Transport::Receiving()
{
    if (!m_receiving)
    {
        // a window that is full before an acknowledgement is due would wait for its timeout
        m_receiving.emplace(
            m_nic,
            m_path,
            std::min(m_ackEvery, m_window),
            m_window,
            RoomFrames(),
            [this](ReceivedMessage message) { Deliver(std::move(message)); },
            ReceiveCounts{m_deliveredBytes, m_duplicateFrames, m_acksSent});
    }
    return *m_receiving;
}

void
Transport::DoDispose()
{
    m_sending.reset();
    m_receiving.reset();
    m_receivers.clear();
    m_nic = nullptr;
    m_path = nullptr;
    ns3::Object::DoDispose();
}

} // namespace inca
