/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_PORT_H
#define INCA_DEVICE_PORT_H

#include "base/prefetch.h"
#include "base/ring-queue.h"
#include "base/state-walk.h"
#include "device/drop-reason.h"
#include "device/train.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** What a port is. */
struct PortSettings
{
    std::uint64_t bitsPerSecond{10'000'000'000};
    std::uint64_t bufferBytes{16'777'216}; ///< trains that wait or leave, whole frames
    std::uint64_t ecnBytes{0};             ///< a backlog above it marks; 0 = never
};

/** Plain and wire bytes of the same trains. */
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
    ByteCounts held;         ///< waiting, leaving, or still in the engine before the port
    std::uint64_t frames{0}; ///< taken
    std::uint64_t largestQueueBytes{0};
    std::uint64_t congestedFrames{0}; ///< of those taken, marked
    ByteCounts dropped;
    DropCounts drops; ///< frames, by reason
};

/**
 * An output port without a clock: a FIFO with a finite buffer before a wire. It says when a train
 * will have left at the time when the train comes, so that a hop needs no event of its own for it.
 */
class Port
{
  public:
    explicit Port(const PortSettings& settings = {});

    /**
     * Takes a train or drops it. Its frames leave back to back, the last of them as early as it can: it
     * enters the queue when, at this wire's rate, none waits for the next. An acknowledgement waits
     * only for what has come before it: of trains that are still arriving, it goes between two frames,
     * and what is behind it leaves later by as much.
     * @param ready when the train is there; never earlier than at the last call
     * @param ring frames that its host has in the queue at once, at most: it gives some when half of them
     *        have left; 0: all that have come
     * @return false if it was dropped; else the train's departures are set
     */
    bool Enqueue(Train& train, TrainTimes ready, std::uint32_t ring = 0);

    /** All frames at once. */
    bool Enqueue(Train& train, std::int64_t readyPs)
    {
        return Enqueue(train, {readyPs, readyPs});
    }

    /** When a train that is there at @p ready enters the queue. (ps) */
    std::int64_t EntryPs(const Train& train, TrainTimes ready)
    {
        return train.frames == 1 ? ready.firstPs : EntryOfSeveralPs(train, ready);
    }

    /** Counts a train that never came to the queue. */
    void Refuse(const Train& train, DropReason reason);

    /** The counters as they stand at @p nowPs. */
    const PortCounters& CountersAt(std::int64_t nowPs);

    /** What it holds, as of the last train that came. */
    std::uint64_t HeldBytes() const
    {
        return m_counters.held.wireBytes;
    }

    /** Enqueue is called soon, and the port itself is at hand: has memory fetched that it names. */
    void Foresee() const
    {
        if (!m_waiting.empty())
        {
            Prefetch(m_waiting.front());
        }
        PrefetchBytes(m_waiting.SlotAhead(0), 1);
    }

    /** What it has still to send is carried by its link already. */
    void Walk(StateWalk& walk, std::int64_t nowPs);

    const PortSettings& Settings() const
    {
        return m_settings;
    }

  private:
    /** A train that has not left yet. */
    struct Waiting
    {
        std::int64_t departurePs{0};
        ByteCounts bytes;
    };

    /** A train of several frames, of which not all may have come. */
    struct Arriving
    {
        TrainTimes ready;
        std::uint32_t frames;
        std::uint32_t ring;
        std::int64_t framePs;    ///< what one takes
        std::int64_t idleFromPs; ///< the wire is reserved for it, and not used yet
        std::int64_t firstDeparturePs;
        std::int64_t lastDeparturePs;
    };

    void Settle(std::int64_t nowPs);
    std::uint64_t QueueBytes(std::int64_t nowPs);

    std::int64_t Serialisation(const Train& train)
    {
        const bool isAsBefore = train.wireBytes == m_lastWireBytes && train.frames == m_lastFrames;
        return isAsBefore ? m_lastSerialisationPs : NewSerialisation(train);
    }

    std::int64_t NewSerialisation(const Train& train);
    std::int64_t EntryOfSeveralPs(const Train& train, TrainTimes ready);

    /** Says when it leaves, and reserves the wire. */
    void Depart(Train& train, TrainTimes ready, std::uint32_t ring)
    {
        if (train.frames > 1)
        {
            Reserve(train, ready, ring);
        }
        else if (train.kind == TrainKind::ACK && !m_arriving.empty())
        {
            GoBetween(train, ready.firstPs);
        }
        else
        {
            train.firstDeparturePs = std::max(ready.firstPs, m_freePs);
            m_freePs = train.firstDeparturePs + Serialisation(train);
            train.lastDeparturePs = m_freePs;
        }
    }

    void Reserve(Train& train, TrainTimes ready, std::uint32_t ring);
    void GoBetween(Train& train, std::int64_t readyPs);
    void ForgetArrived(std::int64_t nowPs);
    std::int64_t NotArrivedPs(std::int64_t nowPs);
    static std::int64_t FramesToCome(const Arriving& train, std::int64_t nowPs);

    PortSettings m_settings;
    RingQueue<Waiting> m_waiting;
    std::int64_t m_freePs{0};
    std::uint64_t m_lastWireBytes{0}; ///< most trains are as long as the one before
    std::int64_t m_lastSerialisationPs{0};
    std::uint32_t m_lastFrames{0};
    std::vector<Arriving> m_arriving; ///< and cannot be ahead of an acknowledgement
    PortCounters m_counters;
};

} // namespace inca

#endif // INCA_DEVICE_PORT_H
