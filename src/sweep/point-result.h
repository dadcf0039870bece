/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_POINT_RESULT_H
#define INCA_SWEEP_POINT_RESULT_H

#include "inca/record/result-row.h"
#include "inca/record/run-record.h"
#include "inca/sweep/points.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** How the run of a point ended, in the order of the names of StatusName. */
enum class PointStatus
{
    DONE,
    REFUSED, ///< it cannot be simulated as it is
    FAILED,  ///< it did not come to its end: no progress, no memory, a bug
    TIMEOUT, ///< it took longer than it may
};

/** "done", "refused", "failed" or "timeout", as rows and stores have it. */
const char* StatusName(PointStatus status);

/** @param name of StatusName */
PointStatus StatusOf(const std::string& name);

/** What a point's run has found. Which point it was of it does not know: several may share it. */
struct PointResult
{
    PointStatus status{PointStatus::DONE};
    std::vector<std::string> warnings; ///< unless it is done: why not
    Row results;                       ///< its columns of ResultColumns
    Row gains{};                       ///< of a sweep that compares: GainCells (WithGain)
};

/** @return whether its run has not come to its end, so that another sweep tries again */
inline bool
HasFailed(const PointResult& result)
{
    return result.status == PointStatus::FAILED || result.status == PointStatus::TIMEOUT;
}

PointResult DoneResult(const RunRecord& record);

/** A result that is done, for another process of the same program. @{ */
std::string FormatResult(const PointResult& result);
/** @throws InvariantError if @p text is none */
PointResult ParseResult(const std::string& text);
/** @} */

/** @param json as JsonOfGiven makes it @return all columns of ResultColumns */
Row ResultsOfJson(const std::string& json);

/** @param reason why @p scenario has no results */
PointResult ResultWithout(PointStatus status, const std::string& reason, const Scenario& scenario);

/** The columns of gains, of these texts. */
Row GainCells(const std::string& gain = "",
              const std::string& low = "",
              const std::string& high = "");

/**
 * @param against of the point that it is compared with, if that has a result
 * @return @p result with how many times as fast it is, if both are done
 */
PointResult WithGain(PointResult result, const std::optional<PointResult>& against);

/** The columns of a row that say what was simulated: of a refused point all that was set. */
Row SettingsOf(const SweepPoint& point);

/** A whole row, with its gain if its sweep compares. */
Row RowOf(const std::string& label,
          std::uint64_t number,
          const Row& settings,
          const PointResult& result);

/** The row of @p point, the same as that of `inca run` with its settings, but for label, point and gain. */
Row RowOf(const SweepPoint& point, const PointResult& result);

} // namespace inca

#endif // INCA_SWEEP_POINT_RESULT_H
