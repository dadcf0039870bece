/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/flow-transport.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "device/initial-attribute.h"
#include "device/simulated-time.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaFlowTransport");

NS_OBJECT_ENSURE_REGISTERED(FlowTransport);

namespace
{

constexpr std::uint64_t g_emptyFrameBytes{
    FrameWireBytes(INCA_HEADER_BYTES)}; ///< an acknowledgement, a grant

/** A frame with so much payload, preamble to gap. (bytes) */
std::uint64_t
OnWire(std::uint64_t payloadBytes)
{
    return FrameWireBytes(INCA_HEADER_BYTES + payloadBytes);
}

ns3::Time
After(std::int64_t ps)
{
    return ns3::TimeStep(static_cast<std::uint64_t>(ps));
}

} // namespace

ns3::TypeId
FlowTransport::GetTypeId()
{
    static ns3::TypeId tid =
        ns3::TypeId("inca::FlowTransport")
            .SetParent<MessageTransport>()
            .SetGroupName("Inca")
            .AddConstructor<FlowTransport>()
            .AddAttribute("Window",
                          "frames sent and not acknowledged, per connection",
                          ns3::UintegerValue(64),
                          ns3::MakeUintegerAccessor(&FlowTransport::m_window),
                          ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("AckEvery",
                          "data frames per acknowledgement; at most Window counts",
                          ns3::UintegerValue(16),
                          ns3::MakeUintegerAccessor(&FlowTransport::m_ackEvery),
                          ns3::MakeUintegerChecker<std::uint32_t>(1))
            .AddAttribute("TxRing",
                          "own frames that may wait in the NIC",
                          ns3::UintegerValue(8),
                          ns3::MakeUintegerAccessor(&FlowTransport::m_txRing),
                          ns3::MakeUintegerChecker<std::uint32_t>(1));
    return tid;
}

void
FlowTransport::SetNetwork(ns3::Ptr<FlowNetwork> network, std::uint32_t host)
{
    NS_LOG_FUNCTION(this << host);
    m_network = std::move(network);
    m_host = host;
}

void
FlowTransport::SetNic(ns3::Ptr<Nic> nic)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(nic->GetNode(), "a NIC is on its node before a transport uses it");
    m_nic = std::move(nic);
    m_node = m_nic->GetNode()->GetId();
    m_path = HostPath::Of(m_nic->GetNode());
}

void
FlowTransport::SetPeers(PeerLookup peers)
{
    NS_LOG_FUNCTION(this);
    m_peers = std::move(peers);
}

void
FlowTransport::VisitState(StateVisitor& visitor)
{
    visitor.Aperiodic(); // rates are no integers
}

double
FlowTransport::LongestSilencePs(double /*timeoutsInVain*/) const
{
    return m_network ? static_cast<double>(m_network->NextEventPs()) : 0;
}

void
FlowTransport::DoSend(Message message, std::function<void()> left)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_network && m_peers, "a flow transport needs a FlowNetwork and its peers");
    if (m_payloadBytes == 0)
    {
        m_payloadBytes = MaxPayloadBytes(m_nic->GetMtu(), m_groupValues);
        RequireRoom(m_payloadBytes);
        m_address = ns3::Mac48Address::ConvertFrom(m_nic->GetAddress());
    }
    if (message.tag.grant)
    {
        SendGrant(message);
        return;
    }
    auto& connection = ConnectionTo(message.to);
    connection.isInside = message.tag.inside;
    const auto outgoing = std::make_shared<Outgoing>(*this, connection);
    outgoing->message = std::move(message);
    outgoing->message.meanBits = PatternBits(outgoing->message.meanBits, m_payloadBytes);
    outgoing->frames = FramesOf(outgoing->message);
    outgoing->left = std::move(left);
    connection.waiting.push_back(outgoing);
    if (connection.waiting.size() == 1 &&
        (connection.unsent == 0 || MessageCostPs(connection) == 0))
    {
        // what waits in a busy NIC goes first
        const bool isBehindOthers =
            connection.unsent == 0 && m_network->IsFull(FlowNetwork::LinkOf(m_host));
        Prepare(connection, NowPs(), isBehindOthers ? RingPs() : 0);
    }
}

