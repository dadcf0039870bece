/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/transport-sender.h"

#include "base/wire-format.h"
#include "device/nic.h"
#include "device/simulated-time.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaTransportSender");

namespace
{

ns3::Ptr<Frame>
MakeFrame(ns3::Mac48Address peer, const OutgoingFrame& outgoing, std::uint64_t payloadBytes)
{
    const auto& message = outgoing.message->message;
    auto frame = MakeTransportFrame(FrameKind::DATA, outgoing.bytes);
    frame->destination = peer;
    frame->compressible = message.compressible;
    frame->bytes = outgoing.payload;
    frame->segment.number = outgoing.number;
    frame->segment.transmission = outgoing.transmission;
    frame->segment.tag = message.tag;
    frame->segment.messageBytes = message.plainBytes;
    frame->segment.offset = outgoing.offset;
    frame->segment.meanBits = message.meanBits;
    frame->segment.codec = message.codec;
    frame->segment.sentPs = message.sentPs;
    if (message.codedSizes && outgoing.bytes > 0)
    {
        frame->segment.codedBytes = message.codedSizes->at(outgoing.offset / payloadBytes);
    }
    frame->segment.repeated = outgoing.repeated;
    frame->segment.last = outgoing.offset + outgoing.bytes == message.plainBytes;
    return frame;
}

} // namespace

TransportSender::TransportSender(ns3::Ptr<Nic> nic,
                                 ns3::Ptr<HostPath> path,
                                 const SendLimits& limits,
                                 std::uint32_t txRing,
                                 SendCounts counts)
    : m_nic(std::move(nic)),
      m_path(std::move(path)),
      m_limits(limits),
      m_txRing(txRing),
      m_counts(counts),
      m_turn{[this] { Pump(); }},
      m_acks([this](const ns3::Ptr<Frame>& frame) { HandleAck(*frame); })
{
}

void
TransportSender::Send(Message message, std::function<void()> left)
{
    NS_LOG_FUNCTION(this);
    auto& connection = ConnectionTo(message.to);
    auto outgoing = std::make_shared<OutgoingMessage>();
    outgoing->message = std::move(message);
    outgoing->message.meanBits = PatternBits(outgoing->message.meanBits, m_limits.payloadBytes);
    outgoing->left = std::move(left);
    connection.Queue(std::move(outgoing));
    if (!std::exchange(connection.isVisited, true))
    {
        m_visited.push_back(&connection);
    }
    Activate(connection);
}

SendConnection&
TransportSender::ConnectionTo(ns3::Mac48Address peer)
{
    NS_LOG_FUNCTION(this << peer);
    if (m_lastAsked == nullptr || m_lastAsked->Peer() != peer)
    {
        const auto [found, isNew] = m_connections.try_emplace(peer, peer, m_limits);
        m_lastAsked = &found->second;
        if (isNew)
        {
            m_lastAsked->timer.onWake = [this, to = m_lastAsked] { Timeout(*to); };
        }
    }
    return *m_lastAsked;
}

void
TransportSender::Activate(SendConnection& connection)
{
    NS_LOG_FUNCTION(this);
    if (!connection.active && connection.HasFrame())
    {
        connection.active = true;
        m_active.push_back(&connection);
    }
    Pump();
}

void
TransportSender::Pump()
{
    NS_LOG_FUNCTION(this);
    while (!m_active.empty() && m_path->TakeTurn(m_turn))
    {
        if (!RingHasRoom())
        {
            WakeWhenRoom();
            return;
        }
        auto* connection = m_active.front();
        m_active.pop_front();
        connection->active = false;
        if (!connection->HasFrame())
        {
            continue;
        }
        m_unanswered += connection->HasOutstanding() ? 0 : 1;
        const auto frame = connection->NextFrame();
        if (connection->HasFrame())
        {
            connection->active = true;
            m_active.push_back(connection);
        }
        Work(*connection, frame);
    }
}

void
TransportSender::Work(SendConnection& connection, const OutgoingFrame& frame)
{
    NS_LOG_FUNCTION(this);
    const auto costPs = CostPs(frame);
    if (costPs == 0)
    {
        Commit(connection, frame);
        return;
    }
    m_working = frame;
    m_workingFor = &connection;
    m_path->Work(costPs, frame.first ? m_path->MessageCostPs() : 0, [this] { EndWork(); });
}

void
TransportSender::EndWork()
{
    NS_LOG_FUNCTION(this);
    const auto frame = *std::exchange(m_working, std::nullopt);
    Commit(*m_workingFor, frame);
}

