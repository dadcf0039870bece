/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_WORK_PACE_H
#define INCA_EXPERIMENT_WORK_PACE_H

#include <cstddef>
#include <optional>
#include <vector>

namespace inca
{

/**
 * Which share of a work's time is over. The work has parts, which go on one after the other or in turn, and an
 * estimate of what each takes. How these are off is learnt part by part, most of all from what was done last. A part
 * that has not begun is expected to be off by the square root of what all of them are so far: another machine is
 * slower at all of them, another estimate is not.
 */
class WorkPace
{
  public:
    /** @param seconds that each part is estimated to take */
    explicit WorkPace(const std::vector<double>& seconds);

    /** Whether that part is still to be done, as far as is known; at first all are. */
    void Expect(std::size_t part, bool isToBeDone);

    /**
     * @param done of each part, 0..1
     * @param seconds since the work began, of any clock; what was before the first call is over, and tells nothing
     */
    void Tell(const std::vector<double>& done, double seconds);

    /** 0..1, as last told; 0 before anything is. */
    double Share() const;

  private:
    struct Part
    {
        double seconds{0}; ///< as estimated
        double done{0};    ///< of these
        bool isToBeDone{true};
        // -- of late
        double recent{0};     ///< of these
        double recentTook{0}; ///< seconds
    };

    double PaceOf(const Part& part) const;
    double DoneSince(const std::vector<double>& done, std::vector<double>& did) const;
    static void Learn(double did, double took, Part& part);

    std::vector<Part> m_parts;
    std::optional<double> m_learnt; ///< seconds, when something was done last; empty: not begun
    double m_done{0};               ///< of all parts, as estimated, since it began
    double m_took{0};               ///< seconds, likewise
    double m_seconds{0};            ///< last told
};

} // namespace inca

#endif // INCA_EXPERIMENT_WORK_PACE_H
