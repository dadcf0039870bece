/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-client.h"

#include "aggregation/adder-attribute.h"
#include "aggregation/flow-sums.h"
#include "device/frame.h"
#include "device/simulated-time.h"

#include "base/errors.h"
#include "base/word-sum.h"
#include "device/initial-attribute.h"

#include "ns3/integer.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaSlotClient");

NS_OBJECT_ENSURE_REGISTERED(SlotClient);

ns3::TypeId
SlotClient::GetTypeId()
{
    static ns3::TypeId tid = AddAttributes(ns3::TypeId("inca::SlotClient")
                                               .SetParent<AggregationClient>()
                                               .SetGroupName("Inca")
                                               .AddConstructor<SlotClient>());
    return tid;
}

ns3::TypeId
SlotClient::AddAttributes(ns3::TypeId tid)
{
    const SlotFormat byDefault;
    return tid
        .AddAttribute(
            "Slots",
            "packets that may be on their way: as many as the switches' pools have slots, "
            "else a lost sum may starve a worker",
            ns3::UintegerValue(byDefault.slots),
            Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_slots)),
            ns3::MakeUintegerChecker<std::uint32_t>(1, MOST_SLOTS))
        .AddAttribute(
            "Sequences",
            "of packets, each with its share of the slots: 2 where sums are shared out, and "
            "exchanges go on at the same time; as the switches'",
            ns3::UintegerValue(byDefault.sequences),
            Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_sequences)),
            ns3::MakeUintegerChecker<std::uint32_t>(1, PACKET_SEQUENCES))
        .AddAttribute(
            "ValuesPerPacket",
            "values in a packet",
            ns3::UintegerValue(byDefault.valuesPerPacket),
            Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_valuesPerPacket)),
            ns3::MakeUintegerChecker<std::uint16_t>(1))
        .AddAttribute("Adder",
                      "what the switches add",
                      ns3::EnumValue(PlaceOfAdder(byDefault.adder.name)),
                      Initially<SlotClient>(ns3::MakeAccessorHelper<decltype(ns3::EnumValue(0))>(
                          &SlotClient::m_adder)),
                      MakeAdderChecker())
        .AddAttribute("Scaling",
                      "integers: block (exponents one window ahead) or fixed",
                      ns3::EnumValue(static_cast<int>(byDefault.isFixed)),
                      Initially<SlotClient>(ns3::MakeAccessorHelper<decltype(ns3::EnumValue(0))>(
                          &SlotClient::m_scaling)),
                      ns3::MakeEnumChecker(0, SCALING_NAMES[0], 1, SCALING_NAMES[1]))
        .AddAttribute("FixedExponent",
                      "of fixed scaling: no value's magnitude is above 2 to this",
                      ns3::IntegerValue(byDefault.fixedExponent),
                      Initially<SlotClient>(ns3::MakeIntegerAccessor(&SlotClient::m_fixedExponent)),
                      ns3::MakeIntegerChecker<std::int16_t>())
        .AddAttribute(
            "Timeout",
            "from a packet's departure to its repetition",
            ns3::TimeValue(ns3::PicoSeconds(static_cast<std::uint64_t>(byDefault.timeoutPs))),
            Initially<SlotClient>(ns3::MakeTimeAccessor(&SlotClient::m_timeout)),
            ns3::MakeTimeChecker(ns3::NanoSeconds(1)))
        .AddAttribute("DoubleAfter",
                      "timeouts after which the timeout doubles; 0 = never",
                      ns3::UintegerValue(byDefault.doubleAfter),
                      Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_doubleAfter)),
                      ns3::MakeUintegerChecker<std::uint32_t>());
}

SlotClient::SlotClient()
    : m_turn{[this] { Pump(); }},
      m_arrivals([this](const ns3::Ptr<Frame>& frame) { Handle(frame->aggregation.packet); })
{
}

SlotClient::~SlotClient() = default; // here, where FlowSums is known

void
SlotClient::DoInstall()
{
    NS_LOG_FUNCTION(this);
    m_format.workers = Place().workers;
    m_format.sequences = m_sequences;
    m_format.slots = m_slots;
    m_format.valuesPerPacket = m_valuesPerPacket;
    m_format.adder = AdderAt(m_adder);
    m_format.isFixed = m_scaling == 1;
    m_format.fixedExponent = m_fixedExponent;
    for (std::uint32_t i = 0; i < m_sequences; ++i)
    {
        m_senders.emplace_back(static_cast<std::uint32_t>(m_format.SlotsOf(i)),
                               SlotTimeout{m_timeout.GetTimeStep(), m_doubleAfter});
    }
}

