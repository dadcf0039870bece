/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/arrival-queue.h"

#include "device/simulated-time.h"

#include <utility>

namespace inca
{

ArrivalQueue::ArrivalQueue(Handler handle)
    : m_handle(std::move(handle))
{
}

void
ArrivalQueue::Enter(ns3::Ptr<Train> train, std::int64_t donePs)
{
    const bool isFirst = m_arrived.empty();
    if (isFirst && donePs == NowPs())
    {
        m_handle(train);
        return;
    }
    m_arrived.push_back({std::move(train), donePs});
    if (isFirst)
    {
        ScheduleFirst();
    }
}

void
ArrivalQueue::ScheduleFirst()
{
    ns3::Simulator::Schedule(Until(m_arrived.front().donePs), &ArrivalQueue::HandleFirst, this);
}

void
ArrivalQueue::HandleFirst()
{
    const auto train = std::move(m_arrived.front().train);
    m_arrived.pop_front();
    if (!m_arrived.empty())
    {
        ScheduleFirst();
    }
    m_handle(train);
}

} // namespace inca