FlowTransport::Connection&
FlowTransport::ConnectionTo(ns3::Mac48Address address)
{
    NS_LOG_FUNCTION(this << address);
    auto& connection = m_connections[address];
    if (connection.peer == nullptr)
    {
        connection.peer = dynamic_cast<FlowTransport*>(m_peers(address));
        NS_ABORT_MSG_UNLESS(connection.peer, "all transports of a network carry flows, or none");
        connection.way = m_network->WayOf(m_host, connection.peer->m_host);
        connection.wayBack = m_network->WayOf(connection.peer->m_host, m_host);
    }
    return connection;
}

/** It goes ahead of all else: only the way takes its time. */
void
FlowTransport::SendGrant(const Message& grant)
{
    NS_LOG_FUNCTION(this);
    const auto& connection = ConnectionTo(grant.to);
    std::int64_t ps = 0;
    for (const auto link : connection.way)
    {
        const auto& on = m_network->Link(link);
        ps += SerialisationPs(g_emptyFrameBytes, on.port->BitsPerSecond()) + on.latencyPs;
    }
    CountFrames({1, 0, 0, 0, 0, false}, connection);
    const PathLog::Scope scope;
    ExtendPath(PathKind::LATENCY, NowPs() + ps);
    ns3::Simulator::ScheduleWithContext(
        connection.peer->m_node, After(ps), [peer = connection.peer, grant, from = m_address] {
            peer->Arrive(grant, from, 0);
        });
}

/** How long the frames take that wait in a NIC that is busy: between half of the ring and all of it. */
std::int64_t
FlowTransport::RingPs() const
{
    return SerialisationPs(std::uint64_t{3} * m_txRing * OnWire(m_payloadBytes) / 4,
                           m_nic->BitsPerSecond());
}

/**
 * Has the first waiting message go on when the host has worked on what it costs, in turn with those to others.
 * @param connection on which it waits
 * @param fromPs when the host has nothing else of this connection to do; may be past
 * @param leastPs how long it waits in any case
 */
void
FlowTransport::Prepare(Connection& connection, std::int64_t fromPs, std::int64_t leastPs)
{
    NS_LOG_FUNCTION(this << fromPs << leastPs);
    const auto nowPs = NowPs();
    auto beginPs = nowPs + leastPs;
    if (const auto costPs = MessageCostPs(connection); costPs > 0)
    {
        m_costsUntilPs = std::max(m_costsUntilPs, fromPs) + costPs;
        beginPs = std::max(beginPs, m_costsUntilPs);
    }
    if (beginPs == nowPs)
    {
        GoOn(connection);
        return;
    }
    connection.isHeldUp = true;
    const PathLog::Scope scope;
    if (MessageCostPs(connection) > 0)
    {
        PathLog::Extend(PathKind::HOST_MESSAGE, m_node, std::min(beginPs, m_costsUntilPs));
    }
    m_network->PlaceOf(FlowNetwork::LinkOf(m_host)).ExtendPath(beginPs); // behind others in its NIC
    ns3::Simulator::Schedule(Until(beginPs), [this, &connection] {
        connection.isHeldUp = false;
        GoOn(connection);
    });
}

std::int64_t
FlowTransport::MessageCostPs(const Connection& connection) const
{
    return connection.isInside ? 0 : m_path->MessageCostPs();
}

/** Has the flow carry the first waiting message, and all that wait where messages cost nothing. */
void
FlowTransport::GoOn(Connection& connection)
{
    NS_LOG_FUNCTION(this);
    while (BeginFirst(connection) && !connection.waiting.empty() && MessageCostPs(connection) == 0)
    {
    }
}

