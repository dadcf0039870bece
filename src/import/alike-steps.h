/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_ALIKE_STEPS_H
#define INCA_IMPORT_ALIKE_STEPS_H

#include "import/import-report.h"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Keeps the iterations that exchange what most of them do, those that come later on a tie; the others are
 * left out, and said to be.
 * @param exchangedBy what an iteration exchanges, comparable; an empty optional: nothing
 */
template <typename Step, typename ExchangedBy>
std::vector<Step>
AlikeSteps(const std::vector<Step>& steps, ExchangedBy exchangedBy, ImportReport& report)
{
    using Exchanged = decltype(exchangedBy(steps.front()));
    std::map<Exchanged, std::size_t> counts;
    Exchanged most;
    for (const auto& step : steps)
    {
        const auto exchanged = exchangedBy(step);
        const auto count = exchanged ? ++counts[exchanged] : 0;
        most = exchanged && count >= counts[most] ? exchanged : most;
    }
    std::vector<Step> alike;
    for (const auto& step : steps)
    {
        if (most && exchangedBy(step) == most)
        {
            alike.push_back(step);
        }
        else
        {
            report.LeaveOut("iteration", "exchanges something else than the others, or nothing");
        }
    }
    return alike;
}

} // namespace inca

#endif // INCA_IMPORT_ALIKE_STEPS_H
