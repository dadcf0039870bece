/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_LOSS_H
#define INCA_SWEEP_LOSS_H

#include "plan/plan.h"

#include <string>

namespace inca
{

/** What keeps sums from being those of fp32 additions. */
struct Loss
{
    std::string kind; ///< a codec's name, "int32", "sketch" or "16-bit"
    std::string text; ///< how much: "2^-8 of each value"
    bool admitted{false};
};

/** All that loses something in @p plan, the network's sums and gradients of 16 bits included. */
std::vector<Loss> LossesOf(const Plan& plan);

} // namespace inca

#endif // INCA_SWEEP_LOSS_H
