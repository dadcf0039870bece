/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RECORD_TIMELINE_REQUEST_H
#define INCA_RECORD_TIMELINE_REQUEST_H

#include <cstdint>
#include <functional>
#include <string>

namespace inca
{

/** What a run's timeline shall hold, and where. */
struct TimelineRequest
{
    static constexpr std::uint64_t DEFAULT_LIMIT{1'000'000};

    std::string path;
    std::uint64_t limit{DEFAULT_LIMIT};           ///< events, at least 1
    std::function<void(const std::string&)> warn; ///< told what is not in it; may be empty
};

} // namespace inca

#endif // INCA_RECORD_TIMELINE_REQUEST_H