/** @return whether it could: messages before it are of the same kind, or have been carried */
bool
FlowTransport::BeginFirst(Connection& connection)
{
    NS_LOG_FUNCTION(this);
    const auto outgoing = connection.waiting.front();
    auto kind = KindOf(outgoing->frames, connection);
    if (connection.inFlow > 0 && kind != connection.kind && kind->load != connection.kind->load)
    {
        return false;
    }
    connection.waiting.pop_front();
    connection.kind = kind;
    outgoing->path = PathLog::Now();
    outgoing->units = kind->units;
    outgoing->kind = std::move(kind);
    TakeFromWindow(connection, *outgoing);
    ++connection.unsent;
    if (connection.inFlow++ > 0)
    {
        m_network->Append(connection.flow, outgoing);
    }
    else
    {
        connection.flow = m_network->Begin({connection.kind, &connection.kind->load}, outgoing);
    }
    return true;
}

/** Has a message that begins wait for what others before it have sent and is not acknowledged. */
void
FlowTransport::TakeFromWindow(Connection& connection, Outgoing& next) const
{
    auto& unacked = connection.unacked;
    while (!unacked.empty() && unacked.front().untilPs <= NowPs())
    {
        unacked.pop_front();
    }
    const auto unitsOfFrame = next.units / static_cast<double>(next.frames.count);
    auto left = next.kind->load.window;
    for (std::size_t i = 0; i < unacked.size() && left > 0; ++i)
    {
        const auto units = std::min(left, unacked[i].units * unitsOfFrame);
        next.unacked.push_back({units, unacked[i].untilPs});
        left -= units;
    }
    next.isHeldBack = left < next.units;
    next.framesAtOnce = left / unitsOfFrame;
    next.beganPs = NowPs();
}

/** Keeps what a message that was sent leaves for those behind it to wait for: what went at last, and what went at once. */
void
FlowTransport::AddUnacked(Connection& connection, const Outgoing& sent) const
{
    const auto& kind = *sent.kind;
    const auto before = sent.frames.count - 1; // acknowledged in whole groups
    const auto ofGroup = static_cast<double>(before % FramesPerAck() + 1);
    const auto ofTrip = m_window / FramesPerAck() * FramesPerAck();
    const auto ofWindow = before < m_window ? before : (before - m_window) % ofTrip;
    const auto all = std::max(ofGroup, static_cast<double>(ofWindow + 1));
    const auto behind = static_cast<double>(sent.frames.count) - sent.framesAtOnce;
    const auto last = behind > 0 ? std::clamp(behind, ofGroup, all) : all;
    const auto firstAckedPs = sent.beganPs + std::llround(kind.load.roundTripPs);
    if (all > last && firstAckedPs > NowPs())
    {
        connection.unacked.push_back({all - last, firstAckedPs});
    }
    const auto untilPs =
        kind.load.roundTripPs - std::max<double>(FramesPerAck(), last) * kind.framePs;
    connection.unacked.push_back({last, NowPs() + std::llround(untilPs)});
}

void
FlowTransport::Sent(Connection& connection, Outgoing& outgoing)
{
    NS_LOG_FUNCTION(this);
    if (outgoing.kind->framePs > 0)
    {
        AddUnacked(connection, outgoing);
    }
    const PathLog::Scope scope;
    PathLog::Follow(std::move(outgoing.path));
    PathLog::Await(connection.sentPath);
    if (outgoing.isHeldBack)
    {
        outgoing.kind->trip.ExtendPath(PathKind::WINDOW, NowPs());
    }
    outgoing.kind->slowest.ExtendPath(NowPs());
    outgoing.path = connection.sentPath = PathLog::Now();
    if (outgoing.left)
    {
        const PathLog::Scope inner;
        outgoing.kind->slowest.ExtendPath(NowPs() + outgoing.kind->untilLeftPs);
        ScheduleOnPath(m_node, NowPs() + outgoing.kind->untilLeftPs, std::move(outgoing.left));
    }
    --connection.unsent;
    if (!connection.waiting.empty() && !connection.isHeldUp && MessageCostPs(connection) > 0)
    {
        // it has worked on that while the last frames waited in the NIC
        Prepare(connection, NowPs() - RingPs(), 0);
    }
}

