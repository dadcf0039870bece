/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/arrival-queue.h"

#include "device/simulated-time.h"

#include <utility>

namespace inca
{

ArrivalQueue::ArrivalQueue(Handler handle)
    : m_handle(std::move(handle)),
      m_firstDone(KeptEvent::Of<&ArrivalQueue::HandleFirst>(this))
{
}

void
ArrivalQueue::Enter(ns3::Ptr<Frame> frame, std::int64_t donePs)
{
    const bool isFirst = m_arrived.empty();
    if (isFirst && donePs == NowPs())
    {
        m_handle(frame);
        return;
    }
    m_arrived.push_back({std::move(frame), donePs});
    if (isFirst)
    {
        ScheduleFirst();
    }
}

void
ArrivalQueue::Walk(StateWalk& walk)
{
    walk.State(m_arrived.size());
    for (std::size_t i = 0; i < m_arrived.size(); ++i)
    {
        walk.At(m_arrived[i].donePs);
        m_arrived[i].frame->Walk(walk);
    }
}

void
ArrivalQueue::ScheduleFirst()
{
    m_firstDone.ScheduleAt(m_arrived.front().donePs);
}

void
ArrivalQueue::HandleFirst()
{
    const auto frame = std::move(m_arrived.front().frame);
    m_arrived.pop_front();
    if (!m_arrived.empty())
    {
        ScheduleFirst();
    }
    m_handle(frame);
}

} // namespace inca
