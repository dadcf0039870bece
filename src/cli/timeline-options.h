/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_TIMELINE_OPTIONS_H
#define INCA_CLI_TIMELINE_OPTIONS_H

#include "record/timeline-request.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI
{
class App;
} // namespace CLI

namespace inca
{

/** --timeline and what belongs to it, as they stand on the command line. */
struct TimelineOptions
{
    std::string path; ///< empty: none is asked for
    std::optional<std::string> limit;
    std::optional<std::string> window; ///< empty: all iterations
};

void AddTimelineOptions(CLI::App& command, TimelineOptions& options);

/**
 * @param iterations of the run
 * @return empty if no timeline is asked for
 * @throws InputError if the limit is no count, the window none of that run, or @p options.path no place
 *         for a file
 */
std::optional<TimelineRequest> RequestOf(const TimelineOptions& options, std::uint32_t iterations);

} // namespace inca

#endif // INCA_CLI_TIMELINE_OPTIONS_H