void
FlowTransport::Carried(Connection& connection, Outgoing& outgoing, double waitPs)
{
    NS_LOG_FUNCTION(this << waitPs);
    CountFrames(outgoing.frames, connection);
    const auto arrivalPs = NowPs() + outgoing.kind->untilArrivedPs + std::llround(waitPs);
    const PathLog::Scope scope;
    PathLog::Follow(std::move(outgoing.path));
    m_network->ExtendPath(outgoing.kind->slowestBehind, connection.way, arrivalPs);
    ScheduleOnPath(connection.peer->m_node,
                   arrivalPs,
                   [peer = connection.peer,
                    from = m_address,
                    message = std::move(outgoing.message),
                    wirePayloadBytes = outgoing.frames.wirePayloadBytes]() mutable {
                       peer->Arrive(std::move(message), from, wirePayloadBytes);
                   });
    --connection.inFlow;
    if (connection.inFlow == 0 && !connection.waiting.empty() && !connection.isHeldUp)
    {
        GoOn(connection); // it is of another kind
    }
}

void
FlowTransport::Arrive(Message message, ns3::Mac48Address from, std::uint64_t wirePayloadBytes)
{
    NS_LOG_FUNCTION(this << from << wirePayloadBytes);
    m_deliveredBytes += message.plainBytes;
    Deliver({from,
             message.tag,
             message.plainBytes,
             wirePayloadBytes,
             std::move(message.payload),
             message.sentPs});
}

bool
FlowTransport::Frames::operator==(const Frames& other) const
{
    return plainBytes == other.plainBytes && wirePayloadBytes == other.wirePayloadBytes &&
           lastPayloadBytes == other.lastPayloadBytes && isCoded == other.isCoded;
}

std::uint64_t
FlowTransport::Frames::FullPayloadBytes() const
{
    return count == 1 ? 0 : (wirePayloadBytes - lastPayloadBytes) / (count - 1);
}

std::uint64_t
FlowTransport::Frames::WireBytes() const
{
    const auto full = FullPayloadBytes();
    const auto rest =
        wirePayloadBytes - lastPayloadBytes - (count - 1) * full; // as coded frames differ
    return (count - 1) * OnWire(full) + rest + OnWire(lastPayloadBytes);
}

FlowTransport::Frames
FlowTransport::FramesOf(const Message& message) const
{
    Frames frames;
    frames.plainBytes = message.plainBytes;
    frames.count =
        std::max<std::uint64_t>(1, (message.plainBytes + m_payloadBytes - 1) / m_payloadBytes);
    frames.lastPlainBytes = message.plainBytes - (frames.count - 1) * m_payloadBytes;
    frames.wirePayloadBytes = frames.plainBytes;
    frames.lastPayloadBytes = frames.lastPlainBytes;
    const auto engine = m_nic->Compression();
    frames.isCoded = message.compressible && engine && engine->Coding() && message.plainBytes > 0 &&
                     message.plainBytes % VALUE_BYTES == 0;
    if (frames.isCoded && message.codedSizes)
    {
        const auto& sizes = *message.codedSizes;
        frames.wirePayloadBytes = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
        frames.lastPayloadBytes = sizes.back();
    }
    else if (frames.isCoded)
    {
        const auto lastBegin = frames.plainBytes - frames.lastPlainBytes;
        frames.wirePayloadBytes = ExpectedStreamBytes(message.meanBits, 0, frames.plainBytes);
        frames.lastPayloadBytes =
            ExpectedStreamBytes(message.meanBits, lastBegin, frames.lastPlainBytes);
    }
    return frames;
}

std::shared_ptr<const FlowTransport::Kind>
FlowTransport::KindOf(const Frames& frames, const Connection& connection)
{
    NS_LOG_FUNCTION(this);
    if (connection.kind && connection.kind->frames == frames)
    {
        return connection.kind;
    }
    auto kind = std::make_shared<Kind>();
    kind->frames = frames;
    kind->units = Units(frames);
    FindStages(frames, connection);
    FindEnds(*kind);
    FindLoad(*kind, connection);
    return kind;
}

