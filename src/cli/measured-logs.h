/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_MEASURED_LOGS_H
#define INCA_CLI_MEASURED_LOGS_H

#include "inca/calibration/calibration.h"
#include "inca/calibration/measurement-log.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** What one log has measured. */
struct Log
{
    std::string name;
    std::string
        library; ///< of its exchanges, that INCA knows, by the tool; else "none"; empty: it has none
    bool isOfGpus{false};                     ///< what is exchanged is in GPUs
    std::vector<MeasuredTime> times;          ///< what can be fitted
    double bitsPerSecond{0};                  ///< of a link, by its streams; 0: it has none
    std::map<MeasuredKind, std::size_t> left; ///< rows that cannot
};

/**
 * Reads logs, and prints what is in them.
 * @param ranks of the logs: none, which is for them to say; one for all that do not; one for each log; or one for each that does not
 * @throws InputError if one cannot be read, or has nothing of use, or if not exactly those have ranks that need them
 */
std::vector<Log> ReadLogs(const std::vector<std::string>& paths,
                          const std::vector<std::uint32_t>& ranks);

} // namespace inca

#endif // INCA_CLI_MEASURED_LOGS_H
