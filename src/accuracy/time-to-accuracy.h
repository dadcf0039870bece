/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_ACCURACY_TIME_TO_ACCURACY_H
#define INCA_ACCURACY_TIME_TO_ACCURACY_H

#include "inca/accuracy/curve.h"
#include "inca/record/result-row.h"
#include "inca/scenario/scenario.h"
#include "inca/sweep/scenario-variants.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A system whose iterations take time: a point of a sweep, or a scenario. */
struct TimedSystem
{
    std::string label;
    Row settings; ///< the columns of a result row that say what was simulated
    Scenario scenario;
    std::optional<double> iterationSeconds; ///< that were found before; empty: it is to be run
    std::string refusal{};                  ///< why it cannot be run; empty: it can
};

/**
 * @param path the folder of a sweep: its points that are done, with their times; or a scenario: the points of its own
 *        sweep, or itself
 * @throws InputError if there is none
 */
std::vector<TimedSystem> ReadSystems(const std::string& path);

/** How the systems' gradients are sent, where it matters what a gain is over. */
enum class WireSize
{
    FULL,    ///< fp32, uncompressed
    SIXTEEN, ///< 16 bits for each value
    OTHER,
};

/** Trainings with what a system's arithmetic makes of gradients, in the time that this system takes. */
struct TimedCurves
{
    std::size_t system{0}; ///< index of it
    const CurveGroup* curves{nullptr};
    std::string name;    ///< the system's, what else varies, and the options of its curves
    std::string context; ///< what else than the system varies, and its value
    WireSize wireSize{WireSize::OTHER};
    bool isOfOtherOrder{false};              ///< both are sums of fp32 values, in different orders
    std::map<std::uint64_t, double> seconds; ///< by the steps of its curves, from the first step on

    /** In the mean over the whole training. */
    double IterationSeconds() const;
};

/** Systems with their curves. */
struct TimedTrainings
{
    std::vector<TimedCurves> all;
    std::vector<std::string> contextColumns; ///< of a row, what else than its label varies
    std::vector<std::string> warnings;
};

/**
 * Joins each system with the curves of its value path (ValueExchange::Path). One without a loss also takes curves of
 * sums that were added in another order, if there are none of its own. Where a codec's size depends on values, an
 * iteration takes as long as the curves' bits per value say, in the mean over their seeds, to 1 % or so.
 * @param curves outlive what is returned
 * @throws InputError if no system has curves, saying why each has none
 */
TimedTrainings JoinCurves(const std::vector<TimedSystem>& systems,
                          const std::vector<CurveGroup>& curves,
                          const PointRunner& run);

/** When a curve's accuracy is a target's or more for the first time. */
struct Reached
{
    std::uint64_t step{0};
    double seconds{0};
};

/** How systems' trainings come to a target. */
struct TargetTimes
{
    std::vector<std::optional<Reached>> bySeed; ///< empty: not within the training
    std::optional<Reached> median; ///< of the seeds; one that does not come to it is the latest
    std::optional<double> gainOverFull; ///< over the fastest of WireSize::FULL in the same context
    std::optional<double> gainOverSixteen; ///< the same of 16 bits
};

/** @return of each of @p trainings how it comes to @p target (0..1) */
std::vector<TargetTimes> TimesTo(double target, const TimedTrainings& trainings);

/** Each test of each training, with its system's settings that vary: the columns of `inca accuracy --csv`. */
void ForEachRow(const std::vector<TimedSystem>& systems,
                const TimedTrainings& trainings,
                const std::function<void(const Row&)>& take);

} // namespace inca

#endif // INCA_ACCURACY_TIME_TO_ACCURACY_H