/** What frames pass, in their order. */
void
FlowTransport::FindStages(const Frames& frames, const Connection& connection)
{
    NS_LOG_FUNCTION(this);
    const auto& peer = *connection.peer;
    const auto full = static_cast<double>(frames.count - 1);
    const PayloadSizes fullSizes{m_payloadBytes, frames.FullPayloadBytes()};
    const PayloadSizes lastSizes{frames.lastPlainBytes, frames.lastPayloadBytes};
    m_stages.clear();
    const auto add = [this, full](std::uint32_t resource,
                                  const FlowPlace& place,
                                  double fullPs,
                                  double lastPs,
                                  std::int64_t thenPs) {
        m_stages.push_back({resource,
                            full * fullPs + lastPs,
                            full > 0 ? fullPs : lastPs,
                            lastPs,
                            static_cast<double>(thenPs),
                            place});
    };
    const auto addLane = [&](std::uint32_t resource, std::uint32_t at, const HostPath& path) {
        const auto fullPs = path.FrameCostPs(fullSizes.plainBytes);
        if (fullPs > 0 && !connection.isInside)
        {
            const auto lastPs = path.FrameCostPs(lastSizes.plainBytes);
            add(resource,
                {path.FrameKind(), at},
                static_cast<double>(fullPs),
                static_cast<double>(lastPs),
                0);
        }
    };
    const auto addEngine = [&](std::uint32_t resource, FlowPlace place, const Engine& engine) {
        add(resource,
            place,
            static_cast<double>(engine.WorkOnPs(fullSizes)),
            static_cast<double>(engine.WorkOnPs(lastSizes)),
            engine.LatencyPs());
    };
    addLane(m_network->LaneOf(m_host), m_node, *m_path);
    if (frames.isCoded)
    {
        addEngine(
            m_network->EngineOf(m_host), {PathKind::COMPRESSION, m_node}, *m_nic->Compression());
    }
    m_uplink = m_stages.size();
    for (const auto link : connection.way)
    {
        const auto& on = m_network->Link(link);
        add(link,
            m_network->PlaceOf(link),
            on.PsPerByte() * static_cast<double>(OnWire(fullSizes.wireBytes)),
            on.PsPerByte() * static_cast<double>(OnWire(lastSizes.wireBytes)),
            on.latencyPs);
    }
    const auto last =
        m_stages.back()
            .resource; // what the receiver does with what comes is one queue with its link
    if (frames.isCoded)
    {
        addEngine(last, {PathKind::DECOMPRESSION, peer.m_node}, *peer.m_nic->Decompression());
    }
    addLane(last, peer.m_node, *peer.m_path);
}

/** Of the stages from @p first to before @p end; the last of equal ones: a short last frame waits behind a full one in all of them. */
std::size_t
FlowTransport::SlowestStage(std::size_t first, std::size_t end) const
{
    constexpr double rounding = 1e-9;
    auto slowest = first;
    for (auto i = first + 1; i < end; ++i)
    {
        slowest = m_stages[i].totalPs >= m_stages[slowest].totalPs * (1 - rounding) ? i : slowest;
    }
    return slowest;
}

/**
 * What a message takes beside its flow: a frame on each stage but the slowest, the first one before that and the last
 * one behind it.
 */
void
FlowTransport::FindEnds(Kind& kind) const
{
    const auto restPs = [this](std::size_t end) {
        const auto slowest = SlowestStage(0, end);
        double ps = 0;
        for (std::size_t i = 0; i < end; ++i)
        {
            const auto& stage = m_stages[i];
            ps += (i < slowest   ? stage.firstPs
                   : i > slowest ? stage.lastPs
                                 : 0) +
                  (i + 1 < end ? stage.thenPs : 0);
        }
        return ps;
    };
    kind.untilLeftPs = std::llround(restPs(m_uplink + 1));
    const auto behind = std::min(m_uplink + 1, m_stages.size() - 1);
    kind.slowest = m_stages[SlowestStage(0, m_stages.size())].place;
    kind.slowestBehind = m_stages[SlowestStage(behind, m_stages.size())].place;
    kind.untilArrivedPs = std::llround(restPs(m_stages.size()) + m_stages.back().thenPs);
}

