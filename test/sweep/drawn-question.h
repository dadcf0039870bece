/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SWEEP_DRAWN_QUESTION_H
#define INCA_TEST_SWEEP_DRAWN_QUESTION_H

#include "sweep/decision.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** A cluster and a trace, and what may be lost on it. */
struct DrawnQuestion
{
    std::string toml;
    DecideQuestion question;
};

/**
 * The same for the same number: workers and how they are wired, rates, hosts, engines, losses.
 * @param traces paths, or names of shipped ones, one of which is drawn
 * @param mostWorkers 4, 8, 16, ...
 */
DrawnQuestion DrawQuestion(std::uint32_t number,
                           const std::vector<std::string>& traces,
                           std::uint32_t mostWorkers);

/** Traces of few layers, with little and much to compute, written into @p folder. @return their paths */
std::vector<std::string> WriteSmallTraces(const std::string& folder);

/** What a decision costs beside running all of its grid. */
struct DecisionStudy
{
    std::string best;          ///< of all
    std::string found;         ///< by the decision
    double regret{0};          ///< by which what is found takes longer: 0.01 is 1 %
    double share{0};           ///< of the grid, that the decision has run
    std::size_t grid{0};       ///< candidates
    std::size_t exceptions{0}; ///< runs that were faster than their lower bounds
};

/** Decides, and runs what the decision has not. @param folder where the scenario is written */
DecisionStudy StudyDecision(const DrawnQuestion& drawn, const std::string& folder);

} // namespace inca

#endif // INCA_TEST_SWEEP_DRAWN_QUESTION_H