void
SlotClient::DoSum(ReductionRequest request)
{
    NS_LOG_FUNCTION(this);
    const auto& stream = m_streams.emplace_back(m_format, std::move(request));
    const auto name = m_firstStream + m_streams.size() - 1;
    if (m_flows)
    {
        m_flows->Ask(m_worker, name, stream.Size(), stream.Blocks(), stream.Prologue());
        return;
    }
    m_senders[stream.Sequence()].Begin(
        name, stream.Blocks(), stream.Prologue(), stream.PatternBlocks());
    Pump();
}

void
SlotClient::SetFlows(ns3::Ptr<FlowSums> flows, Rank worker)
{
    NS_LOG_FUNCTION(this << worker);
    m_flows = std::move(flows);
    m_worker = worker;
}

void
SlotClient::EndFlow(std::uint64_t stream, std::uint64_t packets, std::uint64_t bytes)
{
    NS_LOG_FUNCTION(this << stream << packets << bytes);
    CountSent(packets);
    CountReceived(bytes);
    End(stream);
}

void
SlotClient::Pump()
{
    NS_LOG_FUNCTION(this);
    while (Path().TakeTurn(m_turn))
    {
        const auto again = NextAgain();
        const auto packet = again ? again : NextOfAll();
        if (!packet)
        {
            return;
        }
        const PathLog::Scope scope;
        if (again)
        {
            ResumePath(SenderOf(*again).PathOf(again->number));
        }
        Work(*packet, again.has_value());
    }
}

std::optional<StreamPacket>
SlotClient::NextAgain()
{
    NS_LOG_FUNCTION(this);
    for (auto& sender : m_senders)
    {
        if (auto packet = sender.NextAgain())
        {
            return packet;
        }
    }
    return std::nullopt;
}

/** Packets of sequences alternate, as long as each has one. */
std::optional<StreamPacket>
SlotClient::NextOfAll()
{
    NS_LOG_FUNCTION(this);
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        auto& sender = m_senders[m_nextSender];
        m_nextSender = (m_nextSender + 1) % m_senders.size();
        if (auto packet = sender.Next())
        {
            return packet;
        }
    }
    return std::nullopt;
}

SlotSender&
SlotClient::SenderOf(const StreamPacket& packet)
{
    NS_LOG_FUNCTION(this);
    return m_senders[Stream(packet.stream).Sequence()];
}

void
SlotClient::Work(const StreamPacket& packet, bool repeated)
{
    NS_LOG_FUNCTION(this << repeated);
    auto& stream = Stream(packet.stream);
    const auto plainBytes = stream.Sends(packet) ? m_format.PayloadBytes(*m_format.adder.term) : 0;
    const auto isFirst = stream.TakeFirst();
    const auto costPs = FrameCostPs(plainBytes) + (isFirst ? MessageCostPs() : 0);
    if (costPs == 0)
    {
        Transmit(packet, repeated);
        return;
    }
    m_working = packet;
    m_workingSequence = stream.Sequence();
    m_workingAgain = repeated;
    Path().Work(costPs, isFirst ? MessageCostPs() : 0, [this] { HostDone(); });
}

std::int64_t
SlotClient::FrameCostPs(std::uint64_t plainBytes) const
{
    return Place().inNode ? 0 : Path().FrameCostPs(plainBytes);
}

std::int64_t
SlotClient::MessageCostPs() const
{
    return Place().inNode ? 0 : Path().MessageCostPs();
}

void
SlotClient::HostDone()
{
    NS_LOG_FUNCTION(this);
    // A sum may have come while the host worked: what it made is not needed then.
    if (!m_workingAgain || m_senders[m_workingSequence].Missing(m_working.number))
    {
        Transmit(m_working, m_workingAgain);
    }
}

void
SlotClient::DoVisitState(StateVisitor& visitor)
{
    NS_LOG_FUNCTION(this);
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        m_senders[i].VisitState(visitor, i);
    }
    m_arrivals.VisitState(visitor);
    if (m_senders.size() > 1)
    {
        visitor.State(m_nextSender);
    }
    visitor.State(m_streams.size());
    visitor.State(m_turn.isQueued ? 1 : 0);
    visitor.ForeignEvent(m_timer.EventUid());
    WakeForNext(); // which may be due earlier, when it was moved on
    const auto moved = visitor.PacketsMoved(m_workingSequence);
    m_working.number += moved;
    for (auto* block : {&m_working.block, &m_working.exponentOf})
    {
        if (*block)
        {
            **block += moved;
        }
    }
}

void
SlotClient::Transmit(const StreamPacket& packet, bool repeated)
{
    NS_LOG_FUNCTION(this << repeated);
    const auto departurePs = Send(MakeFrame(packet, repeated));
    const PathLog::Scope scope;
    PathLog::Await(DeparturePath());
    m_timer.WakeBy(SenderOf(packet).Sent(packet.number, departurePs));
}

