/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_PATH_LOG_H
#define INCA_BASE_PATH_LOG_H

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

/** What a piece of a path is spent on. */
enum class PathKind : std::uint8_t
{
    START,         ///< nothing: all paths begin with it, at time 0
    FORWARD,       ///< a layer's forward pass
    BACKWARD,      ///< a layer's backward pass
    UPDATE,        ///< gradients become weights
    GPU_LINKS,     ///< between the GPUs of one worker
    COPY,          ///< between GPU and host memory
    SPARSIFY,      ///< gradients are made sparse
    ENCODE,        ///< of a codec on the host
    DECODE,        ///< the same
    SUM,           ///< a host adds gradients
    PROTOCOL,      ///< what a library's protocol takes for each message
    HOST_MESSAGE,  ///< what a message costs its sender
    HOST_FRAME,    ///< what a frame costs a host
    HOST_BYTES,    ///< a host moves bytes
    COMPRESSION,   ///< the engine of a NIC, by its clock
    DECOMPRESSION, ///< the same
    LINK,          ///< bits leave a host, or a switch towards a host
    TRUNK,         ///< bits leave a switch towards another one
    LATENCY,       ///< of a link
    SWITCH,        ///< the latency of a switch
    ADDER,         ///< of a switch
    TIMER,         ///< a timeout, or any other event that waits for its time
    CYCLE,         ///< a bucket waits for its cycle, and workers agree on it
    ANSWER,        ///< no time: from here on it is an answer, for which a sender may wait
    /** No time: a sender had waited for an answer, as its window was full. Its detail are its message's frames. */
    WINDOW,
    /** The same, as all slots were taken. Twice its stream's packets with values; 1 more if others go ahead. */
    SLOTS,
    REPEATED, ///< periods that were skipped, as they repeat the one before
};

constexpr std::size_t PATH_KINDS{27};

/**
 * The end of the longest path to something: what it waited for last, and what that waited for, back to the begin of the
 * simulation. Keeps the path while it is there. Without a log that is on it is the begin.
 */
class PathEnd
{
  public:
    PathEnd() = default;
    inline PathEnd(const PathEnd& other);
    inline PathEnd& operator=(const PathEnd& other);
    inline ~PathEnd();

    PathEnd(PathEnd&& other) noexcept
        : m_step(std::exchange(other.m_step, 0)),
          m_latencyPs(std::exchange(other.m_latencyPs, 0))
    {
    }

    PathEnd& operator=(PathEnd&& other) noexcept
    {
        std::swap(m_step, other.m_step);
        std::swap(m_latencyPs, other.m_latencyPs);
        return *this;
    }

  private:
    friend class PathLog;

    std::uint32_t m_step{0}; ///< index in the log; 0: the begin
    std::uint32_t m_latencyPs{
        0}; ///< of the link behind that step, for which no frame needs a step of its own
};

/** A piece of a path. */
struct PathPiece
{
    PathKind kind{PathKind::START};
    std::uint32_t place{0};  ///< ns-3's number of the node
    std::uint32_t detail{0}; ///< the port of the node, the layer, or as its kind says
    std::int64_t beginPs{0};
    std::int64_t endPs{0};
    std::uint64_t count{1}; ///< of pieces alike that it stands for
    std::uint64_t times{1}; ///< as often as it is part of the path
    bool isRepeated{
        false}; ///< of periods that were skipped: it has the times of the one that they repeat
};

/**
 * Remembers why things in a simulation happen when they do. What happens has a path (Now()), which is that of the event under
 * way; what takes time extends it, and what has to wait for a resource takes over the path to when that is free, if that
 * is later. Each step begins where the one before it ends, so the pieces of a path add up to its end's time, whatever they
 * are called.
 *
 * Steps that no path needs any more are forgotten. There is one log, as there is one simulator; it is off unless it was
 * asked for, and costs a comparison then. All times are a simulator's; what it skips is added.
 */
class PathLog
{
  public:
    using Show = std::function<void(const PathPiece&)>;

    /** Keeps what happens next on the path of now, whatever it is extended to meanwhile. */
    class Scope
    {
      public:
        Scope()
        {
            if (s_isOn)
            {
                m_before = s_now;
            }
        }

        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

        ~Scope()
        {
            if (s_isOn)
            {
                s_now = std::move(m_before);
            }
        }

      private:
        PathEnd m_before;
    };

    static bool IsOn()
    {
        return s_isOn;
    }

    /** Begins to remember, or stops and forgets everything. A PathEnd of before may only end, and while it has stopped. */
    static void Turn(bool on);

    /** Why the event under way happens. */
    static const PathEnd& Now()
    {
        return s_now;
    }

    /** From now on it is for @p path that things happen. */
    static void Follow(PathEnd path)
    {
        if (s_isOn)
        {
            s_now = std::move(path);
        }
    }

    /** The same, at @p nowPs, for which they have waited since its end. */
    static void Resume(PathEnd path, std::int64_t nowPs, std::uint32_t place)
    {
        if (s_isOn)
        {
            s_now = std::move(path);
            Extend(PathKind::TIMER, place, nowPs);
        }
    }

    /** They have to wait for @p path, too. */
    static void Await(const PathEnd& path)
    {
        if (s_isOn && EndPs(path) > EndPs(s_now))
        {
            s_now = path;
        }
    }

    /** They go on when @p kind has ended. @param endPs not before the present path's end; if it is, nothing happens */
    static void Extend(PathKind kind,
                       std::uint32_t place,
                       std::int64_t endPs,
                       std::uint32_t detail = 0)
    {
        if (s_isOn && endPs + s_skippedPs > EndPs(s_now))
        {
            Append(kind, place, endPs + s_skippedPs, detail);
        }
    }

