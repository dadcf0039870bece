/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_MEASURED_LOGS_H
#define INCA_CLI_MEASURED_LOGS_H

#include "calibration/calibration.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** The all-reduces of one log. */
struct Log
{
    std::string name;
    std::string library; ///< that INCA knows, by the tool; else "none"
    std::vector<MeasuredTime> times;
};

/**
 * Reads logs, and prints what is in them.
 * @param first the number of the first of them among all logs of the command line
 * @param ranks of logs that do not say how many there were: none, one for all logs, or one for each
 * @throws InputError if one cannot be read, or does not say how many ranks there were
 */
std::vector<Log> ReadLogs(const std::vector<std::string>& paths,
                          std::size_t first,
                          const std::vector<std::uint32_t>& ranks);

} // namespace inca

#endif // INCA_CLI_MEASURED_LOGS_H
