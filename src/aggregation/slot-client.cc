/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/slot-client.h"

#include "device/aggregation-packet.h"
#include "device/simulated-time.h"

#include "base/units.h"

#include <algorithm>
#include <utility>

namespace inca
{

void
SlotClient::DoSum(NetworkSumRequest request)
{
    auto& stream = m_streams.emplace_back(*m_coding, std::move(request));
    m_timeouts->Restart();
    const auto name = m_firstStream + m_streams.size() - 1;
    m_sender->Begin(name, stream.Blocks(), stream.ExponentsAhead());
    Pump();
}

void
SlotClient::Pump()
{
    while (!m_hostSends)
    {
        const auto again = NextAgain();
        const auto turn = again ? again : m_sender->Next();
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
    while (!m_again.empty())
    {
        const auto number = m_again.front();
        m_again.pop_front();
        if (auto turn = m_sender->Missing(number))
        {
            return turn;
        }
    }
    return std::nullopt;
}

void
SlotClient::Work(const SlotTurn& turn, bool repeated)
{
    const auto plainBytes = turn.block ? m_valuesPerPacket * VALUE_BYTES : 0;
    const auto isFirst = Stream(turn.stream).TakeFirst();
    const auto costPs = FrameCostPs(plainBytes) + (isFirst ? m_hostMessageCost.GetTimeStep() : 0);
    if (costPs == 0)
    {
        Transmit(turn, repeated);
        return;
    }
    m_hostSends = true;
    ns3::Simulator::Schedule(ns3::TimeStep(static_cast<std::uint64_t>(costPs)),
                             &SlotClient::HostDone,
                             this,
                             turn,
                             repeated);
}

void
SlotClient::HostDone(SlotTurn turn, bool repeated)
{
    m_hostSends = false;
    // A sum may have come while the host worked: what it made is not needed then.
    if (!repeated || m_sender->Missing(turn.number))
    {
        Transmit(turn, repeated);
    }
    Pump();
}

void
SlotClient::Transmit(const SlotTurn& turn, bool repeated)
{
    auto& timesSent = m_timesSent[turn.number % m_slots];
    timesSent = repeated ? timesSent + 1 : 1;
    WakeAt(m_timeouts->Sent(turn.number, Send(MakeTrain(turn, repeated))));
}

ns3::Ptr<Train>
SlotClient::MakeTrain(const SlotTurn& turn, bool repeated)
{
    std::uint64_t clamped = 0;
    const auto packet = Stream(turn.stream).MakePacket(turn, clamped);
    if (clamped > 0 && !repeated)
    {
        CountClamped(clamped);
    }
    auto train = MakeAggregationTrain(packet, turn.block ? m_valuesPerPacket : 0, false);
    train->aggregation.repeated = repeated;
    return train;
}

std::int64_t
SlotClient::FrameCostPs(std::uint64_t plainBytes) const
{
    return WorkPs(plainBytes, m_hostBytesPerSecond) + m_hostFrameCost.GetTimeStep();
}

/** What is answered leaves its timer as it is: one event that finds nothing due, not one a packet. */
void
SlotClient::WakeAt(std::int64_t timePs)
{
    if (timePs < m_timerPs)
    {
        m_timer.Cancel();
        m_timerPs = timePs;
        m_timer = ns3::Simulator::Schedule(Until(timePs), &SlotClient::Timeout, this);
    }
}

void
SlotClient::Timeout()
{
    m_timerPs = NEVER_PS;
    while (const auto due = m_timeouts->TakeDue(NowPs()))
    {
        m_again.push_back(*due);
    }
    WakeAt(m_timeouts->NextPs().value_or(NEVER_PS));
    Pump();
}

void
SlotClient::DoReceive(ns3::Ptr<Train> train, std::int64_t readyPs)
{
    m_hostReceivesUntilPs =
        std::max(readyPs, m_hostReceivesUntilPs) + FrameCostPs(train->plainBytes);
    const bool isFirst = m_arrived.empty();
    if (isFirst && m_hostReceivesUntilPs == NowPs())
    {
        Handle(train->aggregation.packet);
        return;
    }
    m_arrived.push_back({std::move(train), m_hostReceivesUntilPs});
    if (isFirst)
    {
        ScheduleFirst();
    }
}

void
SlotClient::ScheduleFirst()
{
    ns3::Simulator::Schedule(Until(m_arrived.front().donePs), &SlotClient::HandleFirst, this);
}

void
SlotClient::HandleFirst()
{
    const auto train = std::move(m_arrived.front().train);
    m_arrived.pop_front();
    if (!m_arrived.empty())
    {
        ScheduleFirst();
    }
    Handle(train->aggregation.packet);
}

void
SlotClient::Handle(const SlotPacket& sum)
{
    const auto turn = m_sender->Receive(sum.number);
    if (!turn)
    {
        return; // came before
    }
    m_timeouts->Answered(sum.number);
    CountReceived(Stream(turn->stream).Take(*turn, sum));
    Pump();
    if (turn->endsStream)
    {
        End(turn->stream);
    }
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

std::uint32_t
SlotClient::DoValuesPerPacket() const
{
    return m_valuesPerPacket;
}

std::string
SlotClient::DoState() const
{
    const auto oldest = m_sender->Oldest();
    if (!oldest)
    {
        return "no packet is on the way";
    }
    const auto count = m_sender->Outstanding();
    const auto timesSent = m_timesSent[*oldest % m_slots];
    return std::to_string(count) + (count == 1 ? " packet is" : " packets are") +
           " on the way, the oldest, " + std::to_string(*oldest) + ", was sent " +
           std::to_string(timesSent) + (timesSent == 1 ? " time" : " times");
}

void
SlotClient::DoDispose()
{
    m_timer.Cancel();
    m_streams.clear();
    m_arrived.clear();
    AggregationClient::DoDispose();
}

} // namespace inca