void
TransportSender::Commit(SendConnection& connection, const OutgoingFrame& frame)
{
    NS_LOG_FUNCTION(this);
    const auto departure =
        m_nic->SendFrame(MakeFrame(connection.Peer(), frame, m_limits.payloadBytes));
    if (departure)
    {
        m_ring.push_back({*departure, m_nic->DeparturePath()});
        const PathLog::Scope scope;
        PathLog::Await(m_nic->DeparturePath());
        AnnounceLeft(*frame.message, frame.offset + frame.bytes, *departure);
    }
    ++(frame.repeated ? m_counts.repeatedFrames : m_counts.frames);
    NS_LOG_LOGIC((frame.repeated ? "repeats" : "sends")
                 << " frame " << frame.number << " to " << connection.Peer());
    connection.Sent(frame, NowPs());
    if (connection.timer.TimePs() == LazyTimer::NEVER_PS) // else the deadline is later now
    {
        WatchTimeout(connection);
    }
}

void
TransportSender::AnnounceLeft(OutgoingMessage& message,
                              std::uint64_t sentBytes,
                              std::int64_t departurePs)
{
    NS_LOG_FUNCTION(this << sentBytes << departurePs);
    if (!message.left || sentBytes != message.message.plainBytes)
    {
        return;
    }
    m_leaving.push_back({0,
                         message.message.to,
                         message.message.tag,
                         std::exchange(message.left, {}),
                         PathLog::Now()});
    const auto place = std::prev(m_leaving.end());
    place->eventUid = ScheduleOffPath(departurePs, [this, place] {
                          ResumePath(std::move(place->path));
                          const auto told = std::move(place->told);
                          m_leaving.erase(place);
                          told();
                      }).GetUid();
}

bool
TransportSender::RingHasRoom()
{
    NS_LOG_FUNCTION(this);
    const auto now = NowPs();
    while (!m_ring.empty() && m_ring.front().timePs <= now)
    {
        m_ring.pop_front();
    }
    return m_ring.size() < m_txRing;
}

void
TransportSender::WakeWhenRoom()
{
    NS_LOG_FUNCTION(this);
    if (m_wakePending)
    {
        return;
    }
    m_wakePending = true;
    // half of the ring at a time: fewer events, and the wire never idles
    const auto& half = m_ring[m_ring.size() - 1 - m_txRing / 2];
    const PathLog::Scope scope;
    PathLog::Follow(half.path);
    m_wake.ScheduleOnPathAt(half.timePs);
}

void
TransportSender::Wake()
{
    NS_LOG_FUNCTION(this);
    m_wakePending = false;
    Pump();
}

std::int64_t
TransportSender::CostPs(const OutgoingFrame& frame) const
{
    const auto& tag = frame.message->message.tag;
    if (tag.grant || tag.inside)
    {
        return 0;
    }
    return (frame.first ? m_path->MessageCostPs() : 0) + m_path->FrameCostPs(frame.bytes);
}

void
TransportSender::TakeAck(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    m_acks.Enter(std::move(frame), readyPs);
}

void
TransportSender::HandleAck(const Frame& frame)
{
    NS_LOG_FUNCTION(this);
    auto& connection = ConnectionTo(frame.source);
    const bool wasUnanswered = connection.HasOutstanding();
    const bool hadFrame = connection.HasFrame();
    connection.Acknowledge({frame.segment.number,
                            frame.segment.held,
                            frame.segment.transmission,
                            frame.segment.credit},
                           NowPs());
    if (connection.HasMessage())
    {
        m_counts.goesOn(frame.source);
    }
    m_unanswered -= wasUnanswered && !connection.HasOutstanding() ? 1 : 0;
    WatchTimeout(connection);
    if (!hadFrame && connection.HasFrame() && connection.HasWholeWindow())
    {
        MarkPath(PathKind::WINDOW, connection.FramesOfMessage());
    }
    Activate(connection);
    StopTimers();
}

void
TransportSender::StopTimers()
{
    NS_LOG_FUNCTION(this);
    if (m_unanswered == 0 && m_counts.users == 0)
    {
        for (auto* connection : m_visited)
        {
            connection->timer.Stop();
        }
    }
}

std::int64_t
TransportSender::LongestTimeoutPs() const
{
    std::int64_t longestPs = 0;
    for (const auto& [peer, connection] : m_connections)
    {
        longestPs = std::max(longestPs, connection.LongestTimeoutPs());
    }
    return longestPs;
}

