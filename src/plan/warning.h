/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_WARNING_H
#define INCA_PLAN_WARNING_H

#include <string>
#include <vector>

namespace inca
{

/** What a warning is about, in the order in which they are printed. */
enum class WarningTopic
{
    IDLE_KEYS,
    NETWORK,
    DROPS,
    UNSAFE_SKETCHES,
    DENSITIES,
    UNCODED_SKETCHES,
    SIZES,
    VALUES,
};

/** What a user should know of a run: nothing is wrong with the input, but the result may surprise. */
struct Warning
{
    WarningTopic topic;
    std::string text; ///< mostly "key: what is the matter"
};

using Warnings = std::vector<Warning>;

/** @return the texts by topic; of one topic in the order of @p warnings */
std::vector<std::string> TextsOf(Warnings warnings);

} // namespace inca

#endif // INCA_PLAN_WARNING_H
