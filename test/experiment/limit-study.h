/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_LIMIT_STUDY_H
#define INCA_TEST_EXPERIMENT_LIMIT_STUDY_H

#include "experiment/drawn-scenario.h"
#include "plan/bound-time.h"

#include <array>
#include <cstdint>
#include <string>

namespace inca
{

/** What raising each limit of one drawn scenario saves, beside the one that its run names. */
struct LimitStudy
{
    std::string settings; ///< of the scenario
    double runPs{0};      ///< of an iteration
    double boundPs{0};
    std::string named;
    std::array<double, LIMITS> gainsPs{}; ///< by limit: what raising it saves of an iteration

    double NamedGainPs() const;
    Limit Best() const; ///< the limit that saves most

    /** @return whether the named one saves the most, but for one hundredth of the run */
    bool Holds() const;
};

/** Runs drawn scenario @p number as it is, and with every limit raised by RAISE. */
LimitStudy StudyLimits(std::uint32_t number, const DrawnTraces& traces);

/** @p scenario with @p limit raised by RAISE: a faster trace, attribute or key. */
Scenario WithRaised(const Scenario& scenario, Limit limit);

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_LIMIT_STUDY_H
