/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The transport's receiving half.
#include "device/nic.h"
#include "device/simulated-time.h"
#include "transport/transport.h"

#include "base/errors.h"

#include <algorithm>
#include <utility>

namespace inca
{

void
Transport::Arrive(ns3::Ptr<Train> train, std::int64_t readyPs)
{
    if (train->kind == TrainKind::ACK)
    {
        Enter(m_acks, {std::move(train), readyPs});
        return;
    }
    const bool isFree = train->kind == TrainKind::PROBE || train->segment.tag.grant;
    const auto cost = FrameCostPs(train->plainBytes, isFree);
    m_hostReceivesUntilPs = std::max(readyPs, m_hostReceivesUntilPs) + cost;
    Enter(m_data, {std::move(train), m_hostReceivesUntilPs});
}

void
Transport::Enter(ArrivalQueue& queue, Arrived arrived)
{
    const bool first = queue.empty();
    const bool isNow = first && arrived.donePs == NowPs();
    queue.push_back(std::move(arrived));
    if (isNow)
    {
        HandleFirst(&queue);
    }
    else if (first)
    {
        ScheduleFirst(queue);
    }
}

void
Transport::ScheduleFirst(ArrivalQueue& queue)
{
    ns3::Simulator::Schedule(Until(queue.front().donePs), &Transport::HandleFirst, this, &queue);
}

void
Transport::HandleFirst(ArrivalQueue* queue)
{
    const auto train = std::move(queue->front().train);
    queue->pop_front();
    if (!queue->empty())
    {
        ScheduleFirst(*queue);
    }
    train->kind == TrainKind::ACK ? HandleAck(*train) : HandleData(train);
}

void
Transport::HandleAck(const Train& train)
{
    auto& connection = ConnectionTo(train.source);
    connection.Acknowledge(train.segment.number, train.segment.provenBefore, NowPs());
    Activate(connection);
}

void
Transport::HandleData(const ns3::Ptr<Train>& train)
{
    auto& connection = ConnectionFrom(train->source);
    if (train->kind == TrainKind::PROBE)
    {
        SendAck(train->source, connection.Next(), train->segment.provenBefore);
        return;
    }
    const auto outcome = connection.Accept(train, m_deliver);
    m_deliveredBytes += outcome.deliveredBytes;
    m_duplicateFrames += outcome.duplicate ? 1 : 0;
    if (outcome.acknowledge)
    {
        SendAck(train->source, connection.Next(), 0);
    }
}

void
Transport::Deliver(ReceivedMessage message)
{
    const auto found = m_receivers.find(message.tag.job);
    if (found == m_receivers.end())
    {
        throw InvariantError("a host got a message of " + message.tag.job.Text() +
                             ", of which it receives nothing");
    }
    found->second(std::move(message));
}

void
Transport::SendAck(ns3::Mac48Address peer, std::uint64_t next, std::uint64_t provenBefore)
{
    auto train = MakeTransportTrain(TrainKind::ACK, 0);
    train->destination = peer;
    train->segment.number = next;
    train->segment.provenBefore = provenBefore;
    ++m_acksSent;
    m_nic->SendTrain(std::move(train));
}

} // namespace inca