    /** When the present path ends, by the simulator's clock. */
    static std::int64_t EndPs()
    {
        return EndPs(s_now) - s_skippedPs;
    }

    /** Notes something that takes no time. */
    static void Mark(PathKind kind, std::uint32_t place, std::uint32_t detail = 0)
    {
        if (s_isOn)
        {
            Append(kind, place, EndPs(s_now), detail);
        }
    }

    /** A frame whose last bit has left is under way on the link until @p endPs; as in Extend, not before the path's end. */
    static void Propagate(std::int64_t endPs)
    {
        if (s_isOn && endPs + s_skippedPs > EndPs(s_now))
        {
            AddLatency(endPs + s_skippedPs);
        }
    }

    /**
     * What happened between two states happens again, a number of times, which the simulator skips.
     * @param before the paths to all that was pending in the first state, @param now in the second, in the same order
     * @param beganPs when the first one was, with all that was skipped before @param periodPs how long after it the second one is
     * @return by what to replace @p now
     */
    static std::vector<PathEnd> Repeat(const std::vector<PathEnd>& before,
                                       const std::vector<PathEnd>& now,
                                       std::int64_t beganPs,
                                       std::int64_t periodPs,
                                       std::uint64_t times);

    /** Shows the pieces of @p path, the last one first. */
    static void Walk(const PathEnd& path, const Show& show);

    /** Steps that were made until now stay as they are: a state that may repeat names them. */
    static void BeginEra()
    {
        ++s_era;
    }

    /** How many steps are remembered now. */
    static std::size_t Size()
    {
        return s_size;
    }

  private:
    friend class PathEnd;

    /** What a path's end waited for last. */
    struct Step
    {
        std::int64_t endPs{0};
        std::uint32_t before{0};
        std::uint32_t users{0}; ///< paths that end here, and steps that follow
        std::uint32_t place{0};
        std::uint32_t detail : 24;
        std::uint32_t kind : 8;
        std::uint32_t era{0};       ///< in which it was made
        std::uint32_t count{1};     ///< pieces that follow each other, all alike
        std::uint32_t latencyPs{0}; ///< of the link behind the step before

        /** Whether a piece like that, which follows, can be a part of it. */
        bool IsLike(PathKind otherKind, std::uint32_t otherPlace, std::uint32_t otherDetail) const
        {
            return kind == static_cast<std::uint32_t>(otherKind) && place == otherPlace &&
                   detail == otherDetail && era == s_era;
        }
    };

    /** A period that was skipped a number of times. */
    struct Repetition
    {
        std::vector<std::uint32_t> before; ///< the last steps of all paths when it began
        std::vector<std::uint32_t> now;    ///< when it ended
        std::unordered_map<std::uint32_t, std::uint32_t> places; ///< of steps in before
        std::int64_t beganPs{0};
        std::uint64_t times{0};
        std::uint32_t users{0}; ///< steps that name it
    };

    /** A way through a period. */
    struct Way
    {
        std::vector<std::uint32_t> steps;
        std::optional<std::uint32_t> from; ///< the place of the path from which it comes
        std::uint32_t last{0};             ///< else the step, of before the period
    };

    static void Append(PathKind kind,
                       std::uint32_t place,
                       std::int64_t endPs,
                       std::uint32_t detail);
    static void AddLatency(std::int64_t endPs);
    static std::uint32_t NewStep();
    static void Forget(std::uint32_t step);
    static void ForgetRepetition(std::uint32_t number, std::vector<std::uint32_t>& unused);
    static PathPiece PieceOf(std::uint32_t step);
    static PathPiece LatencyBehind(std::uint32_t step, std::uint32_t latencyPs);
    static std::uint32_t ShowStep(std::uint32_t step, const Show& show);

    static std::int64_t EndPs(const PathEnd& path)
    {
        return s_steps[path.m_step].endPs + path.m_latencyPs;
    }
    static Way WayOf(const Repetition& repetition, std::uint32_t place);
    static std::uint32_t WalkRepetition(const Step& repeated, const Show& show);

    static void Use(std::uint32_t step)
    {
        if (step > 0 &&
            s_isOn) // the begin is always there, and so are all ends of a log that is off
        {
            ++s_steps[step].users;
        }
    }

    static void Leave(std::uint32_t step)
    {
        if (step > 0 && s_isOn && --s_steps[step].users == 0)
        {
            Forget(step);
        }
    }

    inline static bool s_isOn{false};
    inline static std::vector<Step> s_steps{1}; ///< the first one is the begin of all
    inline static std::uint32_t s_free{
        0}; ///< the first of those that are forgotten, each of which names the next
    inline static std::size_t s_size{0};
    inline static std::vector<Repetition> s_repetitions;
    inline static std::int64_t s_skippedPs{0};
    inline static std::uint32_t s_era{0};
    inline static PathEnd s_now;
};

PathEnd::PathEnd(const PathEnd& other)
    : m_step(other.m_step),
      m_latencyPs(other.m_latencyPs)
{
    PathLog::Use(m_step);
}

PathEnd&
PathEnd::operator=(const PathEnd& other)
{
    PathLog::Use(other.m_step);
    PathLog::Leave(std::exchange(m_step, other.m_step));
    m_latencyPs = other.m_latencyPs;
    return *this;
}

PathEnd::~PathEnd()
{
    PathLog::Leave(m_step);
}

} // namespace inca

#endif // INCA_BASE_PATH_LOG_H