/** Never later than the deadline, of what is sent from now on, too; one that is earlier finds that nothing is due. */
void
TransportSender::WatchTimeout(SendConnection& connection)
{
    NS_LOG_FUNCTION(this);
    const auto deadlinePs = std::max(NowPs(), connection.DeadlinePs());
    if (connection.HasOutstanding())
    {
        connection.timer.WakeBy(deadlinePs);
    }
    else if (connection.timer.TimePs() > deadlinePs)
    {
        connection.timer.Stop();
    }
}

void
TransportSender::Timeout(SendConnection& connection)
{
    NS_LOG_FUNCTION(this);
    const auto now = NowPs();
    if (connection.HasOutstanding() && connection.DeadlinePs() <= now)
    {
        const auto quiet = connection.QuietPath();
        if (const auto transmission = connection.TimeOut(now))
        {
            const PathLog::Scope scope;
            ResumePath(quiet);
            SendProbe(connection.Peer(), transmission);
        }
    }
    WatchTimeout(connection);
}

/** Idle connections are left out where ranks do nothing: only a new Send changes them. */
void
TransportSender::VisitConnections(StateVisitor& visitor)
{
    NS_LOG_FUNCTION(this);
    const auto self = ns3::Mac48Address::ConvertFrom(m_nic->GetAddress());
    const auto visit = [&](SendConnection& connection) {
        connection.VisitState(visitor, self);
        if (!visitor.IsRecording())
        {
            WatchTimeout(connection); // it may be due earlier now
        }
    };
    if (visitor.HasSteps())
    {
        for (auto& [peer, connection] : m_connections)
        {
            visit(connection);
        }
        return;
    }
    const auto isLeftOut = [](SendConnection* connection) {
        connection->isVisited = !connection->IsIdle();
        return !connection->isVisited;
    };
    m_visited.erase(std::remove_if(m_visited.begin(), m_visited.end(), isLeftOut), m_visited.end());
    for (auto* connection : m_visited)
    {
        visit(*connection);
    }
}

void
TransportSender::VisitState(StateVisitor& visitor)
{
    VisitConnections(visitor);
    const auto self = ns3::Mac48Address::ConvertFrom(m_nic->GetAddress());
    for (auto leaving = m_leaving.begin(); visitor.HasSteps() && leaving != m_leaving.end();
         ++leaving)
    {
        visitor.State(MacNumber(leaving->to));
        leaving->tag.VisitState(visitor, self, leaving->to);
        visitor.StepEvent(leaving->eventUid, StepEventKind::LEFT, WayNumber(self, leaving->to));
        visitor.Path(leaving->path);
    }
    for (std::size_t i = 0; i < m_active.size(); ++i)
    {
        visitor.State(MacNumber(m_active[i]->Peer()));
    }
    RingHasRoom(); // forgets what has left
    visitor.State(m_ring.size());
    for (std::size_t i = 0; i < m_ring.size(); ++i)
    {
        visitor.At(m_ring[i].timePs);
        visitor.Path(m_ring[i].path);
    }
    m_wake.VisitState(visitor);
    visitor.State(std::uint64_t{m_wakePending} | std::uint64_t{m_turn.isQueued} << 1U);
    VisitWork(visitor);
    m_acks.VisitState(visitor);
}

void
TransportSender::VisitWork(StateVisitor& visitor)
{
    NS_LOG_FUNCTION(this);
    if (!m_working)
    {
        return;
    }
    visitor.State(MacNumber(m_workingFor->Peer()));
    auto& message = m_working->message->message;
    message.VisitState(visitor, ns3::Mac48Address::ConvertFrom(m_nic->GetAddress()));
    visitor.State(m_working->bytes);
    visitor.State(std::uint64_t{m_working->repeated} << 1U | std::uint64_t{m_working->first});
    const bool isInQueue = m_working->offset + m_working->bytes < message.plainBytes;
    auto sentPs = message.sentPs;
    visitor.Progress(sentPs, m_working->offset);
    message.sentPs = isInQueue ? message.sentPs : sentPs; // what is in a queue is moved there
}

void
TransportSender::SendProbe(ns3::Mac48Address peer, std::uint64_t transmission)
{
    NS_LOG_FUNCTION(this << peer << transmission);
    NS_LOG_WARN("timeout: asks " << peer << " what is there");
    auto frame = MakeTransportFrame(FrameKind::PROBE, 0);
    frame->destination = peer;
    frame->segment.transmission = transmission;
    ++m_counts.probes;
    m_nic->SendFrame(std::move(frame));
}

} // namespace inca
