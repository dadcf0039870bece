/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXPERIMENT_PRECISION_H
#define INCA_TEST_EXPERIMENT_PRECISION_H

#include "record/run-record.h"

#include <algorithm>
#include <string>
#include <vector>

namespace inca
{

/** How far a run is off what packet level makes of the same scenario. */
struct Precision
{
    double iterationError{0};     ///< of the iteration time
    double communicationError{0}; ///< of it, by communication
    double exchangeError{0};      ///< of the exchange time
    /** Columns of the result row that differ, but for those that say how it was simulated. */
    std::vector<std::string> differing;
    bool sameCounts{true}; ///< bytes and frames

    double LargestError() const
    {
        return std::max({iterationError, communicationError, exchangeError});
    }

    /** @return whether every error is below 0.5 %, and no result differs where @p exact says so */
    bool IsSound(bool exact) const
    {
        constexpr double most = 0.005;
        return sameCounts && LargestError() <= most && (!exact || differing.empty());
    }
};

/** @param packetLevel of the same scenario */
Precision PrecisionOf(const RunRecord& record, const RunRecord& packetLevel);

} // namespace inca

#endif // INCA_TEST_EXPERIMENT_PRECISION_H
