/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_RUNS_LEFT_H
#define INCA_SWEEP_RUNS_LEFT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace inca
{

/** What is known of a run before it begins. */
struct RunAhead
{
    std::string kind; ///< runs of one kind are estimated about as well as each other
    double work{0};   ///< seconds of CPU time, as estimated
};

/** One of many runs, while it goes on. */
struct RunUnderWay
{
    RunAhead run;
    double share{0};   ///< of its time that is over, 0..1; 0: it has not told yet
    double seconds{0}; ///< since it began
    double silence{0}; ///< of these, since it told its share

    /** What it took to come to its share. (s) */
    double ToldSeconds() const
    {
        return seconds - silence;
    }
};

/**
 * When many runs will have ended. Estimates of their work need only be right against each other: what a
 * second of it takes is learnt from what is done, most of all from runs of the same kind and about the same
 * length.
 */
class RunsLeft
{
  public:
    /** There is one more to do. */
    void Waits(const RunAhead& run);

    /** One that waited does no more: it has begun, or another has done it. */
    void WaitsNoMore(const RunAhead& run);

    /** @param seconds that it took */
    void Ended(const RunAhead& run, double seconds);

    /** @param jobs that run at once @return seconds; empty before anything is known of any run */
    std::optional<double> Seconds(const std::vector<RunUnderWay>& running,
                                  std::uint32_t jobs) const;

  private:
    /** Of one kind, and as long but for a factor of two. */
    struct Group
    {
        std::string kind;
        int doublings{0}; ///< of a second of work

        bool operator<(const Group& other) const
        {
            return std::tie(kind, doublings) < std::tie(other.kind, other.doublings);
        }
    };

    /** Runs of a group that have ended, and parts of those that have not. */
    struct Known
    {
        double runs{0};
        double work{0};
        double seconds{0};
    };

    /** Runs of a group that have not begun. */
    struct Waiting
    {
        std::uint64_t runs{0};
        double work{0};
        double longest{0}; ///< that ever waited
    };

    using KnownGroups = std::map<Group, Known>;

    static Group GroupOf(const RunAhead& run);
    static double PaceOf(const Group& group, const KnownGroups& known);
    KnownGroups KnownWith(const std::vector<RunUnderWay>& running) const;

    KnownGroups m_ended;
    std::map<Group, Waiting> m_waiting;
};

} // namespace inca

#endif // INCA_SWEEP_RUNS_LEFT_H
