/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/collective-times.h"

#include <algorithm>

namespace inca
{

namespace
{

std::optional<std::int64_t>
TimeOf(const std::vector<CollectiveRun>& runs, std::int64_t from, std::int64_t to)
{
    auto run = std::lower_bound(
        runs.begin(), runs.end(), from, [](const CollectiveRun& a, std::int64_t at) {
            return a.launch < at;
        });
    std::optional<CollectiveRun> whole;
    for (; run != runs.end() && run->launch <= to; ++run)
    {
        whole = whole.value_or(*run);
        whole->begin = std::min(whole->begin, run->begin);
        whole->end = std::max(whole->end, run->end);
    }
    return whole ? std::optional(whole->end - whole->begin) : std::nullopt;
}

} // namespace

void
TimeCollectives(TorchRecording& recording)
{
    for (const auto& mark : recording.marks)
    {
        if (mark.kind == TorchMark::Kind::COLLECTIVE)
        {
            auto& collective = recording.collectives[mark.collective];
            collective.ns =
                collective.ns ? collective.ns : TimeOf(recording.runs, mark.begin, mark.end);
        }
    }
}

} // namespace inca
