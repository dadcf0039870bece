/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_ITERATIONS_H
#define INCA_IMPORT_ITERATIONS_H

#include "import/recorded-training.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/**
 * How many iterations a record holds that does not mark them: one, but that options say more. Where its sums
 * of gradients repeat, that is warned of.
 * @param sums the size of each
 * @throws InputError if they do not repeat as often as options say
 */
std::size_t IterationsOf(const std::vector<std::uint64_t>& sums,
                         const ImportOptions& options,
                         ImportReport& report);

/** Warns that options say how many iterations there are, where the record marks @p count itself. */
void WarnOfIterations(const ImportOptions& options, std::size_t count, ImportReport& report);

/**
 * The group whose sums are gradients: the one that has any, or that options name.
 * @param groups that have sums of gradients, with their number and bytes
 * @return empty if there is none @throws InputError if there are several, and options say not which
 */
std::string DataParallelGroup(const std::map<std::string, CountedBytes>& groups,
                              const ImportOptions& options,
                              ImportReport& report);

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

/** @return the middle one, of an even number the lower of the two; of none 0 */
std::int64_t MedianOf(std::vector<std::int64_t> values);

/** @return the median of what @p get takes from each of @p steps, at least one */
template <typename Step, typename Get>
std::int64_t
MedianOver(const std::vector<Step>& steps, Get get)
{
    std::vector<std::int64_t> values;
    for (const auto& step : steps)
    {
        values.push_back(get(step));
    }
    return MedianOf(std::move(values));
}

/** Shares @p total out by @p weights (evenly if all are 0), so that the parts add up to it. */
std::vector<std::int64_t> SharedOut(std::int64_t total, const std::vector<std::uint64_t>& weights);

} // namespace inca

#endif // INCA_IMPORT_ITERATIONS_H