ns3::Ptr<Frame>
SlotClient::MakeFrame(const StreamPacket& packet, bool repeated)
{
    std::uint64_t clamped = 0;
    auto sent = Stream(packet.stream).MakePacket(packet, clamped);
    sent.afterLoss = repeated;
    if (clamped > 0 && !repeated)
    {
        CountClamped(clamped);
    }
    auto frame = MakeAggregationFrame(sent, sent.values > 0 ? m_valuesPerPacket : 0, false);
    frame->aggregation.repeated = repeated;
    return frame;
}

void
SlotClient::WakeForNext()
{
    NS_LOG_FUNCTION(this);
    for (const auto& sender : m_senders)
    {
        m_timer.WakeBy(sender.NextDuePs().value_or(LazyTimer::NEVER_PS));
    }
}

void
SlotClient::Timeout()
{
    NS_LOG_FUNCTION(this);
    for (auto& sender : m_senders)
    {
        sender.TimeOut(NowPs());
    }
    WakeForNext();
    Pump();
}

void
SlotClient::DoReceive(ns3::Ptr<Frame> frame, std::int64_t readyPs)
{
    NS_LOG_FUNCTION(this << *frame << readyPs);
    const auto costPs = FrameCostPs(frame->plainBytes);
    m_arrivals.Enter(std::move(frame), Path().Receive(readyPs, costPs));
}

void
SlotClient::Handle(const SlotPacket& sum)
{
    NS_LOG_FUNCTION(this);
    if (sum.sequence >= m_senders.size())
    {
        throw InputError("a switch sent a packet of sequence " + std::to_string(sum.sequence) +
                         ": inca::SlotProgram::Sequences is above inca::SlotClient::Sequences");
    }
    auto& sender = m_senders[sum.sequence];
    const auto packet = sender.Receive(sum.number, sum.afterLoss);
    if (!packet)
    {
        return; // came before
    }
    auto& stream = Stream(packet->stream);
    CountReceived(stream.Take(*packet, sum));
    if (stream.EndsPattern(*packet) && SetsThePace(sender))
    {
        NotifyPeriodEnd();
    }
    {
        const PathLog::Scope scope;
        MarkPath(
            PathKind::SLOTS,
            static_cast<std::uint32_t>(stream.Blocks() << 1U | (stream.Prologue() > 0 ? 1U : 0U)));
        Pump();
    }
    if (packet->endsStream)
    {
        End(packet->stream);
    }
    if (Users() == 0)
    {
        DoRest();
    }
}

/** Waits for no timeout once all is answered. */
void
SlotClient::DoRest()
{
    NS_LOG_FUNCTION(this);
    if (std::all_of(m_senders.begin(), m_senders.end(), [](const SlotSender& each) {
            return each.Outstanding() == 0;
        }))
    {
        m_timer.Stop();
    }
}

/** Of all that are under way, the first one. */
bool
SlotClient::SetsThePace(const SlotSender& sender) const
{
    return &sender == &m_senders.front() || m_senders.front().Outstanding() == 0;
}

void
SlotClient::End(std::uint64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    Stream(stream).End();
    while (!m_streams.empty() && m_streams.front().HasEnded())
    {
        m_streams.pop_front();
        ++m_firstStream;
    }
}

SlotStream&
SlotClient::Stream(std::uint64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    return m_streams[stream - m_firstStream];
}

std::int64_t
SlotClient::DoLongestTimeoutPs() const
{
    return m_senders.empty() ? 0 : m_senders.front().LongestTimeoutPs(); // the same of all
}

bool
SlotClient::DoGathersApart() const
{
    return m_senders.size() > 1;
}

SlotFormat
SlotClient::DoFormat() const
{
    return m_format;
}

std::string
SlotClient::DoState() const
{
    std::string text;
    for (const auto& sender : m_senders)
    {
        if (const auto oldest = sender.Oldest())
        {
            text += (text.empty() ? "" : "; ") + StateOf(sender, *oldest);
        }
    }
    return text.empty() ? "no packet is on the way" : text;
}

std::string
SlotClient::StateOf(const SlotSender& sender, std::uint64_t oldest)
{
    const auto count = sender.Outstanding();
    const auto timesSent = sender.TimesSent(oldest);
    return std::to_string(count) + (count == 1 ? " packet is" : " packets are") +
           " on the way, the oldest, " + std::to_string(oldest) + ", was sent " +
           std::to_string(timesSent) + (timesSent == 1 ? " time" : " times");
}

void
SlotClient::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_timer.Stop();
    m_streams.clear();
    if (m_flows)
    {
        m_flows->Dispose();
        m_flows = nullptr;
    }
    AggregationClient::DoDispose();
}

} // namespace inca
