/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-client.h"

#include "aggregation/slot-program.h"
#include "device/frame.h"
#include "device/simulated-time.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/word-sum.h"
#include "device/initial-attribute.h"
#include "exchange/slot-packet.h"

#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(SlotClient);

namespace
{

constexpr const char* DEFAULT_ADDER{"int32"};
constexpr const char* BLOCK_SCALING{"block"};
constexpr const char* FIXED_SCALING{"fixed"};

void
CheckOneOf(const std::string& attribute,
           const std::string& value,
           const std::vector<std::string>& known)
{
    if (std::find(known.begin(), known.end(), value) == known.end())
    {
        throw InputError("inca::SlotClient::" + attribute + ": " + UnknownName(value, known));
    }
}

} // namespace

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
    return tid
        .AddAttribute(
            "Slots",
            "packets that may be on their way: as many as the switches' pools have slots, "
            "else a lost sum may starve a worker",
            ns3::UintegerValue(128),
            Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_slots)),
            ns3::MakeUintegerChecker<std::uint32_t>(1, MAX_SLOTS))
        .AddAttribute(
            "Sequences",
            "of packets, each with its share of the slots: 2 where sums are shared out, and "
            "exchanges go on at the same time; as the switches'",
            ns3::UintegerValue(1),
            Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_sequenceCount)),
            ns3::MakeUintegerChecker<std::uint32_t>(1, MOST_SEQUENCES))
        .AddAttribute(
            "ValuesPerPacket",
            "values in a packet",
            ns3::UintegerValue(256),
            Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_valuesPerPacket)),
            ns3::MakeUintegerChecker<std::uint16_t>(1))
        .AddAttribute("Adder",
                      "what the switches add: a name of inca::AdderNames",
                      ns3::StringValue(DEFAULT_ADDER),
                      Initially<SlotClient>(ns3::MakeStringAccessor(&SlotClient::m_adder)),
                      ns3::MakeStringChecker())
        .AddAttribute("Scaling",
                      "integers: block (exponents one window ahead) or fixed",
                      ns3::StringValue(BLOCK_SCALING),
                      Initially<SlotClient>(ns3::MakeStringAccessor(&SlotClient::m_scaling)),
                      ns3::MakeStringChecker())
        .AddAttribute("FixedExponent",
                      "of fixed scaling: no value's magnitude is above 2 to this",
                      ns3::IntegerValue(0),
                      Initially<SlotClient>(ns3::MakeIntegerAccessor(&SlotClient::m_fixedExponent)),
                      ns3::MakeIntegerChecker<std::int16_t>())
        .AddAttribute("Timeout",
                      "from a packet's departure to its repetition",
                      ns3::TimeValue(ns3::MilliSeconds(1)),
                      Initially<SlotClient>(ns3::MakeTimeAccessor(&SlotClient::m_timeout)),
                      ns3::MakeTimeChecker(ns3::NanoSeconds(1)))
        .AddAttribute("DoubleAfter",
                      "timeouts after which the timeout doubles; 0 = never",
                      ns3::UintegerValue(100),
                      Initially<SlotClient>(ns3::MakeUintegerAccessor(&SlotClient::m_doubleAfter)),
                      ns3::MakeUintegerChecker<std::uint32_t>());
}

SlotClient::SlotClient()
    : m_turn{[this] { Pump(); }},
      m_arrivals([this](const ns3::Ptr<Frame>& frame) { Handle(frame->aggregation.packet); })
{
}

void
SlotClient::DoInstall()
{
    CheckOneOf("Adder", m_adder, AdderNames());
    CheckOneOf("Scaling", m_scaling, {BLOCK_SCALING, FIXED_SCALING});
    auto coding = std::make_shared<SlotCoding>();
    coding->valuesPerPacket = m_valuesPerPacket;
    coding->fixedExponent = m_fixedExponent;
    coding->slots = m_slots;
    coding->adder = AdderNamed(m_adder);
    if (coding->adder.isExact)
    {
        coding->scaledFor = Place().workers;
        coding->exponentsAhead = m_scaling == BLOCK_SCALING;
    }
    m_coding = coding;
    for (std::uint32_t i = 0; i < m_sequenceCount; ++i)
    {
        const auto slots = static_cast<std::uint32_t>(SlotsOfSequence(m_slots, m_sequenceCount, i));
        m_senders.emplace_back(slots, SlotTimeout{m_timeout.GetTimeStep(), m_doubleAfter});
    }
}

