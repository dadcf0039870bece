/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_SHARE_PARTS_H
#define INCA_RECORD_SHARE_PARTS_H

#include "inca/record/run-record.h"

#include <array>
#include <cstdint>

namespace inca
{

/** A part of the time, and what rows, run.json and tables call it. */
struct SharePart
{
    const char* name; ///< "forward"; "forward_s" and "forward_ps" where a unit is needed
    std::int64_t TimeShares::*ps;
};

/** All parts, in the order in which they are shown. */
constexpr std::array<SharePart, 7> g_shareParts{{{"forward", &TimeShares::forwardPs},
                                                 {"backward", &TimeShares::backwardPs},
                                                 {"copy", &TimeShares::copyPs},
                                                 {"codec", &TimeShares::codecPs},
                                                 {"sum", &TimeShares::sumPs},
                                                 {"update", &TimeShares::updatePs},
                                                 {"communication", &TimeShares::communicationPs}}};

} // namespace inca

#endif // INCA_RECORD_SHARE_PARTS_H
