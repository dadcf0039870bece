/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/train-meetings.h"

#include "device/simulated-time.h"
#include "device/switch.h"

#include "ns3/callback.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

/** When its first frame was in the queue, or, where others were before it, these were gone. (ps) */
std::int64_t
BeginPs(const Train& train)
{
    const std::int64_t others = train.frames - 1;
    return others == 0 ? NowPs() + 1
                       : train.lastDeparturePs - others * train.spacingPs - train.FramePs();
}

} // namespace

TrainMeetings::TrainMeetings(const Cluster& cluster, Met met)
    : m_met(std::move(met))
{
    for (const auto& nic : cluster.nics)
    {
        Listen(nic, true);
    }
    for (const auto& hub : cluster.switches)
    {
        for (std::size_t port = 0; port < hub->PortCount(); ++port)
        {
            Listen(hub->GetPort(port), false);
        }
    }
}

void
TrainMeetings::Listen(const ns3::Ptr<ns3::Object>& port, bool isOfHost)
{
    const auto place = m_queues.size();
    m_queues.push_back({isOfHost, {}, {}});
    port->TraceConnectWithoutContext("Enqueue",
                                     ns3::MakeCallback(&TrainMeetings::Queued, this, place));
}

void
TrainMeetings::Queued(std::size_t place, ns3::Ptr<const Train> train)
{
    const auto& segment = train->segment;
    if (train->kind != TrainKind::DATA || segment.messageBytes == 0)
    {
        return;
    }
    auto& [isOfHost, last, before] = m_queues[place];
    if (last.from != train->source || last.to != train->destination)
    {
        before = std::exchange(last, {train->source, train->destination});
    }
    if (segment.offset == 0 || last.messageFrames == 0)
    {
        last.trainFrames = 0;
        last.messageFrames = static_cast<double>(segment.messageBytes) * train->frames /
                             static_cast<double>(train->plainBytes);
    }
    last.trainFrames = std::max(last.trainFrames, train->frames);
    last.untilPs = train->lastDeparturePs;
    last.hasEnded = segment.last;
    const bool meets = isOfHost ? !before.hasEnded : BeginPs(*train) <= before.untilPs;
    const auto frames = std::max(last.trainFrames, before.trainFrames);
    if (meets && frames > 1)
    {
        m_met(std::min(last.messageFrames, before.messageFrames) / frames);
    }
}

} // namespace inca
