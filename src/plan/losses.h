/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_LOSSES_H
#define INCA_PLAN_LOSSES_H

#include "inca/plan/plan.h"

#include <string>
#include <vector>

namespace inca
{

/** What keeps sums from being those of fp32 additions. */
struct Loss
{
    std::string kind; ///< a codec's name, what switches add, "sketch" or "16-bit"
    std::string text; ///< how much: "2^-8 of each value"
};

/** All that loses something in @p plan, the network's sums and gradients of 16 bits included. */
std::vector<Loss> LossesOf(const Plan& plan);

/** Whether its plan may lose something. */
bool MayLose(const Scenario& scenario);

/** "cast: 2^-8 of each value; int32: ..." for people, or "none". */
std::string LossesText(const std::vector<Loss>& losses);

} // namespace inca

#endif // INCA_PLAN_LOSSES_H
