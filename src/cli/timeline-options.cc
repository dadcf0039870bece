/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/timeline-options.h"

#include "base/errors.h"
#include "base/units.h"
#include "base/value-text.h"
#include "base/whole-file.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <limits>

namespace inca
{

namespace
{

constexpr const char* g_dots = "..";

/** Sets the iterations that "2" or "1..2" names, counted from 1. @throws UnitError if it names none */
void
SetWindow(const std::string& text, std::uint32_t iterations, TimelineRequest& request)
{
    const auto dots = text.find(g_dots);
    const auto last = dots == std::string::npos ? text : text.substr(dots + 2);
    const auto from = ParseInteger(text.substr(0, dots), 1, iterations);
    const auto to = ParseInteger(last, 1, iterations);
    if (to < from)
    {
        throw UnitError("must begin with the lower iteration");
    }
    request.firstIteration = static_cast<std::uint32_t>(from - 1);
    request.lastIteration = static_cast<std::uint32_t>(to - 1);
}

/** @throws InputError naming @p option where @p set throws a UnitError */
void
Set(const std::string& option,
    const std::optional<std::string>& text,
    const std::function<void(const std::string&)>& set)
{
    try
    {
        if (text)
        {
            set(*text);
        }
    }
    catch (const UnitError& error)
    {
        throw InputError(option + "=" + *text + ": " + error.what());
    }
}

} // namespace

void
AddTimelineOptions(CLI::App& command, TimelineOptions& options)
{
    auto* file = command
                     .add_option("--timeline",
                                 options.path,
                                 "writes what happened when as Chrome trace events, for Perfetto "
                                 "and speedscope")
                     ->type_name("FILE.json");
    command
        .add_option("--timeline-limit",
                    options.limit,
                    "the most events of the timeline, of which devices get half; default: " +
                        std::to_string(TimelineRequest::DEFAULT_LIMIT))
        ->type_name("COUNT")
        ->needs(file);
    command
        .add_option("--timeline-window",
                    options.window,
                    "the iterations of the timeline, counted from 1: 2 or 1..2")
        ->type_name("FROM..TO")
        ->needs(file);
}

std::optional<TimelineRequest>
RequestOf(const TimelineOptions& options, std::uint32_t iterations)
{
    if (options.path.empty())
    {
        return std::nullopt;
    }
    TimelineRequest request;
    request.path = options.path;
    Set("--timeline-limit", options.limit, [&request](const std::string& text) {
        request.limit = ParseInteger(text, 1, std::numeric_limits<std::uint64_t>::max());
    });
    Set("--timeline-window", options.window, [&request, iterations](const std::string& text) {
        SetWindow(text, iterations, request);
    });
    const WholeFile trial(options.path); // before a long run
    return request;
}

} // namespace inca