/** In full frames, by their size on the wire: so messages of many frames are alike, whatever their last ones are. */
double
FlowTransport::Units(const Frames& frames) const
{
    const auto full = frames.count > 1 ? frames.FullPayloadBytes() : m_payloadBytes;
    return static_cast<double>(frames.WireBytes()) / static_cast<double>(OnWire(full));
}

/** What a unit of a message takes of all that it passes (FindStages). */
void
FlowTransport::FindLoad(Kind& kind, const Connection& connection) const
{
    const auto& frames = kind.frames;
    const auto units = kind.units;
    auto& load = kind.load;
    double roundTripPs = 0;
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const auto& stage = m_stages[i];
        AddUse(i <= m_uplink ? load.sending : load.queues, {stage.resource, stage.totalPs / units});
        roundTripPs += stage.firstPs + stage.thenPs;
    }
    const auto ackBytes = static_cast<double>(AcksOf(frames) * g_emptyFrameBytes);
    for (const auto link : connection.wayBack)
    {
        const auto& on = m_network->Link(link);
        load.acks.push_back({link, ackBytes * on.PsPerByte() / units});
        roundTripPs += static_cast<double>(g_emptyFrameBytes) * on.PsPerByte() +
                       static_cast<double>(on.latencyPs);
    }
    // so many go while the last frame of the first acknowledgement is sent, gets there and is answered
    load.window = m_window;
    load.acked = FramesPerAck();
    const auto& slowest = m_stages[SlowestStage(0, m_stages.size())];
    load.roundTripPs = (FramesPerAck() - 1) * slowest.firstPs + roundTripPs;
    if (load.window * slowest.totalPs / units >= load.roundTripPs)
    {
        return;
    }
    kind.framePs = slowest.firstPs;
    if (PathLog::IsOn())
    {
        kind.trip = TripOf(connection);
    }
}

/** Of the first frame that is acknowledged: with those that its acknowledgement waits for. */
FlowTrip
FlowTransport::TripOf(const Connection& connection) const
{
    FlowTrip trip;
    const auto slowest = SlowestStage(0, m_stages.size());
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const auto& stage = m_stages[i];
        trip.Add(stage.place,
                 (i == slowest ? FramesPerAck() : 1) * stage.firstPs,
                 stage.thenPs,
                 m_network->LinkAt(stage.place, stage.resource));
    }
    for (const auto link : connection.wayBack)
    {
        const auto& on = m_network->Link(link);
        trip.Add(m_network->PlaceOf(link),
                 static_cast<double>(g_emptyFrameBytes) * on.PsPerByte(),
                 static_cast<double>(on.latencyPs),
                 &on);
    }
    return trip;
}

/** A window that is full before an acknowledgement is due would wait for ever. */
std::uint32_t
FlowTransport::FramesPerAck() const
{
    return std::min(m_ackEvery, m_window);
}

std::uint64_t
FlowTransport::AcksOf(const Frames& frames) const
{
    return (frames.count + FramesPerAck() - 1) / FramesPerAck();
}

/** On all links, there and back. */
void
FlowTransport::CountFrames(const Frames& frames, const Connection& connection) const
{
    const auto wireBytes = frames.WireBytes();
    for (const auto link : connection.way)
    {
        m_network->Count(link, frames.count, {frames.plainBytes, wireBytes});
    }
    const auto acks = AcksOf(frames);
    for (const auto link : connection.wayBack)
    {
        m_network->Count(link, acks, {0, acks * g_emptyFrameBytes});
    }
}

void
FlowTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_connections.clear();
    if (m_network)
    {
        m_network->Dispose();
    }
    m_network = nullptr;
    m_peers = nullptr;
    m_nic = nullptr;
    m_path = nullptr;
    MessageTransport::DoDispose();
}

} // namespace inca
