/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PORT_COUNTERS_H
#define INCA_BASE_PORT_COUNTERS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace inca
{

/** Why a frame did not go on; one column each. */
enum class DropReason : std::size_t
{
    BUFFER_FULL, ///< a port's buffer had no room for it
    LINK_ERROR,  ///< a link's error model took it
    NO_LINK,     ///< the device is not attached to a link
    OVER_MTU,    ///< an IP packet longer than the device's MTU
};

constexpr std::size_t DROP_REASONS{4};

/** Frames dropped, by reason. */
class DropCounts
{
  public:
    void Add(DropReason reason, std::uint64_t frames = 1)
    {
        m_frames[static_cast<std::size_t>(reason)] += frames;
    }

    std::uint64_t Of(DropReason reason) const
    {
        return m_frames[static_cast<std::size_t>(reason)];
    }

    std::uint64_t Total() const;

  private:
    std::array<std::uint64_t, DROP_REASONS> m_frames{};
};

/** @return "buffer-full" and the like */
const char* DropReasonName(DropReason reason);

/** Plain and wire bytes of the same frames. */
struct ByteCounts
{
    std::uint64_t plainBytes{0};
    std::uint64_t wireBytes{0};

    void Add(const ByteCounts& other)
    {
        plainBytes += other.plainBytes;
        wireBytes += other.wireBytes;
    }

    void Remove(const ByteCounts& other)
    {
        plainBytes -= other.plainBytes;
        wireBytes -= other.wireBytes;
    }
};

/** What a port has done so far. At any time, for both kinds of bytes: in = out + held + dropped. */
struct PortCounters
{
    ByteCounts in;
    ByteCounts out;
    ByteCounts held; ///< waiting, leaving, or still in the engine or the switch before the queue
    std::uint64_t frames{0}; ///< taken
    std::uint64_t largestQueueBytes{0};
    std::uint64_t congestedFrames{0}; ///< of those taken, marked
    std::uint64_t tiedFrames{
        0}; ///< of those taken, if asked for: came at the very time of one of another kind, or between other hosts
    ByteCounts dropped;
    DropCounts drops; ///< frames, by reason
};

} // namespace inca

#endif // INCA_BASE_PORT_COUNTERS_H
