/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/timeline-writer.h"

#include "record/json-text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace inca
{

namespace
{

constexpr std::size_t g_pieceBytes = 1U << 16U;
constexpr std::int64_t g_psPerMicrosecond = 1'000'000;
constexpr std::uint64_t g_eventsPerSpan = 2;

std::string
QuotedJson(std::string_view text)
{
    return JsonText(nlohmann::json(text));
}

std::string
Microseconds(std::int64_t ps)
{
    return fmt::format("{}.{:06}", ps / g_psPerMicrosecond, ps % g_psPerMicrosecond);
}

std::string
Place(TimelineTrack track)
{
    return fmt::format(R"("pid":{},"tid":{})", track.process, track.thread);
}

} // namespace

TimelineWriter::TimelineWriter(std::uint64_t limit, Sink sink)
    : m_limit(limit),
      m_sink(std::move(sink)),
      m_text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
{
}

void
TimelineWriter::NameProcess(std::uint32_t process, std::string_view name)
{
    WriteMetadata({process, 0}, "process_name", "name", QuotedJson(name));
    WriteMetadata({process, 0}, "process_sort_index", "sort_index", std::to_string(process));
}

void
TimelineWriter::NameTrack(TimelineTrack track, std::string name)
{
    m_names[{track.process, track.thread}] = std::move(name);
}

void
TimelineWriter::Write(const TimelineSpan& span)
{
    if (span.beginPs == span.endPs || !Takes(span.detail, g_eventsPerSpan, span.beginPs))
    {
        return;
    }
    Introduce(span.track);
    const auto name = QuotedJson(span.name);
    WriteEdge('B', span.track, name, span.beginPs);
    WriteEdge('E', span.track, name, span.endPs);
}

void
TimelineWriter::Write(const TimelineCount& count)
{
    if (Takes(TimelineDetail::DEVICE, 1, count.atPs))
    {
        Put(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{{}:{}}}}})",
                        count.process,
                        Microseconds(count.atPs),
                        QuotedJson(count.name),
                        QuotedJson(count.unit),
                        count.value));
    }
}

std::optional<std::int64_t>
TimelineWriter::LeftOutPs(TimelineDetail detail) const
{
    return m_leftOutPs[static_cast<std::size_t>(detail)];
}

void
TimelineWriter::Finish(const std::map<std::string, std::string>& notes)
{
    m_text += "\n],\"otherData\":{";
    const auto* between = "";
    for (const auto& [name, text] : notes)
    {
        m_text += between + QuotedJson(name) + ":" + QuotedJson(text);
        between = ",";
    }
    m_text += "}}\n";
    m_sink(m_text);
    m_text.clear();
}

/** Once some of a kind were left out, so are all later ones. */
bool
TimelineWriter::Takes(TimelineDetail detail, std::uint64_t events, std::int64_t atPs)
{
    auto& leftOutPs = m_leftOutPs[static_cast<std::size_t>(detail)];
    const bool isDevice = detail == TimelineDetail::DEVICE;
    const bool fits =
        m_events + events <= m_limit && (!isDevice || m_deviceEvents + events <= m_limit / 2);
    if (leftOutPs || !fits)
    {
        leftOutPs = std::min(leftOutPs.value_or(atPs), atPs);
        return false;
    }
    m_events += events;
    m_deviceEvents += isDevice ? events : 0;
    return true;
}

void
TimelineWriter::Introduce(TimelineTrack track)
{
    const auto found = m_names.find({track.process, track.thread});
    if (found != m_names.end())
    {
        WriteMetadata(track, "thread_name", "name", QuotedJson(found->second));
        WriteMetadata(track, "thread_sort_index", "sort_index", std::to_string(track.thread));
        m_names.erase(found);
    }
}

void
TimelineWriter::WriteMetadata(TimelineTrack track,
                              std::string_view kind,
                              std::string_view key,
                              const std::string& json)
{
    Put(fmt::format(
        R"({{"ph":"M",{},"name":"{}","args":{{"{}":{}}}}})", Place(track), kind, key, json));
}

/** @param name as JSON */
void
TimelineWriter::WriteEdge(char phase,
                          TimelineTrack track,
                          const std::string& name,
                          std::int64_t atPs)
{
    Put(fmt::format(
        R"({{"ph":"{}",{},"ts":{},"name":{}}})", phase, Place(track), Microseconds(atPs), name));
}

void
TimelineWriter::Put(std::string_view event)
{
    m_text += m_isFirst ? "\n" : ",\n";
    m_isFirst = false;
    m_text += event;
    if (m_text.size() >= g_pieceBytes)
    {
        m_sink(m_text);
        m_text.clear();
    }
}

} // namespace inca
