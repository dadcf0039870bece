/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_PORT_H
#define INCA_DEVICE_PORT_H

#include "inca/base/port-counters.h"
#include "inca/base/ring-queue.h"
#include "inca/base/state-visitor.h"
#include "inca/device/frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace inca
{

/** What a port is. What changes holds for the frames that come from then on. */
struct PortSettings
{
    std::uint64_t bitsPerSecond{10'000'000'000}; ///< of the wire; above 0 when a frame comes
    std::uint64_t bufferBytes{16'777'216};       ///< frames that wait or leave
    std::uint64_t ecnBytes{0};                   ///< a backlog above it marks; 0 = never
};

/**
 * An output port without a clock: a FIFO with a finite buffer before a wire. It says when a frame
 * will have left at the time when the frame comes, so that a hop needs no event of its own for it.
 */
class Port
{
  public:
    explicit Port(const PortSettings& is = {}); ///< @param is what the port is at first

    /**
     * Takes a frame or drops it.
     * @param frame gets its departures, and is marked if the backlog is above the threshold
     * @param readyPs when it comes into the queue, now or later; never earlier than at the last call
     * @param nowPs the present
     * @return false if it was dropped; else its departures are set
     */
    bool Enqueue(Frame& frame, std::int64_t readyPs, std::int64_t nowPs);

    /** Counts a frame that never came to the queue. */
    void Refuse(const Frame& frame, DropReason reason);

    /** Counts frames that came and have left without being simulated one by one. */
    void CountCarried(std::uint64_t frames,
                      const ByteCounts& bytes,
                      std::uint64_t largestQueueBytes)
    {
        m_counters.frames += frames;
        m_counters.in.Add(bytes);
        m_counters.out.Add(bytes);
        m_counters.largestQueueBytes = std::max(m_counters.largestQueueBytes, largestQueueBytes);
    }

    /** From now on, counts frames that come at the time of one that differs (PortCounters::tiedFrames). */
    void CountTies();

    /** The counters as they stand at @p nowPs. */
    const PortCounters& CountersAt(std::int64_t nowPs);

    /** @return when there is room for @p bytes more, if nothing else comes; past: there is now (ps) */
    std::int64_t RoomPs(std::uint64_t bytes) const;

    /** What it has still to send is carried by its link already. */
    void VisitState(StateVisitor& visitor, std::int64_t nowPs);

    /** Sets the rate of the wire for frames that come from now on. */
    void SetRate(std::uint64_t bitsPerSecond)
    {
        settings.bitsPerSecond = bitsPerSecond;
        m_lastWireBytes = 0; // no frame is as long
    }

    PortSettings settings; ///< the rate only by SetRate

  private:
    /** The frame that came last. */
    struct Last
    {
        std::int64_t readyPs{-1};        ///< when it came into the queue; -1: none has come yet
        FrameKind kind{};                ///< what it carried
        ns3::Mac48Address source{};      ///< who sent it
        ns3::Mac48Address destination{}; ///< whom it was for
    };

    /** A frame that has not left yet. */
    struct Waiting
    {
        std::int64_t departurePs{0}; ///< when its last bit leaves
        ByteCounts bytes;            ///< of the frame
    };

    void Settle(std::int64_t nowPs); ///< counts what has left by now
    void LookAhead(std::int64_t readyPs);
    void CountTie(const Frame& frame, std::int64_t readyPs);
    std::int64_t SerialisationOf(const Frame& frame); ///< how long the wire is busy with it (ps)

    RingQueue<Waiting> m_waiting;  ///< by departure
    std::size_t m_gone{0};         ///< of the first of them: will have left when the last one comes
    std::uint64_t m_queueBytes{0}; ///< of the others
    std::int64_t m_freePs{0};      ///< when the last of them has left
    std::uint64_t m_lastWireBytes{0};      ///< most frames are as long as the one before
    std::int64_t m_lastSerialisationPs{0}; ///< how long the wire was busy with that one
    PortCounters m_counters;               ///< what it has done; CountersAt sets what is held
    std::unique_ptr<Last> m_last;          ///< null: ties are not counted
};

} // namespace inca

#endif // INCA_DEVICE_PORT_H