void
SlotClient::DoSum(ReductionRequest request)
{
    const auto sequence = inca::SequenceOf(request.share.phase, m_sequenceCount);
    auto& stream = m_streams.emplace_back(*m_coding, std::move(request), sequence);
    const auto name = m_firstStream + m_streams.size() - 1;
    m_senders[sequence].Begin(name, stream.Blocks(), stream.ExponentsAhead(), stream.Turn());
    Pump();
}

void
SlotClient::Pump()
{
    while (Path().TakeTurn(m_turn))
    {
        const auto again = NextAgain();
        const auto turn = again ? again : NextOfAll();
        if (!turn)
        {
            return;
        }
        Work(*turn, again.has_value());
    }
}

std::optional<SlotTurn>
SlotClient::NextAgain()
{
    for (auto& sender : m_senders)
    {
        if (auto turn = sender.NextAgain())
        {
            return turn;
        }
    }
    return std::nullopt;
}

/** Sequences take turns, as long as each has something. */
std::optional<SlotTurn>
SlotClient::NextOfAll()
{
    for (std::size_t i = 0; i < m_senders.size(); ++i)
    {
        auto& sender = m_senders[m_nextSender];
        m_nextSender = (m_nextSender + 1) % m_senders.size();
        if (auto turn = sender.Next())
        {
            return turn;
        }
    }
    return std::nullopt;
}

SlotSender&
SlotClient::SenderOf(const SlotTurn& turn)
{
    return m_senders[Stream(turn.stream).Sequence()];
}

void
SlotClient::Work(const SlotTurn& turn, bool repeated)
{
    auto& stream = Stream(turn.stream);
    const auto plainBytes =
        stream.Sends(turn) ? m_valuesPerPacket * m_coding->adder.term->bytes : 0;
    const auto isFirst = stream.TakeFirst();
    const auto costPs = Path().FrameCostPs(plainBytes) + (isFirst ? Path().MessageCostPs() : 0);
    if (costPs == 0)
    {
        Transmit(turn, repeated);
        return;
    }
    m_working = turn;
    m_workingSequence = stream.Sequence();
    m_workingAgain = repeated;
    Path().Work(costPs, [this] { HostDone(); });
}

void
SlotClient::HostDone()
{
    // A sum may have come while the host worked: what it made is not needed then.
    if (!m_workingAgain || m_senders[m_workingSequence].Missing(m_working.number))
    {
        Transmit(m_working, m_workingAgain);
    }
}

void
SlotClient::DoVisitState(StateVisitor& visitor)
{
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
SlotClient::Transmit(const SlotTurn& turn, bool repeated)
{
    m_timer.WakeBy(SenderOf(turn).Sent(turn.number, Send(MakeFrame(turn, repeated))));
}

ns3::Ptr<Frame>
SlotClient::MakeFrame(const SlotTurn& turn, bool repeated)
{
    std::uint64_t clamped = 0;
    auto packet = Stream(turn.stream).MakePacket(turn, clamped);
    packet.afterLoss = repeated;
    if (clamped > 0 && !repeated)
    {
        CountClamped(clamped);
    }
    auto frame = MakeAggregationFrame(packet, packet.values > 0 ? m_valuesPerPacket : 0, false);
    frame->aggregation.repeated = repeated;
    return frame;
}

void
SlotClient::WakeForNext()
{
    for (const auto& sender : m_senders)
    {
        m_timer.WakeBy(sender.NextDuePs().value_or(LazyTimer::NEVER_PS));
    }
}

void
SlotClient::Timeout()
{
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
    const auto costPs = Path().FrameCostPs(frame->plainBytes);
    m_arrivals.Enter(std::move(frame), Path().Receive(readyPs, costPs));
}

void
SlotClient::Handle(const SlotPacket& sum)
{
    if (sum.sequence >= m_senders.size())
    {
        throw InputError("a switch sent a packet of sequence " + std::to_string(sum.sequence) +
                         ": inca::SlotProgram::Sequences is above inca::SlotClient::Sequences");
    }
    auto& sender = m_senders[sum.sequence];
    const auto turn = sender.Receive(sum.number, sum.afterLoss);
    if (!turn)
    {
        return; // came before
    }
    auto& stream = Stream(turn->stream);
    CountReceived(stream.Take(*turn, sum));
    if (stream.EndsTurn(*turn) && SetsThePace(sender))
    {
        NotifyPeriodEnd();
    }
    Pump();
    if (turn->endsStream)
    {
        End(turn->stream);
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

std::uint32_t
SlotClient::DoValuesPerPacket() const
{
    return m_valuesPerPacket;
}

std::uint64_t
SlotClient::DoValueBytes() const
{
    return m_coding->adder.sum->bytes;
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
    m_timer.Stop();
    m_streams.clear();
    AggregationClient::DoDispose();
}

} // namespace inca
