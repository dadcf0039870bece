/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_PRECISION_H
#define INCA_RECORD_PRECISION_H

#include "record/run-record.h"

#include <string>
#include <vector>

namespace inca
{

/** What an error may be, of a run that is not all at packet level. @{ */
constexpr double MOST_TIME_ERROR{0.005}; ///< of the iteration, and of the exchange
/** @} */

/** How far a run is off what packet level makes of the same scenario. */
struct Precision
{
    double iterationError{0};     ///< of the iteration time
    double communicationError{0}; ///< of it, by communication
    double exchangeError{0};      ///< of the exchange time
    /** Columns of the result row that differ, but for those that say how it was simulated. */
    std::vector<std::string> differing;
    bool sameCounts{true}; ///< bytes and frames

    /** @return whether every error is within its bound, and no result differs where @p exact says so */
    bool IsSound(bool exact) const;
};

/** @param packetLevel of the same scenario */
Precision PrecisionOf(const RunRecord& record, const RunRecord& packetLevel);

} // namespace inca

#endif // INCA_RECORD_PRECISION_H
