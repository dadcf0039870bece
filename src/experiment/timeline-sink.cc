/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-sink.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_fewSpans = 1024;

} // namespace

std::uint32_t
ProcessOfHost(std::uint32_t host)
{
    return TIMELINE_RUN + 1 + host;
}

std::uint32_t
ProcessOfSwitch(const Cluster& cluster, std::size_t number)
{
    return ProcessOfHost(static_cast<std::uint32_t>(cluster.nics.size() + number));
}

TimelineTrack
TrackOfHost(std::uint32_t host, HostTrack kind, std::size_t lane)
{
    return {ProcessOfHost(host),
            static_cast<std::uint32_t>(kind) + static_cast<std::uint32_t>(lane)};
}

TimelineSink::TimelineSink(TimelineWriter& writer, const JobClock& clock)
    : m_writer(writer),
      m_clock(clock),
      m_mostEarly(g_fewSpans)
{
}

void
TimelineSink::Open()
{
    m_openPs = NowPs();
    Forget(*m_openPs);
    for (const auto& span : std::exchange(m_early, {}))
    {
        m_writer.Write(span);
    }
}

void
TimelineSink::Close()
{
    m_closePs = NowPs();
}

bool
TimelineSink::Contains(std::int64_t atPs) const
{
    return m_openPs && *m_openPs <= atPs && (!m_closePs || atPs < *m_closePs);
}

void
TimelineSink::Add(TimelineSpan span)
{
    if (m_openPs)
    {
        if (span.endPs > *m_openPs && (!m_closePs || span.beginPs < *m_closePs))
        {
            m_writer.Write(span);
        }
        return;
    }
    m_early.push_back(std::move(span));
    if (m_early.size() > m_mostEarly)
    {
        Forget(NowPs());
        m_mostEarly = g_fewSpans + 2 * m_early.size();
    }
}

void
TimelineSink::Add(const TimelineCount& count)
{
    if (Contains(count.atPs))
    {
        m_writer.Write(count);
    }
}

/** What is over by @p untilPs will not be shown. */
void
TimelineSink::Forget(std::int64_t untilPs)
{
    const auto over = [untilPs](const TimelineSpan& span) { return span.endPs <= untilPs; };
    m_early.erase(std::remove_if(m_early.begin(), m_early.end(), over), m_early.end());
}

} // namespace inca
