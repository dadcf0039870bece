/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_TIMELINE_WRITER_H
#define INCA_RECORD_TIMELINE_WRITER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace inca
{

/** A row of a timeline, in the order in which viewers show them. */
struct TimelineTrack
{
    std::uint32_t process{0};
    std::uint32_t thread{0};
};

/** What an event is about. */
enum class TimelineDetail : std::uint8_t
{
    HOST,      ///< what hosts do, and the run as a whole
    DEVICE,    ///< what devices do, which are many more events
    BREAKDOWN, ///< where the time of hosts went, which is known at the end
};

constexpr std::size_t TIMELINE_DETAILS{3};

/** Something on a track that lasts. Those of one track do not overlap. (ps) */
struct TimelineSpan
{
    TimelineDetail detail{TimelineDetail::HOST};
    TimelineTrack track;
    std::string name;
    std::int64_t beginPs{0};
    std::int64_t endPs{0};
};

/** What a process has from a time on, until it has something else. */
struct TimelineCount
{
    std::uint32_t process{0};
    std::string name;
    std::string unit; ///< of the value: "bytes"
    std::int64_t atPs{0};
    std::uint64_t value{0};
};

/**
 * Turns what a run does into Chrome's trace events (docs/formats.md), one after the other: times are
 * microseconds with six decimals, so whole picoseconds. A span is a B and an E, which viewers that add
 * up in doubles never let overlap; it counts as two events.
 *
 * At most so many events are written, those of devices no more than half of them: what is refused is
 * left out, and the earliest time of each kind remembered. Names of processes and tracks do not count.
 */
class TimelineWriter
{
  public:
    /** Takes the text in pieces. */
    using Sink = std::function<void(std::string_view text)>;

    /** @param limit events, at least 1 */
    TimelineWriter(std::uint64_t limit, Sink sink);

    void NameProcess(std::uint32_t process, std::string_view name);

    /** To be said before its first span; a track without any is not written. */
    void NameTrack(TimelineTrack track, std::string name);

    /** A span of no length is none. */
    void Write(const TimelineSpan& span);

    void Write(const TimelineCount& count);

    /** The earliest time of that kind that was left out; empty: none was. (ps) */
    std::optional<std::int64_t> LeftOutPs(TimelineDetail detail) const;

    /** The last piece. @param notes for people, by name */
    void Finish(const std::map<std::string, std::string>& notes);

  private:
    bool Takes(TimelineDetail detail, std::uint64_t events, std::int64_t atPs);
    void Introduce(TimelineTrack track);
    void WriteMetadata(TimelineTrack track,
                       std::string_view kind,
                       std::string_view key,
                       const std::string& json);
    void WriteEdge(char phase, TimelineTrack track, const std::string& name, std::int64_t atPs);
    void Put(std::string_view event);

    std::uint64_t m_limit;
    Sink m_sink;
    std::string m_text; ///< not yet given to the sink
    bool m_isFirst{true};
    std::uint64_t m_events{0};
    std::uint64_t m_deviceEvents{0};
    std::array<std::optional<std::int64_t>, TIMELINE_DETAILS> m_leftOutPs;  ///< by TimelineDetail
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_names; ///< not yet written
};

} // namespace inca

#endif // INCA_RECORD_TIMELINE_WRITER_H
